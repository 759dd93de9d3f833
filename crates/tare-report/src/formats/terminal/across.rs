//! The cases of a workload side by side, by case and by language.

use anstyle::Style;

use crate::across::{Across, BEST, Kin, NOTE};
use crate::escape::one_line;
use crate::grid::{Cell, Grid};
use crate::layout::{Terminal, flexible, paragraph};
use crate::words;

/// The whole block.
pub(super) fn block(across: &Across<'_>, terminal: Terminal) -> String {
    let mut out = paragraph(&across.title(), Style::new().bold(), terminal);
    let metric = across.metric;
    let about = format!("By {} ({}). {NOTE}", metric.title(), words::sense(metric));
    out.push_str(&paragraph(&about, Style::new().dimmed(), terminal));
    out.push('\n');
    let cases = across.by_case();
    out.push_str(&table(
        across,
        ["case", "languages, the best figure first"],
        &cases,
        |kin| kin.language,
        terminal,
    ));
    out.push('\n');
    let languages = across.by_language();
    out.push_str(&table(
        across,
        ["language", "cases"],
        &languages,
        |kin| &kin.case.case,
        terminal,
    ));
    out.push_str(&paragraph(BEST, Style::new().dimmed(), terminal));
    out
}

/// A row for each of `groups`, with the name and the figure of each of its members.
fn table<'a>(
    across: &Across<'a>,
    titles: [&'static str; 2],
    groups: &[(&'a str, Vec<Kin<'a>>)],
    name: impl Fn(&Kin<'a>) -> &'a str,
    terminal: Terminal,
) -> String {
    let columns = vec![flexible(titles[0], 12), flexible(titles[1], 24)];
    let row = |(title, members): &(&str, Vec<Kin<'a>>)| {
        let member = |kin: &Kin<'a>| one_line(&format!("{} {}", name(kin), across.figure(kin)));
        let members: Vec<String> = members.iter().map(member).collect();
        vec![
            Cell::styled(one_line(title), Style::new().bold()),
            Cell::plain(members.join("; ")),
        ]
    };
    let rows = groups.iter().map(row).collect();
    Grid { columns, rows }.render(terminal.width, terminal.color)
}
