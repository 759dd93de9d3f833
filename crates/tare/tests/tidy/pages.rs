//! The rules of the pages: what they link to, and that the manual's contents have them all.

use crate::repository::Tree;

/// Links between the pages lead somewhere, to the heading that they name.
pub fn links(tree: &Tree) -> Vec<String> {
    let mut wrong = Vec::new();
    for (page, text) in tree.iter().filter(|(path, _)| path.ends_with(".md")) {
        let dead = targets(text).filter(|target| !leads_somewhere(tree, page, target));
        wrong.extend(dead.map(|target| format!("{page}: the link to {target} leads nowhere")));
    }
    wrong
}

/// Every page of the manual is in its table of contents: mdBook leaves out what is not.
pub fn contents(tree: &Tree) -> Vec<String> {
    let summary = tree.get("docs/SUMMARY.md").map_or("", String::as_str);
    let named: Vec<&str> = targets(summary).collect();
    let pages = tree.keys().filter_map(|path| path.strip_prefix("docs/"));
    pages
        .filter(|page| page.ends_with(".md") && *page != "SUMMARY.md" && !named.contains(page))
        .map(|page| format!("docs/SUMMARY.md does not name docs/{page}"))
        .collect()
}

/// What a page links to, but not in its fenced code.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| part.split("](").skip(1).filter_map(|rest| rest.split(')').next()))
}

fn leads_somewhere(tree: &Tree, page: &str, target: &str) -> bool {
    if target.contains("://") {
        return true;
    }
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let full = match path {
        "" => page.to_owned(),
        path => resolve(page, path),
    };
    let folder = format!("{}/", full.trim_end_matches('/'));
    match tree.get(&full) {
        Some(text) if !heading.is_empty() && full.ends_with(".md") => anchors(text).any(|one| one == heading),
        Some(_) => true,
        None => tree.keys().any(|other| other.starts_with(&folder)),
    }
}

/// The names of a page's headings, as forges and mdBook make them.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let prose = text.split("```").step_by(2);
    let headings = prose.flat_map(|part| part.lines().filter(|line| line.starts_with('#')));
    headings.map(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().map(|one| if one == ' ' { '-' } else { one });
        kept.filter(|one| one.is_alphanumeric() || ['-', '_'].contains(one))
            .collect()
    })
}

/// A link's path from the root, seen from the page that holds it.
fn resolve(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
