//! The probes that the labs of these tests run: they do a small job in process, or over pipes, and misbehave on
//! request.
//!
//! As the servers of [`crate::misbehave`], they are this very test binary, started again. Its harness prints a line
//! on standard output before any test begins; so a shell keeps that for us as descriptor 3, and gives the harness its
//! standard error.

use std::fs::File;
use std::io::{BufRead, Read, Write, stdin};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use tare_sys::clock::thread_cpu;

/// Whatever it is asked, it ends by itself after this.
const LIFE: Duration = Duration::from_secs(180);

/// Inputs, and the length of the results.
const INPUTS: u64 = 5;
const LENGTHS: [usize; INPUTS as usize] = [0, 2, 4, 7, 300];

/// The command of a probe that behaves in this way.
pub fn command(way: &str) -> Vec<String> {
    let program = std::env::current_exe().expect("a test knows its own path");
    let program = program.to_str().expect("cargo's paths are text").to_owned();
    let name = concat!(module_path!(), "::prober")
        .split_once("::")
        .expect("a module of this binary")
        .1;
    let shell = ["sh", "-c", "exec 3>&1 1>&2; exec \"$@\"", "sh"];
    let fixed = ["--exact", "--ignored", "--nocapture", name];
    let mut words: Vec<String> = shell.map(str::to_owned).to_vec();
    words.push(program);
    words.extend(fixed.map(str::to_owned));
    words.extend([format!("way={way}"), "role={role}".to_owned()]);
    words
}

/// A probe that answers its first commands, and then closes its output and lives on: no program can close what its
/// harness holds.
pub fn closes_its_output() -> Vec<String> {
    let script = "read line; echo 'ok 1 0'; exec 1>&-; exec sleep 180";
    ["sh", "-c", script].map(str::to_owned).to_vec()
}

/// The result of an input.
pub fn result(input: u64) -> Vec<u8> {
    let length = LENGTHS[(input % INPUTS) as usize];
    (0..length)
        .map(|at| (at as u64 * 31 + input % INPUTS) as u8)
        .collect()
}

/// The text of the reference file.
pub fn reference() -> String {
    (0..INPUTS).map(|input| hex(&result(input)) + "\n").collect()
}

/// A message that is none, and says that more than a gigabyte follows.
pub const BOMB: &str = "5aff00000041";

/// The request of an input as a message.
fn message(input: u8) -> Vec<u8> {
    vec![0x5a, input, !input]
}

/// Makes room for what the bomb promises, and waits for it.
fn believe() -> ! {
    let room: Vec<Vec<u8>> = (0..0x41).map(|_| vec![1; 16 << 20]).collect();
    std::hint::black_box(&room);
    forever()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
#[ignore = "no test: the probe that the others start"]
fn prober() {
    let argument = |key: &str| std::env::args().find_map(|word| word.strip_prefix(key).map(str::to_owned));
    // Started by hand, with all ignored tests: nothing to do.
    let (Some(way), Some(role)) = (argument("way="), argument("role=")) else {
        return;
    };
    thread::spawn(|| {
        thread::sleep(LIFE);
        exit_saying("nobody has ended me", 5)
    });
    let (name, number) = way.split_once(':').unwrap_or((&way, "1"));
    let from: u64 = number.parse().expect("way=NAME or way=NAME:NUMBER");
    let out = File::options()
        .write(true)
        .open("/dev/fd/3")
        .expect("the shell kept it");
    let mut prober = Prober {
        way: name.to_owned(),
        from,
        runs: 0,
        offered: false,
        out,
        pipes: None,
    };
    match role.as_str() {
        "server" => prober.serve(),
        "client" => prober.pipes = Some(Pipes::open()),
        _ => {}
    }
    prober.talk();
    std::process::exit(0);
}

fn exit_saying(text: &str, status: i32) -> ! {
    eprintln!("{text}");
    std::process::exit(status)
}

/// The client's ends.
struct Pipes {
    requests: File,
    answers: File,
}

impl Pipes {
    fn open() -> Self {
        let path = |name: &str| std::env::var_os(name).unwrap_or_else(|| panic!("no {name}"));
        let requests = File::options()
            .write(true)
            .open(Path::new(&path("TARE_PIPE_OUT")));
        let answers = File::open(Path::new(&path("TARE_PIPE_IN")));
        Self {
            requests: requests.expect("the pipe of requests"),
            answers: answers.expect("the pipe of answers"),
        }
    }

    /// A request is the input's number, an answer its length and its bytes.
    fn exchange(&mut self, input: u64, silent: bool) -> Vec<u8> {
        if !silent {
            self.requests
                .write_all(&[input as u8])
                .expect("a server that reads");
        }
        let mut length = [0; 2];
        if self.answers.read_exact(&mut length).is_err() {
            // The server has ended. It must be found as the cause, in whatever order the ends are checked: so this end stays.
            loop {
                thread::park();
            }
        }
        let mut bytes = vec![0; usize::from(u16::from_le_bytes(length))];
        self.answers.read_exact(&mut bytes).expect("a whole answer");
        bytes
    }
}

struct Prober {
    way: String,
    /// The `run` (counted from 1, those of nothing left out) from which on it misbehaves.
    from: u64,
    runs: u64,
    /// Whether it has read something that is not a message.
    offered: bool,
    out: File,
    pipes: Option<Pipes>,
}

impl Prober {
    /// Whether it is to misbehave in this way now.
    fn is(&self, way: &str) -> bool {
        self.way == way && self.runs >= self.from
    }

    fn say(&mut self, text: &str) {
        self.out.write_all(text.as_bytes()).expect("tare listens");
    }

    fn talk(&mut self) {
        match self.way.as_str() {
            "speaks" => self.say("hello, I am ready\n"),
            "never-answers" => forever(),
            "dies-at-once" => exit_saying("alas, no configuration", 3),
            _ => {}
        }
        for line in stdin().lock().lines() {
            let line = line.expect("tare speaks text");
            let (word, argument) = line.split_once(' ').unwrap_or((&line, ""));
            match (word, argument.parse::<u64>()) {
                ("run", Ok(n)) => self.run(n),
                ("show", Ok(input)) => self.show(input),
                ("format", _) if self.way != "no-words" => self.format(),
                ("bytes", Ok(input)) => self.write(input),
                ("read", _) => self.read(argument),
                _ => self.say("error that is no command\n"),
            }
        }
        if self.way == "stays" {
            forever();
        }
    }

    fn show(&mut self, input: u64) {
        let mut bytes = self.result(input);
        if self.way == "wrong-show" && input == 3 {
            bytes[5] ^= 1;
        }
        if self.way == "is-never-the-same" && self.offered {
            bytes.push(1);
        }
        let line = format!("ok {}\n", hex(&bytes));
        self.say(&line);
    }

    fn format(&mut self) {
        let name = match self.way.as_str() {
            "another-format" => "another",
            _ => "fixture",
        };
        self.say(&format!("ok {}\n", hex(name.as_bytes())));
    }

    fn write(&mut self, input: u64) {
        let written = match (self.way.as_str(), input) {
            ("writes-wrong", 3) => 2,
            ("writes-what-none-reads", 4) => 0xf0,
            _ => input as u8,
        };
        self.say(&format!("ok {}\n", hex(&message(written))));
    }

    fn read(&mut self, hexed: &str) {
        let found = (0..INPUTS).find(|&input| hex(&message(input as u8)) == hexed);
        self.offered |= found.is_none();
        match (self.way.as_str(), found) {
            ("dies-of-bombs", None) if hexed == BOMB => exit_saying("what a bomb", 9),
            ("dies-of-all", _) => exit_saying("I cannot read", 9),
            ("hangs-on-bombs", None) if hexed == BOMB => forever(),
            ("believes-bombs", None) if hexed == BOMB => believe(),
            ("says-much", None) => self.say(&format!("ok {}\n", "00".repeat(5000))),
            ("bounds", None) => self.say("ok 00\n"),
            ("reads-wrong", Some(input)) => self.say(&format!("ok {}\n", hex(&result(input + 1)))),
            (_, Some(input)) => self.say(&format!("ok {}\n", hex(&result(input)))),
            (_, None) => self.say("error that is no message\n"),
        }
    }

    fn run(&mut self, n: u64) {
        self.runs += u64::from(n > 0);
        let on_core = thread_cpu();
        let (mut nanos, mut sum) = self.work(n);
        if self.is("die") {
            exit_saying("that was one too many", 4);
        }
        if self.is("hang") {
            forever();
        }
        if self.is("refuses") {
            self.say("error I have had enough\n");
            return;
        }
        if self.is("garbage") {
            self.say("segmentation fault, perhaps\n");
            return;
        }
        if self.is("half-line") {
            self.say("ok 12");
            exit_saying("no time for the rest", 6);
        }
        if self.is("wrong-sum") {
            sum = sum.wrapping_add(1);
        }
        if self.is("zero") {
            nanos = 0;
        }
        if self.is("long") {
            nanos += 3_600_000_000_000;
        }
        // Slow by so little that the iterations which that asks for are done long before any patience ends. Of the time on
        // a core: that of the work may be waiting for one, which nobody is blamed for.
        if self.is("slow-clock") {
            nanos = (thread_cpu() - on_core).as_nanos() * 3 / 4;
        }
        if self.is("works-after") {
            thread::sleep(Duration::from_millis(300));
        }
        if self.way == "stands-still" && self.runs == self.from {
            let began = Instant::now();
            while began.elapsed() < Duration::from_millis(300) {}
        }
        let line = format!("ok {nanos} {sum}\n");
        self.say(&line);
        if self.is("twice") {
            self.say(&line);
        }
    }

    fn work(&mut self, n: u64) -> (u128, u32) {
        let began = Instant::now();
        let mut sum = 0_u32;
        for i in 0..n {
            sum = sum.wrapping_add(term(&self.result(i % INPUTS)));
        }
        (began.elapsed().as_nanos(), sum)
    }

    fn result(&mut self, input: u64) -> Vec<u8> {
        let silent = self.is("deadlock");
        match &mut self.pipes {
            Some(pipes) => pipes.exchange(input, silent),
            None => result(input),
        }
    }

    /// The server of a pair: the answers to what comes, until nothing more does.
    fn serve(&mut self) {
        let mut input = [0];
        let mut answered = 0;
        while stdin().lock().read_exact(&mut input).is_ok() {
            answered += 1;
            if self.way == "server-dies" && answered > self.from {
                exit_saying("the server has had enough", 7);
            }
            let bytes = result(u64::from(input[0]));
            let mut answer = (bytes.len() as u16).to_le_bytes().to_vec();
            answer.extend(bytes);
            self.out.write_all(&answer).expect("a client that reads");
        }
        std::process::exit(0);
    }
}

/// What a result adds to the checksum, written a second time: the instrument's is not to judge itself.
fn term(bytes: &[u8]) -> u32 {
    let word = |at: usize| -> u32 {
        let four = bytes[at..].iter().take(4).enumerate();
        four.map(|(place, byte)| u32::from(*byte) << (8 * place)).sum()
    };
    let (first, last) = (word(0), word(bytes.len().saturating_sub(4)));
    let products = [
        (bytes.len() as u32, 2_654_435_761_u32),
        (first, 2_246_822_519),
        (last, 3_266_489_917),
    ];
    products
        .into_iter()
        .fold(0, |sum: u32, (a, b)| sum.wrapping_add(a.wrapping_mul(b)))
}

fn forever() -> ! {
    loop {
        thread::sleep(LIFE);
    }
}
