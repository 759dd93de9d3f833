//! Verdicts in words, and what they are based on.

use tare_model::comparison::{Comparison, Verdict};
use tare_model::metric::{Metric, Mode};

use super::number::{counted, grouped, percent, plural, slight};

/// A verdict as a mark or a colour, neither of which ever stands without its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Surely better.
    Better,
    /// Surely worse.
    Worse,
    /// Surely within the margin.
    Even,
    /// Inconclusive.
    Open,
}

impl Tone {
    /// The name of its class in style sheets.
    pub fn class(self) -> &'static str {
        match self {
            Tone::Better => "better",
            Tone::Worse => "worse",
            Tone::Even => "even",
            Tone::Open => "open",
        }
    }
}

/// The tone of a comparison.
pub fn tone(comparison: &Comparison) -> Tone {
    match decided(comparison) {
        Verdict::Faster => Tone::Better,
        Verdict::Slower => Tone::Worse,
        Verdict::Equivalent => Tone::Even,
        Verdict::Inconclusive => Tone::Open,
    }
}

/// The verdict as far as its interval supports it: without one nothing is decided.
pub fn decided(comparison: &Comparison) -> Verdict {
    match limits(comparison) {
        Some(_) => comparison.verdict,
        None => Verdict::Inconclusive,
    }
}

/// Both ends of a comparison's interval; none if it lacks one.
pub fn limits(comparison: &Comparison) -> Option<(f64, f64)> {
    comparison.low.zip(comparison.high)
}

/// `faster` or `slower`, or `smaller` or `larger` of memory.
pub(super) fn direction(metric: Metric, better: bool) -> &'static str {
    match (metric, better) {
        (Metric::MemoryPeak, true) => "smaller",
        (Metric::MemoryPeak, false) => "larger",
        (_, true) => "faster",
        (_, false) => "slower",
    }
}

/// Whether a ratio of `a` over `b` on this metric says that `a` is better.
fn better(metric: Metric, ratio: f64) -> bool {
    (ratio > 1.0) == metric.more_is_better()
}

/// The verdict in words: `slower`, `equivalent, 0.6% faster`, `faster, perhaps by less than 1%`,
/// `inconclusive: about 4 more launches`; provisional ones say so.
///
/// Show it with [`ratio_and_interval`](super::ratio_and_interval) beside it and [`grounds`] near it, never alone.
pub fn verdict(comparison: &Comparison) -> String {
    let mut text = settled(comparison);
    if comparison.provisional {
        text.push_str(" (provisional)");
    }
    text
}

fn settled(comparison: &Comparison) -> String {
    let metric = comparison.metric;
    let Some((low, high)) = limits(comparison) else {
        return with_needed("inconclusive: no interval yet", ", ", comparison);
    };
    let leaning = (low > 1.0 || high < 1.0).then(|| direction(metric, better(metric, comparison.ratio)));
    match (comparison.verdict, leaning) {
        (Verdict::Faster, _) => direction(metric, true).to_owned(),
        (Verdict::Slower, _) => direction(metric, false).to_owned(),
        (Verdict::Equivalent, None) => "equivalent".to_owned(),
        (Verdict::Equivalent, Some(way)) => {
            let by = comparison.ratio.ln().abs().exp_m1();
            format!("equivalent, {} {way}", slight(by))
        }
        (Verdict::Inconclusive, None) => with_needed("inconclusive", ": ", comparison),
        (Verdict::Inconclusive, Some(way)) => {
            let lean = format!("{way}, perhaps by less than {}", percent(comparison.margin));
            with_needed(&lean, ": ", comparison)
        }
    }
}

/// The verdict where there is little room: without what a conclusion would take, and how small a difference may be. Sentences
/// below say both.
pub(crate) fn verdict_in_short(comparison: &Comparison) -> String {
    let leaning = limits(comparison).is_some_and(|(low, high)| low > 1.0 || high < 1.0);
    let text = match decided(comparison) {
        Verdict::Inconclusive if leaning => {
            let better = better(comparison.metric, comparison.ratio);
            format!("maybe {}", direction(comparison.metric, better))
        }
        Verdict::Inconclusive => "inconclusive".to_owned(),
        verdict @ (Verdict::Faster | Verdict::Slower) => {
            direction(comparison.metric, verdict == Verdict::Faster).to_owned()
        }
        Verdict::Equivalent => "equivalent".to_owned(),
    };
    if comparison.provisional {
        format!("{text} (provisional)")
    } else {
        text
    }
}

fn with_needed(text: &str, joint: &str, comparison: &Comparison) -> String {
    match needed(comparison) {
        Some(needed) => format!("{text}{joint}{needed}"),
        None => text.to_owned(),
    }
}

/// What a conclusion would take: `about 4 more launches`. None if it is conclusive, or if no number is known.
pub fn needed(comparison: &Comparison) -> Option<String> {
    let count = comparison.needed.filter(|&count| count > 0)?;
    let unit = if comparison.in_rounds() {
        "round"
    } else {
        launch(comparison.mode)
    };
    Some(format!(
        "about {} more {}",
        grouped(u64::from(count)),
        plural(u64::from(count), unit)
    ))
}

/// What a verdict is based on: `α 0.625%, margin 1%, 80 rounds in 8 launches`.
pub fn grounds(comparison: &Comparison) -> String {
    format!(
        "α {}, margin {}, {} in {}",
        percent(comparison.alpha),
        percent(comparison.margin),
        counted(u64::from(comparison.rounds), "round"),
        counted(u64::from(comparison.launches), launch(comparison.mode)),
    )
}

/// How far a fresh launch's ratio commonly lies from another's (seen on virtual machines of two cores).
const FRESH_LAUNCH: &str = "1–3%";

/// What replicates the rounds: a launch, or of commands, each run of which is a process of its own, a block of rounds.
pub fn launch(mode: Mode) -> &'static str {
    if mode == Mode::Command { "block" } else { "launch" }
}

/// What provisional verdicts mean; none where no verdict is.
pub fn provisional<'a>(comparisons: impl IntoIterator<Item = &'a Comparison>) -> Option<String> {
    let some = comparisons
        .into_iter()
        .filter(|comparison| comparison.provisional);
    some.map(|comparison| (comparison.launches, comparison.mode))
        .max_by_key(|(launches, _)| *launches)
        .map(|(launches, mode)| provisional_of(mode, launches))
}

/// What verdicts from so few launches mean.
pub fn provisional_of(mode: Mode, launches: u32) -> String {
    let unit = launch(mode);
    let launches = if launches <= 1 {
        format!("one {unit}")
    } else {
        counted(u64::from(launches), unit)
    };
    if mode == Mode::Command {
        return format!(
            "Provisional: {launches} of rounds only. Noise that lasts longer than a block affects all of its rounds; only \
             more blocks can average that out."
        );
    }
    format!(
        "Provisional: {launches} only. The intervals hold within what was launched; a fresh launch may differ by \
         {FRESH_LAUNCH}, since chance at the start of a process (address layout, hash seeds) affects its speed for as long \
         as it runs. Only more launches can average that out."
    )
}

/// Which way is better on a metric: `less is better`.
pub fn sense(metric: Metric) -> &'static str {
    if metric.more_is_better() {
        "more is better"
    } else {
        "less is better"
    }
}

/// The words at the low and the high end of a ratio's axis.
pub fn ends(metric: Metric) -> (&'static str, &'static str) {
    let low = direction(metric, !metric.more_is_better());
    let high = direction(metric, metric.more_is_better());
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::ids::ContenderId;

    fn comparison(verdict: Verdict, ratio: f64, limits: Option<(f64, f64)>) -> Comparison {
        Comparison {
            a: ContenderId::plain("a"),
            b: ContenderId::plain("b"),
            mode: Mode::Cost,
            metric: Metric::CpuPerOp,
            primary: true,
            ratio,
            low: limits.map(|l| l.0),
            high: limits.map(|l| l.1),
            alpha: 0.05 / 8.0,
            margin: 0.01,
            rounds: 80,
            launches: 8,
            provisional: false,
            verdict,
            needed: None,
            centres: Vec::new(),
            by_node: Vec::new(),
            net_ratio: None,
        }
    }

    #[test]
    fn verdicts_in_words() {
        let mut open = comparison(Verdict::Inconclusive, 0.996, Some((0.97, 1.02)));
        open.needed = Some(4);
        let mut leaning = comparison(Verdict::Inconclusive, 0.985, Some((0.975, 0.995)));
        assert_eq!(verdict(&open), "inconclusive: about 4 more launches");
        assert_eq!(verdict(&leaning), "faster, perhaps by less than 1%");
        leaning.metric = Metric::Throughput;
        leaning.provisional = true;
        leaning.needed = Some(1);
        assert_eq!(
            verdict(&leaning),
            "slower, perhaps by less than 1%: about 1 more launch (provisional)",
            "of several launches, one more may suffice"
        );
        leaning.launches = 1;
        assert_eq!(
            verdict(&leaning),
            "slower, perhaps by less than 1%: about 1 more round (provisional)"
        );
        let even = comparison(Verdict::Equivalent, 1.0 / 1.006, Some((0.991, 0.997)));
        assert_eq!(verdict(&even), "equivalent, 0.6% faster");
        let even = comparison(Verdict::Equivalent, 1.001, Some((0.995, 1.006)));
        assert_eq!(verdict(&even), "equivalent");
        assert_eq!(
            verdict(&comparison(Verdict::Slower, 2.0, Some((1.9, 2.1)))),
            "slower"
        );
    }

    #[test]
    fn where_there_is_little_room_verdicts_are_a_word_or_two() {
        let mut leaning = comparison(Verdict::Inconclusive, 1.01, Some((1.005, 1.02)));
        assert_eq!(verdict_in_short(&leaning), "maybe slower");
        leaning.provisional = true;
        assert_eq!(verdict_in_short(&leaning), "maybe slower (provisional)");
        let of =
            |verdict, ratio| verdict_in_short(&comparison(verdict, ratio, Some((0.9 * ratio, 1.1 * ratio))));
        assert_eq!(of(Verdict::Inconclusive, 1.0), "inconclusive");
        assert_eq!(of(Verdict::Faster, 0.5), "faster");
        assert_eq!(of(Verdict::Equivalent, 1.0), "equivalent");
    }

    #[test]
    fn without_an_interval_nothing_is_decided() {
        for claimed in [
            Verdict::Faster,
            Verdict::Slower,
            Verdict::Equivalent,
            Verdict::Inconclusive,
        ] {
            let bare = comparison(claimed, 0.5, None);
            assert_eq!(verdict(&bare), "inconclusive: no interval yet");
            assert_eq!(tone(&bare), Tone::Open);
        }
    }

    #[test]
    fn memory_is_not_fast() {
        let mut memory = comparison(Verdict::Faster, 0.5, Some((0.4, 0.6)));
        memory.metric = Metric::MemoryPeak;
        assert_eq!(verdict(&memory), "smaller");
        assert_eq!(ends(Metric::MemoryPeak), ("smaller", "larger"));
        assert_eq!(ends(Metric::Throughput), ("slower", "faster"));
    }

    #[test]
    fn what_provisional_means_names_the_launches() {
        let mut c = comparison(Verdict::Slower, 2.0, Some((1.9, 2.1)));
        assert_eq!(provisional([&c]), None);
        c.provisional = true;
        c.launches = 1;
        assert!(
            provisional([&c])
                .unwrap()
                .starts_with("Provisional: one launch only.")
        );
        let mut two = c.clone();
        two.launches = 2;
        let sentence = provisional([&c, &two]).unwrap();
        assert!(
            sentence.starts_with("Provisional: 2 launches only."),
            "{sentence}"
        );
        assert!(
            sentence.contains("a fresh launch may differ by 1–3%"),
            "{sentence}"
        );
    }

    #[test]
    fn grounds_name_alpha_margin_rounds_and_launches() {
        let c = comparison(Verdict::Slower, 2.0, Some((1.9, 2.1)));
        assert_eq!(grounds(&c), "α 0.625%, margin 1%, 80 rounds in 8 launches");
    }

    #[test]
    fn rounds_of_commands_are_in_blocks() {
        let mut c = comparison(Verdict::Inconclusive, 1.0, Some((0.9, 1.1)));
        c.mode = Mode::Command;
        c.needed = Some(2);
        assert_eq!(grounds(&c), "α 0.625%, margin 1%, 80 rounds in 8 blocks");
        assert_eq!(verdict(&c), "inconclusive: about 2 more blocks");
        (c.provisional, c.launches) = (true, 1);
        assert_eq!(verdict(&c), "inconclusive: about 2 more rounds (provisional)");
    }
}
