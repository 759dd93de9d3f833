//! The images that a Dockerfile builds on: what a report has to name, and what has to be there.

/// The most images that are kept.
const MOST: usize = 50;

/// The images after `FROM`, without stages of the file itself, with the defaults of arguments (`ARG` before the first `FROM`)
/// and those of the build filled in.
pub(crate) fn bases(text: &str, build_args: &[(String, String)]) -> Vec<String> {
    let mut args: Vec<(String, String)> = Vec::new();
    let (mut stages, mut found): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(instruction) = words.next() else { continue };
        if instruction.eq_ignore_ascii_case("ARG") && stages.is_empty() {
            for word in words {
                let (name, default) = word.split_once('=').unwrap_or((word, ""));
                let given = build_args.iter().find(|(known, _)| known == name);
                let value =
                    given.map_or_else(|| filled(unquoted(default), &args), |(_, value)| value.clone());
                args.push((name.to_owned(), value));
            }
        } else if instruction.eq_ignore_ascii_case("FROM") {
            let rest: Vec<&str> = words.filter(|word| !word.starts_with("--")).collect();
            let image = filled(unquoted(rest.first().copied().unwrap_or_default()), &args);
            let own = stages.iter().any(|stage| stage.eq_ignore_ascii_case(&image));
            let odd =
                image.is_empty() || !image.bytes().all(|byte| byte.is_ascii_graphic()) || image.len() > 300;
            if !own && !odd && image != "scratch" && !found.contains(&image) && found.len() < MOST {
                found.push(image);
            }
            // A stage without a name is one, too: arguments after it are its own.
            let named = rest.get(1).is_some_and(|word| word.eq_ignore_ascii_case("AS"));
            stages.push(
                rest.get(2)
                    .filter(|_| named)
                    .map_or(String::new(), |name| (*name).to_owned()),
            );
        }
    }
    found
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}

/// A text with `$NAME` and `${NAME}`, `${NAME:-default}` filled in; what is not known stays.
fn filled(text: &str, args: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out += &rest[..at];
        let after = &rest[at + 1..];
        let (inner, next) = match after.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some(parts) => parts,
            None => {
                let len = after
                    .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                    .unwrap_or(after.len());
                after.split_at(len)
            }
        };
        let (name, default) = inner.split_once(":-").unwrap_or((inner, ""));
        let known = args
            .iter()
            .rev()
            .find(|(known, value)| known == name && !value.is_empty());
        match known {
            Some((_, value)) => out += value,
            None if !default.is_empty() => out += default,
            None => out += &format!("${{{name}}}"),
        }
        rest = next;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_found_without_stages() {
        let text = "# syntax=x\nARG VERSION=24.04 NAME\nARG TOOLS=\"tools:${VERSION}\"\nFROM ${TOOLS}\n\
                    FROM --platform=linux/amd64 \"ubuntu:${VERSION}\" AS compile\n\
                    ARG LATE=1\nfrom compile as next\nFROM golang:1.24\nFROM scratch\nFROM $NAME\nFROM ${OTHER:-alpine:3}\n\
                    FROM golang:1.24\n  FROM debian:$LATE\n";
        let args = [("NAME".to_owned(), "node:22".to_owned())];
        assert_eq!(
            bases(text, &args),
            [
                "tools:24.04",
                "ubuntu:24.04",
                "golang:1.24",
                "node:22",
                "alpine:3",
                "debian:${LATE}"
            ]
        );
        assert_eq!(bases("", &[]), [""; 0]);
        assert_eq!(bases("FROM\nFROM $", &[]), ["${}"]);
    }
}
