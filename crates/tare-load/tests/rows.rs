//! Lists of rows of a table, rows that are changed, and the page of fortunes: in the check and under load.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{PATIENT, balanced, capacity, go, load, serve};
use tare_load::exchange::{first_answer, rows};
use tare_load::{Address, Length, Target, Work};
use tare_model::fault::FaultKind;
use tare_model::manifest::{HttpAnswer, HttpJob};

/// A server whose answers depend on the path, and on the number of requests before it, over all connections.
fn server(answer: impl Fn(&str, usize) -> Vec<u8> + Send + Sync + 'static) -> Address {
    let (answer, count) = (Arc::new(answer), AtomicUsize::new(0));
    serve(move |stream, _| {
        let mut out = stream.try_clone().unwrap();
        let mut path = String::new();
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if let Some(rest) = line.strip_prefix("GET ") {
                path = rest.split(' ').next().unwrap().to_owned();
            } else if line.is_empty() {
                let number = count.fetch_add(1, Ordering::Relaxed);
                if out.write_all(&answer(&path, number)).is_err() {
                    return;
                }
            }
        }
    })
}

fn answer(kind: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// How many rows a path asks for, as the suite has it.
fn asked(path: &str) -> usize {
    let value = path.rsplit('=').next().unwrap().parse::<usize>();
    value.unwrap_or(1).clamp(1, 500)
}

/// Ids or numbers that look drawn at random.
fn drawn() -> u64 {
    fastrand::u64(1..=10_000)
}

fn row(id: u64) -> String {
    let number = id * 48_271 % 2_147_483_647 % 10_000 + 1;
    format!("{{\"id\":{id},\"randomNumber\":{number}}}")
}

fn changed(id: u64, number: u64) -> String {
    format!("{{\"id\":{id},\"randomNumber\":{number}}}")
}

fn list(count: usize, row: impl Fn(usize) -> String) -> Vec<u8> {
    let rows: Vec<String> = (0..count).map(row).collect();
    answer("application/json", &format!("[{}]", rows.join(",")))
}

fn job(answer: HttpAnswer) -> HttpJob {
    HttpJob {
        path: "/x?queries={size}".to_owned(),
        answer: Some(answer),
        ..HttpJob::default()
    }
    .at_size(20)
}

fn queries() -> HttpJob {
    job(HttpAnswer::WorldList {
        rows: 10_000,
        count: None,
        cached: false,
    })
}

fn updates() -> HttpJob {
    job(HttpAnswer::WorldUpdates {
        rows: 10_000,
        count: None,
    })
}

fn checked(address: &Address, job: &HttpJob) -> Result<(), String> {
    let work = Work::http(job, address).unwrap();
    first_answer(address, &work, PATIENT, true, &go()).map_err(|fault| {
        assert_eq!(fault.kind, FaultKind::Wrong, "{fault}");
        fault.detail
    })
}

#[track_caller]
fn refused(job: &HttpJob, why: &str, answer: impl Fn(&str, usize) -> Vec<u8> + Send + Sync + 'static) {
    let error = checked(&server(answer), job).expect_err(why);
    assert!(error.contains(why), "{why}: {error}");
}

/// Drives a server with some thousand requests; the fault, if there was one.
fn loaded(address: Address, job: &HttpJob) -> Result<u64, String> {
    let work = Work::http(job, &address).unwrap();
    let mut target = Target::new(address, work);
    let length = Length::answers(3000, PATIENT);
    let driven = load(PATIENT).run(&mut target, &capacity(2, 3), length, &go());
    match driven {
        Ok(reading) => {
            balanced(&reading);
            assert_eq!(reading.checked.0, 1.0);
            Ok(reading.requests.valid)
        }
        Err(error) => {
            balanced(&error.reading);
            assert_eq!(error.fault().unwrap().kind, FaultKind::Wrong, "{error}");
            Err(error.to_string())
        }
    }
}

#[test]
fn honest_lists_are_right_in_the_check_and_under_load() {
    let honest = || server(|path, _| list(asked(path), |_| row(drawn())));
    assert_eq!(checked(&honest(), &queries()), Ok(()));
    assert!(loaded(honest(), &queries()).unwrap() >= 3000);
    // Other white space, and the members in another order.
    let loose = || {
        server(|path, _| {
            let text = String::from_utf8(list(asked(path), |_| format!(" {}\n", row(drawn())))).unwrap();
            answer("application/json", text.split_once("\r\n\r\n").unwrap().1)
        })
    };
    assert_eq!(checked(&loose(), &queries()), Ok(()));
    assert!(loaded(loose(), &queries()).unwrap() >= 3000);
    let honest = || server(|path, _| list(asked(path), |_| changed(drawn(), drawn())));
    assert_eq!(checked(&honest(), &updates()), Ok(()));
    assert!(loaded(honest(), &updates()).unwrap() >= 3000);
}

#[test]
fn wrong_lists_are_refused_with_what_is_wrong_with_them() {
    let short = |path: &str, _| list(asked(path).min(19), |_| row(drawn()));
    refused(&queries(), "it has 19 rows", short);
    refused(&queries(), "it is no list", |_, _| {
        answer("text/plain", &row(drawn()))
    });
    let other = |path: &str, _| list(asked(path), |at| changed(at as u64 + 1, 5));
    refused(&queries(), "row 1 of 20: row 1 of the table holds 8272", other);
    let outside = |path: &str, _| list(asked(path), |_| changed(drawn(), 10_001));
    refused(&updates(), "the number 10001 is none of 1 to 10000", outside);
    let few = |path: &str, _| list(asked(path), |_| row(drawn() % 50 + 1));
    refused(&queries(), "the ids are not drawn at random", few);
}

#[test]
fn odd_numbers_of_rows_are_brought_to_1_to_500() {
    type Asked = fn(&str) -> usize;
    let odd: [(Asked, &str); 4] = [
        (
            |value| value.parse().unwrap_or(1).clamp(0, 500),
            "/x?queries=0 HTTP",
        ),
        (
            |value| value.parse().unwrap_or(20).clamp(1, 500),
            "/x?queries=foo HTTP",
        ),
        (
            |value| if value.is_empty() { 20 } else { asked(value) },
            "/x?queries= HTTP",
        ),
        (|value| value.parse().unwrap_or(1).max(1), "/x?queries=501 HTTP"),
    ];
    for (count, why) in odd {
        refused(&updates(), why, move |path, _| {
            let value = path.rsplit('=').next().unwrap();
            list(count(value), |_| changed(drawn(), drawn()))
        });
    }
}

#[test]
fn rows_cached_or_wrong_under_load_are_detected() {
    // So many that the check and the first windows are over.
    let later = 2000;
    let wrong = server(move |path, n| {
        list(asked(path), |_| {
            if n == later {
                changed(drawn(), 10_001)
            } else {
                row(drawn())
            }
        })
    });
    let error = loaded(wrong, &queries()).unwrap_err();
    assert!(error.contains("of the table holds"), "{error}");
    let cached = server(move |path, n| {
        list(asked(path), |_| {
            row(if n < later { drawn() } else { drawn() % 50 + 1 })
        })
    });
    let error = loaded(cached, &queries()).unwrap_err();
    assert!(error.contains("the ids are not drawn at random"), "{error}");
    // The same number for every row: a table that is written, and never changed again.
    let same = server(move |path, n| {
        list(asked(path), |_| {
            changed(drawn(), if n < later { drawn() } else { 7 })
        })
    });
    let error = loaded(same, &updates()).unwrap_err();
    assert!(error.contains("the numbers are not drawn at random"), "{error}");
}

#[test]
fn the_rows_of_an_answer_are_given_back() {
    let address = server(|_, _| list(20, |at| changed(at as u64 + 1, 20 - at as u64)));
    let work = Work::http(&updates(), &address).unwrap();
    let found = rows(&address, &work, PATIENT, &go()).unwrap();
    let expected: Vec<(u64, u64)> = (1..=20).map(|id| (id, 21 - id)).collect();
    assert_eq!(found, expected);
    // A wrong answer is none.
    let address = server(|_, _| list(19, |_| changed(1, 1)));
    let work = Work::http(&updates(), &address).unwrap();
    let fault = rows(&address, &work, PATIENT, &go()).unwrap_err();
    assert!(fault.detail.contains("it has 19 rows"), "{fault}");
}

const HTML: &str = "text/html; charset=utf-8";

/// The page as the server of a template writes it, from the rows that the service has.
fn page() -> String {
    let sql = concat!(env!("CARGO_MANIFEST_DIR"), "/../../services/postgresql/world.sql");
    let sql = std::fs::read_to_string(sql).unwrap();
    let rows = sql.lines().filter_map(|line| {
        let row = line
            .strip_prefix("  (")?
            .trim_end_matches([';', ','])
            .strip_suffix("')")?;
        let (id, message) = row.split_once(", '")?;
        Some((message.replace("''", "'"), id.to_owned()))
    });
    let mut rows: Vec<(String, String)> = rows.collect();
    assert_eq!(rows.len(), 12);
    rows.push((
        "Additional fortune added at request time.".to_owned(),
        "0".to_owned(),
    ));
    rows.sort();
    let escaped = |text: &str| {
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        text.replace('"', "&quot;")
    };
    let rows = rows
        .iter()
        .map(|(message, id)| format!("<tr><td>{id}</td><td>{}</td></tr>\n", escaped(message)));
    format!(
        "<!doctype html>\n<html><head><title>Fortunes</title></head><body><table>\n<tr><th>id</th><th>message</th></tr>\n{}\
         </table></body></html>\n",
        rows.collect::<String>()
    )
}

#[test]
fn the_page_of_fortunes_is_right_to_the_byte() {
    let fortunes = HttpJob {
        answer: Some(HttpAnswer::Fortunes),
        ..HttpJob::default()
    };
    let right = page();
    let text = right.clone();
    let address = server(move |_, _| answer(HTML, &text));
    assert_eq!(checked(&address, &fortunes), Ok(()));
    assert!(loaded(address, &fortunes).unwrap() >= 3000);
    // Laid out in another way from time to time, it is still the page.
    let text = right.clone();
    let address = server(move |_, n| answer(HTML, &text.replace('\n', &" ".repeat(n % 3))));
    assert!(loaded(address, &fortunes).unwrap() >= 3000);
    let text = right.clone();
    refused(&fortunes, "charset=utf-8", move |_, _| answer("text/html", &text));
    let open = right.replace("&lt;script&gt;", "<script>");
    refused(&fortunes, "row 1 of 13", move |_, _| answer(HTML, &open));
    for (from, to, why) in [
        ("Latency", "latency", "row 8 of 13"),
        ("&lt;script&gt;", "<script>", "row 1 of 13"),
        ("<tr><td>0</td>", "<tr><td>1</td>", "row 3 of 13"),
    ] {
        let (text, wrong) = (right.clone(), right.replace(from, to));
        let address = server(move |_, n| answer(HTML, if n == 500 { &wrong } else { &text }));
        let error = loaded(address, &fortunes).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}
