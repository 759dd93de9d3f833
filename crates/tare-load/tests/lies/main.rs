//! The matrix of lies: servers that misbehave × protocols × schedules, each with what must be seen of it. Answers that
//! are right and unusual are accepted; wrong ones are named, with the exchange shown that was the first.
//!
//! `TARE_LIES=WORD` holds only rows whose name has the word.

// A table of cases is one function, however many they are.
#![allow(clippy::too_many_lines)]

mod any;
#[path = "../common/mod.rs"]
mod common;
mod fastcgi;
mod fixture;
mod http;
mod large;
mod lines;
mod matrix;
mod protocol;
mod sockets;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use matrix::{COLUMNS, Column, Row};
use protocol::Protocol;
use sockets::Family;
use tare_model::fault::{Fault, FaultKind};

/// So many at a time: most of them wait.
const AT_ONCE: usize = 12;

/// Holds all rows under all schedules, and tells of all that do not hold.
fn hold(rows: Vec<Row>) {
    let word = std::env::var("TARE_LIES").unwrap_or_default();
    let named = rows.into_iter().filter(|row| row.name.contains(&word));
    let cells: Vec<(Row, Column)> = named
        .flat_map(|row| row.columns().map(move |column| (row.clone(), column)))
        .collect();
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

#[test]
fn what_any_server_may_do() {
    hold(protocol::ALL.into_iter().flat_map(any::rows).collect());
}

#[test]
fn what_an_http_server_may_do() {
    hold(http::rows());
}

#[test]
fn what_a_server_of_lines_may_do() {
    hold(lines::rows());
}

#[test]
fn what_an_http_server_of_large_answers_may_do() {
    let both = [Protocol::Large, Protocol::Sampled];
    hold(both.into_iter().flat_map(large::rows).collect());
}

/// Small answers, and such as are passed over in part, which each family does in its own way.
#[test]
fn what_any_server_may_do_over_other_sockets() {
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
    hold(rows.collect());
}

#[test]
fn what_a_fastcgi_responder_may_do() {
    hold(fastcgi::rows());
}

/// A matrix that nothing can fail would be worth nothing: the truth held to be a lie, and a lie held to be the truth.
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
        for column in COLUMNS {
            assert!(believed.hold(column).unwrap_err().contains("seen: wrong"));
        }
        // Told, but not with what came.
        let closed = Row::new(protocol, "closed", matrix::CLOSED, right);
        for detail in [
            "the server closed a connection",
            "the server closed with requests outstanding",
        ] {
            let detail = format!("{detail}; the oldest is {}", protocol.request());
            let told = closed.is_told_well(&Fault::new(FaultKind::ClosedEarly, detail), Column::Batch);
            assert!(told.unwrap_err().contains("without what came"));
        }
        let mistaken = Row::new(protocol, "mistaken", matrix::HUNG, wrong).hold(Column::Capacity);
        assert!(mistaken.unwrap_err().contains("seen: wrong"));
    }
}
