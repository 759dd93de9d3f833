//! Flame graphs, drawn by `inferno` (after Brendan Gregg's): zoomable, searchable, in CPU time per operation and never
//! normalised, so that two of them can be compared.

use inferno::flamegraph::{self, Options};
use tare_model::explanation::Flame;

use crate::escape::one_line;

/// Picoseconds in a second: costs are whole numbers in the format that inferno reads.
const PICO: f64 = 1e12;

/// The graph as an SVG document of its own; none if there is nothing to draw.
pub(crate) fn svg(flame: &Flame) -> Option<String> {
    let lines: Vec<String> = flame
        .stacks
        .iter()
        .filter_map(|stack| line(flame, stack))
        .collect();
    let mut options = Options::default();
    options.title = one_line(&flame.title);
    options.count_name = "ns per operation".to_owned();
    options.factor = 1e-3;
    options.name_type = "function:".to_owned();
    options.min_width = 0.05;
    options.hash = true;
    let mut out = Vec::new();
    flamegraph::from_lines(&mut options, lines.iter().map(String::as_str), &mut out).ok()?;
    String::from_utf8(out).ok()
}

/// `main;serve;write 1200`, or both costs of a difference.
fn line(flame: &Flame, (stack, before, now): &(Vec<String>, f64, f64)) -> Option<String> {
    let whole = |seconds: &f64| (seconds * PICO).round().max(0.0) as u64;
    if stack.is_empty() || whole(now) == 0 {
        return None;
    }
    let names: Vec<String> = stack.iter().map(|name| safe(name)).collect();
    let costs = if flame.difference {
        format!("{} {}", whole(before), whole(now))
    } else {
        whole(now).to_string()
    };
    Some(format!("{} {costs}", names.join(";")))
}

/// A name without what separates names from each other (`;`) and from costs (blanks).
fn safe(name: &str) -> String {
    one_line(name).replace(';', ":").replace(' ', "\u{a0}")
}

/// Bytes for a `data:` address (RFC 4648).
pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .fold(0u32, |group, byte| group << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= chunk.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flame(difference: bool) -> Flame {
        let stack = |names: &[&str], before: f64, now: f64| {
            (
                names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>(),
                before,
                now,
            )
        };
        Flame {
            title: "a <b>, CPU per operation".to_owned(),
            difference,
            stacks: vec![
                stack(&["main", "ser;ve <T>", "tcp_sendmsg"], 1e-6, 3e-6),
                stack(&["main", "burn"], 0.0, 1e-9),
                stack(&["main", "nothing"], 1e-6, 0.0),
            ],
        }
    }

    #[test]
    fn both_kinds_are_drawn_with_their_costs() {
        for difference in [false, true] {
            let svg = svg(&flame(difference)).unwrap();
            assert!(svg.contains("<svg") && svg.contains("tcp_sendmsg"), "{svg}");
            assert!(svg.contains("3,000 ns per operation"), "{svg}");
            assert!(
                svg.contains("ser:ve\u{a0}&lt;T&gt;") && !svg.contains("nothing"),
                "{svg}"
            );
            roxmltree::Document::parse_with_options(
                &svg,
                roxmltree::ParsingOptions {
                    allow_dtd: true,
                    ..Default::default()
                },
            )
            .unwrap();
        }
    }

    #[test]
    fn nothing_is_no_graph() {
        let empty = Flame {
            stacks: Vec::new(),
            ..flame(false)
        };
        assert_eq!(svg(&empty), None);
    }

    #[test]
    fn base64_by_the_rfcs_examples() {
        let coded = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(
            coded,
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
        );
    }
}
