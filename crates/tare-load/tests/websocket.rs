//! WebSocket against a server of other hands: the `tungstenite` crate.

mod common;
#[path = "common/tls.rs"]
mod fixture;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use common::{PATIENT, balanced, capacity, go, load, renewed_after, serve};
use fixture::{Manner, front, tls13, trusting};
use tare_load::job::{Message, Messages};
use tare_load::{Address, Cause, Length, Schedule, Target, Work, exchange};
use tare_model::fault::FaultKind;
use tare_model::units::PerSecond;
use tare_tls::Protocol;
use tungstenite::Message as Heard;

/// A server that echoes messages, with a ping before every third.
fn echo() -> Address {
    serve(|stream, _| {
        let Ok(mut socket) = tungstenite::accept(stream) else {
            return;
        };
        for n in 0.. {
            let heard = match socket.read() {
                Ok(heard @ (Heard::Text(_) | Heard::Binary(_))) => heard,
                Ok(_) => continue,
                Err(_) => return,
            };
            let ping = n % 3 == 0 && socket.send(Heard::Ping("are you?".into())).is_err();
            if ping || socket.send(heard).is_err() {
                return;
            }
        }
    })
}

fn work(address: &Address, send: Message, expect: Option<Message>) -> Work {
    let messages = Messages {
        path: "/ws?x".to_owned(),
        headers: vec![("Origin".to_owned(), "http://a.example".to_owned())],
        host: None,
        send,
        expect,
    };
    Work::websocket(&messages, address, 1).unwrap()
}

#[test]
fn messages_are_echoed_under_all_schedules() {
    let address = echo();
    let text = || Message::Text("ping".to_owned());
    exchange::first_answer(&address, &work(&address, text(), None), PATIENT, false, &go()).unwrap();
    let rate = Schedule::Cost {
        connections: 2,
        depth: 4,
        rate: PerSecond(1000.0),
    };
    let batch = Schedule::Batch {
        programs: 2,
        connections: 1,
        requests: 150,
        depth: 3,
    };
    for schedule in [capacity(2, 1), capacity(2, 16), rate, batch] {
        for message in [
            text(),
            Message::Binary((0..=255).collect()),
            Message::Text("x".repeat(70_000)),
        ] {
            let mut target = Target::new(address.clone(), work(&address, message.clone(), Some(message)));
            let length = Length::answers(300, PATIENT);
            let reading = load(PATIENT).run(&mut target, &schedule, length, &go()).unwrap();
            balanced(&reading);
            assert_eq!(
                (reading.requests.valid, reading.checked.0),
                (300, 1.0),
                "{schedule:?}"
            );
        }
    }
}

#[test]
fn a_connection_has_so_many_messages_and_then_a_new_one_follows() {
    // By connection, noted before each answer.
    let counts = Arc::new(Mutex::new(BTreeMap::new()));
    let noted = counts.clone();
    let address = serve(move |stream, number| {
        let Ok(mut socket) = tungstenite::accept(stream) else {
            return;
        };
        while let Ok(heard) = socket.read() {
            *noted.lock().unwrap().entry(number).or_insert(0) += 1;
            if socket.send(heard).is_err() {
                return;
            }
        }
    });
    let text = || Message::Text("ping".to_owned());
    let mut target = Target::new(address.clone(), work(&address, text(), Some(text())));
    target.set_use(renewed_after(10));
    let length = Length::answers(100, PATIENT);
    let reading = load(PATIENT)
        .run(&mut target, &capacity(2, 4), length, &go())
        .unwrap();
    balanced(&reading);
    assert_eq!((reading.requests.valid, reading.reopened), (100, 0));
    let counts = counts.lock().unwrap();
    assert!(
        counts.values().all(|count| *count <= 10) && counts.len() >= 10,
        "{counts:?}"
    );
}

#[test]
fn a_wrong_answer_and_a_refused_handshake_are_faults() {
    let address = echo();
    let message = |text: &str| Message::Text(text.to_owned());
    let failed = |address: &Address| {
        let mut target = Target::new(
            address.clone(),
            work(address, message("ping"), Some(message("pong"))),
        );
        let length = Length::answers(10, PATIENT);
        let failed = load(PATIENT)
            .run(&mut target, &capacity(1, 1), length, &go())
            .unwrap_err();
        let Cause::Fault(fault) = failed.cause else {
            panic!("a fault")
        };
        (fault.kind, fault.detail)
    };
    let (kind, why) = failed(&address);
    assert_eq!(kind, FaultKind::Wrong);
    assert!(why.contains("expected \"pong\"\n  got      \"ping\""), "{why}");
    let other = common::http(|_| b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec());
    let (kind, why) = failed(&other);
    assert_eq!(kind, FaultKind::Wrong);
    assert!(why.contains("the handshake failed"), "{why}");
}

#[test]
fn messages_are_echoed_over_tls() {
    let (authority, config) = tls13(&["http/1.1"]);
    let client = trusting(&authority, Protocol::Http1, false);
    let address = front(config, &echo(), Manner::default());
    for message in [
        Message::Text("ping".to_owned()),
        Message::Text("x".repeat(70_000)),
    ] {
        let work = || work(&address, message.clone(), Some(message.clone())).over_tls(client.clone());
        exchange::first_answer(&address, &work(), PATIENT, false, &go()).unwrap();
        for depth in [1, 8] {
            let mut target = Target::new(address.clone(), work());
            let length = Length::answers(100, PATIENT);
            let reading = load(PATIENT)
                .run(&mut target, &capacity(2, depth), length, &go())
                .unwrap();
            balanced(&reading);
            assert_eq!((reading.requests.valid, reading.checked.0), (100, 1.0));
            assert_eq!(reading.tls.map(|tls| tls.handshakes), Some(2));
        }
    }
}
