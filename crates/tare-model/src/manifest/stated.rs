//! `[[findings]]` of `published.toml`: what the reproduced report claims of contenders.

use super::about::{has_mode, take_about};
use super::case::Case;
use super::fields::{choose, contender_id, distinct, metric, phrase, within};
use super::source::Spot;
use super::table::Table;
use super::take::List;
use super::workload::{Workload, yields, yields_in_process};
use crate::claim::{Claim, Conditions, Relation};
use crate::ids::ContenderId;
use crate::metric::{Metric, Mode};

/// A claim of the report, and what it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedClaim {
    /// The case.
    pub case: String,
    /// The mode.
    pub mode: Mode,
    /// What is claimed.
    pub claim: Claim,
}

/// A contender that a claim names, with its line, and the case that it must take part in.
pub(super) type Named = (String, Spot<ContenderId>);

/// A report has no more of either than this.
const MOST: u32 = 65536;

/// Takes one claim; also gives the contenders that it names.
pub(super) fn take_claim(
    table: &Table,
    source: &str,
    workload: &Workload,
) -> Option<(StatedClaim, Vec<Named>)> {
    let text = phrase(table, "claim");
    let (case, mode) = take_about(table, workload);
    let about = About {
        workload,
        case: case.as_ref().and_then(|case| workload.case(&case.value)),
        mode: mode.as_ref().map(|mode| mode.value),
    };
    let metric = about.take_metric(table);
    let conditions = take_conditions(table);
    let said = match (table.has("faster"), table.has("same")) {
        (true, false) => take_faster(table, &about),
        (false, true) => take_same(table),
        _ => neither(table),
    };
    table.finish();
    let (ids, relation) = said?;
    about.check_unit(table, &relation, metric.as_ref());
    let case = case?.value;
    let mut named: Vec<Named> = ids.iter().map(|id| (case.clone(), id.clone())).collect();
    if let Relation::MoreThanIn { case: other, .. } = &relation {
        named.extend(ids.iter().map(|id| (other.clone(), id.clone())));
    }
    let claim = Claim {
        text: text?.value,
        source: source.to_owned(),
        first: ids.first()?.value.clone(),
        others: ids.iter().skip(1).map(|id| id.value.clone()).collect(),
        relation,
        metric: metric.map(|metric| metric.value),
        conditions,
    };
    let stated = StatedClaim {
        case,
        mode: mode?.value,
        claim,
    };
    Some((stated, named))
}

/// What a claim is about, as far as it is known.
struct About<'w> {
    workload: &'w Workload,
    case: Option<&'w Case>,
    mode: Option<Mode>,
}

impl About<'_> {
    /// Takes `metric`, which the mode must yield.
    fn take_metric(&self, table: &Table) -> Option<Spot<Metric>> {
        let name = table.optional::<String>("metric")?;
        let found = metric(table.source, &name)?;
        if let (Some(case), Some(mode)) = (self.case, self.mode) {
            let yields = match case.job.in_process() {
                Some(_) => yields_in_process(),
                None => yields(mode),
            };
            if !yields.contains(&found.value) {
                let text = format!(
                    "`{}`: the mode `{mode}` does not yield `{}`",
                    table.path("metric"),
                    found.value
                );
                table.source.problem(found.line, text, None);
            }
        }
        Some(found)
    }

    /// Reports a claim in seconds by a metric that is not in seconds.
    fn check_unit(&self, table: &Table, relation: &Relation, named: Option<&Spot<Metric>>) {
        let (Some(case), Some(mode)) = (self.case, self.mode) else {
            return;
        };
        let primary = case.driving(mode).map(|driving| driving.primary);
        let metric = named.map(|metric| metric.value).or(primary);
        let wrong = metric.filter(|metric| !relation.quantity().is_ratio() && metric.unit() != "s");
        if let Some(wrong) = wrong {
            let text = format!(
                "`{}`: `{}` claims seconds, and `{wrong}` is not in seconds",
                table.own_path(),
                relation.name().replace('-', "_")
            );
            let hint = "add for example `metric = \"cpu_per_op\"`";
            table.source.hinted(table.line, text, hint);
        }
    }

    /// Reports a key that needs several sizes where the case has one.
    fn is_swept(&self, table: &Table, key: &str, line: u32) -> bool {
        let single = self.case.filter(|case| case.sweep.is_none());
        if let Some(case) = single {
            let text = format!("`{}`: the case `{}` has no sizes", table.path(key), case.name);
            let hint = format!("`{key}` is for a case with `sweep` in workload.toml");
            table.source.hinted(line, text, hint);
        }
        single.is_none()
    }
}

type Said = (Vec<Spot<ContenderId>>, Relation);

/// A way to claim a lead, by the key that only it has.
struct Way {
    key: &'static str,
    take: fn(&Table, &About) -> Option<Relation>,
}

/// The ways; without any of these keys it is `at_least`.
const WAYS: [Way; 6] = [
    Way {
        key: "between",
        take: take_between,
    },
    Way {
        key: "about",
        take: take_about_lead,
    },
    Way {
        key: "more_than_in",
        take: take_more_than_in,
    },
    Way {
        key: "falls_with_size",
        take: take_falls_with_size,
    },
    Way {
        key: "extra",
        take: take_extra,
    },
    Way {
        key: "extra_per_unit",
        take: take_extra_per_unit,
    },
];

fn take_faster(table: &Table, about: &About) -> Option<Said> {
    let first = table.required::<String>("faster");
    let others = table.required::<List<String>>("slower");
    let relation = take_lead(table, about);
    let others = others.filter(|others| enough(table, "slower", others, 1));
    let mut names = vec![first?];
    names.extend(others?.value.0);
    Some((ids(table, "slower", &names)?, relation?))
}

fn take_lead(table: &Table, about: &About) -> Option<Relation> {
    let mut there = WAYS.iter().filter(|way| table.has(way.key));
    match (there.next(), there.next()) {
        (None, _) => Some(Relation::Faster {
            at_least: take_at_least(table)?,
        }),
        (Some(way), None) => (way.take)(table, about),
        (Some(one), Some(other)) => {
            table.tolerate(&WAYS.map(|way| way.key));
            table.tolerate(&["at_least", "within"]);
            let text = format!(
                "`{}`: found both `{}` and `{}`",
                table.own_path(),
                one.key,
                other.key
            );
            let hint = "a finding states one thing: make them two findings";
            table.source.hinted(table.line, text, hint);
            None
        }
    }
}

/// Takes `at_least`; 1 where it is missing. None after reporting what is wrong with it.
fn take_at_least(table: &Table) -> Option<f64> {
    match table.optional::<f64>("at_least") {
        Some(spot) => is_above(table, "at_least", &spot, 1.0).then_some(spot.value),
        None => (!table.has("at_least")).then_some(1.0),
    }
}

fn take_between(table: &Table, _: &About) -> Option<Relation> {
    let ends = table.required::<List<f64>>("between")?;
    let values: Vec<f64> = ends.value.0.iter().map(|end| end.value).collect();
    match values[..] {
        [low, high] if low > 0.0 && low < high && high.is_finite() => Some(Relation::Between { low, high }),
        _ => {
            let text = format!(
                "`{}`: expected two factors, the lower one first, found {values:?}",
                table.path("between")
            );
            let hint = "for example `between = [2.0, 3.0]`";
            table.source.hinted(ends.line, text, hint);
            None
        }
    }
}

fn take_about_lead(table: &Table, _: &About) -> Option<Relation> {
    let lead = table.required::<f64>("about");
    let within = take_within(table);
    let lead = lead.filter(|spot| is_above(table, "about", spot, 1.0))?.value;
    Some(Relation::About {
        lead,
        within: within?,
    })
}

fn take_more_than_in(table: &Table, about: &About) -> Option<Relation> {
    let name = table.required::<String>("more_than_in");
    let at_least = take_at_least(table);
    let cases = about.workload.cases.iter();
    let cases: Vec<(&str, ())> = cases.map(|case| (case.name.as_str(), ())).collect();
    let name = name?;
    choose(table.source, "case", &name, &cases)?;
    let wrong = if about.case.is_some_and(|case| case.name == name.value) {
        Some("is the finding's own case".to_owned())
    } else {
        about
            .mode
            .filter(|mode| !has_mode(about.workload, Some(&name), *mode))
            .map(|mode| format!("has no mode `{mode}`"))
    };
    if let Some(wrong) = wrong {
        let text = format!("`{}`: `{}` {wrong}", table.path("more_than_in"), name.value);
        table.source.problem(name.line, text, None);
        return None;
    }
    Some(Relation::MoreThanIn {
        case: name.value,
        at_least: at_least?,
    })
}

fn take_falls_with_size(table: &Table, about: &About) -> Option<Relation> {
    let said = table.required::<bool>("falls_with_size")?;
    let at_least = take_at_least(table);
    if !said.value {
        let text = format!("`{}`: expected true", table.path("falls_with_size"));
        table
            .source
            .hinted(said.line, text, "leave it out, or swap `faster` and `slower`");
        return None;
    }
    let swept = about.is_swept(table, "falls_with_size", said.line);
    Some(Relation::FallsWithSize {
        at_least: at_least.filter(|_| swept)?,
    })
}

fn take_extra(table: &Table, _: &About) -> Option<Relation> {
    let seconds = table.required::<f64>("extra");
    let within = take_within(table);
    let seconds = seconds.filter(|spot| is_above(table, "extra", spot, 0.0))?.value;
    Some(Relation::Extra {
        seconds,
        within: within?,
    })
}

fn take_extra_per_unit(table: &Table, about: &About) -> Option<Relation> {
    let at_most = table.required::<f64>("extra_per_unit")?;
    let swept = about.is_swept(table, "extra_per_unit", at_most.line);
    let fine = is_above(table, "extra_per_unit", &at_most, 0.0);
    (swept && fine).then_some(Relation::ExtraPerUnit {
        at_most: at_most.value,
    })
}

fn take_within(table: &Table) -> Option<f64> {
    let within = table.required::<f64>("within")?;
    is_above(table, "within", &within, 0.0).then_some(within.value)
}

fn take_same(table: &Table) -> Option<Said> {
    let all = table.required::<List<String>>("same");
    let within = take_within(table);
    let all = all.filter(|all| enough(table, "same", all, 2))?;
    let within = within?;
    Some((ids(table, "same", &all.value.0)?, Relation::Same { within }))
}

fn neither(table: &Table) -> Option<Said> {
    table.tolerate(&["faster", "slower", "at_least", "same", "within"]);
    table.tolerate(&WAYS.map(|way| way.key));
    let text = format!("`{}`: expected either `faster` or `same`", table.own_path());
    let hint = "for example `faster = \"a\"` with `slower = [\"b\", \"c\"]`, or `same = [\"a\", \"b\"]` with \
                `within = 0.1`";
    table.source.hinted(table.line, text, hint);
    None
}

fn take_conditions(table: &Table) -> Option<Conditions> {
    let inner = table.optional::<Table>("conditions")?;
    let count = |key| {
        let found = inner.value.optional::<i64>(key)?;
        Some(within(table.source, &inner.value.path(key), &found, MOST)?.value)
    };
    let conditions = Conditions {
        cores: count("cores"),
        load_machines: count("load_machines"),
    };
    inner.value.finish();
    if !inner.value.has("cores") && !inner.value.has("load_machines") {
        let text = format!(
            "`{}`: expected `cores` or `load_machines`",
            table.path("conditions")
        );
        table
            .source
            .hinted(inner.line, text, "what the report had, as a number of each");
    }
    Some(conditions)
}

fn is_above(table: &Table, key: &'static str, number: &Spot<f64>, limit: f64) -> bool {
    let fine = number.value.is_finite() && number.value > limit;
    if !fine {
        let text = format!(
            "`{}`: expected a number above {limit}, found {:?}",
            table.path(key),
            number.value
        );
        table.source.problem(number.line, text, None);
    }
    fine
}

fn enough(table: &Table, key: &str, list: &Spot<List<String>>, least: usize) -> bool {
    let found = list.value.0.len();
    if found < least {
        let text = format!(
            "`{}`: expected at least {least} contenders, found {found}",
            table.path(key)
        );
        table.source.problem(list.line, text, None);
    }
    found >= least
}

fn ids(table: &Table, key: &str, names: &[Spot<String>]) -> Option<Vec<Spot<ContenderId>>> {
    distinct(table.source, &table.path(key), names);
    let ids: Vec<_> = names
        .iter()
        .map(|name| contender_id(table.source, name))
        .collect();
    ids.into_iter().collect()
}
