//! What a server of any protocol may do.

use tare_model::fault::FaultKind::{ClosedEarly, Died, Hung, Unasked, Wrong};

use crate::fixture::{Act, Door};
use crate::matrix::{CLOSED, Column, HUNG, Row, Seen, UNASKED, WRONG};
use crate::protocol::Protocol;

fn last(rights: &[Vec<u8>]) -> Vec<u8> {
    rights.last().expect("of the request that was read").clone()
}

/// Misbehaves at one request only.
fn once(acts: Vec<Act>, since: usize, rights: &[Vec<u8>]) -> Vec<Act> {
    if since == 0 {
        acts
    } else {
        vec![Act::Say(last(rights))]
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

/// The rows for every family of sockets.
pub fn rows_over_sockets(protocol: Protocol) -> Vec<Row> {
    [answers(protocol), ends(protocol)].concat()
}

/// What may be wrong with the bytes of an answer.
fn answers(protocol: Protocol) -> Vec<Row> {
    let row = |name, seen, lie: fn(usize, &[Vec<u8>]) -> Vec<Act>| Row::new(protocol, name, seen, lie);
    // Bytes after a small answer come with it. After a large one they may come after the next request was sent, or after the
    // load closed the connection.
    let (unasked, behind_the_last) = if protocol.is_large() {
        (Seen::Fault(&[Unasked, Wrong]), Seen::RightOr(&[Unasked]))
    } else {
        (UNASKED, UNASKED)
    };
    // Of a dialog, they are a frame that cannot be.
    let unasked = if protocol.is_dialog() { WRONG } else { unasked };
    let more_than_asked = if protocol.is_dialog() { WRONG } else { UNASKED };
    // Each surplus answer counts as the answer to the next request, until no more are sent. Then a large one may still be on its
    // way: the next slice over this connection, or the check, finds it.
    let surplus = behind_the_last;
    vec![
        row("right", Seen::Right, |_, rights| vec![Act::Say(last(rights))]),
        Row::new(
            protocol,
            "in the smallest writes",
            Seen::Right,
            move |_, rights| {
                // A large answer byte by byte would take minutes.
                let piece = if protocol.is_large() { 4001 } else { 1 };
                vec![Act::Dribble(last(rights), piece)]
            },
        ),
        Row::new(protocol, "one wrong byte", WRONG, move |_, rights| {
            vec![Act::Say(protocol.spoilt(&last(rights)))]
        }),
        Row::new(protocol, "one wrong byte, once", WRONG, move |since, rights| {
            once(vec![Act::Say(protocol.spoilt(&last(rights)))], since, rights)
        }),
        row("each answer twice", surplus, |_, rights| {
            vec![Act::Say(last(rights).repeat(2))]
        })
        .but(Column::Check, UNASKED)
        .but(Column::Fresh, behind_the_last),
        row("bytes that nobody asked for", unasked, |_, rights| {
            let more = [last(rights), b"by the way\n".to_vec()].concat();
            vec![Act::Say(more)]
        })
        .shallow()
        .but(Column::Check, more_than_asked)
        .but(Column::Fresh, behind_the_last),
        row("a greeting", Seen::Fault(&[Wrong, Unasked]), |_, rights| {
            vec![Act::Say(last(rights))]
        })
        .greeting(b"220 welcome\r\n"),
    ]
}

/// Answers that do not come, or come in another order.
fn order(protocol: Protocol) -> Vec<Row> {
    // With lines, another answer comes in place of the missing one; HTTP answers are all alike, and a responder has one
    // request at a time.
    let answers_differ = protocol == Protocol::Lines;
    let (out_of_step, at_a_rate) = if answers_differ {
        (WRONG, Seen::Fault(&[Wrong, Hung]))
    } else {
        (HUNG, HUNG)
    };
    let swapped = match protocol {
        Protocol::Lines => WRONG,
        Protocol::FastCgi => HUNG,
        _ => Seen::Right,
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
        .but(Column::Check, HUNG)
        .not_fresh(),
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
        row("a close without a word", |_, _| vec![Act::Close]).showing("had sent nothing"),
        row("half an answer and a close", |_, rights| {
            vec![Act::Say(half(rights)), Act::Close]
        })
        .showing("had sent \""),
        row("an early end of its direction", |_, _| vec![Act::EndDirection]).showing("had sent nothing"),
        row("half an answer and the end of its direction", |_, rights| {
            vec![Act::Say(half(rights)), Act::EndDirection]
        })
        .showing("had sent \""),
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
        // The check has one connection.
        .but(Column::Check, Seen::Right)
        .but(Column::Fresh, Seen::Fault(&[Died, ClosedEarly])),
        // A connection may get into the queue before that is closed.
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
        // Only a batch sends something on each connection. Otherwise it depends on the moment whether a request goes out on
        // such a connection before its close is seen, or all go over the others.
        .but(Column::Capacity, Seen::RightOr(&[ClosedEarly, Hung]))
        .but(Column::Cost, Seen::RightOr(&[ClosedEarly, Hung]))
        .but(Column::Fresh, Seen::RightOr(&[ClosedEarly, Hung])),
        row(
            "turns away every connection",
            Seen::Fault(&[ClosedEarly, Hung]),
            Door::TurnsAway(0),
            2,
        )
        .but(Column::Check, CLOSED)
        .but(Column::Fresh, Seen::Fault(&[ClosedEarly, Hung])),
    ]
}
