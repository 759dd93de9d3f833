//! What an HTTP answer must be: its type, its fields, its body of any kind; in the check and under load.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use common::{PATIENT, balanced, capacity, go, http, load, millis, serve};
use tare_load::exchange::first_answer;
use tare_load::{Address, Length, Schedule, Target, Work};
use tare_model::fault::FaultKind;
use tare_model::manifest::{HttpAnswer, HttpJob};
use tare_model::measure::LoadReading;

/// The date at `off` seconds from now.
fn date(off: i64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    at(now.as_secs() as i64 + off)
}

fn at(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let name = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][days.rem_euclid(7) as usize];
    // Day by day from 1970: slow, but obviously right.
    let (mut year, mut month, mut left) = (1970, 0, days);
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = |year, month| match month {
        1 if leap(year) => 29,
        1 => 28,
        3 | 5 | 8 | 10 => 30,
        _ => 31,
    };
    while left >= length(year, month) {
        left -= length(year, month);
        (year, month) = if month == 11 {
            (year + 1, 0)
        } else {
            (year, month + 1)
        };
    }
    let month = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ][month];
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!(
        "{name}, {:02} {month} {year} {hour:02}:{minute:02}:{second:02} GMT",
        left + 1
    )
}

/// A job that expects something of each part of the head.
fn job(answer: HttpAnswer) -> HttpJob {
    HttpJob {
        media_type: Some("text/plain".into()),
        fields: vec!["Server".into(), "Date".into()],
        answer: Some(answer),
        ..HttpJob::default()
    }
}

fn plain_job(answer: HttpAnswer) -> HttpJob {
    HttpJob {
        answer: Some(answer),
        ..HttpJob::default()
    }
}

fn text(body: &str) -> HttpAnswer {
    HttpAnswer::Text { body: body.into() }
}

fn json() -> HttpAnswer {
    HttpAnswer::Json {
        value: "{\"message\":\"Hello, World!\"}".into(),
    }
}

const TABLE: HttpAnswer = HttpAnswer::Table {
    columns: 3,
    rows: Some(5000),
};

const WORLD: HttpAnswer = HttpAnswer::World { rows: 10_000 };

fn answer(fields: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn chunked(body: &str, size: usize) -> Vec<u8> {
    let chunk = |chunk: &[u8]| [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat();
    let chunks: Vec<u8> = body.as_bytes().chunks(size).flat_map(chunk).collect();
    [
        &b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"[..],
        &chunks,
        b"0\r\n\r\n",
    ]
    .concat()
}

/// A server whose answer depends on the number of the request, over all connections.
fn server(answer: impl Fn(usize) -> Vec<u8> + Send + Sync + 'static) -> Address {
    let count = AtomicUsize::new(0);
    http(move |_| answer(count.fetch_add(1, Ordering::Relaxed)))
}

fn checked(address: &Address, job: &HttpJob) -> Result<(), String> {
    let work = Work::http(job, address).unwrap();
    first_answer(address, &work, PATIENT, true, &go()).map_err(|fault| {
        assert_eq!(fault.kind, FaultKind::Wrong, "{fault}");
        fault.detail
    })
}

fn refused(address: &Address, job: &HttpJob, why: &str) {
    let error = checked(address, job).expect_err(why);
    assert!(error.contains(why), "{why}: {error}");
}

/// Checks that under load an answer that turns wrong is found, with `why`.
fn seen_under_load(job: &HttpJob, right: &str, wrong: Vec<u8>, why: &str) {
    let right = right.to_owned();
    let fields = "Server: x\r\nDate: now\r\nContent-Type: text/plain\r\n";
    let address = server(move |n| {
        if n == 100 {
            wrong.clone()
        } else {
            answer(fields, &right)
        }
    });
    let work = Work::http(job, &address).unwrap();
    let (kind, text, reading) = fault(address, work, &capacity(2, 3));
    assert_eq!(kind, FaultKind::Wrong, "{text}");
    assert!(text.contains(why), "{why}: {text}");
    assert_eq!(reading.requests.invalid, 1);
}

/// Drives an address with enough requests to meet the fault, however slow the machine is.
fn fault(address: Address, work: Work, schedule: &Schedule) -> (FaultKind, String, LoadReading) {
    let mut target = Target::new(address, work);
    let length = Length::answers(1000, PATIENT * 10);
    let error = load(PATIENT)
        .run(&mut target, schedule, length, &go())
        .expect_err("a fault");
    balanced(&error.reading);
    let fault = error.fault().expect("no interruption");
    (fault.kind, fault.detail.clone(), *error.reading.clone())
}

fn loaded(address: Address, job: &HttpJob, depth: u32) -> LoadReading {
    let work = Work::http(job, &address).unwrap();
    let mut target = Target::new(address, work);
    let reading = load(PATIENT)
        .run(&mut target, &capacity(3, depth), millis(100), &go())
        .unwrap();
    balanced(&reading);
    assert_eq!(reading.checked.0, 1.0);
    reading
}

#[test]
fn the_check_compares_heads_with_what_is_expected() {
    let job = job(text("hi"));
    let fields =
        |server: &str, date: &str, media: &str| format!("{server}Date: {date}\r\nContent-Type: {media}\r\n");
    for media in ["text/plain", "Text/Plain; charset=utf-8", "text/plain;charset=x"] {
        let address = server(move |_| answer(&fields("Server: x\r\n", &date(0), media), "hi"));
        assert_eq!(checked(&address, &job), Ok(()));
    }
    type Fields = fn() -> (String, String, &'static str);
    let cases: [(Fields, &str); 8] = [
        (
            || (String::new(), date(0), "text/plain"),
            "expected a header field `Server`, found none",
        ),
        (
            || ("Server:\r\n".into(), date(0), "text/plain"),
            "expected a header field `Server`, found an empty one",
        ),
        (
            || ("Server: x\r\n".into(), date(0), "text/html"),
            "expected the media type text/plain",
        ),
        (
            || ("Server: x\r\n".into(), date(0), "text/plainer"),
            "expected the media type text/plain",
        ),
        (
            || ("Server: x\r\n".into(), date(-3600), "text/plain"),
            "behind this machine's clock",
        ),
        (
            || ("Server: x\r\n".into(), date(60), "text/plain"),
            "ahead of this machine's clock",
        ),
        (
            || ("Server: x\r\n".into(), "today".into(), "text/plain"),
            "not a date such as",
        ),
        (
            || ("Server: x\r\n".into(), String::new(), "text/plain"),
            "`Date`, found an empty one",
        ),
    ];
    for (case, why) in cases {
        let address = server(move |_| {
            let (server, date, media) = case();
            answer(&fields(&server, &date, media), "hi")
        });
        refused(&address, &job, why);
    }
    let address = server(|_| answer("Server: x\r\nDate: x\r\n", "hi"));
    refused(&address, &job, "found no Content-Type");
}

#[test]
fn a_date_that_stands_still_is_stale() {
    // Fresh at first, and then always the same: a server that makes its head once.
    let begun = date(1);
    let address = server(move |_| {
        answer(
            &format!("Server: x\r\nDate: {begun}\r\nContent-Type: text/plain\r\n"),
            "hi",
        )
    });
    let error = checked(&address, &job(text("hi"))).unwrap_err();
    // On a machine so loaded that this takes seconds the date falls behind.
    assert!(
        error.contains("dates must go on") || error.contains("behind"),
        "{error}"
    );
}

#[test]
fn json_is_read_by_its_meaning_and_wrong_json_is_shown() {
    for body in [
        "{\"message\":\"Hello, World!\"}",
        " {\n \"message\" : \"Hello\\u002c World!\" }\r\n",
    ] {
        let address = server(move |_| answer("", body));
        assert_eq!(checked(&address, &plain_job(json())), Ok(()));
        loaded(address, &plain_job(json()), 3);
    }
    for (body, why) in [
        ("{\"message\":\"Hello, World\"}", "Hello, World\\\"}"),
        ("{\"message\":\"Hello, World!\"", "not JSON"),
        ("[]", "expected {\"message\":\"Hello, World!\"}"),
    ] {
        let address = server(move |_| answer("", body));
        refused(&address, &plain_job(json()), why);
    }
    // Other bytes with the same meaning are right under load, too.
    let address = server(|n| {
        answer(
            "",
            &format!("{}{{\"message\":\"Hello, World!\"}}", " ".repeat(n % 3)),
        )
    });
    loaded(address, &plain_job(json()), 3);
    seen_under_load(
        &plain_job(json()),
        "{\"message\":\"Hello, World!\"}",
        answer("", "{\"message\":\"Hello, World?\"}"),
        "World?",
    );
}

#[test]
fn every_letter_is_counted() {
    let letters = |bytes: usize| -> String { ('a'..='z').cycle().take(bytes).collect() };
    for bytes in [0, 13, 26, 16_385, 65_537, 300_000] {
        let kind = HttpAnswer::Letters { bytes: None };
        let job = plain_job(kind).at_size(bytes as u64);
        let right = letters(bytes);
        let address = server(move |_| answer("", &right));
        assert_eq!(checked(&address, &job), Ok(()));
        loaded(address, &job, 2);
        if bytes > 0 {
            let wrong = letters(bytes - 1);
            refused(&server(move |_| answer("", &wrong)), &job, "the body: expected");
        }
    }
}

fn page(rows: usize) -> String {
    format!(
        "<table>{}</table>",
        "<tr><td>1</td><td>2</td><td>3</td></tr>\n".repeat(rows)
    )
}

#[test]
fn a_large_table_is_read_in_pieces_of_any_size() {
    // 235 KB: more than is taken in one piece.
    let page = page(5000);
    let framings: [Vec<u8>; 4] = [
        answer("", &page),
        chunked(&page, 1 << 20),
        chunked(&page, 4093),
        chunked(&page, 7),
    ];
    for bytes in framings {
        let address = server(move |_| bytes.clone());
        assert_eq!(checked(&address, &plain_job(TABLE)), Ok(()));
        for depth in [1, 3] {
            loaded(address.clone(), &plain_job(TABLE), depth);
        }
    }
    // The same page cut differently each time, and every third time spelt differently.
    let other = page.replace("<tr>", "<tr >");
    let address = server(move |n| match n % 3 {
        0 => chunked(&page, 1000 + n),
        1 => answer("", &page),
        _ => answer("", &other),
    });
    loaded(address, &plain_job(TABLE), 1);
}

#[test]
fn every_fault_of_a_large_table_is_detected() {
    let right = page(5000);
    let middle = right.len() / 2;
    let cell = right[middle..].find("<td>2").unwrap() + middle + 4;
    let mut wrong_cell = right.clone();
    wrong_cell.replace_range(cell..=cell, "3");
    let cases = [
        (wrong_cell, "expected 2, found \"3</td>"),
        (page(4999), "row 5000 of 5000: expected <tr>"),
        (page(5001), "expected </table> after 5000 rows"),
        (right[..middle].to_owned(), "of 5000"),
        (format!("{right}{right}"), "not a second one"),
    ];
    for (wrong, why) in cases {
        let sent = wrong.clone();
        refused(&server(move |_| answer("", &sent)), &plain_job(TABLE), why);
        for bytes in [answer("", &wrong), chunked(&wrong, 5000)] {
            seen_under_load(&plain_job(TABLE), &right, bytes, why);
        }
    }
    // Half a page and then a close, with the length of a full page, is not an answer.
    let half = answer("", &right)[..middle].to_vec();
    let (kind, text, _) = fault(
        server(move |n| match n {
            100 => half.clone(),
            101.. => Vec::new(),
            _ => answer("", &right),
        }),
        Work::http(&plain_job(TABLE), &Address::loopback(1)).unwrap(),
        &capacity(1, 2),
    );
    assert_eq!(kind, FaultKind::ClosedEarly, "{text}");
    assert!(
        text.contains("of whose answer it had sent") && text.contains("bytes"),
        "{text}"
    );
}

fn row(id: u64) -> String {
    let number = id * 48_271 % 2_147_483_647 % 10_000 + 1;
    format!("{{\"id\":{id},\"randomNumber\":{number}}}")
}

/// A number that looks random, from the number of the request: its bits mixed as splitmix64 does.
fn scattered(n: usize) -> u64 {
    let mut z = (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) % 10_000 + 1
}

#[test]
fn random_rows_are_right_in_the_check_and_under_load() {
    let address = server(|n| answer("", &row(scattered(n))));
    assert_eq!(checked(&address, &plain_job(WORLD)), Ok(()));
    let reading = loaded(address, &plain_job(WORLD), 16);
    assert!(reading.answers > 0);
    let spaced = server(|n| answer("", &row(scattered(n)).replace(',', ", ")));
    assert_eq!(checked(&spaced, &plain_job(WORLD)), Ok(()));
    loaded(spaced, &plain_job(WORLD), 3);
}

#[test]
fn errors_say_what_is_wrong_with_rows() {
    type Body = fn(usize) -> String;
    let cases: [(Body, &str); 7] = [
        (
            |_| row(1).replace("8272", "8273"),
            "row 1 of the table holds 8272",
        ),
        (|_| row(10_001), "the id 10001 is outside the table"),
        (|_| row(0), "the id 0 is outside the table"),
        (|_| "{}".to_owned(), "two whole numbers"),
        (|_| row(77), "not drawn at random"),
        (
            |n| row(scattered(n) % 50 + 1),
            "rows are cached, or drawn from few",
        ),
        (|n| row(n as u64 % 10_000 + 1), "counted up"),
    ];
    for (body, why) in cases {
        refused(&server(move |n| answer("", &body(n))), &plain_job(WORLD), why);
    }
}

/// The server draws rows in the check, and uses a cache under load.
#[test]
fn rows_cached_under_load_are_detected() {
    let address = server(|n| answer("", &row(scattered(if n < 2000 { n } else { n % 20 }))));
    let work = Work::http(&plain_job(WORLD), &address).unwrap();
    first_answer(&address, &work, PATIENT, true, &go()).unwrap();
    let mut target = Target::new(address, work);
    let length = Length::answers(10_000, PATIENT);
    let error = load(PATIENT)
        .run(&mut target, &capacity(2, 3), length, &go())
        .unwrap_err();
    assert_eq!(error.fault().unwrap().kind, FaultKind::Wrong, "{error}");
    assert!(error.to_string().contains("rows are cached"), "{error}");
    balanced(&error.reading);
}

#[test]
fn a_field_missing_under_load_is_detected() {
    let body = "hi";
    for (wrong, why) in [
        (
            "Date: now\r\nContent-Type: text/plain\r\n",
            "`Server`, found none",
        ),
        ("Server: x\r\nContent-Type: text/plain\r\n", "`Date`, found none"),
        (
            "Server: x\r\nDate: now\r\nContent-Type: text/html\r\n",
            "expected the media type",
        ),
    ] {
        seen_under_load(&job(text(body)), body, answer(wrong, body), why);
    }
}

/// Answers are the same whether they come byte by byte or in other pieces.
#[test]
fn pieces_of_any_size_make_the_same_answer() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let rng = Arc::new(std::sync::Mutex::new(fastrand::Rng::with_seed(seed)));
    for body in [page(5000), "hi".to_owned()] {
        let job = plain_job(text(&body));
        for bytes in [answer("Date: x\r\n", &body), chunked(&body, 3000)] {
            let rng = rng.clone();
            let address = serve(move |stream, _| {
                let mut out = stream.try_clone().unwrap();
                let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stream));
                while let Some(Ok(line)) = lines.next() {
                    if !line.is_empty() {
                        continue;
                    }
                    let mut rest = &bytes[..];
                    while !rest.is_empty() {
                        let most = if rest.len() > 5000 { 60_000 } else { 300 };
                        let piece = rng.lock().unwrap().usize(1..most).min(rest.len());
                        if std::io::Write::write_all(&mut out, &rest[..piece]).is_err() {
                            return;
                        }
                        rest = &rest[piece..];
                    }
                }
            });
            loaded(address, &job, 2);
        }
    }
}

#[test]
fn the_time_of_a_check_is_bounded() {
    let address = server(|n| {
        if n == 0 {
            answer("", &row(1))
        } else {
            b"HTTP/1.1 200 OK\r\n".to_vec()
        }
    });
    let work = Work::http(&plain_job(WORLD), &address).unwrap();
    let fault = first_answer(&address, &work, Duration::from_millis(200), true, &go()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Hung, "{fault}");
}

/// A share of the large answers is checked in full, the others by their length and both ends; the reading has the share.
#[test]
fn a_share_of_large_answers_may_be_checked_in_full() {
    let right = page(5000);
    let job = plain_job(text(&right));
    let sampled = |address: &Address, share: f64| Work::http(&job, address).unwrap().sampled(share);
    let length = Length::answers(2000, PATIENT);
    for framing in [answer("", &right), chunked(&right, 50_000)] {
        let address = server(move |_| framing.clone());
        let mut target = Target::new(address.clone(), sampled(&address, 0.5));
        let reading = load(PATIENT)
            .run(&mut target, &capacity(2, 1), length, &go())
            .unwrap();
        balanced(&reading);
        // The mean is 1000 of 2000; the bounds are more than twelve standard deviations away.
        assert!((0.35..0.65).contains(&reading.checked.0), "{}", reading.checked.0);
    }
    let changed = |at: usize| {
        let mut wrong = right.clone().into_bytes();
        wrong[at] ^= 1;
        answer("", &String::from_utf8(wrong).unwrap())
    };
    // Of each answer both ends and the length are checked; of none the middle.
    let last = right.len() - 1;
    let shorter = answer("", &right[..last]);
    for wrong in [
        changed(0),
        changed(4000),
        changed(last - 4000),
        changed(last),
        shorter,
    ] {
        let fine = answer("", &right);
        let address = server(move |n| if n == 100 { wrong.clone() } else { fine.clone() });
        let (kind, text, _) = fault(address.clone(), sampled(&address, 0.0), &capacity(2, 1));
        assert_eq!(kind, FaultKind::Wrong, "{text}");
    }
    let (wrong, fine) = (changed(last / 2), answer("", &right));
    let address = server(move |n| if n == 100 { wrong.clone() } else { fine.clone() });
    let mut target = Target::new(address.clone(), sampled(&address, 0.0));
    let reading = load(PATIENT)
        .run(&mut target, &capacity(2, 1), length, &go())
        .unwrap();
    assert_eq!(
        (reading.requests.invalid, reading.checked.0),
        (0, 0.0),
        "and says that it was not looked at"
    );
}

/// Where a server writes the same meaning in several ways, all answers are checked by their meaning from the second way on.
#[test]
fn sampling_ends_when_answers_differ_in_their_bytes() {
    let (one, other) = (page(5000), page(5000).replace("<tr>", "<tr >"));
    let wrong = page(4999);
    let address = server(move |n| match n {
        100 => answer("", &wrong),
        _ if n % 2 == 0 => answer("", &one),
        _ => answer("", &other),
    });
    let work = Work::http(&plain_job(TABLE), &address).unwrap().sampled(0.0);
    let (kind, text, reading) = fault(address, work, &capacity(1, 1));
    assert_eq!(kind, FaultKind::Wrong, "{text}");
    assert!(text.contains("row 5000 of 5000"), "{text}");
    assert!(reading.checked.0 > 0.98, "{}", reading.checked.0);
}
