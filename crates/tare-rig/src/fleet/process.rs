//! A generator process of this machine, from outside.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tare_remote::Part;

/// What a process is sent when the connections of all are open.
pub(super) const GO: &str = "go\n";

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
    /// Starts one with its part of a load. `hear` gets each line that it says, with the time when it came, and none when its
    /// output has ended.
    pub(super) fn start(
        mut command: Command,
        part: &Part,
        mut hear: impl FnMut(Instant, Option<String>) + Send + 'static,
    ) -> io::Result<Self> {
        let mut order = serde_json::to_string(part)?;
        order.push('\n');
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (mut input, output) = (child.stdin.take(), child.stdout.take());
        thread::spawn(move || {
            let lines = output
                .into_iter()
                .flat_map(|output| BufReader::new(output).lines());
            lines
                .map_while(Result::ok)
                .for_each(|line| hear(Instant::now(), Some(line)));
            hear(Instant::now(), None);
        });
        if let Some(input) = &mut input {
            // The output of one that is gone ends, which is noticed.
            let _ = input.write_all(order.as_bytes());
        }
        Ok(Self { child, input })
    }

    /// Lets it begin.
    pub(super) fn go(&mut self) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(GO.as_bytes());
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
