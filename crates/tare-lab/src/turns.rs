//! Whose turn is next: which groups are begun, and in which order their launches are made.
//!
//! The order of a plan says what matters first. A group is begun when those that were begun before have the least number of
//! launches that gives an interval, and only if its own least number fits into what they leave of the budget once they have
//! as many as are aimed at: few things are measured well, instead of all badly. Groups that were begun take turns, so that
//! drift of the machine is shared.
//!
//! Once all of them have what is aimed at, the group is next whose nearest finding is expected to take the least time to be
//! told: what others have besides, such as narrower intervals, comes after that.
//!
//! The sequences are valid at every look, so which launch is made next changes no error rate, whatever it depends on.

/// What a group has to tell of a report's findings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Findings {
    /// It has none, or was not begun.
    None,
    /// It has some, none of which needs a further launch of it.
    Told,
    /// Some are inconclusive; the interval of the nearest has to narrow by this factor, which may be infinite.
    Open(f64),
}

/// How a group stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stand {
    /// Whether its measurement has not ended.
    pub open: bool,
    /// What it still has to tell.
    pub findings: Findings,
    /// Its launches, with those of the run that is continued.
    pub launches: u32,
    /// Its launches in this run.
    pub own: u32,
    /// The least number of launches that an interval rests on.
    pub least: u32,
    /// The number of launches that is aimed at.
    pub aimed: u32,
    /// How long its next launch is expected to take, in seconds.
    pub length: f64,
    /// How much longer than that its first one takes.
    pub first: f64,
    /// The shortest that a launch can be cut to.
    pub shortest: f64,
}

/// Time for one launch of a group, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Share {
    /// That leaves every group of the run the aimed number of launches.
    pub aimed: f64,
    /// That leaves every group of the run the least number.
    pub most: f64,
}

impl Stand {
    fn begun(&self) -> bool {
        self.own > 0
    }

    /// The same with launches that take longer by this factor.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        Self {
            length: self.length * factor,
            first: self.first * factor,
            shortest: self.shortest * factor,
            ..self
        }
    }

    /// Whether it has enough launches for an interval.
    fn served(&self) -> bool {
        self.begun() && self.launches >= self.least
    }

    /// Whether it has as many launches as are aimed at.
    fn has_aimed(&self) -> bool {
        self.served() && self.launches >= self.aimed
    }

    /// Whether others come first.
    fn rests(&self) -> bool {
        self.findings == Findings::Told && self.has_aimed()
    }

    /// The time until the nearest of its findings is told, if its estimate stays. An interval narrows with the square root of
    /// the launches; infinite where there is no such finding.
    fn time_to_tell(&self) -> f64 {
        match self.findings {
            Findings::Open(factor) => {
                self.length * f64::from(self.launches) * (factor.powi(2) - 1.0).max(0.0)
            }
            Findings::None | Findings::Told => f64::INFINITY,
        }
    }

    /// Launches until it has as many as this; at least one of a group that is not begun.
    fn missing(&self, target: u32) -> f64 {
        let missing = target.saturating_sub(self.launches);
        f64::from(if self.begun() { missing } else { missing.max(1) })
    }

    /// The time for so many launches of a further run.
    pub(crate) fn time_for(&self, launches: u32) -> f64 {
        f64::from(launches) * self.length + self.first
    }

    /// The time until it has as many launches as this.
    fn time_until(&self, target: u32) -> f64 {
        let first = if self.begun() { 0.0 } else { self.first };
        self.missing(target) * self.length + first
    }
}

/// The group whose launch is next, with this much time left. None: no group is open that was begun, and no other fits.
pub(crate) fn next(stands: &[Stand], left: f64) -> Option<usize> {
    let open = || (0..stands.len()).filter(|&index| stands[index].open);
    if stands.iter().all(|stand| !stand.begun()) {
        // Something is measured in any case.
        return open().next();
    }
    let begun = || open().filter(|&index| stands[index].begun());
    let claimed = claimed(stands);
    let fits = |&index: &usize| {
        let stand = &stands[index];
        let least = claimed + stand.time_until(stand.least);
        // What nobody else uses may be used for short launches, too.
        let short = stand.missing(stand.least) * stand.shortest + stand.first;
        least <= left || (begun().next().is_none() && short <= left)
    };
    // However wrong what is expected of the next one may be, those before it have an interval.
    let served = begun().all(|index| stands[index].served());
    let mut waiting = open().filter(|&index| served && !stands[index].begun());
    waiting
        .find(fits)
        .or_else(|| nearest(stands, begun()))
        .or_else(|| begun().min_by_key(|&index| (stands[index].rests(), stands[index].launches)))
}

/// Of groups that all have as many launches as are aimed at, the one that is expected to tell a finding first.
fn nearest(stands: &[Stand], begun: impl Iterator<Item = usize> + Clone) -> Option<usize> {
    if !begun.clone().all(|index| stands[index].has_aimed()) {
        return None;
    }
    let time = |index: usize| stands[index].time_to_tell();
    let foreseen = begun.filter(|&index| time(index).is_finite());
    foreseen.min_by(|&one, &other| time(one).total_cmp(&time(other)))
}

/// The time that groups which were begun still need for the launches that are aimed at.
fn claimed(stands: &[Stand]) -> f64 {
    let begun = stands.iter().filter(|stand| stand.open && stand.begun());
    begun.map(|stand| stand.time_until(stand.aimed)).sum()
}

/// Whether a group that was begun can have no interval any more, because its launches are longer than was expected, while
/// another has been measured: further launches would tell nothing, and take the time of others.
pub(crate) fn hopeless(stands: &[Stand], index: usize, left: f64) -> bool {
    cut_short(stands, index) && 0.9 * stands[index].time_until(stands[index].least) > left
}

/// Whether a group has some launches, too few for an interval, and another has enough.
pub(crate) fn cut_short(stands: &[Stand], index: usize) -> bool {
    let stand = &stands[index];
    stand.begun() && !stand.served() && any_served(stands)
}

/// Whether any group of this run has enough launches for an interval.
pub(crate) fn any_served(stands: &[Stand]) -> bool {
    stands.iter().any(Stand::served)
}

/// The time for one launch of a group that is begun now: its part of what is left, among those that were begun and those that
/// will be if nothing is decided early, in proportion to the length of their launches.
pub(crate) fn share(stands: &[Stand], index: usize, left: f64) -> Share {
    let mine = stands[index];
    let mut sharing: Vec<Stand> = vec![mine];
    let mut claimed = claimed(stands) + mine.time_until(mine.aimed);
    for (other, stand) in stands.iter().enumerate().filter(|(_, stand)| stand.open) {
        if other == index {
            continue;
        }
        if !stand.begun() {
            if claimed + stand.time_until(stand.least) > left {
                continue;
            }
            claimed += stand.time_until(stand.aimed);
        }
        sharing.push(*stand);
    }
    let pieces = |target: fn(&Stand) -> u32| -> f64 {
        let of = |stand: &Stand| {
            f64::from(target(stand).saturating_sub(stand.own)) * (stand.length / mine.length.max(1e-9))
        };
        sharing.iter().map(of).sum()
    };
    Share {
        aimed: left / pieces(|stand| stand.aimed),
        most: left / pieces(|stand| stand.least),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(length: f64) -> Stand {
        Stand {
            open: true,
            findings: Findings::None,
            launches: 0,
            own: 0,
            least: 3,
            aimed: 6,
            length,
            first: 0.0,
            shortest: 0.5 * length,
        }
    }

    fn begun(length: f64, launches: u32) -> Stand {
        Stand {
            launches,
            own: launches,
            ..waiting(length)
        }
    }

    fn decided(length: f64, launches: u32) -> Stand {
        Stand {
            open: false,
            ..begun(length, launches)
        }
    }

    #[test]
    fn the_first_is_begun_whatever_it_takes() {
        assert_eq!(next(&[waiting(100.0), waiting(1.0)], 10.0), Some(0));
        let nothing = Stand {
            open: false,
            ..waiting(1.0)
        };
        assert_eq!(next(&[nothing, waiting(100.0)], 10.0), Some(1));
        assert_eq!(next(&[nothing, nothing], 10.0), None);
    }

    #[test]
    fn a_second_is_begun_if_its_least_fits_beside_what_is_aimed_at() {
        // Three more of the first, three of the second.
        let stands = [begun(10.0, 3), waiting(10.0)];
        assert_eq!(next(&stands, 60.0), Some(1));
        assert_eq!(next(&stands, 59.0), Some(0));
        // One that is too long does not hold up one that is not.
        assert_eq!(
            next(&[begun(10.0, 3), waiting(50.0), waiting(10.0)], 60.0),
            Some(2)
        );
        // However much time there is, the first has an interval before.
        assert_eq!(next(&[begun(10.0, 2), waiting(10.0)], 1e6), Some(0));
    }

    #[test]
    fn who_has_the_fewest_launches_is_next() {
        assert_eq!(
            next(&[begun(1.0, 4), begun(1.0, 3), begun(1.0, 3)], 50.0),
            Some(1)
        );
        assert_eq!(next(&[begun(1.0, 3), begun(1.0, 3)], 50.0), Some(0));
    }

    #[test]
    fn who_has_told_its_findings_rests_once_it_has_what_is_aimed_at() {
        let told = |launches: u32| Stand {
            findings: Findings::Told,
            ..begun(1.0, launches)
        };
        assert_eq!(next(&[told(5), begun(1.0, 9)], 50.0), Some(0));
        assert_eq!(next(&[told(6), begun(1.0, 9)], 50.0), Some(1));
        // Where all have, they go on in turns.
        assert_eq!(next(&[told(8), told(7)], 50.0), Some(1));
    }

    #[test]
    fn the_finding_that_takes_the_least_time_comes_first_once_all_have_what_is_aimed_at() {
        let open = |length: f64, launches: u32, factor: f64| Stand {
            findings: Findings::Open(factor),
            ..begun(length, launches)
        };
        assert_eq!(next(&[open(1.0, 5, 9.0), open(1.0, 8, 2.0)], 50.0), Some(0));
        assert_eq!(next(&[open(1.0, 6, 9.0), open(1.0, 8, 2.0)], 50.0), Some(1));
        // Shorter launches tell it sooner.
        assert_eq!(next(&[open(1.0, 8, 3.0), open(9.0, 8, 2.0)], 50.0), Some(0));
        // What has nothing to tell waits; where nothing can be foreseen, they take turns.
        assert_eq!(next(&[begun(1.0, 6), open(1.0, 8, 2.0)], 50.0), Some(1));
        let infinite = f64::INFINITY;
        assert_eq!(
            next(&[open(1.0, 8, infinite), open(1.0, 7, infinite)], 50.0),
            Some(1)
        );
    }

    #[test]
    fn what_is_decided_leaves_its_time_to_who_waits() {
        assert_eq!(next(&[begun(10.0, 4), waiting(10.0)], 45.0), Some(0));
        assert_eq!(next(&[decided(10.0, 4), waiting(10.0)], 45.0), Some(1));
        // Launches that are cut short are better than none, and half of one is not.
        assert_eq!(next(&[decided(10.0, 4), waiting(10.0)], 15.0), Some(1));
        assert_eq!(next(&[decided(10.0, 4), waiting(10.0)], 14.0), None);
        // One that is open and has what was aimed at does not keep others waiting.
        assert_eq!(next(&[begun(10.0, 6), waiting(10.0)], 30.0), Some(1));
    }

    #[test]
    fn who_cannot_have_an_interval_any_more_is_given_up_but_for_the_only_one() {
        let stands = [begun(10.0, 3), begun(100.0, 1)];
        assert!(hopeless(&stands, 1, 175.0) && !hopeless(&stands, 1, 185.0));
        assert!(!hopeless(&stands, 0, 1.0), "it has one");
        assert!(!hopeless(&[begun(100.0, 1), waiting(1.0)], 0, 1.0));
    }

    #[test]
    fn a_share_is_a_part_of_what_is_left() {
        let alone = share(&[waiting(10.0)], 0, 600.0);
        assert_eq!((alone.aimed, alone.most), (100.0, 200.0));
        // 6 of 10 s and 6 of 30 s: 240 s of 480 s.
        let both = [waiting(10.0), waiting(30.0)];
        assert_eq!(share(&both, 0, 480.0).aimed, 20.0);
        assert_eq!(share(&both, 1, 480.0).aimed, 60.0);
        // The second will not be begun.
        assert_eq!(share(&both, 0, 120.0).aimed, 20.0);
        // The first has five to come.
        assert_eq!(share(&[begun(10.0, 1), waiting(10.0)], 1, 110.0).aimed, 10.0);
    }
}
