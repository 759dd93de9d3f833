//! Several cases of a workload, side by side.

use roxmltree::Document;
use tare_model::metric::{Metric, Mode};
use tare_model::results::{Bound, Results};
use tare_report::terminal::Terminal;
use tare_report::{across, html, markdown, svg, terminal};
use unicode_width::UnicodeWidthStr;

use crate::fixture::{self, id};
use crate::wellformed::no_text_on_text;

/// Two cases in one mode, with contenders of one name; and one in another mode.
fn results() -> Results {
    let first = fixture::one_core();
    let mut second = fixture::one_core();
    second.case = "behind-a-server".into();
    for contender in &mut second.contenders {
        contender.id.variant = Some("front".into());
    }
    second.contenders[0].id = id("nginx-alone");
    let mut alone = fixture::one_core();
    alone.mode = Mode::Batch;
    let mut swept = fixture::one_core();
    (swept.sweep, swept.size) = (Some("bytes".into()), Some(64));
    Results {
        run: fixture::run(),
        workloads: vec![first, second, alone, swept],
        ..Results::default()
    }
}

#[test]
fn contenders_of_one_name_stand_together_by_case() {
    let results = results();
    let all = across::of(&results);
    assert_eq!(all.len(), 1, "one mode has two cases");
    let names: Vec<String> = all[0]
        .shared()
        .iter()
        .map(|(result, contender)| format!("{} {}", contender.id, result.case))
        .collect();
    assert_eq!(names[..2], ["go one-core", "go@front behind-a-server"]);
    assert!(
        names
            .iter()
            .all(|name| !name.starts_with("nginx-alone") && !name.starts_with("c-epoll"))
    );
    assert_eq!(all[0].entries().len(), names.len() + 2);
}

#[test]
fn they_are_drawn_and_not_ranked() {
    let page = html::render(&results());
    assert!(page.contains("doubling across its cases, cost"), "no entry");
    assert!(page.contains("Side by side, not ranked"));
    assert!(page.contains("nginx-alone"));
    let files = svg::files(&results());
    let drawn: Vec<_> = files
        .iter()
        .filter(|file| file.path.contains("-across"))
        .collect();
    assert_eq!(drawn.len(), 1);
    assert_eq!(drawn[0].path, "doubling-across-cost-cpu-per-op-across.svg");
    let drawing = Document::parse(&drawn[0].text).unwrap();
    no_text_on_text(drawing.root_element());
    assert!(!html::render(&fixture::rich()).contains("across its cases"));
}

#[test]
fn they_are_grouped_by_case_and_by_language_and_no_floor_is_the_best() {
    let mut results = results();
    // In the second case Java is the best by far, and Go is missing.
    let second = &mut results.workloads[1];
    second.contenders.retain(|contender| contender.id.name != "go");
    let java = second
        .contenders
        .iter_mut()
        .find(|contender| contender.subject.language() == "Java");
    let figure = java.unwrap().metrics.get_mut(&Metric::CpuPerOp).unwrap();
    figure.estimate = 1e-6;
    let all = across::of(&results);
    let languages = ["Go", "Haskell", "Java", "JavaScript", "Python", "Rust"];
    assert_eq!(all[0].languages(), languages, "C has its floor only");
    let by_case = all[0].by_case();
    let order = |index: usize| -> Vec<&str> { by_case[index].1.iter().map(|kin| kin.language).collect() };
    assert_eq!(
        order(0),
        ["Rust", "Go", "Java", "Haskell", "JavaScript", "Python"]
    );
    assert_eq!(order(1), ["Java", "Rust", "Haskell", "JavaScript", "Python"]);
    let haskell = &by_case[0].1[3];
    assert_eq!(
        (haskell.best.id.to_string().as_str(), haskell.count),
        ("haskell-sockets", 2)
    );
    assert_eq!(all[0].figure(haskell), "8.87 µs (haskell-sockets, of 2)");
    let by_language = all[0].by_language();
    let cases = |index: usize| -> Vec<&str> {
        let kin = by_language[index].1.iter();
        kin.map(|kin| kin.case.case.as_str()).collect()
    };
    assert_eq!(
        (cases(0), cases(1)),
        (vec!["one-core"], vec!["one-core", "behind-a-server"])
    );
    // All formats that people read hold both.
    for width in [60, 80, 100] {
        let text = terminal::render(&results, Terminal { width, color: false });
        assert!(text.lines().all(|line| line.width() <= width), "{text}");
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            flat.contains("not ranked") && flat.contains("across its cases"),
            "{flat}"
        );
    }
    let text = terminal::render(
        &results,
        Terminal {
            width: 300,
            color: false,
        },
    );
    assert!(
        text.contains("Java 1.00 µs (java-virtual-threads@front); Rust 6.09 µs"),
        "{text}"
    );
    assert!(text.contains("one-core 6.58 µs (go)"), "{text}");
    let text = markdown::render(&results);
    assert!(
        text.contains("| language | one-core | behind-a-server |"),
        "{text}"
    );
    assert!(text.contains("| Go | 6.58 µs (go) | – |"), "{text}");
    assert!(html::render(&results).contains("By language and case"));
}

#[test]
fn of_throughput_more_is_better() {
    let mut first = fixture::all_cores();
    for (contender, language) in first.contenders.iter_mut().zip(["C", "Haskell", "Haskell"]) {
        fixture::set_language(contender, language);
    }
    let mut second = first.clone();
    second.case = "elsewhere".into();
    let mut results = Results {
        run: fixture::run(),
        workloads: vec![first, second],
        ..Results::default()
    };
    let all = across::of(&results);
    let haskell = all[0].kin(all[0].cases[0], "Haskell").unwrap();
    assert_eq!(
        (haskell.best.id.to_string().as_str(), haskell.count),
        ("haskell-conduit@all", 2)
    );
    // A generator-limited figure is not the best, and C has no other.
    assert!(all[0].kin(all[0].cases[0], "C").is_none());
    assert_eq!(all[0].by_case()[0].1[0].language, "Haskell");
    let contenders = results.workloads[0].contenders.iter_mut();
    contenders.for_each(|contender| contender.bound = Some(Bound::Contender));
    let all = across::of(&results);
    assert_eq!(all[0].by_case()[0].1[0].language, "C");
}
