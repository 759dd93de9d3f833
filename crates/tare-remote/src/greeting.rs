//! The beginning of a connection: versions, and the proof of the key, both ways.
//!
//! The agent speaks first. Its first message keeps its form in all versions, so that any two can say that they differ.
//!
//! - agent: `tare` = "agent", `protocol`, `version`, `nonce`
//! - conductor: `tare` = "conductor", `protocol`, `version`, `nonce`, `proof`
//! - agent: a proof of its own, or why it refuses

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::bytes::Bytes;
use crate::frame::{Frames, GREETING, framed};
use crate::key::Key;
use crate::seal::{self, Nonce, Nonces, Side};

/// The version of what conductors and agents say to each other. Every change of it is another one.
pub const PROTOCOL: u32 = 2;

/// How long a greeting may take, as a whole.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

const AGENT: &str = "agent";
const CONDUCTOR: &str = "conductor";

/// Why a connection was not taken.
#[derive(Debug, thiserror::Error)]
pub enum GreetingError {
    /// The other side is of another version.
    #[error(
        "it speaks version {} of the protocol (tare {}), and this is version {PROTOCOL} (tare {OWN})",
        .0.protocol, .0.version
    )]
    Version(Version),
    /// The other side does not know the key.
    #[error("it does not know the key")]
    Key,
    /// The agent said why not.
    #[error("it refuses: {0}")]
    Refused(String),
    /// What came is no greeting.
    #[error("what came from there is no greeting of tare")]
    Foreign,
    /// Nothing came.
    #[error("no greeting came within {} s", PATIENCE.as_secs())]
    Silent,
    /// The other side ended the connection.
    #[error("it ended the connection")]
    Closed,
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Broken(io::Error),
    /// There are no random numbers.
    #[error("the system gives out no random numbers: {0}")]
    Random(getrandom::Error),
}

/// The version of this tare.
const OWN: &str = env!("CARGO_PKG_VERSION");

/// What every version says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Which side it is.
    tare: String,
    /// Of the protocol.
    pub(crate) protocol: u32,
    /// Of the program.
    pub(crate) version: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Hello {
    #[serde(flatten)]
    version: Version,
    nonce: Bytes,
}

#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    #[serde(flatten)]
    version: Version,
    nonce: Bytes,
    proof: Bytes,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Welcome { proof: Bytes },
    Refused { why: String },
}

/// A connection that is greeted.
#[derive(Debug)]
pub(crate) struct Greeted {
    pub(crate) stream: TcpStream,
    /// What came behind the greeting.
    pub(crate) frames: Frames,
    pub(crate) nonces: Nonces,
}

/// A stream whose frames have to come before a time.
struct Channel {
    stream: TcpStream,
    frames: Frames,
    until: Instant,
}

impl Channel {
    fn new(stream: TcpStream) -> Result<Self, GreetingError> {
        let set = || -> io::Result<()> {
            stream.set_nodelay(true)?;
            stream.set_write_timeout(Some(PATIENCE))
        };
        set().map_err(GreetingError::Broken)?;
        Ok(Self {
            stream,
            frames: Frames::new(GREETING),
            until: Instant::now() + PATIENCE,
        })
    }

    fn say(&mut self, message: &impl Serialize) -> Result<(), GreetingError> {
        let content = serde_json::to_vec(message).expect("a greeting is plain data");
        let frame = framed(&content, GREETING).ok_or(GreetingError::Foreign)?;
        self.stream.write_all(&frame).map_err(GreetingError::from)
    }

    /// The next frame, however slowly its bytes come, if all of them come in time.
    fn hear(&mut self) -> Result<Vec<u8>, GreetingError> {
        let mut bytes = [0; GREETING];
        loop {
            if let Some(content) = self.frames.next().map_err(|_| GreetingError::Foreign)? {
                return Ok(content);
            }
            let left = self.until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(GreetingError::Silent);
            }
            self.stream
                .set_read_timeout(Some(left))
                .map_err(GreetingError::Broken)?;
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(GreetingError::Closed),
                Ok(read) => self.frames.push(&bytes[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl From<io::Error> for GreetingError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Self::Silent,
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Broken(error),
        }
    }
}

fn own(side: &str) -> Version {
    Version {
        tare: side.to_owned(),
        protocol: PROTOCOL,
        version: OWN.to_owned(),
    }
}

/// What the bytes of a greeting say, if they are of this side and of our version.
pub(crate) fn understood<T: DeserializeOwned>(bytes: &[u8], side: &str) -> Result<T, GreetingError> {
    let version: Version = read(bytes)?;
    if version.tare != side {
        return Err(GreetingError::Foreign);
    }
    // Generators of two versions may differ in what they measure, so this is about the program, too.
    if version != own(side) {
        return Err(GreetingError::Version(shown(version)));
    }
    read(bytes)
}

/// A version whose text is short, and of plain characters: it is shown, and comes from anybody.
fn shown(version: Version) -> Version {
    let plain = |char: &char| char.is_ascii_graphic();
    Version {
        version: version.version.chars().filter(plain).take(32).collect(),
        ..version
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, GreetingError> {
    serde_json::from_slice(bytes).map_err(|_| GreetingError::Foreign)
}

fn fixed(bytes: &Bytes) -> Result<Nonce, GreetingError> {
    Nonce::try_from(bytes.0.as_slice()).map_err(|_| GreetingError::Foreign)
}

/// Greets as an agent.
pub(crate) fn as_agent(stream: TcpStream, key: &Key) -> Result<Greeted, GreetingError> {
    let mut channel = Channel::new(stream)?;
    let agent = seal::nonce().map_err(GreetingError::Random)?;
    channel.say(&Hello {
        version: own(AGENT),
        nonce: Bytes(agent.to_vec()),
    })?;
    let judged = judge(&channel.hear()?, agent, key);
    let (verdict, judged) = match judged {
        Ok(nonces) => (welcome(key, &nonces), Ok(nonces)),
        Err(error) => (refusal(&error), Err(error)),
    };
    // One that has gone away does not have to know.
    let said = channel.say(&verdict);
    let nonces = judged?;
    said?;
    Ok(Greeted {
        stream: channel.stream,
        frames: channel.frames,
        nonces,
    })
}

/// Whether a conductor may go on; the nonces of the connection if so.
fn judge(bytes: &[u8], agent: Nonce, key: &Key) -> Result<Nonces, GreetingError> {
    let answer: Answer = understood(bytes, CONDUCTOR)?;
    let nonces = Nonces {
        agent,
        conductor: fixed(&answer.nonce)?,
    };
    if !seal::proved(key, Side::Conductor, PROTOCOL, &nonces, &answer.proof.0) {
        return Err(GreetingError::Key);
    }
    Ok(nonces)
}

fn welcome(key: &Key, nonces: &Nonces) -> Verdict {
    Verdict::Welcome {
        proof: Bytes(seal::proof(key, Side::Agent, PROTOCOL, nonces).to_vec()),
    }
}

/// What a stranger is told: as much as every greeting says, and no more.
fn refusal(error: &GreetingError) -> Verdict {
    let why = match error {
        GreetingError::Version(version) => format!(
            "this is version {PROTOCOL} of the protocol (tare {OWN}), and not version {} (tare {})",
            version.protocol, version.version
        ),
        GreetingError::Key => "the keys differ".to_owned(),
        _ => "that is no greeting of tare".to_owned(),
    };
    Verdict::Refused { why }
}

/// Greets as a conductor.
pub(crate) fn as_conductor(stream: TcpStream, key: &Key) -> Result<Greeted, GreetingError> {
    let mut channel = Channel::new(stream)?;
    let hello: Hello = understood(&channel.hear()?, AGENT)?;
    let nonces = Nonces {
        agent: fixed(&hello.nonce)?,
        conductor: seal::nonce().map_err(GreetingError::Random)?,
    };
    channel.say(&Answer {
        version: own(CONDUCTOR),
        nonce: Bytes(nonces.conductor.to_vec()),
        proof: Bytes(seal::proof(key, Side::Conductor, PROTOCOL, &nonces).to_vec()),
    })?;
    match read(&channel.hear()?)? {
        Verdict::Refused { why } => Err(GreetingError::Refused(
            why.chars().filter(|c| !c.is_control()).collect(),
        )),
        Verdict::Welcome { proof } if seal::proved(key, Side::Agent, PROTOCOL, &nonces, &proof.0) => {
            Ok(Greeted {
                stream: channel.stream,
                frames: channel.frames,
                nonces,
            })
        }
        Verdict::Welcome { .. } => Err(GreetingError::Key),
    }
}

/// Whether bytes are a greeting of a side, for foreign bytes by the thousand.
#[cfg(test)]
pub(crate) fn probe(bytes: &[u8]) {
    let _ = understood::<Hello>(bytes, AGENT).map(|hello| fixed(&hello.nonce));
    let key = Key::new(&[7; 32]).unwrap();
    assert!(judge(bytes, [1; 32], &key).is_err(), "nobody guesses a proof");
    let _ = read::<Verdict>(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    fn key(byte: u8) -> Key {
        Key::new(&[byte; 32]).unwrap()
    }

    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (near, listener.accept().unwrap().0)
    }

    /// What an agent and a conductor with these keys make of each other.
    fn greet(agent: u8, conductor: u8) -> (Result<Greeted, GreetingError>, Result<Greeted, GreetingError>) {
        let (near, far) = pair();
        let other = thread::spawn(move || as_agent(far, &key(agent)));
        let own = as_conductor(near, &key(conductor));
        (other.join().unwrap(), own)
    }

    #[test]
    fn those_who_know_the_key_greet_each_other() {
        let (agent, conductor) = greet(7, 7);
        let (agent, conductor) = (agent.unwrap().nonces, conductor.unwrap().nonces);
        assert_eq!(
            (agent.agent, agent.conductor),
            (conductor.agent, conductor.conductor)
        );
    }

    #[test]
    fn another_key_is_refused_with_a_word() {
        let (agent, conductor) = greet(7, 8);
        assert!(matches!(agent.unwrap_err(), GreetingError::Key));
        let error = conductor.unwrap_err();
        assert_eq!(error.to_string(), "it refuses: the keys differ");
    }

    /// What an agent says to these bytes, in a frame, and why it refuses.
    fn answered(answer: &serde_json::Value) -> (serde_json::Value, GreetingError) {
        let (near, far) = pair();
        let other = thread::spawn(move || as_agent(far, &key(7)));
        let mut channel = Channel::new(near).unwrap();
        let hello: serde_json::Value = serde_json::from_slice(&channel.hear().unwrap()).unwrap();
        assert_eq!(
            (&hello["tare"], &hello["protocol"]),
            (&"agent".into(), &PROTOCOL.into())
        );
        channel.say(answer).unwrap();
        let verdict = serde_json::from_slice(&channel.hear().unwrap()).unwrap();
        (verdict, other.join().unwrap().unwrap_err())
    }

    #[test]
    fn another_version_is_refused_with_both_numbers() {
        let answer =
            serde_json::json!({"tare": "conductor", "protocol": 9, "version": "7.7.7\u{1b}[2J", "new": true});
        let (verdict, error) = answered(&answer);
        let error = error.to_string();
        assert!(
            error.contains("version 9 of the protocol (tare 7.7.7[2J)"),
            "{error}"
        );
        assert!(error.contains("this is version 2 "), "{error}");
        let why = verdict["refused"]["why"].as_str().unwrap();
        assert!(why.contains("version 2") && why.contains("version 9"), "{why}");
    }

    #[test]
    fn an_agent_cannot_be_told_its_own_proof() {
        // A stranger repeats what an agent says: it is no conductor's word.
        let (verdict, error) =
            answered(&serde_json::json!({"tare": "agent", "protocol": 1, "version": OWN, "nonce": "x"}));
        assert!(matches!(error, GreetingError::Foreign));
        assert!(verdict["refused"]["why"].is_string());
    }

    #[test]
    fn a_stranger_who_says_nothing_or_hangs_up_is_left() {
        let (near, far) = pair();
        drop(near);
        assert!(matches!(
            as_agent(far, &key(7)).unwrap_err(),
            GreetingError::Closed | GreetingError::Broken(_)
        ));
        let (mut near, far) = pair();
        near.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        assert!(matches!(
            as_agent(far, &key(7)).unwrap_err(),
            GreetingError::Foreign
        ));
    }
}
