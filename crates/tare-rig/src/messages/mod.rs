//! Messages (docs/probe.md): whether the contenders of a case read what the others write, and how they answer hostile
//! messages.

mod contender;
mod offers;
mod outcome;

use tare_lab::rig::{Rig, Who};

use crate::reference::Reference;
use crate::rig::RealRig;
use contender::Contender;

pub use offers::{Offer, Offers};
pub use outcome::{Answer, InteropPair, Member, Messages, Offered};

/// How many inputs are exchanged besides the first and the last.
const MORE: usize = 4;

impl RealRig<'_> {
    /// Makes these entrants of a group write the messages of a few inputs, makes each read what those of its format wrote,
    /// and then offers it hostile messages. They must have passed the check; none of them runs afterwards.
    ///
    /// A fault of one of them is in the answer, and the others continue. After an interrupt the answer is incomplete.
    pub fn exchange_messages(&mut self, group: usize, entrants: &[usize], offers: &Offers) -> Messages {
        let mut messages = Messages {
            inputs: self.sample(group, entrants),
            ..Messages::default()
        };
        let mut written = Vec::new();
        for &entrant in entrants {
            let mut contender = Contender::of(self, Who { group, entrant });
            let wrote = contender.write(&messages.inputs);
            let (name, format) = (contender.name(), wrote.as_ref().ok().map(|w| w.format.clone()));
            messages.members.push(Member {
                entrant,
                name,
                format,
                fault: wrote.as_ref().err().cloned(),
            });
            written.extend(wrote.ok().map(|wrote| (entrant, wrote)));
        }
        for (reader, own) in &written {
            let who = Who {
                group,
                entrant: *reader,
            };
            let mut contender = Contender::of(self, who);
            let same = written.iter().filter(|(_, other)| other.format == own.format);
            messages.pairs.extend(same.map(|(writer, wrote)| InteropPair {
                writer: *writer,
                reader: *reader,
                answer: contender.read(wrote),
            }));
            let offered = offers.of(&own.format).iter();
            messages.offered.extend(offered.map(|offer| Offered {
                reader: *reader,
                file: offer.file.clone(),
                answer: contender.offer(offer),
            }));
            // Its end was already checked after its check.
            self.stop(who);
        }
        messages.add_hints();
        messages
    }

    fn sample(&self, group: usize, entrants: &[usize]) -> Vec<u64> {
        let first = entrants
            .iter()
            .find_map(|&entrant| self.reference(group, entrant));
        let inputs = first.map_or(0, Reference::inputs);
        sample(inputs, self.groups[group].seed)
    }

    /// The right results of an entrant; none for a job over sockets.
    fn reference(&self, group: usize, entrant: usize) -> Option<&Reference> {
        let runnable = self.groups[group].contenders[entrant].as_ref()?;
        Some(runnable.references.as_ref()?.of(None).1)
    }
}

/// The first, the last and a few others of this many inputs, ascending.
fn sample(inputs: u64, seed: u64) -> Vec<u64> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut chosen = std::collections::BTreeSet::new();
    if let Some(last) = inputs.checked_sub(1) {
        chosen.extend([0, last]);
    }
    while (chosen.len() as u64) < inputs.min(MORE as u64 + 2) {
        chosen.insert(random.u64(0..inputs));
    }
    chosen.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_both_ends_and_nothing_twice() {
        assert_eq!(sample(0, 1), Vec::<u64>::new());
        assert_eq!(sample(1, 1), [0]);
        assert_eq!(sample(6, 1), [0, 1, 2, 3, 4, 5]);
        for seed in 1..=40 {
            let inputs = 7 + seed * seed;
            let chosen = sample(inputs, seed);
            assert_eq!(chosen, sample(inputs, seed), "seed {seed}");
            assert_eq!((chosen[0], chosen[5]), (0, inputs - 1), "seed {seed}");
            assert!(
                chosen.len() == 6 && chosen.is_sorted_by(|a, b| a < b),
                "seed {seed}"
            );
        }
    }
}
