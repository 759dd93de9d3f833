//! Whether a contender asked its database as much as its answers need, and wrote what it answered: counted by the database
//! itself, where the case counts.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use tare_lab::rig::Who;
use tare_model::asked::Asked;
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Job;

use crate::rig::RealRig;
use crate::running::Running;
use crate::service::Service;

/// A database may count a query a little after its answer has gone. This is how long to wait for it to do so.
const COUNTED_WITHIN: Duration = Duration::from_millis(250);

/// One slice in so many is followed by an answer that is checked by itself.
const AUDITED: u32 = 16;

impl RealRig<'_> {
    /// The one of a group's services that is asked what it did; none where nothing is counted.
    fn counting(&mut self, group: usize) -> Option<&mut Service> {
        let services = &self.groups[group].services;
        let index = *services
            .iter()
            .find(|index| self.services.get(**index).is_some_and(Service::counts))?;
        self.services.get_mut(index)
    }

    /// What a group's services were asked so far; none where nothing is counted.
    pub(crate) fn asked(&mut self, group: usize) -> Result<Option<Asked>, Fault> {
        self.counting(group).map(Service::asked).transpose()
    }

    /// Checks that a group's services were asked as much as so many answers of a size need, since they had been asked this
    /// much. The contender is paused.
    pub(crate) fn asked_enough(
        &mut self,
        group: usize,
        size: Option<u64>,
        before: Asked,
        answers: u64,
    ) -> Result<(), Fault> {
        let needed = self.job(group, size).asked_by(answers);
        self.wait_until_asked(group, before, needed, answers)
    }

    fn wait_until_asked(
        &mut self,
        group: usize,
        before: Asked,
        needed: Asked,
        answers: u64,
    ) -> Result<(), Fault> {
        let began = Instant::now();
        loop {
            let Some(now) = self.asked(group)? else {
                return Ok(());
            };
            let Some((what, needed, found)) = now.since(before).short_of(needed) else {
                return Ok(());
            };
            if began.elapsed() >= COUNTED_WITHIN {
                let answers = match answers {
                    1 => "one right answer".to_owned(),
                    many => format!("{many} right answers"),
                };
                let text = format!(
                    "{answers} needed {needed} {what} of the database, which counted {found}: the server keeps rows, makes \
                     them up, or does not change what it says that it changes"
                );
                return Err(Fault::new(FaultKind::Wrong, text));
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn job(&self, group: usize, size: Option<u64>) -> Job {
        let job = &self.groups[group].job;
        size.map_or_else(|| job.clone(), |size| job.at_size(size))
    }

    /// Asks a contender once at each size, with all others paused: the database must count as much as that one answer needs,
    /// and rows that were changed must hold the numbers that were answered.
    pub(crate) fn audit(&mut self, who: Who) -> Result<(), Fault> {
        let sizes = self.groups[who.group].sizes.clone();
        if sizes.is_empty() {
            return self.audit_at(who, None);
        }
        sizes
            .into_iter()
            .try_for_each(|size| self.audit_at(who, Some(size)))
    }

    /// The same at one size, after one slice in sixteen.
    pub(crate) fn audit_sometimes(&mut self, who: Who, size: Option<u64>) -> Result<(), Fault> {
        let slices = self.running.get(&who).map_or(0, Running::slices);
        if slices % AUDITED == AUDITED - 1 {
            self.audit_at(who, size)?;
        }
        Ok(())
    }

    fn audit_at(&mut self, who: Who, size: Option<u64>) -> Result<(), Fault> {
        let Some(before) = self.asked(who.group)? else {
            return Ok(());
        };
        let needs = self.job(who.group, size).asked();
        let (group, stop) = (&self.groups[who.group], self.stop);
        let running = self.running.get_mut(&who).ok_or_else(RealRig::not_running)?;
        let answered = by_id(running.thawed(group, stop, |driver, context| driver.rows(context, size))?);
        // Of a row that was drawn twice, one statement changes it once.
        let written = needs.written.min(answered.len() as u64);
        self.wait_until_asked(who.group, before, Asked { written, ..needs }, 1)?;
        match self.counting(who.group).filter(|_| written > 0) {
            Some(service) => compare(&answered, &service.rows(answered.keys().copied())?),
            None => Ok(()),
        }
    }
}

/// The numbers that an answer gives to each row: more than one, if it drew the row more than once.
fn by_id(answered: Vec<(u64, u64)>) -> BTreeMap<u64, Vec<u64>> {
    let mut numbers = BTreeMap::<u64, Vec<u64>>::new();
    for (id, number) in answered {
        numbers.entry(id).or_default().push(number);
    }
    numbers
}

/// Compares what was answered with what the database holds.
fn compare(answered: &BTreeMap<u64, Vec<u64>>, stored: &BTreeMap<u64, u64>) -> Result<(), Fault> {
    for (id, numbers) in answered {
        let found = stored.get(id);
        if found.is_some_and(|found| numbers.contains(found)) {
            continue;
        }
        let holds = found.map_or("is not in the table".to_owned(), |found| format!("holds {found}"));
        let text = format!(
            "a wrong answer: it says that row {id} was given {}, and afterwards, with nobody else at work, the row {holds} in \
             the database",
            numbers
                .iter()
                .map(u64::to_string)
                .collect::<Vec<_>>()
                .join(" or ")
        );
        return Err(Fault::new(FaultKind::Wrong, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_were_changed_hold_what_was_answered() {
        let answered = by_id(vec![(7, 100), (9, 5), (7, 200)]);
        let stored = |seven: u64, nine: u64| BTreeMap::from([(7, seven), (9, nine)]);
        for seven in [100, 200] {
            assert_eq!(compare(&answered, &stored(seven, 5)), Ok(()));
        }
        let error = compare(&answered, &stored(300, 5)).unwrap_err();
        assert_eq!(error.kind, FaultKind::Wrong);
        assert!(error.detail.contains("row 7 was given 100 or 200"), "{error}");
        assert!(error.detail.contains("holds 300"), "{error}");
        let error = compare(&answered, &BTreeMap::from([(7, 100)])).unwrap_err();
        assert!(error.detail.contains("row 9 was given 5"), "{error}");
        assert!(error.detail.contains("not in the table"), "{error}");
    }
}
