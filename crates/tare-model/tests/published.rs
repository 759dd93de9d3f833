//! Published figures and findings: how they are read, and what is refused, in which words: one broken thing at a time.

mod manifests;

use manifests::{Breakage, PUBLISHED, hold};
use tare_model::claim::Relation;
use tare_model::manifest::published;

const PUBLISHED_FIGURES: &[Breakage] = &[
    (
        r#"case = "all-cores""#,
        r#"case = "all-core""#,
        "f.toml:5: unknown case `all-core`\n\nhint: did you mean `all-cores`? expected one of: one-core, all-cores",
    ),
    (
        r#"mode = "batch""#,
        r#"mode = "bach""#,
        "f.toml:6: unknown mode `bach`\n\nhint: did you mean `batch`? expected one of: capacity, cost, batch",
    ),
    (
        r#"metric = "duration""#,
        r#"metric = "time""#,
        "f.toml:9: unknown metric `time`\n\nhint: expected one of: throughput, duration, cpu_per_op, time_per_op, latency_p50, latency_p90, latency_p99, latency_p999, memory_peak",
    ),
    (
        r#"metric = "duration""#,
        r#"metric = "throughput""#,
        "f.toml:9: `figures[0].metric`: the mode `batch` does not yield `throughput`",
    ),
    (
        "value = 5.30",
        "value = 0",
        "f.toml:10: `figures[0].value`: expected a number above 0, found 0.0",
    ),
    (
        "value = 5.30",
        "value = nan",
        "f.toml:10: `figures[0].value`: expected a number above 0, found NaN",
    ),
    (
        "value = 5.30",
        r#"value = "5.30 s""#,
        "f.toml:10: `figures[0].value`: expected a number, found the string \"5.30 s\"\n\nhint: for example `value = 5.30`",
    ),
    (
        r#"contender = "plain@fast""#,
        r#"contender = "plain@""#,
        "f.toml:7: `plain@` is no contender: names are lower-case letters, digits and single dashes, and start with a letter",
    ),
    (
        "source = \"A report, table 2\"\n",
        "",
        "f.toml:1: missing key `source`: expected one line of text\n\nhint: for example `source = \"…\"`",
    ),
    (
        r#"label = "Plain, all cores""#,
        r#"lable = "Plain, all cores""#,
        "f.toml:8: unknown key `lable` in `figures[0]`\n\nhint: did you mean `label`?",
    ),
    (
        "value = 5.30",
        "value = 5.30\nover = [\"least\"]",
        "f.toml:11: `figures[0].over`: `least` has no figure of `duration` in case `all-cores`, mode `batch`\n\nhint: a ratio is of two figures of this file",
    ),
    (
        "value = 5.30",
        "value = 5.30\nover = [\"plain@fast\"]",
        "f.toml:11: `figures[0].over`: `plain@fast` is the figure's own contender",
    ),
    (
        "value = 5.30",
        "value = 5.30\nover = \"least\"",
        "f.toml:11: `figures[0].over`: expected a list of strings, found the string \"least\"\n\nhint: for example `over = [\"…\", \"…\"]`",
    ),
];

#[test]
fn a_figure_may_be_shown_as_a_ratio_to_another_of_its_kind() {
    let text = format!(
        "{}over = [\"least\"]\n\n[[figures]]\ncase = \"all-cores\"\nmode = \"batch\"\ncontender = \"least\"\n\
         label = \"The least\"\nmetric = \"duration\"\nvalue = 5.0\n",
        manifests::PUBLISHED
    );
    let read = published::parse(text.as_bytes(), "f.toml", &manifests::workload()).unwrap();
    let over: Vec<String> = read.figures[0]
        .published
        .over
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        (over, read.figures[1].published.over.len()),
        (vec!["least".to_owned()], 0)
    );
    // Of another metric there is nothing to divide by.
    let other = text.replace(
        "metric = \"duration\"\nvalue = 5.0",
        "metric = \"cpu_per_op\"\nvalue = 5.0",
    );
    let error = published::parse(other.as_bytes(), "f.toml", &manifests::workload()).unwrap_err();
    assert!(
        error.to_string().contains("`least` has no figure of `duration`"),
        "{error}"
    );
}

#[test]
fn invalid_published_figures_are_refused() {
    hold(PUBLISHED, PUBLISHED_FIGURES, |bytes| {
        published::parse(bytes, "f.toml", &manifests::workload())
    });
}

const FINDINGS_REFUSED: &[Breakage] = &[
    (
        "faster = \"plain@fast\"\n",
        "",
        "f.toml:4: `findings[0]`: expected either `faster` or `same`\n\nhint: for example `faster = \"a\"` with `slower = [\"b\", \"c\"]`, or `same = [\"a\", \"b\"]` with `within = 0.1`",
    ),
    (
        "at_least = 1.5",
        "same = [\"least\", \"plain@fast\"]",
        "f.toml:4: `findings[0]`: expected either `faster` or `same`\n\nhint: for example `faster = \"a\"` with `slower = [\"b\", \"c\"]`, or `same = [\"a\", \"b\"]` with `within = 0.1`",
    ),
    (
        "at_least = 1.5",
        "at_least = 0.5",
        "f.toml:10: `findings[0].at_least`: expected a number above 1, found 0.5",
    ),
    (
        "at_least = 1.5",
        "within = 0.5",
        "f.toml:10: unknown key `within` in `findings[0]`\n\nhint: known here: claim, case, mode, metric, conditions, faster, slower, at_least",
    ),
    (
        "[\"plain@slow\", \"least\"]",
        "[]",
        "f.toml:9: `findings[0].slower`: expected at least 1 contenders, found 0",
    ),
    (
        "[\"plain@slow\", \"least\"]",
        "[\"plain@slow\", \"plain@fast\"]",
        "f.toml:9: `findings[0].slower`: `plain@fast` is there twice",
    ),
    (
        "within = 0.1\n",
        "",
        "f.toml:12: missing key `findings[1].within`: expected a number\n\nhint: for example `within = 5.30`",
    ),
    (
        "within = 0.1",
        "within = -0.1",
        "f.toml:17: `findings[1].within`: expected a number above 0, found -0.1",
    ),
    (
        "same = [\"plain@fast\", \"plain@slow\"]",
        "same = [\"plain@fast\"]",
        "f.toml:16: `findings[1].same`: expected at least 2 contenders, found 1",
    ),
    (
        "at_least = 1.5",
        "metric = \"time_per_op\"",
        "f.toml:10: `findings[0].metric`: the mode `batch` does not yield `time_per_op`",
    ),
    (
        "at_least = 1.5",
        "between = [3.0, 2.0]",
        "f.toml:10: `findings[0].between`: expected two factors, the lower one first, found [3.0, 2.0]\n\nhint: for example `between = [2.0, 3.0]`",
    ),
    (
        "at_least = 1.5",
        "between = [2.0]",
        "f.toml:10: `findings[0].between`: expected two factors, the lower one first, found [2.0]\n\nhint: for example `between = [2.0, 3.0]`",
    ),
    (
        "at_least = 1.5",
        "between = [2.0, 3.0]\nabout = 2.5",
        "f.toml:4: `findings[0]`: found both `between` and `about`\n\nhint: a finding states one thing: make them two findings",
    ),
    (
        "at_least = 1.5",
        "about = 1.5",
        "f.toml:4: missing key `findings[0].within`: expected a number\n\nhint: for example `within = 5.30`",
    ),
    (
        "at_least = 1.5",
        "about = 0.9\nwithin = 0.1",
        "f.toml:10: `findings[0].about`: expected a number above 1, found 0.9",
    ),
    (
        "at_least = 1.5",
        "more_than_in = \"all-cores\"",
        "f.toml:10: `findings[0].more_than_in`: `all-cores` is the finding's own case",
    ),
    (
        "at_least = 1.5",
        "more_than_in = \"all-core\"",
        "f.toml:10: unknown case `all-core`\n\nhint: did you mean `all-cores`? expected one of: one-core, all-cores",
    ),
    (
        "at_least = 1.5",
        "falls_with_size = true",
        "f.toml:10: `findings[0].falls_with_size`: the case `all-cores` has no sizes\n\nhint: `falls_with_size` is for a case with `sweep` in workload.toml",
    ),
    (
        "at_least = 1.5",
        "falls_with_size = false",
        "f.toml:10: `findings[0].falls_with_size`: expected true\n\nhint: leave it out, or swap `faster` and `slower`",
    ),
    (
        "at_least = 1.5",
        "extra_per_unit = 1e-10",
        "f.toml:10: `findings[0].extra_per_unit`: the case `all-cores` has no sizes\n\nhint: `extra_per_unit` is for a case with `sweep` in workload.toml",
    ),
    (
        "at_least = 1.5",
        "extra = -4e-6\nwithin = 0.5",
        "f.toml:10: `findings[0].extra`: expected a number above 0, found -4e-6",
    ),
    (
        "at_least = 1.5",
        "extra = 4e-6\nwithin = 0.5\nmetric = \"memory_peak\"",
        "f.toml:4: `findings[0]`: `extra` claims seconds, and `memory_peak` is not in seconds\n\nhint: add for example `metric = \"cpu_per_op\"`",
    ),
    (
        "at_least = 1.5",
        "conditions = {}",
        "f.toml:10: `findings[0].conditions`: expected `cores` or `load_machines`\n\nhint: what the report had, as a number of each",
    ),
    (
        "at_least = 1.5",
        "conditions = { cores = 0 }",
        "f.toml:10: `findings[0].conditions.cores`: expected 1 to 65536, found 0",
    ),
];

#[test]
fn invalid_claims_are_refused() {
    hold(manifests::FINDINGS, FINDINGS_REFUSED, |bytes| {
        published::parse(bytes, "f.toml", &manifests::workload())
    });
}

#[test]
fn claims_are_read() {
    let read = published::parse(manifests::FINDINGS.as_bytes(), "f.toml", &manifests::workload()).unwrap();
    let of = |stated: &tare_model::manifest::StatedClaim| {
        let claim = &stated.claim;
        let others: Vec<String> = claim.others.iter().map(ToString::to_string).collect();
        (claim.first.to_string(), others.join(" "), claim.relation.clone())
    };
    let all: Vec<_> = read.claims.iter().map(of).collect();
    let expected = [
        (
            "plain@fast",
            "plain@slow least",
            Relation::Faster { at_least: 1.5 },
        ),
        ("plain@fast", "plain@slow", Relation::Same { within: 0.1 }),
    ];
    let expected = expected.map(|(first, others, relation)| (first.to_owned(), others.to_owned(), relation));
    assert_eq!(all, expected);
    assert_eq!(read.claims[0].claim.source, "A report, page 3");
}

/// What the first finding of the fixture says with these keys in the place of `at_least`, in a workload whose case may have
/// sizes.
fn first_claim(keys: &str, swept: bool) -> tare_model::claim::Claim {
    let mut workload = manifests::workload();
    let other = workload.cases[0].clone();
    for case in &mut workload.cases {
        if swept {
            case.sweep = Some(tare_model::manifest::Sweep {
                name: "bytes".to_owned(),
                sizes: vec![1, 1000],
            });
        }
    }
    workload.cases.push(tare_model::manifest::Case {
        name: "other".to_owned(),
        ..other
    });
    let text = manifests::FINDINGS.replace("at_least = 1.5", keys);
    let read = published::parse(text.as_bytes(), "f.toml", &workload).unwrap();
    read.claims[0].claim.clone()
}

#[test]
fn each_kind_of_claim_is_read() {
    let of = |keys: &str| first_claim(keys, true).relation;
    assert_eq!(of("between = [2, 3]"), Relation::Between { low: 2.0, high: 3.0 });
    let about = Relation::About {
        lead: 1.57,
        within: 0.15,
    };
    assert_eq!(of("about = 1.57\nwithin = 0.15"), about);
    let more = |at_least| Relation::MoreThanIn {
        case: "other".to_owned(),
        at_least,
    };
    assert_eq!(of("more_than_in = \"other\""), more(1.0));
    assert_eq!(of("more_than_in = \"other\"\nat_least = 1.2"), more(1.2));
    let falls = Relation::FallsWithSize { at_least: 1.0 };
    assert_eq!(of("falls_with_size = true"), falls);
    let extra = Relation::Extra {
        seconds: 4e-6,
        within: 0.25,
    };
    assert_eq!(of("extra = 4e-6\nwithin = 0.25"), extra);
    assert_eq!(
        of("extra_per_unit = 1e-10"),
        Relation::ExtraPerUnit { at_most: 1e-10 }
    );
    let claim = first_claim(
        "metric = \"cpu_per_op\"\nconditions = { cores = 8, load_machines = 10 }",
        false,
    );
    assert_eq!(claim.metric, Some(tare_model::metric::Metric::CpuPerOp));
    let conditions = claim.conditions.unwrap();
    assert_eq!((conditions.cores, conditions.load_machines), (Some(8), Some(10)));
    assert_eq!(claim.relation, Relation::Faster { at_least: 1.0 });
}
