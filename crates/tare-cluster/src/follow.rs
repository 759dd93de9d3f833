//! The commands of all nodes, until each has done what it was for, or cannot.

use std::time::Duration;

use crate::engine::{Engine, Running};
use crate::error::ClusterError;

/// How often nodes are asked.
const PERIOD: Duration = Duration::from_millis(500);

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
    outcome: Option<Outcome>,
}

/// Has each node do its part, all of them at the same time. `left`: looks at what a node has, and says what is left of its
/// part. A node whose command brings nothing further three times is given up; the others go on. `stop`: whether a person asked
/// to stop; then the commands are, and what is left is lost.
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
            let ended = course.ended();
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
        if matches!(next, Ok(Next::Nothing)) {
            tell(Event::Done { node: &node });
            self.outcome = Some(Outcome::Done);
            return;
        }
        if stopped {
            return self.lose("stopped".to_owned(), tell);
        }
        tell(Event::Ended { node: &node, why });
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

    fn lose(&mut self, why: String, tell: &mut dyn FnMut(Event<'_>)) {
        let node = &self.part.node;
        tell(Event::Lost { node, why: &why });
        self.outcome = Some(Outcome::Lost(why));
    }
}
