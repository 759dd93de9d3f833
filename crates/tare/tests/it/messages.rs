//! Messages in `tare check`: which contender reads the messages of which, and how each takes hostile ones. Failing pairs are
//! named, the others are checked all the same, and no process is left.

use serde_json::Value;

use crate::lab::{Lab, Ran, list, unwrapped};
use crate::prober;

const WORKLOAD: &str = r#"schema = 1
summary = "some bytes for a number"
job = { kind = "KIND", reference = "reference/{case}.txt", interop = "hostile" }
floor = "least"

[cases.all]
summary = "all of them"
placement = "one-core"
baseline = "good"

[modes.capacity]
primary = "time_per_op"
"#;

/// Bytes that are not messages of the fixtures, and their names.
const HOSTILE: [(&str, &str); 3] = [
    ("empty", "\n"),
    ("a-bomb", prober::BOMB),
    ("z-the-last", "# the last of all\nab\ncd\n"),
];

/// A lab of a floor, two that behave, and one that does not.
fn lab(kind: &str, way: &str) -> Lab {
    let lab = Lab::new(&[]);
    lab.write("workloads/fixture/workload.toml", &WORKLOAD.replace("KIND", kind));
    lab.write("workloads/fixture/reference/all.txt", &prober::reference());
    for (name, text) in HOSTILE {
        lab.write(&format!("workloads/fixture/hostile/fixture/{name}.hex"), text);
    }
    for (name, way) in [
        ("good", "good"),
        ("least", "no-words"),
        ("odd", way),
        ("well", "bounds"),
    ] {
        lab.contender(name, &format!("run = {}\n", list(&prober::command(way))));
    }
    lab
}

/// The check of such a lab, as JSON; it ends with this status, and leaves nothing.
fn checked(kind: &str, way: &str, status: i32) -> Value {
    let lab = lab(kind, way);
    let ran = lab.run(&["check", "--format", "json"]).expect(status);
    lab.assert_clean();
    let document = ran.json();
    for one in document["checked"].as_array().unwrap() {
        assert_eq!(one["ok"], true, "{one:#}");
    }
    document["messages"][0].clone()
}

/// Writer, reader and outcome of those that were not right.
fn unread(messages: &Value) -> Vec<(&str, &str, &str)> {
    let pairs = messages["pairs"].as_array().unwrap().iter();
    let told = pairs.map(|pair| {
        let of = |key: &str| pair[key].as_str().unwrap();
        (of("writer"), of("reader"), of("outcome"))
    });
    told.filter(|(_, _, outcome)| *outcome != "right").collect()
}

/// What a contender made of the messages, in the order of their names.
fn hostile<'v>(messages: &'v Value, name: &str) -> Vec<&'v str> {
    let all = messages["hostile"].as_array().unwrap().iter();
    let own = all.filter(|one| one["reader"] == name);
    own.map(|one| one["outcome"].as_str().unwrap()).collect()
}

/// The reasons of all faults of this kind, as one text.
fn reasons(messages: &Value, kind: &str) -> String {
    let lists = ["members", "pairs", "hostile"].map(|list| messages[list].as_array().unwrap().iter());
    let told = lists.into_iter().flatten().filter(|one| one["kind"] == kind);
    told.map(|one| unwrapped(one["reason"].as_str().unwrap()) + "\n")
        .collect()
}

#[track_caller]
fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

fn assert_others_well(messages: &Value) {
    assert_eq!(hostile(messages, "good"), ["refused"; 3]);
    assert_eq!(hostile(messages, "well"), ["bounded"; 3]);
    for (writer, reader, outcome) in unread(messages) {
        assert!(
            [writer, reader].contains(&"odd"),
            "{reader} reads {writer}: {outcome}"
        );
    }
}

#[test]
fn all_read_all_but_the_floor_and_other_formats() {
    for kind in ["probe", "pipe"] {
        let messages = checked(kind, "another-format", 0);
        assert_others_well(&messages);
        assert_eq!(messages["inputs"], serde_json::json!([0, 1, 2, 3, 4]));
        let formats: Vec<_> = messages["members"].as_array().unwrap().iter().collect();
        let of = |index: usize| (&formats[index]["contender"], &formats[index]["format"]);
        assert_eq!(formats.len(), 3);
        assert_eq!(of(0), (&"good".into(), &"fixture".into()));
        assert_eq!(of(1), (&"odd".into(), &"another".into()));
        let pairs = messages["pairs"].as_array().unwrap();
        assert_eq!((pairs.len(), unread(&messages).len()), (4 + 1, 0), "{messages:#}");
        assert_eq!(
            hostile(&messages, "odd"),
            Vec::<&str>::new(),
            "none is of its format"
        );
    }
}

#[test]
fn the_terminal_shows_a_table_and_every_fault() {
    let lab = lab("probe", "reads-wrong");
    let Ran { out, .. } = lab.run(&["check"]).expect(3);
    lab.assert_clean();
    let table = "\
messages fixture/all, format fixture, inputs 0, 1, 2, 3, 4
           written by   read by 1 2 3
         1 good                 + X +  of 3 hostile ones it 3 refused
         2 odd                  + X +  of 3 hostile ones it 3 refused
         3 well                 + X +  of 3 hostile ones it 3 bounded
FAULT    fixture/all messages
         odd does not read what good wrote of input 0 (3 bytes, 5a00ff): ";
    assert_says(&out, &[table, "look at how odd reads"]);
}

#[test]
fn a_writer_of_wrong_bytes_is_named_with_every_reader() {
    let messages = checked("probe", "writes-wrong", 3);
    assert_others_well(&messages);
    let by = |reader| ("odd", reader, "fault");
    assert_eq!(unread(&messages), [by("good"), by("odd"), by("well")]);
    let says = [
        "good does not read what odd wrote of input 3 (3 bytes, 5a02fd): it has 4 bytes, expected 7",
        "well does not read what odd wrote of input 3",
        "0 of 2 other readers read what odd wrote, and good reads what 2 of 2 other writers wrote: look at what odd writes",
    ];
    assert_says(&reasons(&messages, "wrong"), &says);
}

#[test]
fn a_refused_message_of_a_writer_is_reported_with_the_expected_one() {
    let messages = checked("probe", "writes-what-none-reads", 3);
    assert_others_well(&messages);
    let says = [
        "good does not read what odd wrote of input 4 (3 bytes, 5af00f): it answered `error`: that is no message, expected 04",
    ];
    assert_says(&reasons(&messages, "wrong"), &says);
}

#[test]
fn a_contender_without_message_commands_is_reported_with_the_manual_page() {
    let messages = checked("probe", "no-words", 3);
    assert_others_well(&messages);
    assert_eq!(messages["pairs"].as_array().unwrap().len(), 4);
    let says = [
        "asked `format 0`, it answered `error`: that is no command",
        "docs/probe.md",
    ];
    assert_says(&reasons(&messages, "wrong"), &says);
}

#[test]
fn a_contender_that_dies_of_a_message_is_restarted_for_the_next() {
    for kind in ["probe", "pipe"] {
        let messages = checked(kind, "dies-of-bombs", 3);
        assert_others_well(&messages);
        assert_eq!(unread(&messages), []);
        assert_eq!(hostile(&messages, "odd"), ["fault", "refused", "refused"]);
        let says = [
            "odd was offered hostile/fixture/a-bomb.hex (a bomb):",
            "exit status 9",
            "what a bomb",
        ];
        assert_says(&reasons(&messages, "died"), &says);
    }
}

#[test]
fn a_contender_that_dies_of_every_message_is_left_out() {
    let messages = checked("probe", "dies-of-all", 3);
    assert_others_well(&messages);
    let by = |writer| (writer, "odd", "fault");
    assert_eq!(unread(&messages), [by("good"), by("odd"), by("well")]);
    assert_eq!(hostile(&messages, "odd"), ["fault", "fault", "not-asked"]);
}

#[test]
fn a_contender_that_hangs_is_ended_and_restarted() {
    let messages = checked("probe", "hangs-on-bombs", 3);
    assert_others_well(&messages);
    assert_eq!(hostile(&messages, "odd"), ["fault", "refused", "refused"]);
    let says = ["a-bomb.hex (a bomb): asked `read 5aff00000041`, it has not answered within 10"];
    assert_says(&reasons(&messages, "hung"), &says);
}

#[test]
fn a_contender_that_trusts_lengths_cannot_use_up_the_memory() {
    let messages = checked("probe", "believes-bombs", 3);
    assert_others_well(&messages);
    assert_eq!(hostile(&messages, "odd"), ["fault", "refused", "refused"]);
    assert_says(
        &reasons(&messages, "wrong"),
        &[
            "a-bomb.hex (a bomb): asked `read 5aff00000041`, it came to have 1.",
            "GiB of memory",
        ],
    );
}

#[test]
fn a_contender_that_becomes_wrong_is_reported_with_the_message_before() {
    let messages = checked("probe", "is-never-the-same", 3);
    assert_others_well(&messages);
    assert_eq!(hostile(&messages, "odd"), ["fault"; 3]);
    let says = ["z-the-last.hex (the last of all): and then: its result of input 0 is wrong"];
    assert_says(&reasons(&messages, "wrong"), &says);
}

#[test]
fn an_endless_answer_is_refused() {
    let messages = checked("probe", "says-much", 3);
    assert_others_well(&messages);
    assert_eq!(hostile(&messages, "odd"), ["fault"; 3]);
    assert_says(
        &reasons(&messages, "wrong"),
        &["expected `one line of at most 4096 characters`"],
    );
}

#[test]
fn a_known_weakness_is_no_fault_and_needs_no_restart() {
    let lab = lab("probe", "dies-of-bombs");
    let manifest = |name: &str| {
        let known = format!("[fails_on]\n\"{name}\" = \"it believes what it reads\"\n");
        let run = format!("run = {}\n", list(&prober::command("dies-of-bombs")));
        lab.contender("odd", &(run + &known));
    };
    manifest("fixture/a-bomb");
    let ran = lab.run(&["check"]).expect(0);
    assert_says(&ran.out, &["of 3 hostile ones it 2 refused, 1 known to fail\n"]);
    let ran = lab.run(&["check", "--format", "json"]).expect(0);
    lab.assert_clean();
    let document = ran.json();
    let all = document["messages"][0]["hostile"].as_array().unwrap().iter();
    let known: Vec<&Value> = all.filter(|one| one["outcome"] == "known").collect();
    assert_eq!((known.len(), &known[0]["reader"]), (1, &Value::from("odd")));
    assert_eq!(known[0]["answer"], "it believes what it reads");
    manifest("fixture/a-bomb.hex");
    let ran = lab.run(&["check"]).expect(2);
    assert_says(
        &ran.err,
        &["fixture/odd: its manifest says that it fails on `fixture/a-bomb.hex`"],
    );
}

#[test]
fn a_missing_or_broken_folder_is_reported_before_anything_starts() {
    let lab = lab("probe", "good");
    lab.write("workloads/fixture/hostile/fixture/a-bomb.hex", "5aff0\n");
    let ran = lab.run(&["check"]).expect(2);
    assert_says(
        &ran.err,
        &["hostile/fixture/a-bomb.hex:1: half a byte is left", "hint: "],
    );
    std::fs::remove_dir_all(lab.path().join("workloads/fixture/hostile")).unwrap();
    let ran = lab.run(&["check"]).expect(2);
    assert_says(
        &ran.err,
        &["workloads/fixture/hostile: No such file", "`interop` names"],
    );
    lab.assert_clean();
}
