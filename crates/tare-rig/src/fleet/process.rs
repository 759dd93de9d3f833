//! A generator process of this machine, from outside.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tare_remote::message::ToAgent;

/// How often one who waits for what processes say checks for an interrupt.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A generator process. Dropping it kills it.
#[derive(Debug)]
pub(super) struct GeneratorProcess {
    child: Child,
    /// Closed to end its load.
    input: Option<ChildStdin>,
}

impl GeneratorProcess {
    /// Starts one with what it is to do. `hear` gets each line that it says, with the time when it came, and none when its
    /// output has ended.
    pub(super) fn start(
        mut command: Command,
        order: &ToAgent,
        mut hear: impl FnMut(Instant, Option<String>) + Send + 'static,
    ) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        thread::spawn(move || {
            let lines = output
                .into_iter()
                .flat_map(|output| BufReader::new(output).lines());
            lines
                .map_while(Result::ok)
                .for_each(|line| hear(Instant::now(), Some(line)));
            hear(Instant::now(), None);
        });
        let mut process = Self { child, input };
        process.tell(order);
        Ok(process)
    }

    /// Tells it something: a line for each message.
    pub(super) fn tell(&mut self, message: &ToAgent) {
        let mut line = serde_json::to_string(message).expect("messages can be written");
        line.push('\n');
        if let Some(input) = &mut self.input {
            // The output of one that is gone ends, which is noticed.
            let _ = input.write_all(line.as_bytes());
        }
    }

    /// Ends its load; it then says what it saw.
    pub(super) fn stop(&mut self) {
        self.input = None;
    }
}

impl Drop for GeneratorProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
