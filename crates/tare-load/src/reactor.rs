//! Sockets and their readiness, and all unsafe code of this room.
//!
//! Readiness is edge-triggered and registered once per connection (epoll(7)): a request costs no `epoll_ctl`. Therefore,
//! after an edge, read until a read returns fewer bytes than it could or would block.

#![allow(unsafe_code)]

use std::io;
use std::mem;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use crate::address::Address;

/// Events taken from the kernel at a time: more would delay the timestamps of answers, fewer cost more calls.
const EVENTS: usize = 256;

/// A set of sockets to wait for.
#[derive(Debug)]
pub(crate) struct Poll {
    fd: OwnedFd,
    /// Whether the kernel has `epoll_pwait2` (5.11): timeouts in nanoseconds.
    fine: bool,
}

/// The sockets that became ready.
pub(crate) struct Events {
    list: Vec<libc::epoll_event>,
    len: usize,
}

/// One socket that became ready.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    pub(crate) token: usize,
    pub(crate) readable: bool,
    pub(crate) writable: bool,
    pub(crate) hung_up: bool,
}

/// A nonblocking stream socket.
#[derive(Debug)]
pub(crate) struct Socket(TcpStream);

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

fn counted(result: libc::c_long) -> io::Result<usize> {
    match result {
        ..0 => Err(io::Error::last_os_error()),
        bytes => Ok(bytes as usize),
    }
}

impl Poll {
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: no pointers; the descriptor is new and has no other owner.
        let fd = unsafe { OwnedFd::from_raw_fd(checked(libc::epoll_create1(libc::EPOLL_CLOEXEC))?) };
        Ok(Self { fd, fine: true })
    }

    /// Registers a socket for its whole life; closing it removes it.
    pub(crate) fn add(&self, socket: &Socket, token: usize) -> io::Result<()> {
        let flags = libc::EPOLLIN | libc::EPOLLOUT | libc::EPOLLRDHUP | libc::EPOLLET;
        let mut event = libc::epoll_event {
            events: flags as u32,
            u64: token as u64,
        };
        let (poll, fd) = (self.fd.as_raw_fd(), socket.0.as_raw_fd());
        // SAFETY: `event` lives across the call, which does not keep it.
        checked(unsafe { libc::epoll_ctl(poll, libc::EPOLL_CTL_ADD, fd, &mut event) }).map(drop)
    }

    /// Waits until something is ready or `timeout` has passed; a signal ends the wait early.
    pub(crate) fn wait(&mut self, events: &mut Events, timeout: Duration) -> io::Result<()> {
        events.len = 0;
        let found = match self.wait_once(events, timeout) {
            Err(error) if error.raw_os_error() == Some(libc::ENOSYS) && self.fine => {
                self.fine = false;
                self.wait_once(events, timeout)
            }
            other => other,
        };
        match found {
            Ok(len) => events.len = len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn wait_once(&self, events: &mut Events, timeout: Duration) -> io::Result<usize> {
        let (fd, list, max) = (
            self.fd.as_raw_fd(),
            events.list.as_mut_ptr(),
            EVENTS as libc::c_int,
        );
        let found = if self.fine {
            let time = libc::timespec {
                tv_sec: timeout.as_secs() as _,
                tv_nsec: libc::c_long::from(timeout.subsec_nanos()),
            };
            let no_mask = std::ptr::null::<libc::sigset_t>();
            // SAFETY: `list` holds EVENTS entries, `time` lives across the call, no mask is passed.
            unsafe {
                libc::syscall(
                    libc::SYS_epoll_pwait2,
                    fd,
                    list,
                    max,
                    &raw const time,
                    no_mask,
                    8usize,
                ) as i32
            }
        } else {
            // Rounded up, so that a wait never ends early.
            let millis = timeout.as_nanos().div_ceil(1_000_000).min(i32::MAX as u128) as libc::c_int;
            // SAFETY: `list` holds EVENTS entries.
            unsafe { libc::epoll_wait(fd, list, max, millis) }
        };
        checked(found).map(|found| found as usize)
    }
}

impl Events {
    pub(crate) fn new() -> Self {
        Self {
            list: vec![libc::epoll_event { events: 0, u64: 0 }; EVENTS],
            len: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, n: usize) -> Event {
        let event = self.list[n];
        let any = |flags: libc::c_int| event.events & flags as u32 != 0;
        let hung_up = any(libc::EPOLLRDHUP | libc::EPOLLHUP | libc::EPOLLERR);
        Event {
            token: event.u64 as usize,
            readable: hung_up || any(libc::EPOLLIN),
            writable: hung_up || any(libc::EPOLLOUT),
            hung_up,
        }
    }
}

impl Socket {
    /// Begins to connect, from `source` if given; the socket is ready to write once it is connected.
    pub(crate) fn connect(to: &Address, source: Option<Ipv4Addr>) -> io::Result<Self> {
        let socket = {
            // A load thread is there already.
            let _stay = to.enter()?;
            Self::new(match to.ip() {
                Some(SocketAddr::V4(_)) => libc::AF_INET,
                Some(SocketAddr::V6(_)) => libc::AF_INET6,
                None => libc::AF_UNIX,
            })?
        };
        if let Some(source) = source {
            socket.bind(source)?;
        }
        let result = match to {
            Address::Ip(SocketAddr::V4(to)) | Address::Inside(_, SocketAddr::V4(to)) => {
                socket.connect_to(&ipv4(*to.ip(), to.port()))
            }
            Address::Ip(SocketAddr::V6(to)) | Address::Inside(_, SocketAddr::V6(to)) => {
                socket.connect_to(&ipv6(to))
            }
            Address::Unix(path) => socket.connect_to(&unix(path)?),
        };
        match result {
            Err(error) if error.raw_os_error() != Some(libc::EINPROGRESS) => return Err(error),
            _ => {}
        }
        if let Some(to) = to.ip() {
            socket.0.set_nodelay(true)?;
            if to.ip().is_loopback() {
                socket.use_cheap_congestion_control();
            }
        }
        Ok(socket)
    }

    fn new(family: libc::c_int) -> io::Result<Self> {
        let kind = libc::SOCK_STREAM | libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC;
        // SAFETY: no pointers; the descriptor is new and has no other owner.
        let fd = unsafe { OwnedFd::from_raw_fd(checked(libc::socket(family, kind, 0))?) };
        Ok(Self(TcpStream::from(fd)))
    }

    /// Binds the address and leaves the port to `connect`, which can then share a port between destinations
    /// (ip(7), IP_BIND_ADDRESS_NO_PORT).
    fn bind(&self, source: Ipv4Addr) -> io::Result<()> {
        let (fd, on, address) = (self.0.as_raw_fd(), 1 as libc::c_int, ipv4(source, 0));
        let size = mem::size_of_val(&on) as libc::socklen_t;
        let value = (&raw const on).cast();
        // SAFETY: `on` lives across the call and `size` is its size.
        checked(unsafe {
            libc::setsockopt(fd, libc::IPPROTO_IP, libc::IP_BIND_ADDRESS_NO_PORT, value, size)
        })?;
        let size = mem::size_of_val(&address) as libc::socklen_t;
        // SAFETY: `address` lives across the call and `size` is its size.
        checked(unsafe { libc::bind(fd, (&raw const address).cast(), size) }).map(drop)
    }

    /// Selects the congestion control that costs least: loopback has no congestion, and the records of the system's default
    /// cost CPU time at every request (BBR: about 1%). Reno (RFC 5681) keeps the least, and any process may select it
    /// (tcp(7)). A failure changes nothing.
    fn use_cheap_congestion_control(&self) {
        let (fd, name) = (self.0.as_raw_fd(), b"reno");
        let (value, size) = (name.as_ptr().cast(), name.len() as libc::socklen_t);
        // SAFETY: `name` lives across the call and `size` is its size.
        unsafe { libc::setsockopt(fd, libc::IPPROTO_TCP, libc::TCP_CONGESTION, value, size) };
    }

    /// `T` is one of the socket address structures.
    fn connect_to<T>(&self, address: &T) -> io::Result<()> {
        let (pointer, size) = (
            (&raw const *address).cast(),
            mem::size_of::<T>() as libc::socklen_t,
        );
        // SAFETY: `address` lives across the call and `size` is its size.
        checked(unsafe { libc::connect(self.0.as_raw_fd(), pointer, size) }).map(drop)
    }

    /// Receives bytes. Calls the kernel itself, as `send` does: the functions of the C library are cancellation points in a
    /// process with several threads, which costs about 1% of a small request.
    pub(crate) fn receive(&self, into: &mut [u8]) -> io::Result<usize> {
        let (fd, bytes, len) = (self.0.as_raw_fd(), into.as_mut_ptr(), into.len());
        let (flags, nowhere) = (0 as libc::c_int, std::ptr::null::<u8>());
        // SAFETY: `into` is borrowed mutably across the call, and `len` is its size; no address is asked for.
        counted(unsafe { libc::syscall(libc::SYS_recvfrom, fd, bytes, len, flags, nowhere, nowhere) })
    }

    /// Receives up to `most` bytes (at least one) that need not be looked at. Returns their number. TCP drops them in the
    /// kernel (tcp(7), MSG_TRUNC), which saves the copy; other sockets copy them to `scratch`.
    pub(crate) fn skip(&self, most: usize, scratch: &mut [u8], tcp: bool) -> io::Result<usize> {
        if !tcp {
            let most = most.min(scratch.len());
            return self.receive(&mut scratch[..most]);
        }
        // SAFETY: with MSG_TRUNC nothing is written, so no buffer is needed.
        counted(unsafe { libc::recv(self.0.as_raw_fd(), std::ptr::null_mut(), most, libc::MSG_TRUNC) } as _)
    }

    pub(crate) fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        let (fd, from, len) = (self.0.as_raw_fd(), bytes.as_ptr(), bytes.len());
        let (flags, nowhere) = (libc::MSG_NOSIGNAL, std::ptr::null::<u8>());
        // SAFETY: `bytes` lives across the call, and `len` is its size; no address is given.
        counted(unsafe { libc::syscall(libc::SYS_sendto, fd, from, len, flags, nowhere, 0usize) })
    }

    /// The result of connecting, once the socket is ready to write.
    pub(crate) fn connected(&self) -> io::Result<()> {
        self.0.take_error()?.map_or(Ok(()), Err)
    }
}

fn ipv4(ip: Ipv4Addr, port: u16) -> libc::sockaddr_in {
    libc::sockaddr_in {
        sin_family: libc::AF_INET as libc::sa_family_t,
        sin_port: port.to_be(),
        sin_addr: libc::in_addr {
            s_addr: u32::from(ip).to_be(),
        },
        sin_zero: [0; 8],
    }
}

fn ipv6(address: &std::net::SocketAddrV6) -> libc::sockaddr_in6 {
    libc::sockaddr_in6 {
        sin6_family: libc::AF_INET6 as libc::sa_family_t,
        sin6_port: address.port().to_be(),
        sin6_flowinfo: address.flowinfo(),
        sin6_addr: libc::in6_addr {
            s6_addr: address.ip().octets(),
        },
        sin6_scope_id: address.scope_id(),
    }
}

fn unix(path: &Path) -> io::Result<libc::sockaddr_un> {
    let mut address = libc::sockaddr_un {
        sun_family: libc::AF_UNIX as libc::sa_family_t,
        sun_path: [0; 108],
    };
    let bytes = path.as_os_str().as_bytes();
    // One byte is left for the closing NUL.
    if bytes.len() >= address.sun_path.len() || bytes.contains(&0) {
        let text = format!(
            "the socket's path `{}` has {} bytes; 107 fit",
            path.display(),
            bytes.len()
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    for (to, from) in address.sun_path.iter_mut().zip(bytes) {
        *to = *from as libc::c_char;
    }
    Ok(address)
}
