//! HTTP/2 and gRPC against a server of other hands: the `h2` crate.

mod common;
#[path = "common/tls.rs"]
mod fixture;

use std::net::TcpListener;
use std::thread;

use bytes::Bytes;
use common::{PATIENT, balanced, capacity, go, load, millis};
use fixture::authority::server;
use fixture::{Manner, front, tls13, trusting};
use h2::server::{Builder, SendResponse};
use http::{HeaderMap, Request, Response};
use rustls::version::TLS13;
use tare_load::job::{GrpcAnswer, GrpcCall, HttpOptions};
use tare_load::{Address, Cause, Length, Schedule, Target, Work, exchange};
use tare_model::fault::FaultKind;
use tare_model::manifest::{HttpAnswer, HttpJob};
use tare_model::measure::LoadReading;
use tare_model::units::PerSecond;
use tare_tls::Protocol;

/// How a server serves.
#[derive(Clone, Copy, Default)]
struct Serving {
    /// The streams that it allows.
    streams: Option<u32>,
    /// The number of requests after which it ends a connection.
    requests: Option<usize>,
}

/// What it answers.
struct Answer {
    body: Vec<u8>,
    fields: Vec<(&'static str, String)>,
    trailers: Option<HeaderMap>,
}

impl Answer {
    fn of(body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self {
            fields: vec![("content-length", body.len().to_string())],
            body,
            trailers: None,
        }
    }

    /// Messages, and how the call ended.
    fn of_grpc(status: &str, body: Vec<u8>) -> Self {
        let mut trailers = HeaderMap::new();
        trailers.insert("grpc-status", status.parse().unwrap());
        Self {
            fields: vec![("content-type", "application/grpc".to_owned())],
            trailers: Some(trailers),
            body,
        }
    }
}

/// A server; `answer` gets the path and the body of each request.
fn serve(serving: Serving, answer: fn(&str, Vec<u8>) -> Answer) -> Address {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(converse(socket, serving, answer));
            }
        });
    });
    address.into()
}

async fn converse(socket: tokio::net::TcpStream, serving: Serving, answer: fn(&str, Vec<u8>) -> Answer) {
    let mut builder = Builder::new();
    if let Some(streams) = serving.streams {
        builder.max_concurrent_streams(streams);
    }
    let Ok(mut connection) = builder.handshake::<_, Bytes>(socket).await else {
        return;
    };
    let mut served = 0;
    while let Some(Ok((request, respond))) = connection.accept().await {
        tokio::spawn(respond_to(request, respond, answer));
        served += 1;
        if serving.requests == Some(served) {
            connection.graceful_shutdown();
        }
    }
}

async fn respond_to(
    request: Request<h2::RecvStream>,
    mut respond: SendResponse<Bytes>,
    answer: fn(&str, Vec<u8>) -> Answer,
) {
    let (head, mut stream) = request.into_parts();
    let mut body = Vec::new();
    while let Some(Ok(piece)) = stream.data().await {
        let _ = stream.flow_control().release_capacity(piece.len());
        body.extend_from_slice(&piece);
    }
    let Answer {
        body,
        fields,
        trailers,
    } = answer(head.uri.path(), body);
    let mut response = Response::builder();
    for (name, value) in fields {
        response = response.header(name, value);
    }
    let Ok(mut out) = respond.send_response(response.body(()).unwrap(), false) else {
        return;
    };
    let _ = out.send_data(body.into(), trailers.is_none());
    if let Some(trailers) = trailers {
        let _ = out.send_trailers(trailers);
    }
}

fn hello(_: &str, _: Vec<u8>) -> Answer {
    Answer::of("hello")
}

fn job(expect: Option<&str>) -> HttpJob {
    HttpJob {
        answer: expect.map(|body| HttpAnswer::Text {
            body: body.to_owned(),
        }),
        ..HttpJob::default()
    }
}

fn work(address: &Address) -> Work {
    Work::h2(&job(Some("hello")), address, &HttpOptions::default()).unwrap()
}

/// Drives a right server.
fn drive(address: &Address, work: Work, schedule: &Schedule, length: Length) -> LoadReading {
    let mut target = Target::new(address.clone(), work);
    let reading = load(PATIENT).run(&mut target, schedule, length, &go()).unwrap();
    balanced(&reading);
    assert_eq!((reading.requests.invalid, reading.requests.lost), (0, 0));
    reading
}

#[test]
fn all_schedules_are_answered_right() {
    let address = serve(Serving::default(), hello);
    exchange::first_answer(&address, &work(&address), PATIENT, true, &go()).unwrap();
    for depth in [1, 32] {
        let reading = drive(
            &address,
            work(&address),
            &capacity(3, depth),
            Length::answers(500, PATIENT),
        );
        assert_eq!(
            (reading.requests.valid, reading.checked.0, reading.streams),
            (500, 1.0, None)
        );
        let rate = Schedule::Cost {
            connections: 2,
            depth,
            rate: PerSecond(1000.0),
        };
        let reading = drive(&address, work(&address), &rate, Length::answers(100, PATIENT));
        assert_eq!((reading.requests.sent, reading.lag.count()), (100, 100));
        let batch = Schedule::Batch {
            programs: 2,
            connections: 2,
            requests: 50,
            depth,
        };
        let reading = drive(&address, work(&address), &batch, millis(0));
        assert_eq!((reading.requests.valid, reading.programs.len()), (200, 2));
    }
}

#[test]
fn connections_stay_open_between_slices() {
    let address = serve(Serving::default(), hello);
    let mut target = Target::new(address.clone(), work(&address));
    let mut load = load(PATIENT);
    for depth in [1, 16, 4] {
        let length = Length::answers(300, PATIENT);
        let reading = load.run(&mut target, &capacity(4, depth), length, &go()).unwrap();
        balanced(&reading);
        assert_eq!((reading.requests.valid, reading.reopened), (300, 0), "{depth}");
    }
}

#[test]
fn fewer_streams_than_asked_for_are_reported() {
    let few = Serving {
        streams: Some(5),
        ..Serving::default()
    };
    let address = serve(few, hello);
    let reading = drive(
        &address,
        work(&address),
        &capacity(2, 32),
        Length::answers(400, PATIENT),
    );
    assert_eq!((reading.requests.valid, reading.streams), (400, Some(5)));
    let reading = drive(
        &address,
        work(&address),
        &capacity(2, 5),
        Length::answers(400, PATIENT),
    );
    assert_eq!(reading.streams, None);
}

#[test]
fn connections_that_the_server_ends_are_replaced_and_nothing_is_lost() {
    let ending = Serving {
        requests: Some(20),
        ..Serving::default()
    };
    let address = serve(ending, hello);
    for depth in [1, 8] {
        let reading = drive(
            &address,
            work(&address),
            &capacity(2, depth),
            Length::answers(500, PATIENT),
        );
        assert_eq!(reading.requests.valid, 500);
        assert!(reading.reopened >= 5, "{}", reading.reopened);
        let batch = Schedule::Batch {
            programs: 1,
            connections: 2,
            requests: 100,
            depth,
        };
        assert_eq!(
            drive(&address, work(&address), &batch, millis(0)).requests.valid,
            200
        );
    }
}

#[test]
fn large_bodies_go_both_ways() {
    let address = serve(Serving::default(), |_, body| Answer::of(body));
    let text: String = ('a'..='z').cycle().take(1_000_000).collect();
    let options = HttpOptions {
        body: Some(text.clone().into_bytes()),
        ..HttpOptions::default()
    };
    let request = HttpJob {
        method: "POST".to_owned(),
        ..job(Some(&text))
    };
    let work = Work::h2(&request, &address, &options).unwrap();
    let reading = drive(&address, work, &capacity(2, 3), Length::answers(20, PATIENT));
    assert_eq!((reading.requests.valid, reading.checked.0), (20, 1.0));
    assert!(reading.bytes_out.0 > 20_000_000 && reading.bytes_in.0 > 20_000_000);
}

#[test]
fn calls_of_grpc_are_judged_by_their_status_too() {
    let address = serve(Serving::default(), |path, body| {
        let status = if path.ends_with("Fails") { "13" } else { "0" };
        Answer::of_grpc(status, body)
    });
    let call = |method: &str| GrpcCall {
        path: format!("/a.Echo/{method}"),
        message: vec![1, 2, 0, 255],
        answer: GrpcAnswer::One(Some(vec![1, 2, 0, 255])),
        ..GrpcCall::default()
    };
    let work = |method: &str| Work::grpc(&call(method), &address).unwrap();
    let reading = drive(
        &address,
        work("Works"),
        &capacity(2, 8),
        Length::answers(300, PATIENT),
    );
    assert_eq!(reading.requests.valid, 300);
    let mut target = Target::new(address.clone(), work("Fails"));
    let failed = load(PATIENT)
        .run(&mut target, &capacity(1, 1), millis(100), &go())
        .unwrap_err();
    let Cause::Fault(fault) = failed.cause else {
        panic!("a fault")
    };
    assert_eq!(fault.kind, FaultKind::Wrong);
    assert!(
        fault.detail.contains("expected grpc-status 0, found 13"),
        "{}",
        fault.detail
    );
}

/// A server whose method `N` answers with the message of the request N times, in one piece, and whose method `Flawed` with it
/// and a compressed one.
fn repeats() -> Address {
    serve(Serving::default(), |path, body| {
        let method = path.rsplit('/').next().unwrap();
        let body = match method.parse() {
            Ok(times) => body.repeat(times),
            Err(_) => [&body[..], b"\x01\0\0\0\0"].concat(),
        };
        Answer::of_grpc("0", body)
    })
}

#[test]
fn answers_of_grpc_are_one_message_or_a_stream_of_them() {
    let address = repeats();
    let work = |method: &str, answer| {
        let call = GrpcCall {
            path: format!("/a.Repeat/{method}"),
            message: b"ab".to_vec(),
            answer,
            ..GrpcCall::default()
        };
        Work::grpc(&call, &address)
    };
    let two = b"\0\0\0\0\x02ab\0\0\0\0\x02ab".to_vec();
    let of_two = || GrpcAnswer::Stream(Some(two.clone()));
    for answer in [GrpcAnswer::Stream(None), of_two()] {
        let work = work("2", answer).unwrap();
        let reading = drive(&address, work, &capacity(2, 8), Length::answers(300, PATIENT));
        assert_eq!((reading.requests.valid, reading.checked.0), (300, 1.0));
    }
    for (method, answer, expected) in [
        ("2", GrpcAnswer::One(None), "expected one message\n  got      2"),
        ("2", GrpcAnswer::One(None), "--server-streaming"),
        ("3", of_two(), "the body: expected"),
        (
            "Flawed",
            GrpcAnswer::Stream(None),
            "message 2 of the answer: it is compressed",
        ),
    ] {
        let work = work(method, answer).unwrap();
        let fault = exchange::first_answer(&address, &work, PATIENT, false, &go()).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Wrong);
        assert!(fault.detail.contains(expected), "{}", fault.detail);
    }
    let broken = work("1", GrpcAnswer::Stream(Some(b"ab".to_vec()))).unwrap_err();
    assert!(broken.to_string().contains("behind its prefix"), "{broken}");
}

/// A server that only speaks HTTP/1.1 is named as such.
#[test]
fn a_server_of_http_1_is_recognised() {
    let address = common::http(|_| b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".to_vec());
    let fault = exchange::first_answer(&address, &work(&address), PATIENT, false, &go()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Wrong);
    assert!(fault.detail.contains("it speaks HTTP/1.1"), "{}", fault.detail);
}

#[test]
fn http_2_and_grpc_are_spoken_over_tls() {
    let echo = serve(Serving::default(), |_, body| Answer::of_grpc("0", body));
    let (authority, config) = tls13(&["h2"]);
    let client = trusting(&authority, Protocol::Http2, false);
    let called = front(config, &echo, Manner::default());
    let config = server(authority.here(), &["h2"], &[&TLS13]);
    let asked = front(config, &serve(Serving::default(), hello), Manner::default());
    let large: Vec<u8> = (0..50_000_u32).map(|n| n as u8).collect();
    let call = GrpcCall {
        path: "/a.Echo/Works".to_owned(),
        secure: true,
        message: large.clone(),
        answer: GrpcAnswer::One(Some(large)),
        ..GrpcCall::default()
    };
    let of_grpc = || Work::grpc(&call, &called).unwrap().over_tls(client.clone());
    let of_http = || work(&asked).over_tls(client.clone());
    exchange::first_answer(&called, &of_grpc(), PATIENT, true, &go()).unwrap();
    exchange::first_answer(&asked, &of_http(), PATIENT, true, &go()).unwrap();
    for depth in [1, 32] {
        let schedules = [
            capacity(3, depth),
            Schedule::Cost {
                connections: 2,
                depth,
                rate: PerSecond(1000.0),
            },
        ];
        for schedule in schedules {
            let length = Length::answers(200, PATIENT);
            for (address, work) in [(&called, of_grpc()), (&asked, of_http())] {
                let reading = drive(address, work, &schedule, length);
                assert_eq!((reading.requests.valid, reading.checked.0), (200, 1.0));
                let agreed = reading.tls.unwrap().agreed;
                assert_eq!(agreed[0].alpn.as_deref(), Some("h2"));
            }
        }
    }
}

/// A server that ends connections in order, in the middle of the load.
#[test]
fn connections_are_replaced_over_tls_too() {
    let brief = Serving {
        requests: Some(20),
        ..Serving::default()
    };
    let (authority, config) = tls13(&["h2"]);
    let client = trusting(&authority, Protocol::Http2, false);
    let address = front(config, &serve(brief, hello), Manner::default());
    let work = work(&address).over_tls(client);
    let reading = drive(&address, work, &capacity(2, 4), Length::answers(200, PATIENT));
    assert_eq!(reading.requests.valid, 200);
    assert!(reading.tls.is_some_and(|tls| tls.handshakes > 5));
}
