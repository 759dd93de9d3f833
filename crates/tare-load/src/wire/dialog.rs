//! Protocols whose connections are dialogs: each begins with a greeting, the server may ask for something at any time, and
//! answers need not come in the order of their requests.
//!
//! Unlike a [`Wire`](super::Wire), such a protocol holds the state of each connection and its outstanding requests itself.
//! It does no I/O either: it is given what was received, and says what is to be sent.

/// A protocol with the connections of one load core, which go by their numbers. All requests of a job are alike.
pub(crate) trait Dialog: Send + Sync {
    /// Changes it to `n` connections with up to `depth` requests outstanding each; none is outstanding now. Connections that
    /// stay keep their state.
    fn resize(&mut self, n: usize, depth: u32);

    /// Begins a connection anew: its greeting has to be sent.
    fn begin(&mut self, conn: usize);

    /// Appends what has to be sent apart from new requests: the greeting, what the server has asked for, and bodies that had
    /// to wait.
    fn owed(&mut self, conn: usize, out: &mut Vec<u8>);

    /// How many requests may be sent now.
    fn room(&self, conn: usize) -> u32;

    /// Appends a request, for which there must be room.
    fn send(&mut self, conn: usize, times: Times, out: &mut Vec<u8>);

    /// Takes received bytes, and says what came of them.
    ///
    /// # Errors
    /// What is wrong; what was right before it is in `news`.
    fn take(&mut self, conn: usize, bytes: &[u8], news: &mut News) -> Result<Taken, Breach>;

    /// Forgets the outstanding requests of a connection; returns their intended times, the last one first. None: a part of an
    /// answer has come, so the server has seen them.
    fn take_back(&mut self, conn: usize) -> Option<Vec<u64>>;

    /// When the outstanding request that has waited for longest was sent.
    fn oldest(&self, conn: usize) -> Option<u64>;

    /// The outstanding request that has waited for longest, and what came of its answer, for a person.
    fn waiting(&self, conn: usize) -> String;

    /// What the server must send first, for a person.
    fn greeting(&self) -> &'static str;

    /// Checks only a share (0 to 1) of large answers whole.
    fn sample(&mut self, _share: f64) {}

    /// Keeps each answer from now on.
    fn keep_answers(&mut self);

    /// The last answer, where answers are kept.
    fn kept(&self) -> Option<&KeptAnswer>;

    /// The same protocol and expectation, without connections, for another thread.
    fn fork(&self) -> Box<dyn Dialog>;
}

/// The times of a request, in ns since the slice's start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    /// When it was meant to be sent: latency counts from here.
    pub(crate) intended: u64,
    /// When it was sent.
    pub(crate) sent: u64,
}

/// What became of received bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// The first bytes, which must not be passed again.
    pub(crate) len: usize,
    /// Bytes after those that are needed before it is asked again.
    pub(crate) need: usize,
}

/// What received bytes said.
#[derive(Debug, Default)]
pub(crate) struct News {
    /// The greeting is complete: requests can be sent.
    pub(crate) greeted: bool,
    pub(crate) answered: Vec<Answered>,
    /// The intended times of requests that the server did not process: they count as not sent.
    pub(crate) taken_back: Vec<u64>,
    /// The connection takes no further requests: once nothing is outstanding, it has to be replaced.
    pub(crate) ending: bool,
    /// The server allows fewer requests at a time than the depth.
    pub(crate) allowed: Option<u32>,
}

/// A request that was answered right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answered {
    pub(crate) intended: u64,
    /// Whether each byte of the answer was checked.
    pub(crate) whole: bool,
}

/// What a server did wrong.
#[derive(Debug)]
pub(crate) struct Breach {
    pub(crate) kind: BreachKind,
    /// What was expected and what was found, for a person; may have several lines.
    pub(crate) why: String,
}

/// The kinds of [`Breach`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BreachKind {
    /// A wrong answer to an outstanding request, which is named; the request is not outstanding any more.
    Answer(String),
    /// An answer that nobody asked for.
    Unasked,
    /// What is no message of the protocol.
    Protocol,
    /// The server refuses to answer.
    Ended,
}

/// An answer that was kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptAnswer {
    /// The fields of its head.
    pub(crate) fields: Vec<(Vec<u8>, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
}

impl News {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.answered.clear();
        self.taken_back.clear();
        (self.greeted, self.ending, self.allowed) = (false, false, None);
    }
}

impl KeptAnswer {
    /// The value of the first field of a name.
    pub(crate) fn field(&self, name: &str) -> Option<&[u8]> {
        let named = |field: &&(Vec<u8>, Vec<u8>)| field.0.eq_ignore_ascii_case(name.as_bytes());
        self.fields.iter().find(named).map(|(_, value)| &**value)
    }

    /// Head and body, for a person.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for (name, value) in &self.fields {
            text.extend_from_slice(&[&name[..], b": ", value, b"\n"].concat());
        }
        text.push(b'\n');
        text.extend_from_slice(&self.body);
        text
    }
}
