//! Which contenders ran in containers, in words.

use std::collections::BTreeSet;

use tare_model::results::{ContenderResult, State, WorkloadResult};

use super::number::list;
use crate::escape::one_line;

/// Which contenders ran in a container and which did not; none where no container took part: `web runs in a container (podman
/// 4.3.1 with runc 1.1.5), floor does not: what a container costs is part of a difference between them.`
pub(crate) fn containers(result: &WorkloadResult) -> Option<String> {
    let measured = result
        .contenders
        .iter()
        .filter(|one| one.state == State::Measured);
    let (inside, outside): (Vec<&ContenderResult>, Vec<_>) =
        measured.partition(|one| one.subject.container().is_some());
    if inside.is_empty() {
        return None;
    }
    let engines: BTreeSet<String> = inside
        .iter()
        .filter_map(|one| Some(one_line(&one.subject.container()?.engine)))
        .collect();
    let engines: Vec<String> = engines.into_iter().collect();
    let containers = match inside.len() {
        1 => "runs in a container",
        _ => "run in containers",
    };
    let mut text = format!("{} {containers} ({})", names(&inside), list(&engines));
    if !outside.is_empty() {
        let verb = if outside.len() == 1 { "does" } else { "do" };
        text += &format!(
            ", {} {verb} not: what a container costs is part of a difference between them",
            names(&outside)
        );
    }
    text.push('.');
    if let Some(substitutes) = substitutes(&inside) {
        text += &format!(" {substitutes}");
    }
    Some(text)
}

/// Which of their base images are others than their names say: `Base images that stand in for those of their names: node:20 (Debian
/// 13 for Debian 12).`
fn substitutes(inside: &[&ContenderResult]) -> Option<String> {
    let all = inside.iter().filter_map(|one| one.subject.container());
    let all: BTreeSet<String> = all
        .flat_map(|container| &container.substitutes)
        .map(|(name, why)| format!("{} ({})", one_line(name), one_line(why)))
        .collect();
    let all: Vec<String> = all.into_iter().collect();
    (!all.is_empty()).then(|| {
        format!(
            "Base images that stand in for those of their names: {}.",
            list(&all)
        )
    })
}

fn names(contenders: &[&ContenderResult]) -> String {
    let names: Vec<String> = contenders
        .iter()
        .map(|one| one_line(&one.id.to_string()))
        .collect();
    list(&names)
}
