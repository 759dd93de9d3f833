//! Every format's output against a kept one, by `insta`: `INSTA_UPDATE=always` writes what was found, `INSTA_UPDATE=no`
//! leaves the folder alone; without a golden a test fails.
//!
//! Each text is kept once. A page is kept without its style, its script and its drawings: the first two are files of the
//! sources, and each drawing is a golden of its own.

use insta::Settings;
use tare_report::draw::Chart;
use tare_report::terminal::Terminal;
use tare_report::{charts, csv, html, json, markdown, svg, terminal, view};

use crate::fixture;

/// Files that outputs contain unchanged.
const PARTS: [(&str, &str); 3] = [
    (
        "src/formats/html/page.css",
        include_str!("../../src/formats/html/page.css"),
    ),
    (
        "src/formats/html/page.js",
        include_str!("../../src/formats/html/page.js"),
    ),
    (
        "src/charts/charts.css",
        include_str!("../../src/charts/charts.css"),
    ),
];

/// Holds a text against the golden `tests/golden/NAME.snap`.
#[track_caller]
pub fn check(name: &str, found: &str) {
    assert!(
        found.ends_with('\n') && !found.ends_with("\n\n"),
        "{name}: it ends with one line end, which a golden does not hold"
    );
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, found));
}

/// A document, with lists and objects that hold nothing nested on one line each.
#[track_caller]
pub fn check_json(name: &str, found: &str) {
    check(name, &folded(found));
}

fn folded(json: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    // The line that opened the innermost list or object, if nothing was nested in it so far.
    let mut open: Option<usize> = None;
    for line in json.lines() {
        let closes = line.trim_start().starts_with(['}', ']']);
        match open.filter(|_| closes) {
            Some(at) => {
                let held: Vec<String> = lines.drain(at + 1..).collect();
                let held: Vec<&str> = held.iter().map(|line| line.trim()).collect();
                let text = format!("{} {}", held.join(" "), line.trim());
                lines[at].push_str(&format!(" {}", text.trim()));
            }
            None => lines.push(line.to_owned()),
        }
        open = line
            .ends_with(['{', '['])
            .then(|| lines.len() - 1)
            .or(open.filter(|_| !closes));
    }
    lines.join("\n") + "\n"
}

/// A drawing that is a file of its own.
#[track_caller]
pub fn check_drawing(file: &tare_report::format::File) {
    check(&format!("svg-{}", file.path), &without_parts(&file.text));
}

/// A page that holds these drawings, each under a name of its own. Those for narrow screens have no other golden, and get
/// one here; those for wide screens differ from the files by a few pixels.
#[track_caller]
pub fn check_page(name: &str, page: &str, drawings: &[(String, [Chart; 2])]) {
    let mut page = without_parts(page);
    for (drawing, [wide, narrow]) in drawings {
        let (wide, narrow) = (wide.inline("wide"), narrow.inline("narrow"));
        check(&format!("svg-{drawing}-narrow.svg"), &narrow);
        for text in [wide, narrow] {
            let (opening, _) = text.split_once('\n').expect("shapes stand on lines of their own");
            assert!(page.contains(&text), "{name} holds {drawing}");
            page = page.replacen(&text, &format!("{opening}[{drawing}]</svg>\n"), 1);
        }
    }
    let rest = page
        .lines()
        .find(|line| line.starts_with("<svg") && !line.ends_with("</svg>"));
    assert_eq!(rest, None, "{name} holds a drawing without a golden");
    check(name, &page);
}

/// With the name of each part in its place.
fn without_parts(text: &str) -> String {
    let place = |text: String, (name, part): (&str, &str)| text.replacen(part, &format!("[{name}]\n"), 1);
    PARTS.into_iter().fold(text.to_owned(), place)
}

/// A maker's drawings for wide and for narrow screens.
pub fn both<T>(draw: fn(&T, f64) -> Option<Chart>, of: &T) -> Option<[Chart; 2]> {
    let (wide, narrow) = draw(of, 912.0).zip(draw(of, 350.0))?;
    Some([wide, narrow])
}

#[test]
fn terminals() {
    for (name, width, color) in [
        ("terminal-100.txt", 100, false),
        ("terminal-80.txt", 80, false),
        ("terminal-color.txt", 120, true),
    ] {
        check(
            name,
            &terminal::render(&fixture::rich(), Terminal { width, color }),
        );
    }
    check(
        "terminal-empty.txt",
        &terminal::render(&fixture::empty(), Terminal::default()),
    );
}

#[test]
fn documents() {
    check_json("rich.json", &json::render(&fixture::rich()));
    check_json("empty.json", &json::render(&fixture::empty()));
    check("rich.csv", &csv::render(&fixture::rich()));
    check("rich.md", &markdown::render(&fixture::rich()));
    check("empty.md", &markdown::render(&fixture::empty()));
}

#[test]
fn pages() {
    let results = fixture::rich();
    let mut drawings = Vec::new();
    for result in &results.workloads {
        let charts = charts::ALL.iter().filter_map(|draw| both(*draw, result));
        drawings.extend(charts.map(|both| (format!("{}-{}", view::slug(result), both[0].name), both)));
    }
    assert!(drawings.len() >= 15, "only {} drawings", drawings.len());
    check_page("rich.html", &html::render(&results), &drawings);
    check_page("empty.html", &html::render(&fixture::empty()), &[]);
}

#[test]
fn charts() {
    svg::files(&fixture::rich()).iter().for_each(check_drawing);
}

#[test]
fn folding_loses_blanks_only() {
    let texts = [
        json::render(&fixture::rich()),
        "{\n  \"a\": [],\n  \"b [\": [\n    1,\n    2\n  ]\n}\n".to_owned(),
    ];
    for text in texts {
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(&folded(&text)), bare(&text));
    }
    assert_eq!(
        folded("{\n  \"a\": [\n    1,\n    2\n  ]\n}\n"),
        "{\n  \"a\": [ 1, 2 ]\n}\n"
    );
}

#[test]
fn a_part_is_named_where_it_stands() {
    let page = without_parts(&html::render(&fixture::empty()));
    assert!(
        PARTS
            .iter()
            .all(|(name, _)| page.contains(&format!("[{name}]\n"))),
        "{page}"
    );
}
