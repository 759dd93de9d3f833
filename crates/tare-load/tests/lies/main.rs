//! The matrix of lies: servers that misbehave × protocols × schedules, each with what must be seen of it. Answers that are
//! right and unusual are accepted; wrong ones are named, with the first wrong exchange.
//!
//! By default each row is held under one schedule, drawn at random; `slow::every_row_under_every_schedule` holds all cells.
//! `TARE_LIES=WORD` holds only rows whose name has the word, under all schedules; `TARE_LIES_SEED` repeats a sample.

#![allow(clippy::print_stdout)]
// A table of cases is one function, however long it is.
#![allow(clippy::too_many_lines)]

mod any;
#[path = "../common/mod.rs"]
mod common;
mod fastcgi;
mod fixture;
mod h2;
mod http;
mod large;
mod lines;
mod matrix;
mod protocol;
mod secured;
mod sockets;
#[path = "../common/tls.rs"]
mod tls;
mod websocket;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use matrix::{Column, Row};
use protocol::Protocol;
use sockets::Family;
use tare_model::fault::{Fault, FaultKind};

/// Cells that are held at a time: most of them wait.
const AT_ONCE: usize = 12;

/// Holds each row under one schedule, drawn at random, and reports all cells that do not hold.
fn hold(rows: Vec<Row>) {
    let word = std::env::var("TARE_LIES").unwrap_or_default();
    if !word.is_empty() {
        let named = rows.into_iter().filter(|row| row.name.contains(&word));
        return hold_all(named.collect());
    }
    let seed =
        std::env::var("TARE_LIES_SEED").map_or_else(|_| fastrand::u64(..), |seed| seed.parse().unwrap());
    println!("TARE_LIES_SEED={seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let draw = |row: Row| {
        let columns: Vec<Column> = row.columns().collect();
        (row, columns[rng.usize(..columns.len())])
    };
    hold_cells(&rows.into_iter().map(draw).collect::<Vec<_>>());
}

/// Holds all rows under all schedules.
fn hold_all(rows: Vec<Row>) {
    let cells = rows
        .into_iter()
        .flat_map(|row| row.columns().map(move |column| (row.clone(), column)));
    hold_cells(&cells.collect::<Vec<_>>());
}

fn hold_cells(cells: &[(Row, Column)]) {
    let (next, broken) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((row, column)) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let began = Instant::now();
                    if let Err(why) = row.hold(*column) {
                        println!("{why}");
                        broken.lock().unwrap().push(why);
                    }
                    if began.elapsed() > Duration::from_secs(5) {
                        println!("{row}, {column:?} took {:.0?}", began.elapsed());
                    }
                }
            });
        }
    });
    let broken = broken.into_inner().unwrap();
    println!("{} cells", cells.len());
    assert!(
        broken.is_empty(),
        "{} of {} cells:\n{}",
        broken.len(),
        cells.len(),
        broken.join("\n")
    );
}

fn of_any_server() -> Vec<Row> {
    protocol::ALL.into_iter().flat_map(any::rows).collect()
}

#[test]
fn what_any_server_may_do() {
    hold(of_any_server());
}

#[test]
fn what_an_http_server_may_do() {
    hold(http::rows());
}

#[test]
fn what_a_server_of_lines_may_do() {
    hold(lines::rows());
}

fn of_large_answers() -> Vec<Row> {
    let both = [Protocol::Large, Protocol::Sampled];
    both.into_iter().flat_map(large::rows).collect()
}

#[test]
fn what_an_http_server_of_large_answers_may_do() {
    hold(of_large_answers());
}

/// Small answers, and answers of which parts are skipped, which each family of sockets does in its own way.
fn over_other_sockets() -> Vec<Row> {
    let families = [Family::V6, Family::Unix].into_iter().filter(|family| {
        let here = family.is_here();
        assert!(here || *family == Family::V6, "no Unix sockets");
        here
    });
    let rows = families.flat_map(|family| {
        [Protocol::Http, Protocol::Sampled]
            .into_iter()
            .flat_map(move |protocol| {
                let rows = any::rows_over_sockets(protocol).into_iter();
                rows.map(move |row| row.over(family))
            })
    });
    rows.collect()
}

#[test]
fn what_any_server_may_do_over_other_sockets() {
    hold(over_other_sockets());
}

/// Answers in records, whole, in parts and skipped, and connections that end.
fn over_tls() -> Vec<Row> {
    use Protocol::{H2, Http, Large, Sampled, WebSocket};
    let protocols = [Http, Large, Sampled, H2, WebSocket].into_iter();
    let rows = protocols.flat_map(any::rows_over_sockets);
    rows.map(|row| row.over(Family::Tls)).collect()
}

#[test]
fn what_any_server_may_do_over_tls() {
    hold(over_tls());
}

#[test]
fn what_a_fastcgi_responder_may_do() {
    hold(fastcgi::rows());
}

#[test]
fn what_a_server_of_http_2_may_do() {
    hold(h2::rows());
}

#[test]
fn what_a_websocket_server_may_do() {
    hold(websocket::rows());
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: all cells of the matrix"]
    fn every_row_under_every_schedule() {
        let rows = [
            of_any_server(),
            http::rows(),
            lines::rows(),
            of_large_answers(),
            over_other_sockets(),
            over_tls(),
            fastcgi::rows(),
            h2::rows(),
            websocket::rows(),
        ];
        hold_all(rows.concat());
    }
}

/// The matrix itself must be able to fail: with a right server that is expected to be wrong, and a wrong one that is
/// expected to be right.
#[test]
fn the_matrix_can_fail() {
    for protocol in protocol::ALL {
        let right = |_: usize, rights: &[Vec<u8>]| vec![fixture::Act::Say(rights.last().unwrap().clone())];
        let wrong = move |_: usize, rights: &[Vec<u8>]| {
            vec![fixture::Act::Say(protocol.spoilt(rights.last().unwrap()))]
        };
        let slandered = Row::new(protocol, "slandered", matrix::WRONG, right).hold(Column::Check);
        assert!(slandered.unwrap_err().contains("nothing was seen"));
        let believed = Row::new(protocol, "believed", matrix::Seen::Right, wrong);
        for column in believed.columns() {
            assert!(believed.hold(column).unwrap_err().contains("seen: wrong"));
        }
        // A fault without the bytes that came.
        let closed = Row::new(protocol, "closed", matrix::CLOSED, right);
        for detail in [
            "the server closed a connection",
            "the server closed with requests outstanding",
        ] {
            let detail = format!("{detail}; the oldest is {}", protocol.request());
            let shown = closed.is_shown_well(&Fault::new(FaultKind::ClosedEarly, detail), Column::Batch);
            assert!(shown.unwrap_err().contains("without what came"));
        }
        let mistaken = Row::new(protocol, "mistaken", matrix::HUNG, wrong).hold(Column::Capacity);
        assert!(mistaken.unwrap_err().contains("seen: wrong"));
    }
}
