//! How contenders are built and run to be looked into, by what their language says and what they are.

mod manifests;

use tare_model::manifest::contender::Languages;
use tare_model::manifest::{Contender, Language, contender, language};

const LANGUAGE: &str = r#"schema = 1
summary = "C"
run = ["{out}/x"]

[tools.cc]
find = ["cc"]

[tools.ld]
find = ["ld"]

[explain.build]
env = { F = "-g" }
words = { cc = ["-a", "-b"], ld = ["-z"] }
"#;

fn language() -> Language {
    language::parse(LANGUAGE.as_bytes(), "c.toml", "c").unwrap()
}

fn contender(more: &str) -> Contender {
    let languages = Languages::read([("c", "c.toml", LANGUAGE.as_bytes())]);
    let text =
        format!("schema = 1\nlanguage = \"c\"\nsummary = \"a program\"\nstyle = \"idiomatic\"\n{more}");
    let workload = manifests::workload();
    contender::parse(text.as_bytes(), "p.toml", "p", &workload, &languages)
        .unwrap()
        .remove(0)
}

#[test]
fn extra_arguments_follow_the_tools_that_steps_name() {
    let plain = contender("build = [[\"{cc}\", \"-O2\"], [\"sh\", \"x{cc}\"]]\nenv = { F = \"-h\" }\n");
    let instrumentation = language().instrumentation(&plain).unwrap();
    assert_eq!(instrumentation.words(), "a build with -a -b, F=-g");
    let built = instrumentation.build.to(&plain);
    assert_eq!(built.build[0], ["{cc}", "-a", "-b", "-O2"]);
    assert_eq!(
        built.build[1],
        ["sh", "x{cc}"],
        "that is no tool's name by itself"
    );
    assert_eq!(
        built.env["F"], "-h -g",
        "what it has itself stays, and stands first"
    );
    assert_eq!(
        instrumentation.over(&plain.env),
        plain.env,
        "it runs as it always does"
    );
}

#[test]
fn without_a_build_only_the_environment_changes() {
    assert_eq!(language().instrumentation(&contender("")), None);
    // Without a tool to put words behind, the environment remains.
    let instrumentation = language()
        .instrumentation(&contender("build = [[\"make\"]]\n"))
        .unwrap();
    assert_eq!(instrumentation.words(), "a build with F=-g");
}

#[test]
fn an_instrument_without_its_permission_is_left_out() {
    let mut language = language();
    language.explain.as_mut().unwrap().built_with = Some("-may".to_owned());
    assert_eq!(
        language.instrumentation(&contender("build = [[\"{cc}\"]]\n")),
        None
    );
    assert!(
        language
            .instrumentation(&contender("build = [[\"{cc}\", \"-may\"]]\n"))
            .is_some()
    );
}
