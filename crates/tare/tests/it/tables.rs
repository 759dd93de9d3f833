//! A case over sizes whose answers are HTML tables: each size is asked for by the request, and judged by its rows.

use crate::contenders::{Outcome, assert_well, judge};
use crate::lab::{Lab, contender};

const WORKLOAD: &str = r#"schema = 1
summary = "a table of as many rows as the request asks for"

[cases.rows]
summary = "all of them"
placement = "one-core"
baseline = "good"
sweep = { name = "rows", sizes = [1, 4, 16] }

[cases.rows.job]
kind = "http"
path = "/?rows={size}"
type = "text/html"
answer = { kind = "table", columns = 3 }

[cases.rows.modes.capacity]
primary = "cpu_per_op"
connections = 2
"#;

/// Writes the requested number of rows, but at most this number.
fn script(most: u32) -> String {
    format!(
        "#!/bin/sh\nn=${{QUERY_STRING#rows=}}; [ \"$n\" -le {most} ] || n={most}\n\
         printf 'Content-Type: text/html\\r\\n\\r\\n<table>'\n\
         i=0; while [ $i -lt $n ]; do i=$((i+1)); echo '<tr> <td>1</td><td>2</td><td>3</td></tr>'; done\n\
         printf '</table>'\n"
    )
}

fn lab(odd: u32) -> Lab {
    let lab = Lab::new(&[]);
    lab.write("workloads/fixture/workload.toml", WORKLOAD);
    for (name, most) in [("good", 1000), ("odd", odd)] {
        lab.contender(
            name,
            "speaks = \"cgi\"\nrun = [\"{out}/page\"]\n\
             build = [[\"cp\", \"page\", \"{out}/page\"], [\"chmod\", \"755\", \"{out}/page\"]]\n",
        );
        let file = format!("workloads/fixture/contenders/{name}/page");
        lab.write(&file, &script(most));
    }
    lab
}

#[test]
fn every_size_is_measured_and_reported_together() {
    let lab = lab(1000);
    let document = lab.measure("good,odd", &[]).expect(0).json();
    lab.assert_clean();
    let entries = document["workloads"].as_array().unwrap();
    let sizes: Vec<u64> = entries.iter().map(|one| one["size"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [1, 4, 16]);
    for entry in entries {
        for one in entry["contenders"].as_array().unwrap() {
            let requests = &one["requests"];
            assert!(
                requests["valid"].as_u64() > Some(0) && requests["sent"] == requests["valid"],
                "{one:#}"
            );
            assert_eq!(one["checked"], 1.0);
        }
    }
    assert_well(&document, "good");
    let sweep = &document["sweeps"][0];
    assert_eq!((&sweep["case"], &sweep["name"]), (&"rows".into(), &"rows".into()));
    let costs = sweep["contenders"][0]["costs"].as_array().unwrap();
    assert_eq!(costs.len(), 3, "{sweep:#}");
    assert!(lab.run(&["report"]).expect(0).out.contains("per row"));
}

#[test]
fn a_table_too_short_at_one_size_is_found() {
    let outcome = Outcome {
        status: 3,
        state: "wrong",
        fault: "wrong",
        says: &["GET /?rows=16 by CGI", "row 16 of 16"],
    };
    let document = judge(&lab(15), &outcome);
    assert_eq!(contender(&document, "odd")["fault"], "wrong");
}
