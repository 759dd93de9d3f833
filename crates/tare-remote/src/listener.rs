//! An agent's ear: conductors that know the key, one at a time, and strangers, who are turned away.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::greeting::GreetingError;
use crate::key::Key;
use crate::link::Link;
use crate::message::FromAgent;

/// Connections that may be greeted at the same time; further ones are closed at once.
const GREETED: usize = 16;

/// What is kept of strangers to be told; the rest is forgotten.
const TOLD: usize = 64;

/// How long a conductor waits for one that has said farewell: its generators have to end before it is gone.
const LEAVING: Duration = Duration::from_secs(1);

/// How often it is checked whether that is so.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// How long to wait when a connection cannot be accepted: most often because there are too many open files.
const AGAIN: Duration = Duration::from_millis(100);

/// Who came.
#[derive(Debug)]
pub enum Arrival {
    /// A conductor that knows the key. While the claim is kept, no other is taken.
    Conductor(Box<Link>, Claim),
    /// Somebody who was turned away.
    Stranger {
        /// From where.
        from: SocketAddr,
        /// Why.
        why: String,
    },
}

/// An agent's ear. It listens as long as the process lives.
#[derive(Debug)]
pub struct Listener {
    address: SocketAddr,
    arrivals: Receiver<Arrival>,
}

/// That a conductor has the agent.
#[derive(Debug)]
pub struct Claim(Arc<Mutex<Option<SocketAddr>>>);

#[derive(Debug, Clone)]
struct Door {
    key: Key,
    /// The conductor that has the agent.
    taken: Arc<Mutex<Option<SocketAddr>>>,
    /// How many are being greeted.
    greeted: Arc<AtomicUsize>,
    tell: SyncSender<Arrival>,
}

impl Listener {
    /// Listens at an address.
    ///
    /// # Errors
    /// What the system says: the address is another machine's, or its port is in use.
    pub fn bind(address: SocketAddr, key: Key) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let (tell, arrivals) = sync_channel(TOLD);
        let door = Door {
            key,
            taken: Arc::default(),
            greeted: Arc::default(),
            tell,
        };
        thread::spawn(move || door.keep(&listener));
        Ok(Self { address, arrivals })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Who came next; none after this time.
    pub fn next(&self, within: Duration) -> Option<Arrival> {
        self.arrivals.recv_timeout(within).ok()
    }
}

impl Door {
    fn keep(self, listener: &TcpListener) {
        loop {
            match listener.accept() {
                Ok((stream, from)) => self.open(stream, from),
                Err(_) => thread::sleep(AGAIN),
            }
        }
    }

    fn open(&self, stream: TcpStream, from: SocketAddr) {
        if self.greeted.fetch_add(1, Ordering::Relaxed) >= GREETED {
            self.greeted.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        let door = self.clone();
        let greet = move || {
            let greeted = Link::of_agent(stream, from, &door.key);
            door.greeted.fetch_sub(1, Ordering::Relaxed);
            door.judge(from, greeted);
        };
        if thread::Builder::new().spawn(greet).is_err() {
            self.greeted.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn judge(&self, from: SocketAddr, greeted: Result<Link, GreetingError>) {
        let link = match greeted {
            Ok(link) => link,
            Err(error) => return self.stranger(from, error.to_string()),
        };
        let until = Instant::now() + LEAVING;
        let mut claimed = self.claim(from);
        while claimed.is_err() && Instant::now() < until {
            thread::sleep(LOOK_EVERY);
            claimed = self.claim(from);
        }
        match claimed {
            // The agent waits for it: nobody else has it.
            Ok(claim) => drop(self.tell.send(Arrival::Conductor(Box::new(link), claim))),
            Err(other) => {
                let why = format!("another conductor has this agent, {other}");
                refuse(link, &why);
                self.stranger(from, why);
            }
        }
    }

    /// Strangers may be many, and are only told of.
    fn stranger(&self, from: SocketAddr, why: String) {
        let _ = self.tell.try_send(Arrival::Stranger { from, why });
    }

    fn claim(&self, by: SocketAddr) -> Result<Claim, SocketAddr> {
        let mut taken = locked(&self.taken);
        match *taken {
            Some(other) => Err(other),
            None => {
                *taken = Some(by);
                Ok(Claim(Arc::clone(&self.taken)))
            }
        }
    }
}

/// Tells a conductor why not, and waits until it has gone: what is closed too early is not read.
fn refuse(link: Link, why: &str) {
    let Ok((sender, mut receiver)) = link.split() else {
        return;
    };
    let refused = FromAgent::Refused {
        why: why.to_owned(),
        hint: Some("wait until that ends, or name other agents".to_owned()),
    };
    if sender.send(&refused).is_ok() {
        let _ = receiver.receive::<()>();
    }
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().expect("nothing panics here")
}

impl Drop for Claim {
    fn drop(&mut self) {
        *locked(&self.0) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::connect;
    use std::io::{Read, Write};

    const LONG: Duration = Duration::from_secs(60);

    fn key(byte: u8) -> Key {
        Key::new(&[byte; 32]).unwrap()
    }

    fn listener() -> Listener {
        Listener::bind("127.0.0.1:0".parse().unwrap(), key(7)).unwrap()
    }

    fn why(arrival: Option<Arrival>) -> String {
        match arrival {
            Some(Arrival::Stranger { why, .. }) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn one_conductor_has_the_agent_at_a_time() {
        let (listener, key) = (listener(), key(7));
        let name = listener.address().to_string();
        let first = connect(&name, &key).unwrap();
        let Some(Arrival::Conductor(_link, claim)) = listener.next(LONG) else {
            panic!("the first is taken")
        };
        let (_says, mut hears) = connect(&name, &key).unwrap().split().unwrap();
        let Ok(Some(FromAgent::Refused { why: said, .. })) = hears.receive() else {
            panic!("the second is refused")
        };
        assert!(
            said.contains("another conductor has this agent, 127.0.0.1:"),
            "{said}"
        );
        drop((_says, hears, first));
        assert_eq!(why(listener.next(LONG)), said);
        drop(claim);
        let _third = connect(&name, &key).unwrap();
        assert!(matches!(listener.next(LONG), Some(Arrival::Conductor(..))));
    }

    #[test]
    fn a_conductor_waits_for_one_that_is_leaving() {
        let (listener, key) = (listener(), key(7));
        let name = listener.address().to_string();
        let _first = connect(&name, &key).unwrap();
        let Some(Arrival::Conductor(_link, claim)) = listener.next(LONG) else {
            panic!("the first is taken")
        };
        let _second = connect(&name, &key).unwrap();
        drop(claim);
        assert!(matches!(listener.next(LONG), Some(Arrival::Conductor(..))));
    }

    #[test]
    fn strangers_are_turned_away_and_hinder_nobody() {
        let listener = listener();
        let name = listener.address().to_string();
        assert!(connect(&name, &key(8)).is_err());
        assert_eq!(why(listener.next(LONG)), "it does not know the key");
        let mut garbage = TcpStream::connect(listener.address()).unwrap();
        garbage.write_all(&[255; 64]).unwrap();
        assert!(why(listener.next(LONG)).contains("no greeting of tare"));
        let silent = TcpStream::connect(listener.address()).unwrap();
        let began = Instant::now();
        let _conductor = connect(&name, &key(7)).unwrap();
        assert!(matches!(listener.next(LONG), Some(Arrival::Conductor(..))));
        assert!(why(listener.next(LONG)).contains("no greeting came within"));
        assert!(began.elapsed() < LONG);
        drop(silent);
    }

    #[test]
    fn more_strangers_than_are_greeted_are_closed_at_once() {
        let listener = listener();
        let mut all: Vec<TcpStream> = (0..GREETED + 1)
            .map(|_| TcpStream::connect(listener.address()).unwrap())
            .collect();
        // Each of the first ones gets a greeting; the last gets nothing.
        let mut byte = [0];
        let mut last = all.pop().unwrap();
        for stream in &mut all {
            assert_eq!(stream.read(&mut byte).unwrap(), 1);
        }
        assert!(matches!(last.read(&mut byte), Ok(0) | Err(_)));
    }
}
