//! Network namespaces. A thread enters one; a socket that it opens there stays there, whichever thread uses it later.

#![allow(unsafe_code)]

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crate::check;

/// The calling thread's own, whatever it has entered.
const OWN: &str = "/proc/thread-self/ns/net";

/// The device and inode of a namespace: unique while it exists.
type Id = (u64, u64);

thread_local! {
    /// The namespace that the thread has entered here; none: the one that it was born in.
    static ENTERED: Cell<Option<Id>> = const { Cell::new(None) };
}

/// A network namespace. It exists as long as this, or a process in it, does.
#[derive(Debug, Clone)]
pub struct Namespace {
    file: Arc<File>,
    id: Id,
}

/// A stay of the calling thread in a namespace. It ends when this is dropped.
#[derive(Debug)]
pub struct Stay {
    /// Where the thread was before; none if it was there already.
    back: Option<(File, Option<Id>)>,
    /// It belongs to its thread.
    _thread: PhantomData<*const ()>,
}

impl Namespace {
    /// A new namespace, in which only the loopback interface is, and is up.
    ///
    /// # Errors
    /// `EPERM` without the right to make one (CAP_SYS_ADMIN).
    pub fn new() -> io::Result<Self> {
        // A thread of its own: it ends in the namespace that it makes.
        let made = thread::spawn(|| {
            // SAFETY: unshare takes an integer, and changes nothing but the calling thread.
            check(unsafe { libc::unshare(libc::CLONE_NEWNET) })?;
            raise_loopback()?;
            Self::open(OWN)
        });
        made.join().expect("it does not panic")
    }

    /// The namespace that a process is in.
    ///
    /// # Errors
    /// The process is gone, or may not be looked at.
    pub fn of_process(pid: u32) -> io::Result<Self> {
        Self::open(format!("/proc/{pid}/ns/net"))
    }

    fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let file = File::open(path)?;
        let id = id_of(&file)?;
        Ok(Self {
            file: Arc::new(file),
            id,
        })
    }

    /// A path by which other processes find it, as long as this one has it.
    pub fn path(&self) -> PathBuf {
        format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd()).into()
    }

    /// Moves the calling thread into it, until the result is dropped. Costs nothing for a thread that is there already.
    /// What the thread starts meanwhile begins there, too.
    ///
    /// # Errors
    /// `EPERM` without the right to enter it (CAP_SYS_ADMIN).
    pub fn enter(&self) -> io::Result<Stay> {
        let before = ENTERED.get();
        if before == Some(self.id) {
            return Ok(Stay::new(None));
        }
        let home = File::open(OWN)?;
        set(&self.file)?;
        ENTERED.set(Some(self.id));
        Ok(Stay::new(Some((home, before))))
    }
}

/// Namespaces are equal if they are the same one.
impl PartialEq for Namespace {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Namespace {}

impl Stay {
    fn new(back: Option<(File, Option<Id>)>) -> Self {
        Self {
            back,
            _thread: PhantomData,
        }
    }
}

impl Drop for Stay {
    /// # Panics
    /// If the thread cannot return: whatever it did next would happen in the wrong place.
    fn drop(&mut self) {
        if let Some((home, before)) = self.back.take() {
            set(&home).expect("a thread may return to the namespace that it came from");
            ENTERED.set(before);
        }
    }
}

fn id_of(file: &File) -> io::Result<Id> {
    let found = file.metadata()?;
    Ok((found.dev(), found.ino()))
}

fn set(namespace: &File) -> io::Result<()> {
    // SAFETY: the descriptor is open while `namespace` is borrowed; only the calling thread is changed.
    check(unsafe { libc::setns(namespace.as_raw_fd(), libc::CLONE_NEWNET) })
}

/// Raises the loopback interface of the calling thread's namespace: it begins without.
fn raise_loopback() -> io::Result<()> {
    // SAFETY: no pointers; the descriptor is new and has no other owner.
    let socket = unsafe {
        let fd = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        check(fd.min(0))?;
        OwnedFd::from_raw_fd(fd)
    };
    // SAFETY: ifreq is a structure of integers and bytes, for which zeros are a valid value.
    let mut request: libc::ifreq = unsafe { mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = *from as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the request lives across the call, which reads it only.
    check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &raw const request) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpListener, TcpStream};

    /// None where the machine does not let this user make one.
    fn namespace() -> Option<Namespace> {
        match Namespace::new() {
            Ok(made) => Some(made),
            Err(error) => {
                println!("no network namespace can be made here: {error}");
                assert_eq!(error.raw_os_error(), Some(libc::EPERM), "{error}");
                None
            }
        }
    }

    fn own() -> Id {
        id_of(&File::open(OWN).unwrap()).unwrap()
    }

    #[test]
    fn a_socket_stays_where_it_was_opened_and_its_thread_returns() {
        let Some(inside) = namespace() else { return };
        let home = own();
        let stay = inside.enter().unwrap();
        assert_eq!(own(), inside.id);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        assert!(
            TcpStream::connect(address).is_ok(),
            "its loopback interface is up"
        );
        drop(stay);
        assert_eq!(own(), home);
        assert!(
            TcpStream::connect(address).is_err(),
            "nothing listens there outside"
        );
    }

    #[test]
    fn stays_can_be_nested() {
        let (Some(one), Some(other)) = (namespace(), namespace()) else {
            return;
        };
        assert_ne!(one, other);
        let home = own();
        let outer = one.enter().unwrap();
        let again = one.enter().unwrap();
        let inner = other.enter().unwrap();
        assert_eq!(own(), other.id);
        drop(inner);
        drop(again);
        assert_eq!(own(), one.id);
        drop(outer);
        assert_eq!(own(), home);
    }

    #[test]
    fn it_is_found_by_process_and_by_path() {
        let Some(inside) = namespace() else { return };
        assert_eq!(Namespace::open(inside.path()).unwrap(), inside);
        let ours = Namespace::of_process(std::process::id()).unwrap();
        assert_eq!(ours.id, own());
        assert!(Namespace::of_process(u32::MAX).is_err());
    }
}
