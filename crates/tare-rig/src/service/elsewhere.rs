//! Services that another machine holds: both ends of what is said of them ([`tare_remote::holding`]).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use tare_host::keeper::Keeper;
use tare_host::process::{Process, ProcessSpec};
use tare_host::talk::{Heard, Talk};
use tare_host::{interrupt, stop};
use tare_model::asked::Asked;
use tare_model::fault::{Fault, FaultKind};
use tare_model::placement::Node;
use tare_model::units::Seconds;
use tare_remote::holding::{Answer, BEAT, LONGEST, Question, What, line, read};

use super::{Service, end};

/// How long an answer may take, on a machine that is busy with something else, over a network.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long making the service's state and installing what it needs may take there.
const PREPARING: Duration = Duration::from_secs(15 * 60);

/// How long services may take to end there once nobody asks any more.
const ENDING: Duration = Duration::from_secs(10);

/// The version of this tare.
const OWN: &str = env!("CARGO_PKG_VERSION");

/// Another machine that is to hold services.
#[derive(Debug, Clone)]
pub struct Elsewhere {
    /// The machine, as it was typed.
    pub machine: String,
    /// The command that holds them there: it reads questions and writes answers, and ends when there are no more.
    pub argv: Vec<String>,
    /// Where the command runs here.
    pub cwd: PathBuf,
    /// Where its other output goes.
    pub log: PathBuf,
}

/// A service that another machine is to hold.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Its name.
    pub name: String,
    /// Whether what it is asked is counted.
    pub counted: bool,
    /// Whether to install what it needs.
    pub install: bool,
}

/// What holds services on another machine. Dropping the last ends the connection, and so the services.
#[derive(Debug, Clone)]
pub struct Holder {
    connection: Arc<Mutex<Connection>>,
    _beats: Arc<Sender<()>>,
}

#[derive(Debug)]
struct Connection {
    machine: String,
    /// None once it was ended.
    process: Option<Process>,
    talk: Talk,
    /// The services that it holds.
    held: usize,
    /// Why it is of no use any more. An answer that came too late would be taken for that to the next question.
    lost: Option<String>,
}

/// A service on another machine.
#[derive(Debug)]
pub(super) struct There {
    holder: Holder,
    name: String,
    number: usize,
    pub(super) counted: bool,
    pub(super) versions: Vec<(String, String)>,
    pub(super) node: Node,
}

impl Holder {
    /// Connects to the other machine.
    ///
    /// # Errors
    /// `DiedAtStart` if the command cannot be run, `Instrument` if its log or its group fails.
    pub fn start(keeper: &Keeper, there: &Elsewhere) -> Result<Self, Fault> {
        let spec = ProcessSpec {
            argv: there.argv.clone(),
            env: BTreeMap::new(),
            cwd: there.cwd.clone(),
            cores: Vec::new(),
            log: there.log.clone(),
        };
        let (process, talk) = Process::start_talking(keeper.group()?, spec)?;
        let connection = Arc::new(Mutex::new(Connection {
            machine: there.machine.clone(),
            process: Some(process),
            talk,
            held: 0,
            lost: None,
        }));
        let beats = beat(Arc::downgrade(&connection));
        Ok(Self {
            connection,
            _beats: Arc::new(beats),
        })
    }

    /// Has it start a service, and waits until that is ready; the service, and what it gives.
    pub(super) fn hold(
        &self,
        cancel: &AtomicBool,
        wanted: &Wanted,
    ) -> Result<(There, BTreeMap<String, String>), Fault> {
        let hold = Question::Hold {
            version: OWN.to_owned(),
            service: wanted.name.clone(),
            counted: wanted.counted,
            install: wanted.install,
        };
        let mut connection = self.connection();
        let answer = connection.ask(&wanted.name, &hold, PREPARING, || cancel.load(Ordering::SeqCst))?;
        let Answer::Ready {
            number,
            gives,
            versions,
            machine,
        } = answer
        else {
            return Err(connection.odd(&wanted.name, &answer));
        };
        connection.held += 1;
        let node = Node {
            name: connection.machine.clone(),
            host: machine.host,
            cpu: machine.cpu,
            cores: machine.cores,
        };
        let there = There {
            holder: self.clone(),
            name: wanted.name.clone(),
            number,
            counted: wanted.counted,
            versions,
            node,
        };
        Ok((there, gives))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says every now and then that this machine is there, until what it gives is dropped.
fn beat(connection: Weak<Mutex<Connection>>) -> Sender<()> {
    let (until, dropped) = channel();
    thread::spawn(move || {
        while dropped.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
            let Some(connection) = connection.upgrade() else {
                return;
            };
            connection.lock().unwrap_or_else(PoisonError::into_inner).beat();
        }
    });
    until
}

impl There {
    pub(super) fn cpu(&self) -> Result<Seconds, Fault> {
        let mut connection = self.holder.connection();
        match self.ask(&mut connection, What::Cpu)? {
            Answer::Cpu(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(Seconds(seconds)),
            other => Err(connection.odd(&self.name, &other)),
        }
    }

    pub(super) fn asked(&self) -> Result<Asked, Fault> {
        let mut connection = self.holder.connection();
        match self.ask(&mut connection, What::Asked)? {
            Answer::Asked {
                queries,
                read,
                written,
            } => Ok(Asked {
                queries,
                read,
                written,
            }),
            other => Err(connection.odd(&self.name, &other)),
        }
    }

    pub(super) fn rows(&self, ids: Vec<u64>) -> Result<BTreeMap<u64, u64>, Fault> {
        let mut connection = self.holder.connection();
        match self.ask(&mut connection, What::Rows(ids))? {
            Answer::Rows(rows) => Ok(rows),
            other => Err(connection.odd(&self.name, &other)),
        }
    }

    /// A fault if it has ended, or the connection with it.
    pub(super) fn died(&self) -> Option<Fault> {
        self.cpu().err()
    }

    /// Ends the connection with the last of its services; says so if that took force.
    pub(super) fn stop(self) -> Option<String> {
        let mut connection = self.holder.connection();
        connection.held -= 1;
        if connection.held > 0 {
            return None;
        }
        connection.end()
    }

    fn ask(&self, connection: &mut Connection, what: What) -> Result<Answer, Fault> {
        let question = Question::Of {
            number: self.number,
            what,
        };
        connection.ask(&self.name, &question, PATIENCE, || false)
    }
}

impl Connection {
    /// The answer to a question about a service.
    fn ask(
        &mut self,
        service: &str,
        question: &Question,
        patience: Duration,
        enough: impl FnMut() -> bool,
    ) -> Result<Answer, Fault> {
        if self.lost.is_some() {
            return Err(self.gone(service));
        }
        let until = Instant::now() + patience;
        let why = match self.talk.ask(&line(question), until, LONGEST, enough) {
            Ok(Heard::Line { text, .. }) => match read(&text) {
                Some(Answer::Failed { kind, detail }) => {
                    let kind = FaultKind::from_name(&kind).unwrap_or(FaultKind::ServiceDied);
                    let text = format!("on {}: {}", self.machine, plain(&detail));
                    return Err(Fault::new(kind, text));
                }
                Some(answer) => return Ok(answer),
                None => format!("it said {:?}", text.chars().take(200).collect::<String>()),
            },
            Ok(Heard::Closed(_)) => "the connection ended".to_owned(),
            Ok(Heard::Late(_)) => format!("it gave no answer within {} s", patience.as_secs()),
            Ok(Heard::GivenUp) => {
                self.lose("interrupted".to_owned());
                return Err(Fault::new(FaultKind::Instrument, "interrupted"));
            }
            Ok(Heard::TooLong(begun)) => format!("its answer is too long; it begins with {begun:?}"),
            Err(error) => error.to_string(),
        };
        self.lose(why);
        Err(self.gone(service))
    }

    /// Says that this machine is there. What it does not take is noticed by the next question.
    fn beat(&mut self) {
        if self.lost.is_none() && self.process.is_some() {
            let _ = self.talk.tell(&line(&Question::Beat), Instant::now());
        }
    }

    fn lose(&mut self, why: String) {
        // The services there end with it, so that nothing of them is left for another run to meet.
        self.talk.end();
        self.lost = Some(why);
    }

    /// The fault of a service that was lost with the connection.
    fn gone(&self, service: &str) -> Fault {
        let machine = &self.machine;
        let why = self.lost.as_deref().unwrap_or_default();
        let log = self.process.as_ref().map(|process| process.log_words(5));
        let log = plain(&log.unwrap_or_default());
        let text = format!(
            "the service `{service}` is gone, and with it all that needs it: {machine} holds it, and was lost: {why}\n{log}"
        );
        Fault::new(FaultKind::ServiceDied, text)
    }

    /// The fault of a service of which something was answered that was not asked.
    fn odd(&mut self, service: &str, answer: &Answer) -> Fault {
        let answer: String = format!("{answer:?}").chars().take(200).collect();
        self.lose(format!(
            "it answered something else than what it was asked: {answer}"
        ));
        self.gone(service)
    }

    fn end(&mut self) -> Option<String> {
        self.talk.end();
        let mut process = self.process.take()?;
        if self.lost.is_some() {
            // That was said already.
            return None;
        }
        match stop::ends_by_itself(&mut process, interrupt::grace(ENDING)) {
            Ok(true) => None,
            // The holder there ends with its connection.
            _ => end(
                &format!("what holds services on {}", self.machine),
                process,
                "TERM",
            ),
        }
    }
}

/// A text of another machine without what a terminal would take for a command.
fn plain(text: &str) -> String {
    const MOST: usize = 4000;
    let shown = |c: &char| *c == '\n' || !c.is_control();
    text.chars().filter(shown).take(MOST).collect()
}

/// What is answered about a service that is held.
pub fn answer(service: &mut Service, what: &What) -> Answer {
    if let Some(death) = service.died() {
        return failed(&death);
    }
    let said = match what {
        What::Cpu => service.cpu().map(|cpu| Answer::Cpu(cpu.unwrap_or_default().0)),
        What::Asked => service.asked().map(|asked| Answer::Asked {
            queries: asked.queries,
            read: asked.read,
            written: asked.written,
        }),
        What::Rows(ids) => service.rows(ids.iter().copied()).map(Answer::Rows),
    };
    said.unwrap_or_else(|fault| failed(&fault))
}

/// The answer that something failed.
pub fn failed(fault: &Fault) -> Answer {
    Answer::Failed {
        kind: fault.kind.name().to_owned(),
        detail: fault.detail.clone(),
    }
}

/// Refuses one who asks for a service in another version.
///
/// # Errors
/// `Instrument`, with both.
pub fn refuse_version(version: &str) -> Result<(), Fault> {
    if version == OWN {
        return Ok(());
    }
    let text = format!("this is tare {OWN}, and whoever asks is tare {version}");
    Err(Fault::new(FaultKind::Instrument, text))
}

#[cfg(test)]
mod tests {
    use tare_host::groups;
    use tare_host::lock::Lock;

    use super::*;

    const READY: &str = r#"{"ready":{"number":0,"gives":{"db":"n4:1"},"versions":[],"machine":{"host":"n4","cpu":"c","cores":2}}}"#;

    /// A holder that a script stands in for, in a folder of its own.
    fn holder(folder: &std::path::Path, script: &str) -> Holder {
        let lock = Lock::take(folder, "test").unwrap();
        let keeper = Keeper::new(&lock, "test", groups::detect(None).unwrap(), None).unwrap();
        let there = Elsewhere {
            machine: "n4".to_owned(),
            argv: ["sh", "-c", script].map(str::to_owned).into(),
            cwd: folder.to_owned(),
            log: folder.join("log"),
        };
        Holder::start(&keeper, &there).unwrap()
    }

    fn held(holder: &Holder) -> Result<(There, BTreeMap<String, String>), Fault> {
        let wanted = Wanted {
            name: "db".to_owned(),
            counted: false,
            install: false,
        };
        holder.hold(&AtomicBool::new(false), &wanted)
    }

    #[test]
    fn whoever_asks_says_that_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let holder = holder(folder.path(), "exec cat >heard");
        let heard = || std::fs::read_to_string(folder.path().join("heard")).unwrap_or_default();
        let until = Instant::now() + 20 * BEAT;
        while heard().lines().count() < 2 && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
        }
        let first = heard().lines().next().map(str::to_owned);
        assert_eq!(first.as_deref().and_then(read), Some(Question::Beat));
        drop(holder);
    }

    #[test]
    fn what_did_not_answer_what_it_was_asked_is_not_asked_again() {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            "read a; echo '{READY}'; read b; echo '{{\"cpu\":1.5}}'; read c; echo '{{\"rows\":{{}}}}'; \
             while read d; do echo '{{\"cpu\":2.5}}'; done"
        );
        let holder = holder(folder.path(), &script);
        let (there, gives) = held(&holder).unwrap();
        assert_eq!(gives["db"], "n4:1");
        assert_eq!(there.cpu().unwrap(), Seconds(1.5));
        for _ in 0..2 {
            let fault = there.cpu().unwrap_err();
            assert_eq!(fault.kind, FaultKind::ServiceDied);
            let says = fault.detail;
            assert!(
                says.contains("the service `db` is gone") && says.contains("Rows"),
                "{says}"
            );
        }
        assert_eq!(there.stop(), None);
    }

    #[test]
    fn what_fails_there_is_told_as_it_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let failed = r#"{"failed":{"kind":"missing-tool","detail":"no postgres\u001b[2J"}}"#;
        let script = format!("read a; echo '{failed}'; read b; echo alas >&2");
        let holder = holder(folder.path(), &script);
        let fault = held(&holder).unwrap_err();
        assert_eq!(fault.kind, FaultKind::MissingTool);
        assert_eq!(fault.detail, "on n4: no postgres[2J");
        // The connection ends with the next, and what was said at its end is told.
        let fault = held(&holder).unwrap_err();
        assert!(
            fault.detail.contains("the connection ended") && fault.detail.contains("alas"),
            "{fault:?}"
        );
    }
}
