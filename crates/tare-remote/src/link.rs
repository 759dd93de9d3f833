//! A connection between a conductor and an agent, on which both notice when the other is gone.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::frame::{Frames, MESSAGE, framed};
use crate::greeting::{self, Greeted, GreetingError, PROTOCOL};
use crate::key::Key;
use crate::seal::{Seal, Side};

/// How often each side says that it is there.
const BEAT: Duration = Duration::from_millis(500);

/// The other side is gone if nothing came for so long. A machine whose cores are all busy is late, but not by this much.
const SILENCE: Duration = Duration::from_secs(5);

/// How long a connection may take to open.
const OPENING: Duration = Duration::from_secs(5);

/// Why there is no connection with an agent.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Its host is not found.
    #[error("the host of `{name}` cannot be found: {source}")]
    NotFound {
        /// As it was typed.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing answers there.
    #[error("no agent answers at {name}: {source}")]
    NobodyAnswers {
        /// As it was typed.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// The greeting failed.
    #[error("the agent at {name}: {source}")]
    Greeting {
        /// As it was typed.
        name: String,
        /// Why.
        source: GreetingError,
    },
}

impl ConnectError {
    /// What helps.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "an agent is named as HOST:PORT, as in n2:7400 or 10.77.0.12:7400",
            Self::NobodyAnswers { .. } => {
                "start one there: `tare agent --listen ADDRESS:PORT --key-file KEYFILE`; is a firewall between?"
            }
            Self::Greeting { source, .. } => match source {
                GreetingError::Version(_) => "use the same tare on all machines",
                GreetingError::Key | GreetingError::Refused(_) => {
                    "both sides need the same key file, and the same tare; the agent says what it saw"
                }
                _ => {
                    "does an agent of tare listen there? one that is asked by too many strangers at once hangs up"
                }
            },
        }
    }
}

/// Why the other side is gone.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// The connection ended without a farewell.
    #[error("its connection ended")]
    Closed,
    /// Nothing came for too long.
    #[error("nothing was heard from it for {} s", SILENCE.as_secs())]
    Silent,
    /// The connection failed.
    #[error("its connection failed: {0}")]
    Broken(io::Error),
    /// Something came that it did not send, or not in this order.
    #[error("a message came that is not its own")]
    Forged,
    /// Something came that is no message.
    #[error("something came that is no message")]
    Foreign,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Packet<T> {
    /// It is there.
    Beat,
    /// It ends the connection.
    Bye,
    Said(T),
}

/// A connection on which both sides have proved that they know the key.
#[derive(Debug)]
pub struct Link {
    greeted: Greeted,
    peer: SocketAddr,
    says: Seal,
    hears: Seal,
}

/// The side of a link that speaks. Dropping it says farewell, and ends the connection.
#[derive(Debug)]
pub struct Sender {
    out: Arc<Mutex<Out>>,
}

/// The side of a link that hears.
#[derive(Debug)]
pub struct Receiver {
    stream: TcpStream,
    frames: Frames,
    hears: Seal,
    heard: Instant,
    out: Arc<Mutex<Out>>,
}

#[derive(Debug)]
struct Out {
    stream: TcpStream,
    says: Seal,
    last: Instant,
}

/// Connects to the agent at `name`, which is `HOST:PORT`.
///
/// # Errors
/// Nothing answers there, or it is no agent of this version with this key.
pub fn connect(name: &str, key: &Key) -> Result<Link, ConnectError> {
    let found = name.to_socket_addrs().map_err(|source| ConnectError::NotFound {
        name: name.to_owned(),
        source,
    })?;
    let mut failed = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in found {
        match TcpStream::connect_timeout(&address, OPENING) {
            Ok(stream) => {
                let link = Link::of_conductor(stream, address, key);
                return link.map_err(|source| ConnectError::Greeting {
                    name: name.to_owned(),
                    source,
                });
            }
            Err(error) => failed = error,
        }
    }
    Err(ConnectError::NobodyAnswers {
        name: name.to_owned(),
        source: failed,
    })
}

impl Link {
    fn of_conductor(stream: TcpStream, peer: SocketAddr, key: &Key) -> Result<Self, GreetingError> {
        let greeted = greeting::as_conductor(stream, key)?;
        Ok(Self::new(greeted, peer, key, (Side::Conductor, Side::Agent)))
    }

    pub(crate) fn of_agent(stream: TcpStream, peer: SocketAddr, key: &Key) -> Result<Self, GreetingError> {
        let greeted = greeting::as_agent(stream, key)?;
        Ok(Self::new(greeted, peer, key, (Side::Agent, Side::Conductor)))
    }

    fn new(mut greeted: Greeted, peer: SocketAddr, key: &Key, (own, other): (Side, Side)) -> Self {
        greeted.frames.allow(MESSAGE);
        let seal = |side| Seal::new(key, side, PROTOCOL, &greeted.nonces);
        let (says, hears) = (seal(own), seal(other));
        Self {
            greeted,
            peer,
            says,
            hears,
        }
    }

    /// The address of the other side.
    pub fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// The address of this side.
    ///
    /// # Errors
    /// What the system says.
    pub fn local(&self) -> io::Result<SocketAddr> {
        self.greeted.stream.local_addr()
    }

    /// Its two sides.
    ///
    /// # Errors
    /// What the system says.
    pub fn split(self) -> io::Result<(Sender, Receiver)> {
        let stream = self.greeted.stream;
        stream.set_read_timeout(Some(BEAT))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let out = Arc::new(Mutex::new(Out {
            stream: stream.try_clone()?,
            says: self.says,
            last: Instant::now(),
        }));
        let receiver = Receiver {
            stream,
            frames: self.greeted.frames,
            hears: self.hears,
            heard: Instant::now(),
            out: Arc::clone(&out),
        };
        Ok((Sender { out }, receiver))
    }

    /// Hears in a thread from now on: `hear` gets each message with the time when it came, and once at the end none, or why
    /// the other side is gone.
    ///
    /// # Errors
    /// What the system says.
    pub fn listen<T: DeserializeOwned>(
        self,
        mut hear: impl FnMut(Instant, Result<Option<T>, Lost>) + Send + 'static,
    ) -> io::Result<Sender> {
        let (sender, mut receiver) = self.split()?;
        thread::spawn(move || {
            loop {
                let message = receiver.receive();
                let is_last = !matches!(message, Ok(Some(_)));
                hear(Instant::now(), message);
                if is_last {
                    return;
                }
            }
        });
        Ok(sender)
    }
}

impl Sender {
    /// Sends a message.
    ///
    /// # Errors
    /// The other side is gone, or takes nothing, or the message is too long for one.
    pub fn send(&self, message: &impl Serialize) -> io::Result<()> {
        locked(&self.out).say(&Packet::Said(message))
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        let mut out = locked(&self.out);
        let _ = out.say(&Packet::<()>::Bye);
        let _ = out.stream.shutdown(Shutdown::Both);
    }
}

/// No thread panics while it holds this.
fn locked(out: &Mutex<Out>) -> MutexGuard<'_, Out> {
    out.lock().expect("nothing panics here")
}

impl Out {
    fn say<T: Serialize>(&mut self, packet: &Packet<T>) -> io::Result<()> {
        let content = serde_json::to_vec(packet)?;
        let frame = framed(&self.says.sealed(content), MESSAGE);
        let frame =
            frame.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a message is too long"))?;
        self.last = Instant::now();
        let sent = self.stream.write_all(&frame);
        if sent.is_err() {
            // Part of it may have gone out: nothing that follows would be understood.
            let _ = self.stream.shutdown(Shutdown::Both);
        }
        sent
    }
}

impl Receiver {
    /// The next message; none when the other side has said farewell. Says in between that this side is there.
    ///
    /// # Errors
    /// The other side is gone.
    pub fn receive<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Lost> {
        let mut bytes = vec![0; 64 << 10];
        loop {
            while let Some(frame) = self.frames.next().map_err(|_| Lost::Foreign)? {
                let content = self.hears.opened(frame).ok_or(Lost::Forged)?;
                match understood(&content)? {
                    Packet::Beat => {}
                    Packet::Bye => return Ok(None),
                    Packet::Said(message) => return Ok(Some(message)),
                }
            }
            self.beat();
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(Lost::Closed),
                Ok(read) => {
                    self.heard = Instant::now();
                    self.frames.push(&bytes[..read]);
                }
                Err(error) => self.endure(error)?,
            }
        }
    }

    fn beat(&self) {
        let mut out = locked(&self.out);
        if out.last.elapsed() >= BEAT {
            // One that is gone is noticed by what does not come from it.
            let _ = out.say(&Packet::<()>::Beat);
        }
    }

    /// Whether it is only that nothing came.
    fn endure(&self, error: io::Error) -> Result<(), Lost> {
        match error.kind() {
            io::ErrorKind::Interrupted => Ok(()),
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut if self.heard.elapsed() < SILENCE => Ok(()),
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Err(Lost::Silent),
            io::ErrorKind::ConnectionReset => Err(Lost::Closed),
            _ => Err(Lost::Broken(error)),
        }
    }
}

fn understood<T: DeserializeOwned>(content: &[u8]) -> Result<Packet<T>, Lost> {
    serde_json::from_slice(content).map_err(|_| Lost::Foreign)
}

/// Whether bytes are a message, for foreign bytes by the thousand.
#[cfg(test)]
pub(crate) fn probe<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(content: &[u8]) {
    if let Ok(Packet::Said(message)) = understood::<T>(content) {
        let again = serde_json::to_vec(&Packet::Said(&message)).expect("what was read can be written");
        match understood::<T>(&again) {
            Ok(Packet::Said(second)) => assert_eq!(second, message),
            other => panic!("{other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::sync::mpsc::channel;

    fn pair() -> (Link, Link) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let key = Key::new(&[7; 32]).unwrap();
        let other = key.clone();
        let agent = thread::spawn(move || {
            let (stream, peer) = listener.accept().unwrap();
            Link::of_agent(stream, peer, &other).unwrap()
        });
        let conductor = connect(&address.to_string(), &key).unwrap();
        (agent.join().unwrap(), conductor)
    }

    #[test]
    fn messages_come_in_their_order_and_then_the_farewell() {
        let (agent, conductor) = pair();
        let (tell, told) = channel();
        let sender = agent
            .listen::<String>(move |_, message| drop(tell.send(message)))
            .unwrap();
        let (says, mut hears) = conductor.split().unwrap();
        says.send(&"first").unwrap();
        says.send(&"é".repeat(100_000)).unwrap();
        assert_eq!(told.recv().unwrap().unwrap().as_deref(), Some("first"));
        assert_eq!(
            told.recv().unwrap().unwrap().map(|text| text.len()),
            Some(200_000)
        );
        sender.send(&7).unwrap();
        assert_eq!(hears.receive::<u32>().unwrap(), Some(7));
        drop(says);
        assert!(told.recv().unwrap().unwrap().is_none());
    }

    #[test]
    fn an_end_without_a_farewell_is_a_loss() {
        let (agent, conductor) = pair();
        let (_says, mut hears) = conductor.split().unwrap();
        agent.greeted.stream.shutdown(Shutdown::Both).unwrap();
        assert!(matches!(hears.receive::<u32>(), Err(Lost::Closed)));
    }

    #[test]
    fn bytes_of_somebody_else_are_a_loss() {
        let (agent, conductor) = pair();
        let (_says, mut hears) = conductor.split().unwrap();
        let packet = serde_json::to_vec(&Packet::Said(7)).unwrap();
        let forged = [packet, vec![0; 32]].concat();
        (&agent.greeted.stream)
            .write_all(&framed(&forged, MESSAGE).unwrap())
            .unwrap();
        assert!(matches!(hears.receive::<u32>(), Err(Lost::Forged)));
    }

    /// Neither says anything for longer than a silence is endured.
    #[test]
    #[ignore = "slow: as long as a silence"]
    fn slow_sides_that_have_nothing_to_say_are_still_there() {
        let (agent, conductor) = pair();
        let (tell, told) = channel();
        let sender = agent
            .listen::<String>(move |_, message| drop(tell.send(message)))
            .unwrap();
        let _kept = conductor.listen::<String>(|_, _| {}).unwrap();
        assert!(told.recv_timeout(SILENCE * 2).is_err(), "nothing was lost");
        drop(sender);
    }

    #[test]
    #[ignore = "slow: as long as a silence"]
    fn slow_a_side_that_falls_silent_is_lost() {
        let (agent, conductor) = pair();
        let (_says, mut hears) = conductor.split().unwrap();
        assert!(matches!(hears.receive::<u32>(), Err(Lost::Silent)));
        drop(agent);
    }

    #[test]
    fn an_agent_that_is_not_there_is_named() {
        let key = Key::new(&[7; 32]).unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let error = connect(&free.to_string(), &key).unwrap_err();
        assert!(
            error.to_string().contains(&format!("no agent answers at {free}")),
            "{error}"
        );
        assert!(error.hint().contains("tare agent --listen"));
        let error = connect("no port", &key).unwrap_err();
        assert!(matches!(error, ConnectError::NotFound { .. }), "{error}");
    }
}
