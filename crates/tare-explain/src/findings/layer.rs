//! Layers that hold a large part of the gap.

use tare_model::explanation::{Finding, Layer, Rule};

use super::matter::{Matter, finding, percent, time};

/// The least part of the gap.
const SHARE: f64 = 0.25;

/// Layers in which the dearer side spends that much more.
pub(super) fn layers(matter: &Matter<'_>) -> Vec<Finding> {
    let (cheap, dear) = matter.cheap_and_dear();
    let way = matter.gap().signum();
    let mut found = Vec::new();
    for part in matter
        .way
        .layers
        .iter()
        .filter(|part| part.layer != Layer::Unknown)
    {
        let size = part.delta.estimate * way;
        let sure = part
            .delta
            .low
            .zip(part.delta.high)
            .is_some_and(|(low, high)| low > 0.0 || high < 0.0);
        let Some(share) = matter.share(size).filter(|share| sure && *share >= SHARE) else {
            continue;
        };
        let Some((a, b)) = part.cost.both() else { continue };
        let (less, more) = if way >= 0.0 { (a, b) } else { (b, a) };
        let text = format!(
            "{} of the gap is {}: {} of {}, {} of {}",
            percent(share),
            part.layer,
            time(more),
            dear.name,
            time(less),
            cheap.name
        );
        found.push(finding(
            Rule::Layer,
            text,
            "sampled stacks by layer: the waterfall".to_owned(),
            Some(size),
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use tare_model::explanation::Rule;

    use crate::findings::fixture::{Made, found};

    #[test]
    fn a_layer_that_holds_the_gap() {
        let a = Made {
            stacks: vec![(vec!["main"], 10)],
            ..Made::default()
        };
        let b = Made {
            cpu: 15e-6,
            stacks: vec![(vec!["main"], 10), (vec!["k:tcp_sendmsg"], 5)],
            ..Made::default()
        };
        let all = found(&a, &b);
        let layers: Vec<_> = all.iter().filter(|finding| finding.rule == Rule::Layer).collect();
        let [finding] = layers.as_slice() else {
            panic!("{all:?}")
        };
        assert!(
            finding.text.contains("of the gap is kernel: network"),
            "{finding:?}"
        );
    }
}
