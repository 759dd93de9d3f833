//! What right answers to HttpArena's requests are: its rules, in terms of a job. A request of which the answer is not known
//! here is not sent: nobody could say whether it was answered rightly.

use serde_json::Value;
use tare_model::manifest::{HttpAnswer, HttpJob};
use tare_model::raw_request::RawRequest;

/// The longest body that is sent: it stands in a manifest.
const LONGEST_BODY: usize = 64 << 10;

/// Fields of a request that the load sends by itself.
const OWN: [&str; 4] = ["host", "content-length", "transfer-encoding", "connection"];

/// Other parameters and another body than the suite's requests have: (a, b, body).
const OTHERS: [(i32, i32, Option<i32>); 3] = [(613, 287, None), (13, 42, Some(941)), (13, 42, Some(358))];

/// Requests with other values, which only a check sends: a server that knows the suite's answers by heart does not know these.
pub(crate) fn others(request: &RawRequest) -> Vec<HttpJob> {
    if !request.path.starts_with("/baseline11?") {
        return Vec::new();
    }
    let other = |(a, b, body): &(i32, i32, Option<i32>)| {
        let body = body.map(|body| body.to_string().into_bytes());
        let other = RawRequest {
            method: if body.is_some() { "POST" } else { "GET" }.to_owned(),
            path: format!("/baseline11?a={a}&b={b}"),
            body: body.unwrap_or_default(),
            ..request.clone()
        };
        job(&other, None).ok()
    };
    OTHERS.iter().filter_map(other).collect()
}

/// A request as a job, with what must come back. `items`: the checkout's data set, a list.
///
/// # Errors
/// Why it cannot be sent or judged.
pub(crate) fn job(request: &RawRequest, items: Option<&Value>) -> Result<HttpJob, String> {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let body = body(request)?;
    let (media_type, answer) = match path.split('/').skip(1).collect::<Vec<_>>().as_slice() {
        ["baseline11"] => {
            let sum = sum(query, body.as_deref()).ok_or("its parameters are no small numbers")?;
            (
                "text/plain",
                HttpAnswer::Text {
                    body: sum.to_string(),
                },
            )
        }
        ["pipeline"] => (
            "text/plain",
            HttpAnswer::Text {
                body: "ok".to_owned(),
            },
        ),
        ["json", count] => {
            let items = items.ok_or("data/dataset.json is missing, or no list")?;
            let value = totals(items, count, query)
                .ok_or_else(|| format!("`{}` does not fit data/dataset.json", request.path))?;
            (
                "application/json",
                HttpAnswer::Json {
                    value: value.to_string(),
                },
            )
        }
        _ => return Err(format!("what answers to `{path}` must be is not known here")),
    };
    let encoding = codings(request)?;
    let headers = request.headers.iter().filter(|(name, _)| !is_own(name));
    Ok(HttpJob {
        method: request.method.clone(),
        path: request.path.clone(),
        headers: headers.cloned().collect(),
        chunk_size: body
            .as_ref()
            .filter(|_| request.chunked)
            .map(|body| body.len() as u32),
        body,
        encoding,
        media_type: Some(media_type.to_owned()),
        answer: Some(answer),
        ..HttpJob::default()
    })
}

fn is_own(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    OWN.contains(&name.as_str()) || name == "accept-encoding"
}

fn body(request: &RawRequest) -> Result<Option<String>, String> {
    if request.body.len() > LONGEST_BODY {
        return Err(format!("a body of {} bytes is not sent", request.body.len()));
    }
    let text = String::from_utf8(request.body.clone()).map_err(|_| "its body is no text".to_owned())?;
    Ok(Some(text).filter(|text| !text.is_empty()))
}

/// The content codings that the request accepts; those that the load decodes.
fn codings(request: &RawRequest) -> Result<Vec<String>, String> {
    let accepted = request
        .values("accept-encoding")
        .flat_map(|value| value.split(','));
    let names: Vec<String> = accepted.map(|name| name.trim().to_owned()).collect();
    match names.iter().find(|name| !["gzip", "br"].contains(&name.as_str())) {
        Some(other) => Err(format!("the content coding `{other}` is not decoded here")),
        None => Ok(names),
    }
}

/// The sum of the parameters and the body.
fn sum(query: &str, body: Option<&str>) -> Option<i64> {
    let values = query
        .split('&')
        .map(|pair| pair.split_once('=').map(|(_, value)| value));
    let texts = values.chain(body.map(|body| Some(body.trim())));
    texts
        .map(|text| text?.parse::<i32>().ok().map(i64::from))
        .try_fold(0_i64, |sum, number| sum.checked_add(number?))
}

/// The first `count` items, each with its total: price times quantity times the parameter `m`.
fn totals(items: &Value, count: &str, query: &str) -> Option<Value> {
    let times: i64 = match query {
        "" => 1,
        query => query.strip_prefix("m=")?.parse().ok()?,
    };
    let count: usize = count.parse().ok()?;
    let first = items.as_array()?.get(..count)?;
    let with_total = |item: &Value| {
        let mut item = item.clone();
        let number = |name: &str| item.get(name)?.as_i64();
        let total = number("price")?
            .checked_mul(number("quantity")?)?
            .checked_mul(times)?;
        item.as_object_mut()?.insert("total".to_owned(), total.into());
        Some(item)
    };
    let items: Option<Vec<Value>> = first.iter().map(with_total).collect();
    Some(serde_json::json!({ "items": items?, "count": count }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> RawRequest {
        RawRequest::parse(text.replace('\n', "\r\n").as_bytes()).unwrap()
    }

    fn answered(text: &str) -> Result<String, String> {
        let items =
            serde_json::json!([{"id": 1, "price": 7, "quantity": 3}, {"id": 2, "price": 2, "quantity": 2}]);
        let job = job(&raw(text), Some(&items))?;
        match job.answer.unwrap() {
            HttpAnswer::Text { body } => Ok(body),
            HttpAnswer::Json { value } => Ok(value),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn answers_follow_from_the_requests() {
        assert_eq!(
            answered("GET /baseline11?a=13&b=42 HTTP/1.1\nHost: x\n\n").unwrap(),
            "55"
        );
        assert_eq!(
            answered("POST /baseline11?a=13&b=42 HTTP/1.1\nHost: x\nContent-Length: 2\n\n20").unwrap(),
            "75"
        );
        assert_eq!(answered("GET /pipeline HTTP/1.1\nHost: x\n\n").unwrap(), "ok");
        let list = answered("GET /json/1?m=2 HTTP/1.1\nHost: x\n\n").unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(&list).unwrap(),
            serde_json::json!({"count": 1, "items": [{"id": 1, "price": 7, "quantity": 3, "total": 42}]})
        );
    }

    #[test]
    fn other_values_have_other_answers() {
        let all = others(&raw("GET /baseline11?a=13&b=42 HTTP/1.1\nHost: x\n\n"));
        let answers: Vec<&str> = all.iter().map(|one| one.text().unwrap()).collect();
        assert_eq!(answers, ["900", "996", "413"]);
        assert!(others(&raw("GET /pipeline HTTP/1.1\nHost: x\n\n")).is_empty());
    }

    #[test]
    fn what_cannot_be_judged_is_not_sent() {
        for (text, why) in [
            ("GET /rows?min=1 HTTP/1.1\nHost: x\n\n", "not known here"),
            ("GET /json/3?m=1 HTTP/1.1\nHost: x\n\n", "does not fit"),
            ("GET /json/1?n=1 HTTP/1.1\nHost: x\n\n", "does not fit"),
            ("GET /baseline11?a=x HTTP/1.1\nHost: x\n\n", "no small numbers"),
            (
                "GET /pipeline HTTP/1.1\nHost: x\nAccept-Encoding: zstd\n\n",
                "`zstd`",
            ),
        ] {
            let error = answered(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(job(&raw("GET /json/1?m=1 HTTP/1.1\nHost: x\n\n"), None).is_err());
    }

    #[test]
    fn requests_are_sent_as_they_are() {
        let sent = job(
            &raw(
                "POST /baseline11?a=1&b=2 HTTP/1.1\nHost: x\nAccept-Encoding: gzip, br\nX-A: b\nTransfer-Encoding: chunked\n\n\
                 2\n20\n0\n\n",
            ),
            None,
        )
        .unwrap();
        assert_eq!((sent.chunk_size, sent.body.as_deref()), (Some(2), Some("20")));
        assert_eq!(sent.encoding, ["gzip", "br"]);
        assert_eq!(sent.headers, [("X-A".to_owned(), "b".to_owned())]);
    }
}
