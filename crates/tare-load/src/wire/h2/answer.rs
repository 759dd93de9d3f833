//! The body of an answer, as it comes and at its end.

use super::fields::Manner;
use super::shared::Shared;
use super::streams::{Phase, Stream};
use super::trouble::Trouble;
use crate::show;

/// The longest body: 256 MiB, so that memory is bounded.
const LONGEST_BODY: usize = 256 << 20;

/// What has come of an answer, for a person.
pub(super) fn came(stream: &Stream) -> String {
    match stream.phase {
        Phase::Asked => "nothing".to_owned(),
        _ => format!("a head and {} bytes of the body", stream.body),
    }
}

/// Takes the next piece of a body, which is not empty.
#[inline]
pub(super) fn piece(stream: &mut Stream, shared: &mut Shared, content: &[u8]) -> Result<(), Trouble> {
    let (id, before) = (stream.id, stream.body);
    stream.body += content.len();
    let most = if shared.to_head {
        0
    } else {
        stream.length.min(LONGEST_BODY)
    };
    if stream.phase == Phase::Asked || stream.body > most {
        return Err(Trouble::Answer(id, too_much(stream, content, most)));
    }
    if let Some(kept) = &mut shared.heads.kept {
        kept.body.extend_from_slice(content);
    }
    let checker = &mut shared.checker;
    if before == 0 && checker.recognises(content, stream.coding) {
        stream.phase = Phase::Right;
        return Ok(());
    }
    if stream.phase == Phase::Right {
        if !checker.checks_bodies() {
            return Ok(());
        }
        let got = show::bytes(content);
        let why = format!("more than the body: expected its end after {before} bytes\n  got      {got}");
        return Err(Trouble::Answer(id, why));
    }
    let coding = stream.coding;
    let length = (stream.length < usize::MAX).then_some(stream.length);
    let check = stream
        .check
        .get_or_insert_with(|| Box::new(checker.begin(length, coding)));
    checker
        .feed(check, content)
        .map_err(|why| Trouble::Answer(id, why))
}

/// Why a piece of a body may not come.
#[cold]
fn too_much(stream: &Stream, content: &[u8], most: usize) -> String {
    let got = show::bytes(content);
    match (stream.phase, stream.length) {
        (Phase::Asked, _) => format!("DATA before a head\n  expected HEADERS\n  got      {got}"),
        _ if most == 0 => format!("a body\n  expected none\n  got      {got}"),
        (_, usize::MAX) => format!("a body that is too long\n  expected at most 256 MiB\n  got      {got}"),
        (_, length) => format!(
            "more DATA than its content-length\n  expected {length} bytes\n  got      {} bytes, the last of them {got}",
            stream.body
        ),
    }
}

/// Checks an answer at its end. Returns whether each byte of its body was checked.
#[inline]
pub(super) fn end(stream: &mut Stream, shared: &mut Shared) -> Result<bool, Trouble> {
    let wrong = |why: String| Err(Trouble::Answer(stream.id, why));
    let announced = stream.length != usize::MAX && !shared.to_head;
    if announced && stream.length != stream.body {
        return wrong(format!(
            "less DATA than its content-length\n  expected {} bytes\n  got      {} bytes",
            stream.length, stream.body
        ));
    }
    if shared.heads.manner() == Manner::Grpc && !stream.succeeded {
        return wrong(
            "a call without its status\n  expected grpc-status 0 in the trailers\n  got      none".to_owned(),
        );
    }
    let checker = &mut shared.checker;
    let whole = match stream.check.take() {
        Some(check) => checker.finish(*check),
        None if stream.phase == Phase::Right || checker.recognises(&[], stream.coding) => {
            Ok(checker.checks_bodies())
        }
        None => {
            let empty = checker.begin(Some(0), None);
            checker.finish(empty)
        }
    };
    whole.or_else(wrong)
}
