//! What a server of any protocol may do.

use tare_model::fault::FaultKind::{ClosedEarly, Died, Hung, Unasked, Wrong};

use crate::fixture::{Act, Door};
use crate::matrix::{CLOSED, Column, HUNG, Row, Seen, UNASKED, WRONG};
use crate::protocol::Protocol;

fn last(rights: &[Vec<u8>]) -> Vec<u8> {
    rights.last().expect("of the request that was read").clone()
}

/// Only at the first request from which it misbehaves; else it is right.
fn once(acts: Vec<Act>, since: usize, rights: &[Vec<u8>]) -> Vec<Act> {
    match since {
        0 => acts,
        _ => vec![Act::Say(last(rights))],
    }
}

pub fn rows(protocol: Protocol) -> Vec<Row> {
    [
        answers(protocol),
        order(protocol),
        ends(protocol),
        doors(protocol),
    ]
    .concat()
}

/// Bytes of one answer.
fn answers(protocol: Protocol) -> Vec<Row> {
    let row = |name, seen, lie: fn(usize, &[Vec<u8>]) -> Vec<Act>| Row::new(protocol, name, seen, lie);
    vec![
        row("right", Seen::Right, |_, rights| vec![Act::Say(last(rights))]),
        row("one byte a write", Seen::Right, |_, rights| {
            vec![Act::Dribble(last(rights))]
        }),
        Row::new(protocol, "one wrong byte", WRONG, move |_, rights| {
            vec![Act::Say(protocol.spoilt(&last(rights)))]
        }),
        Row::new(protocol, "one wrong byte, once", WRONG, move |since, rights| {
            once(vec![Act::Say(protocol.spoilt(&last(rights)))], since, rights)
        }),
        row("each answer twice", UNASKED, |_, rights| {
            vec![Act::Say(last(rights).repeat(2))]
        }),
        row("bytes that nobody asked for", UNASKED, |_, rights| {
            let more = [last(rights), b"by the way\n".to_vec()].concat();
            vec![Act::Say(more)]
        })
        .shallow(),
        row("a greeting", Seen::Fault(&[Wrong, Unasked]), |_, rights| {
            vec![Act::Say(last(rights))]
        })
        .greeting(b"220 welcome\r\n"),
    ]
}

/// Answers that do not come, or in another order.
fn order(protocol: Protocol) -> Vec<Row> {
    // Over lines, another answer comes where the missing one should; answers to HTTP are all alike, and a responder has
    // one request at a time.
    let told_apart = protocol == Protocol::Lines;
    let (out_of_step, at_a_rate) = match told_apart {
        true => (WRONG, Seen::Fault(&[Wrong, Hung])),
        false => (HUNG, HUNG),
    };
    let swapped = match protocol {
        Protocol::Lines => WRONG,
        Protocol::Http => Seen::Right,
        Protocol::FastCgi => HUNG,
    };
    let cut = match protocol {
        Protocol::FastCgi => HUNG,
        _ => WRONG,
    };
    vec![
        Row::new(protocol, "one answer missing", out_of_step, |since, rights| {
            once(vec![], since, rights)
        })
        .but(Column::Cost, at_a_rate)
        .but(Column::Check, HUNG),
        Row::new(
            protocol,
            "answers in another order",
            swapped,
            move |since, rights| match since {
                1 => vec![Act::Say(
                    [last(rights), rights[rights.len() - 2].clone()].concat(),
                )],
                _ => once(vec![], since, rights),
            },
        )
        .but(Column::Check, HUNG),
        Row::new(
            protocol,
            "the last byte missing, and on it goes",
            cut,
            |since, rights| {
                let right = last(rights);
                once(vec![Act::Say(right[..right.len() - 1].to_vec())], since, rights)
            },
        )
        .but(Column::Check, HUNG),
        Row::new(protocol, "silence", HUNG, |_, _| vec![Act::Mute]),
        Row::new(protocol, "half an answer and silence", HUNG, |_, rights| {
            vec![Act::Say(half(rights)), Act::Mute]
        }),
    ]
}

fn half(rights: &[Vec<u8>]) -> Vec<u8> {
    let right = last(rights);
    right[..right.len() / 2].to_vec()
}

/// Connections that end.
fn ends(protocol: Protocol) -> Vec<Row> {
    let row = |name, lie: fn(usize, &[Vec<u8>]) -> Vec<Act>| Row::new(protocol, name, CLOSED, lie);
    vec![
        row("a close without a word", |_, _| vec![Act::Close]),
        row("half an answer and a close", |_, rights| {
            vec![Act::Say(half(rights)), Act::Close]
        }),
        row("an early end of its direction", |_, _| vec![Act::EndDirection]),
        row("half an answer and the end of its direction", |_, rights| {
            vec![Act::Say(half(rights)), Act::EndDirection]
        }),
        row("a reset", |_, _| vec![]).reset(),
    ]
}

/// Ways to take connections.
fn doors(protocol: Protocol) -> Vec<Row> {
    let row = |name, seen, door, connections| {
        let lie = |_: usize, rights: &[Vec<u8>]| vec![Act::Say(last(rights))];
        Row::new(protocol, name, seen, lie).door(door, connections)
    };
    vec![
        row("slow to accept", Seen::Right, Door::Slow, 4),
        row("nothing accepted", HUNG, Door::Shut, 2),
        row(
            "refuses from the third connection on",
            Seen::Fault(&[Died, ClosedEarly]),
            Door::Limit(2),
            6,
        )
        // That is asked over one.
        .but(Column::Check, Seen::Right),
        // One may have got into the queue before it was closed.
        row(
            "refuses every connection",
            Seen::Fault(&[Died, ClosedEarly]),
            Door::Limit(0),
            2,
        ),
        row(
            "turns away from the third connection on",
            Seen::Fault(&[ClosedEarly, Hung]),
            Door::TurnsAway(2),
            6,
        )
        .but(Column::Check, Seen::Right)
        // Only a batch is sure to send something on each: else it depends on the moment whether a request goes out on such
        // a connection before its close is seen, or all go over the others.
        .but(Column::Capacity, Seen::RightOr(&[ClosedEarly, Hung]))
        .but(Column::Cost, Seen::RightOr(&[ClosedEarly, Hung])),
        row(
            "turns away every connection",
            Seen::Fault(&[ClosedEarly, Hung]),
            Door::TurnsAway(0),
            2,
        )
        .but(Column::Check, CLOSED),
    ]
}
