//! The site as a browser draws it: every filter, every column, the texts on hover, and that a picture of it is not blank.
//! Without Chromium these are skipped and say so; with `TARE_NEED_BROWSER` they fail.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tare_model::metric::Metric;
use tare_model::results::Results;
use tare_report::site;

use crate::fixture;
use crate::site::{commands, five_hundred};

/// The earlier of two runs.
const EARLIER: &str = "20261120-204512";
const ONE_CORE: &str = "doubling/one-core, cost";
const ALL_CORES: &str = "doubling/all-cores, capacity";

/// A Chromium, and the site on a disk.
struct Drawn {
    browser: &'static str,
    folder: tempfile::TempDir,
}

/// What a browser makes of a page.
struct Page(String);

/// Time as the page sees it: what its script waits for is there at once.
const VIRTUAL: &str = "--virtual-time-budget=10000";

impl Drawn {
    /// The index over two runs; none where there is no browser.
    fn new() -> Option<Self> {
        Self::of(&[fixture::rich(), earlier()])
    }

    /// The index over these runs.
    fn of(runs: &[Results]) -> Option<Self> {
        let works = |name: &&str| {
            let mut version = Command::new(name);
            version
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            version.status().is_ok_and(|status| status.success())
        };
        let Some(browser) = ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find(works)
        else {
            let missing = "there is no Chromium here (Debian: apt install chromium)";
            assert!(std::env::var_os("TARE_NEED_BROWSER").is_none(), "{missing}");
            eprintln!("skipped: {missing}");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let entries: Vec<site::Entry> = runs.iter().map(site::entry).collect();
        let index = site::index(&entries);
        fs::write(folder.path().join(index.path), index.text).unwrap();
        Some(Self { browser, folder })
    }

    fn call(&self, words: &[&str], url: &str) -> Vec<u8> {
        let ran = Command::new(self.browser)
            // Chromium has no sandbox as root; the page is our own.
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
            .arg("--force-device-scale-factor=1")
            .arg(format!(
                "--user-data-dir={}",
                self.folder.path().join("browser").display()
            ))
            .args(words)
            .arg(url)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        ran.stdout
    }

    /// The index at this view, once its script has run.
    fn page(&self, view: &str) -> Page {
        let url = format!("file://{}/index.html{view}", self.folder.path().display());
        Page(String::from_utf8(self.call(&["--dump-dom", VIRTUAL], &url)).unwrap())
    }

    /// A picture, as the bytes of a PNG.
    fn picture(&self, url: &str) -> Vec<u8> {
        let file = self.folder.path().join("picture.png");
        let to = format!("--screenshot={}", file.display());
        self.call(&[&to, "--window-size=1200,900", VIRTUAL], url);
        fs::read(file).unwrap()
    }
}

/// The same, where every figure was twice as large.
fn earlier() -> Results {
    let mut results = fixture::rich();
    results.run.id = EARLIER.into();
    let all = results.workloads.iter_mut();
    for figure in all
        .flat_map(|one| &mut one.contenders)
        .flat_map(|one| one.metrics.values_mut())
    {
        figure.estimate *= 2.0;
        figure.low = figure.low.map(|low| low * 2.0);
        figure.high = figure.high.map(|high| high * 2.0);
    }
    results
}

impl Page {
    /// Rows that were drawn, as the page itself counts them.
    fn rows(&self) -> usize {
        let (_, rest) = self.0.split_once("data-drawn=\"").expect("it was drawn");
        let (count, _) = rest.split_once('"').unwrap();
        count.parse().unwrap()
    }

    /// The table of a group; none where it is not shown.
    fn group(&self, title: &str) -> Option<&str> {
        let (_, rest) = self.0.split_once(&format!("<h2>{title}</h2>"))?;
        Some(rest.split("<h2>").next().unwrap_or(rest))
    }

    /// A contender's row in it.
    #[track_caller]
    fn row(&self, title: &str, name: &str) -> &str {
        let group = self
            .group(title)
            .unwrap_or_else(|| panic!("no {title}: {}", self.0));
        let mut rows = group
            .split("<tr>")
            .map(|row| row.split("</tr>").next().unwrap_or(row));
        rows.find(|row| row.contains(&format!(">{name}<")))
            .unwrap_or_else(|| panic!("no {name}: {group}"))
    }

    #[track_caller]
    fn has(&self, title: &str, name: &str, parts: &[&str]) {
        let row = self.row(title, name);
        for part in parts {
            assert!(row.contains(part), "no {part:?}: {row}");
        }
    }
}

#[test]
#[ignore = "slow: a browser is started"]
fn every_column_says_what_it_should() {
    let Some(drawn) = Drawn::new() else { return };
    let page = drawn.page("");
    assert_eq!(page.rows(), 17, "13 on one core, 3 on all, one alone");
    // Its part of the best (6.02 of 6.58 µs), its ratio to the floor, and to the baseline with interval and verdict.
    page.has(
        ONE_CORE,
        "go",
        &[">6.58 µs<", ">91%<", ">×1.093<", ">×0.7368 (", ">faster<"],
    );
    page.has(ONE_CORE, "c-epoll", &[">100%<", ">×1.000<"]);
    page.has(ONE_CORE, "node", &[">the baseline<"]);
    // How sure a figure is, and why there is none, on hover.
    page.has(ONE_CORE, "go", &["title=\"6.53 µs to 6.63 µs\""]);
    page.has(
        ONE_CORE,
        "ocaml-lwt",
        &[
            "class=\"wide fate\" title=\"asked for the double of 9223372036854775807",
            ">wrong answers<",
        ],
    );
    page.has(
        ONE_CORE,
        "go",
        &["title=\"Go: reads lines, doubles, writes; one task a connection\""],
    );
    // Ranks that overlap have one mark, the next ones another.
    for (name, rank, mark) in [
        ("c-epoll", "1–2", "odd"),
        ("rust-tokio", "1–3", "odd"),
        ("go", "2–3", "odd"),
        ("java-virtual-threads", "4–6", "even"),
        ("haskell-conduit@one", "6–8", "even"),
        ("python-asyncio", "9", "odd"),
    ] {
        let cells = [format!("class=\"tie {mark}\""), format!(">{rank}<")];
        page.has(ONE_CORE, name, &cells.each_ref().map(String::as_str));
    }
    // Stamps of the bound; a contender that the generator limited has no rank and comes last.
    for (name, stamp) in [
        ("haskell-conduit@all", "contender-limited"),
        ("node@cluster", "neither bound"),
        ("c-epoll", "generator-limited: not ranked"),
    ] {
        let stamp = format!("<span class=\"stamp\">{stamp}</span>");
        page.has(ALL_CORES, name, &[&stamp]);
    }
    page.has(ALL_CORES, "c-epoll", &[">–<"]);
    let group = page.group(ALL_CORES).unwrap();
    assert!(group.find(">c-epoll<") > group.find(">node@cluster<"), "{group}");
    // The best is the best of the ranked ones: a figure that the generator limited says nothing about a contender.
    page.has(ALL_CORES, "haskell-conduit@all", &[">101k /s<", ">100%<"]);
    page.has(ALL_CORES, "node@cluster", &[">95.0k /s<", ">94%<"]);
    let limited = page.row(ALL_CORES, "c-epoll");
    assert!(
        limited.contains(">151k /s<") && !limited.contains("%<"),
        "{limited}"
    );
}

#[test]
#[ignore = "slow: a browser is started"]
fn starting_a_process_is_not_the_best_of_commands() {
    let Some(drawn) = Drawn::of(&[commands()]) else {
        return;
    };
    let page = drawn.page("");
    let title = "time/commands";
    page.has(title, "fast", &[">10.0 ms<", ">100%<", ">×10.0<"]);
    page.has(title, "slow", &[">20.0 ms<", ">50%<", ">×20.0<"]);
    let nothing = page.row(title, "nothing");
    assert!(
        nothing.contains(">1.00 ms<") && !nothing.contains("%<") && !nothing.contains("track"),
        "{nothing}"
    );
}

/// A contender that is alone is the best, ranked or not.
#[test]
#[ignore = "slow: a browser is started"]
fn without_ranks_the_best_is_the_best_of_all() {
    let Some(drawn) = Drawn::new() else { return };
    drawn
        .page("")
        .has("doubling/alone, batch", "go", &[">1.23 s<", ">100%<"]);
}

/// Neighbours overlap all the way down, but the first is surely better than the last.
#[test]
#[ignore = "slow: a browser is started"]
fn overlapping_ranks_do_not_tie_the_first_and_the_last() {
    let mut results = fixture::rich();
    let chain = &mut results.workloads[0].contenders;
    chain.truncate(4);
    for (contender, rank) in chain.iter_mut().zip([(1, 2), (2, 3), (3, 4), (4, 4)]) {
        contender.ranks.insert(Metric::CpuPerOp, rank);
    }
    let Some(drawn) = Drawn::of(&[results]) else {
        return;
    };
    let page = drawn.page("");
    for (name, rank, mark) in [
        ("c-epoll", "1–2", "odd"),
        ("rust-tokio", "2–3", "odd"),
        ("go", "3–4", "even"),
        ("java-virtual-threads", "4", "even"),
    ] {
        let cells = [format!("class=\"tie {mark}\""), format!(">{rank}<")];
        page.has(ONE_CORE, name, &cells.each_ref().map(String::as_str));
    }
}

/// How long that takes is printed, and judged by people (`benches/site.py` measures it): a machine may be busy.
#[test]
#[ignore = "slow: a browser is started"]
fn five_hundred_contenders_are_drawn() {
    let Some(drawn) = Drawn::of(&[five_hundred()]) else {
        return;
    };
    let path = drawn.folder.path().join("index.html");
    let text = fs::read_to_string(&path).unwrap();
    // Behind the page's own script, once the tables have their places.
    let clock =
        "<script>document.body.offsetHeight; document.body.dataset.took = performance.now();</script></body>";
    fs::write(&path, text.replacen("</body>", clock, 1)).unwrap();
    let url = format!("file://{}", path.display());
    // By the true time.
    let page = Page(String::from_utf8(drawn.call(&["--dump-dom"], &url)).unwrap());
    assert_eq!(page.rows(), 500);
    let (_, rest) = page.0.split_once("data-took=\"").expect("the clock was read");
    let took: f64 = rest.split('"').next().unwrap().parse().unwrap();
    eprintln!("500 contenders: drawn {took:.0} ms after the beginning of the navigation");
}

#[test]
#[ignore = "slow: a browser is started"]
fn filters_are_kept_in_the_address() {
    let Some(drawn) = Drawn::new() else { return };
    let page = drawn.page("#language=Haskell");
    assert_eq!(page.rows(), 2);
    assert!(page.group(ALL_CORES).is_none());
    // Parts are of the best of all, not of the best that is left.
    page.has(ONE_CORE, "haskell-sockets", &[">68%<", ">×1.473<"]);
    let page = drawn.page("#style=tuned");
    assert_eq!(page.rows(), 1);
    page.has(ONE_CORE, "haskell-sockets", &[">tuned<"]);
    let page = drawn.page("#group=doubling%2Fall-cores%2C+capacity");
    assert!(page.rows() == 3 && page.group(ONE_CORE).is_none());
    let page = drawn.page("#name=Node&style=idiomatic");
    assert_eq!(page.rows(), 2, "node-fork-of-node, and node@cluster: {}", page.0);
    let page = drawn.page("#metric=memory_peak&group=doubling%2Fone-core%2C+cost");
    page.has(ONE_CORE, "go", &[">10.7 MiB<"]);
    let group = page.group(ONE_CORE).unwrap();
    assert!(
        group.find(">go<") < group.find(">node<"),
        "by what they need: {group}"
    );
    let page = drawn.page("#name=nobody");
    assert!(page.rows() == 0 && page.0.contains("widen the filters"));
}

#[test]
#[ignore = "slow: a browser is started"]
fn two_runs_are_shown_beside_each_other_without_a_verdict() {
    let Some(drawn) = Drawn::new() else { return };
    let page = drawn.page(&format!("#beside={EARLIER}"));
    page.has(
        ONE_CORE,
        "go",
        &[
            ">6.58 µs<",
            "title=\"13.1 µs to 13.3 µs\">13.2 µs<",
            "title=\"two runs, not measured side by side: no verdict\">×0.5000<",
        ],
    );
    assert!(page.0.contains("there is no verdict between"));
    let page = drawn.page(&format!("#run={EARLIER}"));
    page.has(ONE_CORE, "go", &[">13.2 µs<"]);
    assert!(page.0.contains(&format!("href=\"slices/{EARLIER}.csv\"")));
}

/// Width and height of a PNG, as its first chunk has them (ISO 15948, 11.2.2).
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&png[12..16], b"IHDR");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
#[ignore = "slow: a browser is started"]
fn a_picture_of_it_is_not_blank() {
    let Some(drawn) = Drawn::new() else { return };
    let blank = drawn.folder.path().join("blank.html");
    fs::write(&blank, "<!DOCTYPE html><title>blank</title>").unwrap();
    let of = |path: &Path| drawn.picture(&format!("file://{}", path.display()));
    let (full, blank) = (of(&drawn.folder.path().join("index.html")), of(&blank));
    assert_eq!((size(&full), size(&blank)), ((1200, 900), (1200, 900)));
    // All of one colour is some kilobytes at the most; tables of text are tens of them.
    assert!(
        full.len() > 4 * blank.len(),
        "{} and {} bytes",
        full.len(),
        blank.len()
    );
}
