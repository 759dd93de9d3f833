//! A manifest from its bytes: text, TOML, a schema that is known, and then its root table.

use toml_edit::Document;

use super::error::{ManifestError, Problem};
use super::source::Source;
use super::table::Table;

/// The only version of manifests so far.
const SCHEMA: i64 = 1;
/// The longest manifest that is read. A longer file is not one.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// Reads a manifest: checks that it is text, TOML and of a known schema, then passes its root to `read`.
/// Errors: all problems that were found, by line.
pub(super) fn read<T>(
    bytes: &[u8],
    file: &str,
    read: impl FnOnce(&Table) -> Option<T>,
) -> Result<T, ManifestError> {
    let text = decode(bytes, file)?;
    let source = Source::new(file, text);
    let document = Document::parse(text).map_err(|error| syntax(&source, &error))?;
    let root = Table::new(&source, String::new(), 1, document.as_table());
    let value = check_schema(&root).and_then(|()| {
        let value = read(&root);
        root.finish();
        value
    });
    drop(root);
    source.close(value)
}

fn decode<'t>(bytes: &'t [u8], file: &str) -> Result<&'t str, ManifestError> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large(file, bytes.len() as u64).into());
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        let problem = Problem::whole(file, "expected TOML, found a byte order mark before it");
        return Err(problem
            .at(1)
            .hint("save it as UTF-8 without a byte order mark")
            .into());
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line = 1 + good.iter().filter(|byte| **byte == b'\n').count() as u32;
        let byte = bytes[error.valid_up_to()];
        let text = format!("expected UTF-8, found the byte 0x{byte:02x}");
        Problem::whole(file, text)
            .at(line)
            .hint("save it as UTF-8")
            .into()
    })
}

/// The problem of a file over the limit.
pub(super) fn too_large(file: &str, bytes: u64) -> Problem {
    let text = format!("expected at most {MAX_BYTES} bytes, found {bytes}");
    Problem::whole(file, text).hint("is this a manifest?")
}

fn syntax(source: &Source, error: &toml_edit::TomlError) -> ManifestError {
    let line = source.line(error.span()).unwrap_or(1);
    let text = format!("not TOML: {}", error.message());
    Problem::whole(source.file(), text).at(line).into()
}

fn check_schema(root: &Table) -> Option<()> {
    let schema = root.required::<i64>("schema")?;
    if schema.value == SCHEMA {
        return Some(());
    }
    let text = format!(
        "schema {} is not known: tare {} reads schema {SCHEMA}",
        schema.value,
        env!("CARGO_PKG_VERSION")
    );
    root.source.hinted(schema.line, text, "a newer tare may read it");
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_problems_is_cut() {
        let text: String = (0..150).map(|number| format!("k{number} = 1\n")).collect();
        let error = read::<()>(format!("schema = 1\n{text}").as_bytes(), "x", |_| Some(())).unwrap_err();
        assert_eq!(error.problems.len(), 101);
        assert_eq!(
            error.problems[100].to_string(),
            "x:102: and 50 more, from here on"
        );
    }
}
