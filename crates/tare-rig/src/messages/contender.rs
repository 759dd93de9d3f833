//! One contender that is asked about messages: started if it does not run, and started again after a message that it did
//! not survive.

use tare_lab::rig::{Rig, Who};
use tare_model::fault::{Fault, FaultKind};

use super::{Answer, Offer};
use crate::driver::{Abort, DriverContext, Messenger, Reply};
use crate::reference::{beginning, unhex};
use crate::rig::RealRig;

/// How often a contender may be started: one that hangs at every message would cost a timeout for each.
const LIVES: u32 = 4;

/// The most characters of a message: longer ones would show nothing new.
const LONGEST: usize = 64 << 20;
/// The most characters of a format's name.
const LONGEST_NAME: usize = 40;

const HINT: &str =
    "the job has `interop`: its contenders answer `format 0`, `bytes I` and `read HEX` (docs/probe.md)";

/// The messages that one contender wrote.
pub(super) struct Written {
    writer: String,
    /// Its name for its format.
    pub format: String,
    /// Inputs, and their messages in hex.
    messages: Vec<(u64, String)>,
}

/// A contender that is asked.
pub(super) struct Contender<'r, 'k> {
    rig: &'r mut RealRig<'k>,
    who: Who,
    /// How often it may still be started.
    lives: u32,
}

impl<'r, 'k> Contender<'r, 'k> {
    /// A contender of the rig, running or not.
    pub(super) fn of(rig: &'r mut RealRig<'k>, who: Who) -> Self {
        let lives = LIVES;
        Self { rig, who, lives }
    }

    /// Its id.
    pub(super) fn name(&self) -> String {
        let runnable = self.rig.groups[self.who.group].contenders[self.who.entrant].as_ref();
        runnable.map_or_else(String::new, |runnable| runnable.name.clone())
    }

    /// Asks for its format, and makes it write the messages of these inputs. It stays started, frozen.
    pub(super) fn write(&mut self, inputs: &[u64]) -> Result<Written, Fault> {
        let format = named(&self.hex("format", "0")?)?;
        let mut messages = Vec::new();
        for &input in inputs {
            messages.push((input, self.hex("bytes", &input.to_string())?));
        }
        Ok(Written {
            writer: self.name(),
            format,
            messages,
        })
    }

    /// Asks for an answer that must not be a refusal, and must be hex.
    fn hex(&mut self, word: &str, argument: &str) -> Result<String, Fault> {
        let wrong = |what: String| {
            let text = format!("asked `{word} {argument}`, it answered {what}\n\nhint: {HINT}");
            Err(Fault::new(FaultKind::Wrong, text))
        };
        match self.ask((word, argument), LONGEST)? {
            Reply::Ok(hex) if unhex(&hex).is_some() => Ok(hex),
            Reply::Ok(_) => wrong("what is not hex".to_owned()),
            Reply::Refused(why) => wrong(format!("`error`: {why}")),
        }
    }

    /// Makes it read the messages that another wrote: right if all of them are.
    pub(super) fn read(&mut self, written: &Written) -> Answer {
        for (input, message) in &written.messages {
            if self.is_given_up() {
                return Answer::NotAsked;
            }
            if let Err(fault) = self.read_one(*input, message) {
                let text = format!(
                    "{} does not read what {} wrote of input {input} ({}): {}",
                    self.name(),
                    written.writer,
                    described(message),
                    fault.detail
                );
                return Answer::Fault(Fault::new(fault.kind, text));
            }
        }
        Answer::Right
    }

    fn read_one(&mut self, input: u64, message: &str) -> Result<(), Fault> {
        let said = self.ask(("read", message), 0)?;
        let Some(reference) = self.rig.reference(self.who.group, self.who.entrant) else {
            return Err(no_words());
        };
        let wrong = match said {
            Reply::Ok(hex) => reference.judge(input, &hex),
            Reply::Refused(why) => Err(format!(
                "it answered `error`: {why}, expected {}",
                reference.shown(input)
            )),
        };
        wrong.map_err(|wrong| Fault::new(FaultKind::Wrong, wrong))
    }

    /// Offers it a hostile message, and checks that it still works.
    pub(super) fn offer(&mut self, offer: &Offer) -> Answer {
        if self.is_given_up() {
            return Answer::NotAsked;
        }
        let said = self.ask(("read", &offer.hex), 0);
        let answer = said.and_then(|said| {
            self.with(|messenger, context| messenger.still_right(context))
                .map(|()| said)
                .map_err(|fault| Fault::new(fault.kind, format!("and then: {}", fault.detail)))
        });
        match answer {
            Ok(Reply::Ok(hex)) => Answer::Bounded(hex),
            Ok(Reply::Refused(why)) => Answer::Refused(why),
            Err(fault) => {
                if let Some(known) = self.known(&offer.name) {
                    return Answer::Known(known);
                }
                let (name, file, says) = (self.name(), &offer.file, &offer.says);
                let text = format!("{name} was offered {file} ({says}): {}", fault.detail);
                Answer::Fault(Fault::new(fault.kind, text))
            }
        }
    }

    /// What is known to happen at a message; that does not cost a life.
    fn known(&mut self, message: &str) -> Option<String> {
        let runnable = self.rig.groups[self.who.group].contenders[self.who.entrant].as_ref()?;
        let known = runnable.fails_on.get(message)?.clone();
        self.lives += 1;
        Some(known)
    }

    fn is_given_up(&self) -> bool {
        let gone = self.lives == 0 && !self.rig.running.contains_key(&self.who);
        gone || self.rig.interrupted()
    }

    fn ask(&mut self, question: (&str, &str), longest: usize) -> Result<Reply, Fault> {
        self.with(|messenger, context| messenger.ask(context, question, longest))
    }

    /// Thaws it and works with it. After a fault it is ended: its next answer might belong to an earlier question.
    fn with<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Messenger, &mut DriverContext<'_>) -> Result<T, Abort>,
    ) -> Result<T, Fault> {
        if !self.rig.running.contains_key(&self.who) {
            self.lives = self.lives.saturating_sub(1);
            self.rig.start(self.who)?;
            // Client and server have their pipes open only when something went through them.
            self.thawed(|messenger, context| messenger.still_right(context))?;
        }
        self.thawed(work)
    }

    fn thawed<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Messenger, &mut DriverContext<'_>) -> Result<T, Abort>,
    ) -> Result<T, Fault> {
        let group = &self.rig.groups[self.who.group];
        let running = self.rig.running.get_mut(&self.who).ok_or_else(no_words)?;
        let done = running.thawed(group, self.rig.stop, |driver, context| {
            let messenger = driver.messenger().ok_or_else(no_words)?;
            Ok(work(messenger, context)?)
        });
        done.map_err(|fault| {
            self.rig.running.remove(&self.who);
            self.rig.or_its_services(self.who.group, fault)
        })
    }
}

fn no_words() -> Fault {
    let text = "it was to be asked about messages, but its job has none; this is a bug in tare";
    Fault::new(FaultKind::Instrument, text)
}

/// The name of a format, from hex.
fn named(hex: &str) -> Result<String, Fault> {
    let bytes = unhex(hex).unwrap_or_default();
    let letter = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(byte);
    let good = (1..=LONGEST_NAME).contains(&bytes.len()) && bytes.iter().all(letter);
    let name = String::from_utf8(bytes).ok().filter(|_| good);
    name.ok_or_else(|| {
        let text = format!(
            "asked `format 0`, it answered {}, which in hex is to be a name: lower-case letters, digits, dashes and \
             dots, at most {LONGEST_NAME}\n\nhint: {HINT}",
            hex.get(..2 * LONGEST_NAME).unwrap_or(hex)
        );
        Fault::new(FaultKind::Wrong, text)
    })
}

/// `1234 bytes, 0000…`.
fn described(message: &str) -> String {
    let bytes = unhex(message).unwrap_or_default();
    format!("{} bytes, {}", bytes.len(), beginning(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_names() {
        let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(named(&hex("capnp-packed")).unwrap(), "capnp-packed");
        for bad in ["", "Capnp", "capnp packed", "../x", "\u{e9}", &"x".repeat(41)] {
            let fault = named(&hex(bad)).unwrap_err();
            assert!(fault.detail.contains("is to be a name"), "{bad}: {fault}");
        }
    }

    #[test]
    fn a_message_is_described_by_its_beginning() {
        assert_eq!(described("00ff"), "2 bytes, 00ff");
        let long = described(&"ab".repeat(33));
        assert_eq!(long, format!("33 bytes, {}…", "ab".repeat(32)));
    }
}
