//! Fixed exchanges with servers that keep to them and servers that do not.

mod common;

use std::io::Read;
use std::time::Duration;

use common::*;
use tare_load::exchange::{check, first_answer};
use tare_load::{Address, Work};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Exchange, HttpJob};

fn exchange(send: &str, expect: &str) -> Exchange {
    Exchange {
        name: "test".into(),
        send: send.into(),
        expect: expect.into(),
        closes: false,
        dribble: false,
    }
}

fn closing(send: &str, expect: &str) -> Exchange {
    Exchange {
        closes: true,
        ..exchange(send, expect)
    }
}

const SOON: Duration = Duration::from_millis(300);

#[test]
fn right_exchanges_pass_in_one_piece_and_in_many() {
    let address = right();
    let lines: String = (0..2000).map(|n| format!("{n}\n")).collect();
    let doubles: String = (0..2000).map(|n| format!("{}\n", 2 * n)).collect();
    let cases = [
        exchange("7\n-0\r\n007\n", "14\n0\n14\n"),
        exchange("x\n", "not an integer\n"),
        exchange("", ""),
        exchange("1", ""),
        exchange(&lines, &doubles),
        closing("7\nend\n", "14\n"),
        closing("end\n", ""),
        closing("7\nend\n8\n9\n", "14\n"),
    ];
    for case in cases {
        check(&address, &case, PATIENT, &go()).unwrap();
        check(
            &address,
            &Exchange {
                dribble: true,
                ..case
            },
            PATIENT,
            &go(),
        )
        .unwrap();
    }
}

fn refused(address: &Address, exchange: &Exchange, kind: FaultKind) -> String {
    let Fault { kind: found, detail } = check(address, exchange, SOON, &go()).unwrap_err();
    assert_eq!(found, kind, "{detail}");
    detail
}

#[test]
fn each_breach_is_shown_with_what_was_sent_expected_and_received() {
    let address = right();
    let text = refused(&address, &exchange("7\n8\n", "14\n17\n"), FaultKind::Wrong);
    for part in [
        "`test`",
        "sent     \"7\\n8\\n\"",
        "expected \"14\\n17\\n\"",
        "got      \"14\\n16\\n\"",
        "byte 4",
    ] {
        assert!(text.contains(part), "{text}");
    }
    refused(&address, &exchange("7\n8\n", "14\n"), FaultKind::Unasked);
    refused(&address, &exchange("7\n", "14\n16\n"), FaultKind::Hung);
    refused(&address, &closing("7\n", "14\n"), FaultKind::Hung);
    refused(&address, &exchange("7\nend\n", "14\n"), FaultKind::ClosedEarly);
    refused(
        &address,
        &exchange("7\nend\n", "14\n16\n"),
        FaultKind::ClosedEarly,
    );
    let nobody = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    refused(&nobody.into(), &exchange("7\n", "14\n"), FaultKind::Died);
}

#[test]
fn a_second_answer_a_moment_later_is_detected() {
    let address = doubling(|_, answer, stream| {
        write(stream, answer) && {
            std::thread::sleep(Duration::from_millis(5));
            write(stream, answer)
        }
    });
    // On a loaded machine the 5 ms may become more than the 50 ms that are watched; then it takes several tries.
    let kinds = (0..100)
        .map(|_| check(&address, &exchange("7\n", "14\n"), PATIENT, &go()).map_err(|fault| fault.kind));
    let seen = kinds.into_iter().find(Result::is_err);
    assert_eq!(seen, Some(Err(FaultKind::Unasked)));
}

#[test]
fn a_server_that_stops_reading_does_not_hang_the_check() {
    let address = serve(|mut stream, _| {
        let _ = stream.read(&mut [0; 10]);
        std::thread::sleep(Duration::from_secs(20));
    });
    let much = "1\n".repeat(8 << 20);
    refused(&address, &exchange(&much, "2\n"), FaultKind::Hung);
}

#[test]
fn the_first_answer_of_a_job_is_judged_in_full() {
    let work = |address: &Address| Work::http(&HttpJob::default(), address).unwrap();
    let answered = |bytes: &'static [u8]| {
        let address = http(move |_| bytes.to_vec());
        first_answer(&address, &work(&address), SOON, true, &go()).map_err(|fault| (fault.kind, fault.detail))
    };
    assert_eq!(
        answered(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
        Ok(())
    );
    assert_eq!(
        answered(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"),
        Ok(())
    );
    let cases: [(&[u8], FaultKind); 4] = [
        (
            b"HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nhi",
            FaultKind::Wrong,
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nhi",
            FaultKind::Unasked,
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi", FaultKind::Hung),
        (b"", FaultKind::ClosedEarly),
    ];
    for (bytes, kind) in cases {
        let (found, text) = answered(bytes).unwrap_err();
        assert_eq!(found, kind, "{text}");
        assert!(text.contains("GET / HTTP/1.1"), "{text}");
    }
    let address = right();
    first_answer(&address, &Work::doubling(1), PATIENT, true, &go()).unwrap();
}

/// With a timeout of an hour only the flag can end it.
#[test]
fn an_interrupt_ends_a_check() {
    const HOUR: Duration = Duration::from_secs(3600);
    let address = serve(|stream, _| linger(stream));
    for first in [false, true] {
        let stop = go();
        let fault = std::thread::scope(|scope| {
            let checked = scope.spawn(|| {
                if first {
                    first_answer(&address, &Work::doubling(1), HOUR, true, &stop)
                } else {
                    check(&address, &exchange("7\n", "14\n"), HOUR, &stop)
                }
            });
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            checked.join().unwrap().unwrap_err()
        });
        assert_eq!(fault.kind, FaultKind::Instrument, "{fault}");
    }
}
