//! The figure of a claim: a lead, one lead over another, an extra cost, or how that changes with size.

use std::rc::Rc;

use tare_model::claim::{ClaimFigure, Lack, Relation};
use tare_model::estimate::Estimate;
use tare_model::ids::ContenderId;
use tare_model::metric::Metric;
use tare_stats::leads::{self, Costs};
use tare_stats::mean::Mean;
use tare_stats::{Interval, huber, net};

use super::site::Site;
use crate::convert::as_estimate;
use crate::field::Pairing;
use crate::replicates;
use crate::values::{self, Values};

/// What a claim asks of two contenders, and at which error rate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    pub first: &'a ContenderId,
    pub other: &'a ContenderId,
    pub metric: Metric,
    pub alpha: f64,
}

/// Two contenders in an arena.
struct Both {
    values: Rc<Values>,
    first: usize,
    other: usize,
}

/// One lead in log units, launch by launch; none for a launch that has no round with both.
type Leads = Vec<Option<(f64, u32)>>;

impl Question<'_> {
    /// The figure of a relation, on its natural scale: a ratio, or seconds.
    pub(super) fn figure(
        self,
        relation: &Relation,
        site: &Site,
        sites: &[Site],
    ) -> Result<ClaimFigure, Lack> {
        match relation {
            Relation::Faster { .. }
            | Relation::Same { .. }
            | Relation::Between { .. }
            | Relation::About { .. } => self.lead(site),
            Relation::MoreThanIn { case, .. } => self.over_case(site, other_case(site, sites, case)?, case),
            Relation::FallsWithSize { .. } => self.over_sizes(site, largest(site, sites)?),
            Relation::Extra { .. } => self.extra(site),
            Relation::ExtraPerUnit { .. } => self.extra_per_unit(site, largest(site, sites)?),
        }
    }

    fn both(&self, site: &Site, case: Option<&str>) -> Result<Both, Lack> {
        let entrant = |id: &ContenderId| {
            site.entrant(id, self.metric).map_err(|why| Lack::Figures {
                contender: id.clone(),
                case: case.map(str::to_owned),
                why,
            })
        };
        Ok(Both {
            other: entrant(self.other)?,
            first: entrant(self.first)?,
            values: site.values(self.metric),
        })
    }

    fn lead(self, site: &Site) -> Result<ClaimFigure, Lack> {
        let both = self.both(site, None)?;
        let found = self
            .pairing(&both)
            .compare(site.arena, &both.values, None)
            .ok_or(Lack::NeverTogether)?;
        Ok(ClaimFigure {
            estimate: Estimate {
                estimate: found.ratio,
                low: found.low,
                high: found.high,
            },
            alpha: found.alpha,
            rounds: found.rounds,
            launches: found.launches,
            provisional: found.provisional,
            centres: found.centres,
        })
    }

    /// The pair in the order in which a ratio above 1 is a lead of the first.
    fn pairing(&self, both: &Both) -> Pairing {
        let (a, b) = if self.metric.more_is_better() {
            (both.first, both.other)
        } else {
            (both.other, both.first)
        };
        let alpha = self.alpha;
        Pairing { a, b, alpha }
    }

    /// The lead here over the lead in another case.
    fn over_case(self, site: &Site, there: &Site, case: &str) -> Result<ClaimFigure, Lack> {
        let (one, two) = (self.both(site, None)?, self.both(there, Some(case))?);
        // Launches of two cases are independent: the i-th of the one goes with the i-th of the other.
        let launches = |both: &Both| -> Vec<(f64, u32)> { self.leads(both).into_iter().flatten().collect() };
        let pairs = launches(&one).into_iter().zip(launches(&two));
        self.change(&one, &two, pairs.collect())
    }

    /// The lead at the smallest size over the lead at the largest, in the same launches.
    fn over_sizes(self, small: &Site, large: &Site) -> Result<ClaimFigure, Lack> {
        let (one, two) = (self.both(small, None)?, self.both(large, None)?);
        let pairs = self.leads(&one).into_iter().zip(self.leads(&two));
        let pairs = pairs.filter_map(|(one, two)| one.zip(two));
        self.change(&one, &two, pairs.collect())
    }

    fn leads(&self, both: &Both) -> Leads {
        let Pairing { a, b, .. } = self.pairing(both);
        let launch = |launch| {
            let differences = both.values.differences(launch, a, b);
            Some((huber::centre(&differences)?, differences.len() as u32))
        };
        (0..both.values.rounds.len()).map(launch).collect()
    }

    fn change(
        self,
        one: &Both,
        two: &Both,
        pairs: Vec<((f64, u32), (f64, u32))>,
    ) -> Result<ClaimFigure, Lack> {
        let leads: Vec<(f64, f64)> = pairs.iter().map(|(one, two)| (one.0, two.0)).collect();
        let mut found = leads::change(&leads, self.alpha).ok_or(Lack::NeverTogether)?;
        let provisional = leads.len() == 1;
        if provisional {
            found.interval = self.of_one_launch(one, two);
        }
        Ok(ClaimFigure {
            estimate: as_estimate(&Mean {
                value: found.value.exp(),
                interval: found.interval.map(|interval| interval.exp()),
            }),
            alpha: self.alpha,
            rounds: pairs.iter().map(|(one, two)| one.1.min(two.1)).sum(),
            launches: leads.len() as u32,
            provisional,
            centres: leads.iter().map(|(one, two)| (one - two).exp()).collect(),
        })
    }

    /// A single launch has no spread between launches: each lead has the interval of its rounds at half of α.
    fn of_one_launch(&self, one: &Both, two: &Both) -> Option<Interval> {
        let half = |both: &Both| {
            let pairing = Pairing {
                alpha: self.alpha / 2.0,
                ..self.pairing(both)
            };
            pairing.interval(&both.values)
        };
        let (one, two) = (half(one)?, half(two)?);
        Some(Interval {
            low: one.low - two.high,
            high: one.high - two.low,
        })
    }

    /// What the other costs more than the first.
    fn extra(self, site: &Site) -> Result<ClaimFigure, Lack> {
        let both = self.both(site, None)?;
        let costs = self.costs(&[site], &[&both]);
        let pairs: Vec<(f64, f64)> = costs.each.iter().map(|at| (at[0].a, at[0].b)).collect();
        let found = net::net(&pairs, self.alpha).ok_or(Lack::NeverTogether)?;
        let extras = pairs.iter().map(|(other, first)| other - first);
        Ok(costs.figure(self.alpha, &found, extras.collect()))
    }

    /// How that changes from the smallest size to the largest, per unit of size.
    fn extra_per_unit(self, small: &Site, large: &Site) -> Result<ClaimFigure, Lack> {
        let (one, two) = (self.both(small, None)?, self.both(large, None)?);
        let costs = self.costs(&[small, large], &[&one, &two]);
        let size = |site: &Site| site.arena.size.unwrap_or(0) as f64;
        let units = size(large) - size(small);
        let launches: Vec<(Costs, Costs)> = costs.each.iter().map(|at| (at[0], at[1])).collect();
        let found = leads::extra_per_unit(&launches, units, self.alpha).ok_or(Lack::NeverTogether)?;
        let extra = |costs: &Costs| costs.a - costs.b;
        let changes = launches
            .iter()
            .map(|(small, large)| (extra(large) - extra(small)) / units);
        Ok(costs.figure(self.alpha, &found, changes.collect()))
    }

    /// The costs of the other and the first in each launch, by place; with a single launch in blocks of its rounds.
    fn costs(&self, sites: &[&Site], places: &[&Both]) -> ByLaunch {
        let all: Vec<&Values> = places.iter().map(|both| &*both.values).collect();
        let launches = sites.iter().map(|site| values::launches(site.arena)).min();
        let launches = launches.unwrap_or(0);
        let of = |entrant: usize| match replicates::replicates(&all, launches, entrant) {
            // Too few rounds for blocks: the launch as a whole, which has a figure and no interval.
            few if few.is_empty() => replicates::whole_launches(&all, entrant),
            replicates => replicates,
        };
        let replicates = of(places[0].other).into_iter().zip(of(places[0].first));
        let costs = |(others, firsts): (Vec<f64>, Vec<f64>)| -> Vec<Costs> {
            let both = others.into_iter().zip(firsts);
            both.map(|(a, b)| Costs { a, b }).collect()
        };
        let each = replicates.filter_map(|(others, firsts)| Some(costs((others?, firsts?))));
        ByLaunch {
            each: each.collect(),
            launches,
            rounds: sites
                .iter()
                .map(|site| values::rounds(site.arena))
                .min()
                .unwrap_or(0),
        }
    }
}

/// Costs by launch, then by place.
struct ByLaunch {
    each: Vec<Vec<Costs>>,
    launches: u32,
    rounds: u32,
}

impl ByLaunch {
    fn figure(&self, alpha: f64, found: &Mean, centres: Vec<f64>) -> ClaimFigure {
        let provisional = self.launches == 1;
        ClaimFigure {
            estimate: as_estimate(found),
            alpha,
            rounds: self.rounds,
            launches: if provisional { 1 } else { self.each.len() as u32 },
            provisional,
            centres,
        }
    }
}

/// The arena of another case of the workload, in the same mode; the smallest size where that is swept.
fn other_case<'s, 'a>(site: &Site, sites: &'s [Site<'a>], case: &str) -> Result<&'s Site<'a>, Lack> {
    let of = |other: &&Site| {
        (&other.arena.workload, other.arena.case.as_str(), other.arena.mode)
            == (&site.arena.workload, case, site.arena.mode)
    };
    let there = sites.iter().filter(of).min_by_key(|other| other.arena.size);
    there.ok_or_else(|| Lack::Case(case.to_owned()))
}

/// The arena of the largest size of the case.
fn largest<'s, 'a>(site: &Site, sites: &'s [Site<'a>]) -> Result<&'s Site<'a>, Lack> {
    let beside = sites.iter().filter(|other| site.beside(other));
    let largest = beside.max_by_key(|other| other.arena.size);
    largest
        .filter(|other| other.arena.size > site.arena.size)
        .ok_or(Lack::OneSize)
}
