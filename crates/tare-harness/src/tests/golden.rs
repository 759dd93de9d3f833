//! Each fixture's answer is the one that is kept.

use std::path::Path;

use super::Case;
use crate::ALL;

#[test]
fn what_real_harnesses_printed_is_read_as_before() {
    for harness in ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures")
            .join(harness.name());
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        let answer = |name: &std::ffi::OsString| {
            let case = Case::read(&std::fs::read(folder.join(name)).unwrap());
            let said = case
                .answer(harness)
                .unwrap_or_else(|refused| format!("REFUSED {refused}\n"));
            format!("## {}: {:?}\n{said}", name.display(), case.asked)
        };
        let answers: Vec<String> = names.iter().map(answer).collect();
        insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../../tests/golden", omit_expression => true }, {
            insta::assert_snapshot!(harness.name(), answers.join("\n"));
        });
    }
}
