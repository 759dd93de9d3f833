//! What a run came to, in sentences: one for each comparison, or where they are many, one for each arena.

use tare_model::comparison::{Comparison, Verdict};
use tare_model::results::{Results, WorkloadResult};

use crate::benchmarks;
use crate::sweep;
use crate::view;
use crate::words;

/// As many comparisons of an arena have a sentence each.
const FEW: usize = 3;

/// The sentences of a run. Over sizes there are none: the lines over sizes have their own.
pub(crate) fn of(results: &Results) -> Vec<String> {
    let arenas = results.workloads.iter().filter(|result| result.size.is_none());
    let said: Vec<(&WorkloadResult, Vec<String>)> = arenas
        .map(|result| (result, of_arena(result)))
        .filter(|(_, sentences)| !sentences.is_empty())
        .collect();
    let several = said.len() > 1;
    let titled = |(result, sentences): (&WorkloadResult, Vec<String>)| {
        let title = if several {
            format!("{}: ", result.title())
        } else {
            String::new()
        };
        let with_title = sentences
            .into_iter()
            .map(move |sentence| format!("{title}{sentence}"));
        with_title.collect::<Vec<String>>()
    };
    said.into_iter().flat_map(titled).collect()
}

/// All that a run came to, for a program that shows it: with what lines over sizes and benchmarks have in places of their own.
pub(crate) fn all(results: &Results) -> Vec<String> {
    let mut out = of(results);
    for swept in &results.sweeps {
        let title = swept.title();
        out.extend(
            sweep::sentences(swept)
                .iter()
                .map(|sentence| format!("{title}: {sentence}")),
        );
    }
    if let Some(found) = &results.benchmarks {
        out.push(benchmarks::headline(found));
        out.extend(benchmarks::counted_changes(found));
    }
    out
}

/// One comparison as a sentence.
pub fn of_comparison(result: &WorkloadResult, comparison: &Comparison) -> String {
    words::sentence(comparison, view::alpha_in_all(&view::shown(result)))
}

/// The sentences of one arena; none where nothing is compared.
pub(crate) fn of_arena(result: &WorkloadResult) -> Vec<String> {
    let shown = view::shown(result);
    let alpha = view::alpha_in_all(&shown);
    let sentence = |comparison: &&Comparison| words::sentence(comparison, alpha);
    if shown.len() <= FEW {
        return shown.iter().map(sentence).collect();
    }
    // The rows are in the order of their ranks.
    let first = shown.first().map(sentence).unwrap_or_default();
    vec![format!("{first} {}", counts(&shown))]
}

/// `Of 8 comparisons 7 were conclusive: 3 faster, 4 slower; about 2 more launches would decide the rest.`
fn counts(shown: &[&Comparison]) -> String {
    let count = |verdict: Verdict| shown.iter().filter(|c| words::decided(c) == verdict).count();
    let conclusive = shown.len() - count(Verdict::Inconclusive);
    let parts: Vec<String> = [Verdict::Faster, Verdict::Equivalent, Verdict::Slower]
        .into_iter()
        .map(|verdict| (count(verdict), verdict.name()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let which = if parts.is_empty() {
        String::new()
    } else {
        format!(": {}", parts.join(", "))
    };
    format!(
        "Of {} comparisons {conclusive} were conclusive{which}.",
        shown.len()
    )
}
