//! What the contenders of a case did with each other's messages, and with hostile ones: for people and as JSON.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tare_model::fault::Fault;
use tare_prepare::{ChosenCase, ReadyCase};
use tare_rig::RealRig;
use tare_rig::messages::{Answer, InteropPair, Member, Messages, Offers};

use super::indented;
use crate::failure::Failure;

/// The hostile messages for the contenders of a case; none where they exchange no messages. Read before anything is
/// built.
pub fn offers(chosen: &ChosenCase) -> Result<Option<Offers>, Failure> {
    let (workload, case) = (&chosen.workload, &chosen.case);
    let folder = case.job.in_process().and_then(|probe| probe.offered(&case.name));
    let Some(folder) = folder else {
        return Ok(None);
    };
    let offers = Offers::read(&workload.folder, &folder).map_err(Failure::usage)?;
    for contender in &chosen.contenders {
        if let Some(name) = contender.fails_on.keys().find(|name| !offers.has(name)) {
            let text = format!(
                "{}/{}: its manifest says that it fails on `{name}`, which is not in {folder}/",
                workload.name, contender.id
            );
            return Err(
                Failure::usage(text).hint("`[fails_on]` names messages as FORMAT/NAME, without `.hex`")
            );
        }
    }
    Ok(Some(offers))
}

/// The exchange of messages in one case.
pub struct Exchanged {
    workload: String,
    case: String,
    /// Of all entrants.
    names: Vec<String>,
    messages: Messages,
}

impl Exchanged {
    /// Lets these entrants write and read messages, except floors, which make none.
    pub fn between(
        rig: &mut RealRig<'_>,
        group: usize,
        ready: &ReadyCase,
        right: &[usize],
        offers: &Offers,
    ) -> Self {
        let case = &ready.chosen.case;
        let entrants = &ready.entrants;
        let is_floor = |entrant: usize| {
            let record = &entrants[entrant];
            record.subject.is_floor() || case.floor.as_ref() == Some(&record.id)
        };
        let partners: Vec<usize> = right
            .iter()
            .copied()
            .filter(|&entrant| !is_floor(entrant))
            .collect();
        Self {
            workload: ready.chosen.workload.name.clone(),
            case: case.name.clone(),
            names: entrants.iter().map(|record| record.id.to_string()).collect(),
            messages: rig.exchange_messages(group, &partners, offers),
        }
    }

    /// Everything that was wrong.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.messages.faults()
    }

    /// A table for each format, and every fault.
    pub fn text(&self) -> String {
        let formats: BTreeSet<&String> = self
            .members()
            .filter_map(|member| member.format.as_ref())
            .collect();
        let mut text: String = formats.into_iter().map(|format| self.table(format)).collect();
        for fault in self.faults() {
            text.push_str(&format!("FAULT    {}/{} messages\n", self.workload, self.case));
            text.push_str(&indented(&fault.detail));
        }
        text
    }

    fn members(&self) -> impl Iterator<Item = &Member> {
        self.messages.members.iter()
    }

    /// A row for each writer, with a column for each reader; after it what it did with hostile messages.
    fn table(&self, format: &str) -> String {
        let members: Vec<&Member> = self
            .members()
            .filter(|member| member.format.as_deref() == Some(format))
            .collect();
        let width = members.iter().map(|member| member.name.chars().count()).max();
        let (width, digits) = (width.unwrap_or(0).max(12), members.len().to_string().len());
        let inputs: Vec<String> = self.messages.inputs.iter().map(u64::to_string).collect();
        let columns: String = (1..=members.len())
            .map(|number| format!(" {number:>digits$}"))
            .collect();
        let mut text = format!(
            "messages {}/{}, format {format}, inputs {}\n         {:digits$} {:width$} read by{columns}\n",
            self.workload,
            self.case,
            inputs.join(", "),
            "",
            "written by"
        );
        for (index, writer) in members.iter().enumerate() {
            let marks: String = members
                .iter()
                .map(|reader| format!(" {:>digits$}", self.mark(writer, reader)))
                .collect();
            text.push_str(&format!(
                "         {:>digits$} {:width$}        {marks}{}\n",
                index + 1,
                writer.name,
                self.offered(writer)
            ));
        }
        text
    }

    fn mark(&self, writer: &Member, reader: &Member) -> char {
        let of = |pair: &&InteropPair| (pair.writer, pair.reader) == (writer.entrant, reader.entrant);
        match self.messages.pairs.iter().find(of).map(|pair| &pair.answer) {
            Some(Answer::Right) => '+',
            Some(Answer::Fault(_)) => 'X',
            _ => '-',
        }
    }

    /// `; of 29 hostile ones 25 refused, 4 bounded`; nothing where there were none.
    fn offered(&self, reader: &Member) -> String {
        let all = self.messages.offered.iter();
        let words: Vec<&str> = all
            .filter(|offered| offered.reader == reader.entrant)
            .map(|offered| word(&offered.answer))
            .collect();
        let count = |word: &str| words.iter().filter(|found| **found == word).count();
        let parts: Vec<String> = ["refused", "bounded", "known", "FAULT", "not asked"]
            .into_iter()
            .filter(|word| count(word) > 0)
            .map(|word| match word {
                "known" => format!("{} known to fail", count(word)),
                _ => format!("{} {word}", count(word)),
            })
            .collect();
        match words.len() {
            0 => String::new(),
            number => format!("  of {number} hostile ones it {}", parts.join(", ")),
        }
    }

    /// The same as a document.
    pub fn json(&self) -> Value {
        let name = |entrant: usize| self.names[entrant].clone();
        let fault = |answer: &Answer| {
            let fault = answer.fault();
            let kind = fault.map(|fault| fault.kind.name());
            (kind, fault.map(|fault| fault.detail.clone()))
        };
        let members = self.members().map(|member| {
            json!({
                "contender": member.name,
                "format": member.format,
                "kind": member.fault.as_ref().map(|fault| fault.kind.name()),
                "reason": member.fault.as_ref().map(|fault| fault.detail.clone()),
            })
        });
        let pairs = self.messages.pairs.iter().map(|pair| {
            let (kind, reason) = fault(&pair.answer);
            let (writer, reader) = (name(pair.writer), name(pair.reader));
            json!({ "writer": writer, "reader": reader, "outcome": outcome(&pair.answer), "kind": kind, "reason": reason })
        });
        let offered = self.messages.offered.iter().map(|offered| {
            let (kind, reason) = fault(&offered.answer);
            json!({
                "reader": name(offered.reader),
                "file": offered.file,
                "outcome": outcome(&offered.answer),
                "answer": answer(&offered.answer),
                "kind": kind,
                "reason": reason,
            })
        });
        json!({
            "workload": self.workload,
            "case": self.case,
            "inputs": self.messages.inputs,
            "members": members.collect::<Vec<_>>(),
            "pairs": pairs.collect::<Vec<_>>(),
            "hostile": offered.collect::<Vec<_>>(),
        })
    }
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Right => "right",
        Answer::Refused(_) => "refused",
        Answer::Bounded(_) => "bounded",
        Answer::Known(_) => "known",
        Answer::Fault(_) => "FAULT",
        Answer::NotAsked => "not asked",
    }
}

/// The same in JSON.
fn outcome(answer: &Answer) -> String {
    word(answer).to_lowercase().replace(' ', "-")
}

/// The answer, or what is known to happen, where that was no fault.
fn answer(answer: &Answer) -> Option<&String> {
    match answer {
        Answer::Refused(said) | Answer::Bounded(said) | Answer::Known(said) => Some(said),
        _ => None,
    }
}
