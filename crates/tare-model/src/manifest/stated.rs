//! `[[findings]]` of `published.toml`: what the reproduced report claims of contenders.

use super::about::take_about;
use super::fields::{contender_id, distinct, phrase};
use super::source::Spot;
use super::table::Table;
use super::take::List;
use super::workload::Workload;
use crate::claim::{Claim, Relation};
use crate::ids::ContenderId;
use crate::metric::Mode;

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

/// Takes one claim; also gives its contenders, with their lines.
pub(super) fn take_claim(
    table: &Table,
    source: &str,
    workload: &Workload,
) -> Option<(StatedClaim, Vec<Spot<ContenderId>>)> {
    let text = phrase(table, "claim");
    let (case, mode) = take_about(table, workload);
    let said = match (table.has("faster"), table.has("same")) {
        (true, false) => take_faster(table),
        (false, true) => take_same(table),
        _ => neither(table),
    };
    table.finish();
    let (ids, relation) = said?;
    let claim = Claim {
        text: text?.value,
        source: source.to_owned(),
        first: ids.first()?.value.clone(),
        others: ids.iter().skip(1).map(|id| id.value.clone()).collect(),
        relation,
    };
    let stated = StatedClaim {
        case: case?.value,
        mode: mode?.value,
        claim,
    };
    Some((stated, ids))
}

type Said = (Vec<Spot<ContenderId>>, Relation);

fn take_faster(table: &Table) -> Option<Said> {
    let first = table.required::<String>("faster");
    let others = table.required::<List<String>>("slower");
    let at_least = table.optional::<f64>("at_least");
    let at_least = at_least.filter(|spot| is_above(table, "at_least", spot, 1.0));
    let others = others.filter(|others| enough(table, "slower", others, 1));
    let mut names = vec![first?];
    names.extend(others?.value.0);
    let at_least = at_least.map_or(1.0, |spot| spot.value);
    Some((ids(table, "slower", &names)?, Relation::Faster { at_least }))
}

fn take_same(table: &Table) -> Option<Said> {
    let all = table.required::<List<String>>("same");
    let within = table.required::<f64>("within");
    let within = within.filter(|spot| is_above(table, "within", spot, 0.0));
    let all = all.filter(|all| enough(table, "same", all, 2))?;
    let within = within?.value;
    Some((ids(table, "same", &all.value.0)?, Relation::Same { within }))
}

fn neither(table: &Table) -> Option<Said> {
    table.tolerate(&["faster", "slower", "at_least", "same", "within"]);
    let text = format!("`{}`: expected either `faster` or `same`", table.own_path());
    let hint = "for example `faster = \"a\"` with `slower = [\"b\", \"c\"]`, or `same = [\"a\", \"b\"]` with \
                `within = 0.1`";
    table.source.hinted(table.line, text, hint);
    None
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
