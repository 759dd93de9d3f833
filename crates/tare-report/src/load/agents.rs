//! What each agent of a load from other machines did.

use serde_json::{Value, json};
use tare_model::measure::LoadReading;
use tare_model::units::Seconds;

use crate::escape;

/// What one agent did.
#[derive(Debug, Clone, Copy)]
pub struct Agent<'a> {
    /// Where it listens, as it was typed.
    pub name: &'a str,
    /// Its generator processes.
    pub processes: u32,
    /// Its connections.
    pub connections: u32,
    /// Whether it waited for send times awake; none where there were none.
    pub awake: Option<bool>,
    /// What its generators saw.
    pub reading: &'a LoadReading,
    /// From when it was let go until it was heard that it had begun, by this machine's clock.
    pub round_trip: Option<Seconds>,
    /// The part of that which was its own, by its clock.
    pub after: Option<Seconds>,
}

impl Agent<'_> {
    pub(super) fn line(&self) -> String {
        let requests = self.reading.requests;
        let processes = match self.processes {
            1 => String::new(),
            processes => format!(" in {processes} processes"),
        };
        let trip = self
            .round_trip
            .map_or(String::new(), |trip| format!(", started in {trip}"));
        format!(
            "{}: {} right of {} sent over {} connections{processes}, {:.0}% busy{trip}",
            escape::visible(self.name),
            requests.valid,
            requests.sent,
            self.connections,
            self.reading.busy.0 * 100.0
        )
    }

    pub(super) fn document(&self) -> Value {
        let requests = self.reading.requests;
        json!({
            "at": self.name,
            "processes": self.processes,
            "connections": self.connections,
            "answers": requests.valid,
            "sent": requests.sent,
            "invalid": requests.invalid,
            "lost": requests.lost,
            "unsent": self.reading.unsent,
            "wall": self.reading.wall.0,
            "cpu": self.reading.cpu.0,
            "busy": self.reading.busy.0,
            "awake": self.awake,
            "round_trip": self.round_trip.map(|trip| trip.0),
            "own_delay": self.after.map(|after| after.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{load, parsed, reading};
    use super::super::{Load, text};
    use super::*;

    #[test]
    fn each_agent_has_a_line_and_all_have_a_start() {
        let reading = reading(5, 100, 0.4);
        let agent = |name| Agent {
            name,
            processes: 2,
            connections: 32,
            awake: Some(false),
            reading: &reading,
            round_trip: Some(Seconds(0.002)),
            after: Some(Seconds(0.001)),
        };
        let load = Load {
            agents: vec![agent("n2:7400"), agent("n3:7400")],
            apart: Some(Seconds(0.003)),
            ..load(&reading)
        };
        let text = text(&load);
        let line = "agent       n2:7400: 1000 right of 1000 sent over 32 connections in 2 processes, 40% busy, started in 2.00 ms";
        assert!(text.contains(line), "{text}");
        assert!(
            text.contains("start       all agents began within 3.00 ms"),
            "{text}"
        );
        let document = parsed(&load);
        assert_eq!(
            (&document["started_within"], &document["agents"][1]["at"]),
            (&0.003.into(), &"n3:7400".into())
        );
        assert_eq!(document["agents"][0]["own_delay"], 0.001);
    }
}
