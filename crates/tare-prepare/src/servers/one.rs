//! One server that is loaded.

use std::time::Duration;

use tare_load::{Length, Schedule, Target, limits};

use super::awake::{Waiting, waiting};
use super::error::ServersError;
use super::request::LoadRequest;
use super::{target, there};
use crate::error::Result;

/// No one waits longer than this for a number of requests.
const A_DAY: Duration = Duration::from_secs(86_400);

/// A server that can be loaded, and how.
pub struct ServerLoad {
    /// Where it listens, and what is sent.
    pub target: Target,
    /// When it is sent.
    pub schedule: Schedule,
    /// For how long.
    pub length: Length,
}

impl ServerLoad {
    /// A server with the load that a request says.
    pub(super) fn of(mut target: Target, request: &LoadRequest) -> std::result::Result<Self, ServersError> {
        target.set_use(request.usage());
        Ok(Self {
            target,
            schedule: request.schedule()?,
            length: request.length(),
        })
    }

    /// Refuses a server that is not there. `url`: as it was typed.
    ///
    /// # Errors
    /// Nothing listens at its address.
    pub fn refuse_absent(&self, url: &str) -> Result<()> {
        Ok(there::refuse_absent(url, self.target.address())?)
    }
}

/// By what a server is loaded.
#[derive(Debug)]
pub struct Generators {
    /// The number of generator processes.
    pub processes: u32,
    /// How they wait for send times; none where there are none.
    pub waiting: Option<Waiting>,
    /// What comes close to a limit.
    pub remarks: Vec<String>,
}

impl LoadRequest {
    /// The first server and its load. Nothing is sent yet.
    ///
    /// # Errors
    /// What is wrong with the URL, or with what is to be sent.
    pub fn of_one(&self, url: &str) -> Result<ServerLoad> {
        let target = target::target(url, self)?.driven(self)?;
        Ok(ServerLoad::of(target, self)?)
    }

    /// By what this load is driven here: as many processes as were asked for, or as few as can hold its connections.
    ///
    /// # Errors
    /// The number of processes does not fit the load, or this machine cannot carry it.
    pub fn generators(&self, load: &ServerLoad) -> Result<Generators> {
        let (schedule, address) = (&load.schedule, load.target.address());
        let processes = self.processes_here()?;
        // For all processes together, once.
        let mut remarks = limits::check_target(schedule, &load.target, processes)?;
        remarks.extend(there::remark(address, schedule.connections()));
        Ok(Generators {
            processes,
            waiting: waiting(self, &[address], processes),
            remarks,
        })
    }

    fn processes_here(&self) -> std::result::Result<u32, ServersError> {
        let most = limits::most_of_one_process().max(1);
        let count = match (self.processes, self.programs) {
            (Some(1), _) | (None, Some(_)) => 1,
            (Some(_), Some(_)) => return Err(ServersError::BatchByProcesses),
            (Some(count), None) => count,
            (None, None) => self.connections.div_ceil(most),
        };
        if count > self.connections {
            return Err(ServersError::IdleProcess);
        }
        Ok(count)
    }

    fn length(&self) -> Length {
        match self.count {
            Some(requests) => Length::answers(requests, A_DAY),
            None => Length {
                at_least_answers: 0,
                // A rate beyond what the server sustains is offered on purpose: its throughput is the answer, and the
                // requests that were not sent are reported.
                drops: true,
                ..Length::time(self.duration())
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_fit_the_load() {
        let of = |processes, programs| {
            let request = LoadRequest {
                connections: 3,
                processes,
                programs,
                ..LoadRequest::default()
            };
            request.processes_here().map_err(|error| error.to_string())
        };
        assert_eq!(of(None, None), Ok(1));
        assert_eq!(of(Some(3), None), Ok(3));
        assert_eq!((of(None, Some(4)), of(Some(1), Some(4))), (Ok(1), Ok(1)));
        assert!(of(Some(4), None).unwrap_err().contains("fewer --processes"));
        assert!(
            of(Some(2), Some(4))
                .unwrap_err()
                .contains("driven by one process")
        );
    }

    #[test]
    fn a_number_of_requests_stands_for_a_time() {
        let of = |count, duration| {
            let request = LoadRequest {
                urls: vec!["tcp://a:1".to_owned()],
                count,
                duration,
                ..LoadRequest::default()
            };
            let length = request.length();
            (length.answers, length.time, length.drops)
        };
        assert_eq!(of(None, None), (None, Some(Duration::from_secs(10)), true));
        let second = Duration::from_secs(1);
        assert_eq!(of(None, Some(second)), (None, Some(second), true));
        assert_eq!((of(Some(7), None).0, of(Some(7), None).2), (Some(7), false));
    }
}
