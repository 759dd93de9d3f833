//! The commands of all nodes, until each has done what it was for, or cannot.

use std::time::{Duration, Instant};

use crate::engine::{Engine, Running};
use crate::error::ClusterError;

/// How often nodes are asked.
const PERIOD: Duration = Duration::from_millis(500);

/// How long a node that does not answer is waited for: one that starts again takes a minute or two.
const PATIENCE: Duration = Duration::from_secs(180);

/// How often it is asked meanwhile.
const ASKED: Duration = Duration::from_secs(5);

/// How often a command is started again that has brought nothing further.
const TRIES: u32 = 3;

/// What one node is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The node.
    pub node: String,
    /// Its command.
    pub words: Vec<String>,
}

/// What a node's command has left to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Nothing,
    /// This command, to go on with what is there.
    Further(Vec<String>),
    /// The command again: nothing of it is there.
    Again,
    /// Nobody knows as long as the node does not answer.
    Unknown,
}

/// What became of a node's part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It did what it was for.
    Done,
    /// It did not, and why.
    Lost(String),
}

/// What happens meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    /// A node's command began, for the n-th time.
    Began {
        /// The node.
        node: &'a str,
        /// From 1.
        time: u32,
    },
    /// It said something.
    Said {
        /// The node.
        node: &'a str,
        /// A line.
        line: &'a str,
    },
    /// It ended, with something still to be done.
    Ended {
        /// The node.
        node: &'a str,
        /// What is known of it.
        why: &'a str,
    },
    /// It ended, and the node does not answer.
    Away {
        /// The node.
        node: &'a str,
        /// What is known of the end.
        why: &'a str,
    },
    /// A node has done its part.
    Done {
        /// The node.
        node: &'a str,
    },
    /// A node is given up.
    Lost {
        /// The node.
        node: &'a str,
        /// Why.
        why: &'a str,
    },
}

/// A node's part as it goes on.
struct Course {
    part: Part,
    running: Option<Box<dyn Running>>,
    /// How often a command of it began.
    begun: u32,
    /// How often since one brought something.
    tries: u32,
    away: Option<Away>,
    outcome: Option<Outcome>,
}

/// A node that does not answer.
struct Away {
    /// How its command ended.
    why: String,
    since: Instant,
    asked: Instant,
}

/// Has each node do its part, all of them at the same time. `left`: looks at what a node has, and says what is left of its
/// part. A node whose command brings nothing further three times is given up, and so is one that does not answer for three
/// minutes; the others go on. `stop`: whether a person asked to stop; then the commands are, and what is left is lost.
pub fn follow(
    engine: &dyn Engine,
    parts: Vec<Part>,
    left: &mut dyn FnMut(&str) -> Result<Next, ClusterError>,
    tell: &mut dyn FnMut(Event<'_>),
    stop: &dyn Fn() -> bool,
) -> Vec<Outcome> {
    let course = |part| Course {
        part,
        running: None,
        begun: 0,
        tries: 0,
        away: None,
        outcome: None,
    };
    let mut courses: Vec<Course> = parts.into_iter().map(course).collect();
    courses.iter_mut().for_each(|course| course.begin(engine, tell));
    let mut stopped = false;
    while courses.iter().any(|course| course.outcome.is_none()) {
        if stop() && !stopped {
            stopped = true;
            courses
                .iter_mut()
                .filter_map(|course| course.running.as_mut())
                .for_each(|running| running.stop());
        }
        for course in courses.iter_mut().filter(|course| course.outcome.is_none()) {
            let ended = course.ended().or_else(|| course.is_due(stopped));
            // Its last words, too.
            course.hear(tell);
            if let Some(why) = ended {
                course.running = None;
                course.look(engine, &why, stopped, left, tell);
            }
        }
        std::thread::sleep(PERIOD);
    }
    courses.into_iter().filter_map(|course| course.outcome).collect()
}

impl Course {
    fn begin(&mut self, engine: &dyn Engine, tell: &mut dyn FnMut(Event<'_>)) {
        self.tries += 1;
        self.begun += 1;
        match engine.begin(&self.part.node, &self.part.words) {
            Ok(running) => {
                self.running = Some(running);
                let (node, time) = (self.part.node.as_str(), self.begun);
                tell(Event::Began { node, time });
            }
            Err(error) => self.lose(error.to_string(), tell),
        }
    }

    fn hear(&mut self, tell: &mut dyn FnMut(Event<'_>)) {
        let node = &self.part.node;
        for line in self.running.iter_mut().flat_map(|running| running.heard()) {
            tell(Event::Said { node, line: &line });
        }
    }

    /// How its command ended; none as long as it runs, and while the engine does not answer, which is no end.
    fn ended(&mut self) -> Option<String> {
        self.running.as_mut()?.ended().ok().flatten()
    }

    fn look(
        &mut self,
        engine: &dyn Engine,
        why: &str,
        stopped: bool,
        left: &mut dyn FnMut(&str) -> Result<Next, ClusterError>,
        tell: &mut dyn FnMut(Event<'_>),
    ) {
        let node = self.part.node.clone();
        let next = left(&node);
        if matches!(next, Ok(Next::Unknown)) && !stopped {
            return self.wait(why, tell);
        }
        if matches!(next, Ok(Next::Nothing)) {
            tell(Event::Done { node: &node });
            self.outcome = Some(Outcome::Done);
            return;
        }
        if stopped {
            return self.lose("stopped".to_owned(), tell);
        }
        if self.away.take().is_none() {
            tell(Event::Ended { node: &node, why });
        }
        match next {
            Ok(Next::Further(words)) => {
                // Something was brought; it may take as many tries to go on.
                if words != self.part.words {
                    self.tries = 0;
                }
                self.part.words = words;
            }
            Ok(_) => {}
            Err(error) => return self.lose(format!("{why}; {error}"), tell),
        }
        if self.tries >= TRIES {
            return self.lose(format!("{why}, {TRIES} times"), tell);
        }
        self.begin(engine, tell);
    }

    /// Why it ended, where the node did not answer then and is to be asked again.
    fn is_due(&self, stopped: bool) -> Option<String> {
        let away = self.away.as_ref()?;
        (stopped || away.asked.elapsed() > ASKED).then(|| away.why.clone())
    }

    fn wait(&mut self, why: &str, tell: &mut dyn FnMut(Event<'_>)) {
        let node = &self.part.node;
        let away = self.away.get_or_insert_with(|| {
            tell(Event::Away { node, why });
            let now = Instant::now();
            Away {
                why: why.to_owned(),
                since: now,
                asked: now,
            }
        });
        away.asked = Instant::now();
        if away.since.elapsed() > PATIENCE {
            self.lose(
                format!("{why}; it has not answered for {} s", PATIENCE.as_secs()),
                tell,
            );
        }
    }

    fn lose(&mut self, why: String, tell: &mut dyn FnMut(Event<'_>)) {
        let node = &self.part.node;
        tell(Event::Lost { node, why: &why });
        self.outcome = Some(Outcome::Lost(why));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::path::Path;

    use super::*;
    use crate::engine::Packed;

    /// Commands that end at once.
    struct Brief;

    impl Engine for Brief {
        fn nodes(&self, _most: Option<usize>) -> Result<Vec<String>, ClusterError> {
            Ok(vec!["n1".to_owned()])
        }

        fn kind(&self, _node: &str) -> Result<String, ClusterError> {
            Ok(String::new())
        }

        fn place(&self, _node: &str, _files: &Packed) -> Result<(), ClusterError> {
            Ok(())
        }

        fn begin(&self, _node: &str, _words: &[String]) -> Result<Box<dyn Running>, ClusterError> {
            Ok(Box::new(Self))
        }

        fn fetch(&self, _node: &str, _named: &str, _into: &Path) -> Result<(), ClusterError> {
            Ok(())
        }
    }

    impl Running for Brief {
        fn ended(&mut self) -> Result<Option<String>, ClusterError> {
            Ok(Some("lost".to_owned()))
        }

        fn heard(&mut self) -> Vec<String> {
            Vec::new()
        }

        fn stop(&mut self) {}
    }

    /// Of a node that has this left each time it is asked: what became of it, and what was told. `stop`: asked to after so many.
    fn followed(left: &[Next], stop: usize) -> (Outcome, Vec<String>) {
        let part = Part {
            node: "n1".to_owned(),
            words: vec!["run".to_owned()],
        };
        let (asked, told) = (Cell::new(0), RefCell::new(Vec::new()));
        let mut next = |_: &str| {
            let next = left[asked.get().min(left.len() - 1)].clone();
            asked.set(asked.get() + 1);
            Ok(next)
        };
        let mut tell = |event: Event<'_>| {
            let word = match event {
                Event::Began { time, .. } => format!("began {time}"),
                Event::Said { .. } => "said".to_owned(),
                Event::Ended { .. } => "ended".to_owned(),
                Event::Away { .. } => "away".to_owned(),
                Event::Done { .. } => "done".to_owned(),
                Event::Lost { why, .. } => format!("lost: {why}"),
            };
            told.borrow_mut().push(word);
        };
        let mut outcomes = follow(&Brief, vec![part], &mut next, &mut tell, &|| asked.get() >= stop);
        (outcomes.remove(0), told.into_inner())
    }

    #[test]
    fn a_node_that_brings_nothing_further_is_given_up() {
        let (outcome, told) = followed(&[Next::Again], usize::MAX);
        assert_eq!(outcome, Outcome::Lost("lost, 3 times".to_owned()));
        assert_eq!(told[..5], ["began 1", "ended", "began 2", "ended", "began 3"]);
    }

    #[test]
    fn a_node_that_does_not_answer_is_waited_for() {
        let further = Next::Further(vec!["on".to_owned()]);
        let (outcome, told) = followed(
            &[Next::Unknown, Next::Unknown, further, Next::Nothing],
            usize::MAX,
        );
        assert_eq!(outcome, Outcome::Done);
        assert_eq!(told, ["began 1", "away", "began 2", "done"]);
    }

    #[test]
    fn who_stops_waits_for_no_node() {
        let (outcome, told) = followed(&[Next::Unknown], 1);
        assert_eq!(outcome, Outcome::Lost("stopped".to_owned()));
        assert_eq!(told, ["began 1", "away", "lost: stopped"]);
    }
}
