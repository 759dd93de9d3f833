//! A request of HTTP/1.1 as its bytes: how other tools keep what they send.
//!
//! Only what is surely one whole request is taken: what a server would wait for the rest of, or would take for two, could not
//! be answered once.

/// The longest request: 64 MiB.
const LONGEST: usize = 64 << 20;

/// The longest head of a request: 64 KiB, which is more than servers take.
const LONGEST_HEAD: usize = 64 << 10;

/// What a request says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRequest {
    /// The method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Its header fields, in order.
    pub headers: Vec<(String, String)>,
    /// Its body, without the framing of chunks.
    pub body: Vec<u8>,
    /// Whether the body is sent in chunks.
    pub chunked: bool,
}

/// Bytes that are not one request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}, at byte {at}")]
pub struct BadRequest {
    /// At which byte.
    pub at: usize,
    /// What is wrong there.
    pub why: &'static str,
}

type Result<T> = std::result::Result<T, BadRequest>;

fn bad<T>(at: usize, why: &'static str) -> Result<T> {
    Err(BadRequest { at, why })
}

impl RawRequest {
    /// Reads the bytes of one request.
    ///
    /// # Errors
    /// They are no request of HTTP/1.1, not a whole one, or more than one.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        if bytes.len() > LONGEST {
            return bad(LONGEST, "a request of more than 64 MiB");
        }
        let (first, mut at) = line(bytes, 0)?;
        let (method, path) = request_line(first)?;
        let mut headers = Vec::new();
        loop {
            let (field, next) = line(bytes, at)?;
            if field.is_empty() {
                at = next;
                break;
            }
            headers.push(header(field, at)?);
            at = next;
        }
        let mut request = Self {
            method,
            path,
            headers,
            body: Vec::new(),
            chunked: false,
        };
        request.check_host()?;
        request.take_body(bytes, at)?;
        Ok(request)
    }

    /// The values of a header field, whatever the case of its name.
    pub fn values<'r>(&'r self, name: &'r str) -> impl Iterator<Item = &'r str> {
        let named = move |field: &&(String, String)| field.0.eq_ignore_ascii_case(name);
        self.headers.iter().filter(named).map(|(_, value)| value.as_str())
    }

    /// RFC 9112 §3.2: a server answers a request without exactly one `Host` with 400.
    fn check_host(&self) -> Result<()> {
        match self.values("host").count() {
            1 => Ok(()),
            0 => bad(0, "a request without a header field `Host`"),
            _ => bad(0, "a request with several header fields `Host`"),
        }
    }

    fn take_body(&mut self, bytes: &[u8], at: usize) -> Result<()> {
        let all = |name| self.values(name).map(str::to_owned).collect::<Vec<_>>();
        let (lengths, codings) = (all("content-length"), all("transfer-encoding"));
        let end = match (lengths.as_slice(), codings.as_slice()) {
            ([], []) => at,
            ([length], []) => self.take_length(bytes, at, length)?,
            ([], [coding]) if coding.eq_ignore_ascii_case("chunked") => self.take_chunks(bytes, at)?,
            ([], _) => return bad(at, "a `Transfer-Encoding` other than `chunked`"),
            (_, []) => return bad(at, "several header fields `Content-Length`"),
            _ => return bad(at, "both `Content-Length` and `Transfer-Encoding`"),
        };
        if end < bytes.len() {
            return bad(end, "more bytes after the end of the request");
        }
        Ok(())
    }

    fn take_length(&mut self, bytes: &[u8], at: usize, length: &str) -> Result<usize> {
        let digits = length.bytes().all(|byte| byte.is_ascii_digit());
        let Some(length) = length.parse::<usize>().ok().filter(|_| digits) else {
            return bad(at, "a `Content-Length` that is not a number");
        };
        match at.checked_add(length).and_then(|end| bytes.get(at..end)) {
            Some(body) => {
                self.body = body.to_vec();
                Ok(at + length)
            }
            None => bad(bytes.len(), "a body that is shorter than its `Content-Length`"),
        }
    }

    fn take_chunks(&mut self, bytes: &[u8], mut at: usize) -> Result<usize> {
        self.chunked = true;
        loop {
            let (size, start) = line(bytes, at)?;
            let size = chunk_size(size, at)?;
            if size == 0 {
                return trailers(bytes, start);
            }
            let end = start + size;
            let Some(chunk) = bytes.get(start..end) else {
                return bad(bytes.len(), "a chunk that is shorter than its size says");
            };
            self.body.extend_from_slice(chunk);
            if bytes.get(end..end + 2) != Some(b"\r\n") {
                return bad(end, "no line end after a chunk");
            }
            at = end + 2;
        }
    }
}

/// The line that begins at `at`, without its end, and where the next one begins.
fn line(bytes: &[u8], at: usize) -> Result<(&[u8], usize)> {
    let rest = &bytes[at..];
    let Some(len) = rest.iter().take(LONGEST_HEAD).position(|&byte| byte == b'\n') else {
        return bad(
            bytes.len().min(at + LONGEST_HEAD),
            "no end of a line, where one has to be",
        );
    };
    match rest[..len].split_last() {
        Some((b'\r', line)) => Ok((line, at + len + 1)),
        _ => bad(
            at + len,
            "a line that ends in LF alone: lines of a request end in CR LF",
        ),
    }
}

fn request_line(line: &[u8]) -> Result<(String, String)> {
    let mut words = line.split(|&byte| byte == b' ');
    let (method, path, version, more) = (words.next(), words.next(), words.next(), words.next());
    let (Some(method), Some(path), Some(version), None) = (method, path, version, more) else {
        return bad(0, "no request line of three words, such as `GET / HTTP/1.1`");
    };
    let target = matches!(path.first(), Some(b'/' | b'*')) && path.iter().all(u8::is_ascii_graphic);
    if !is_token(method) || !target {
        return bad(0, "no method and path, such as `GET /`");
    }
    if version != b"HTTP/1.1" {
        return bad(0, "a version other than HTTP/1.1");
    }
    Ok((text(method), text(path)))
}

fn header(line: &[u8], at: usize) -> Result<(String, String)> {
    let Some(colon) = line.iter().position(|&byte| byte == b':') else {
        return bad(at, "a header line without a colon");
    };
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    if !is_token(name) {
        return bad(at, "an invalid header name");
    }
    let odd = |byte: &u8| (*byte < b' ' && *byte != b'\t') || *byte == 0x7f;
    if value.iter().any(odd) {
        return bad(at, "a control character in a header value");
    }
    Ok((text(name), text(value.trim_ascii())))
}

/// The size of a chunk in hex, before an extension.
fn chunk_size(line: &[u8], at: usize) -> Result<usize> {
    let digits = line.split(|&byte| byte == b';').next().unwrap_or_default();
    let valid = (1..=8).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit);
    match usize::from_str_radix(&text(digits), 16) {
        Ok(size) if valid => Ok(size),
        _ => bad(at, "a chunk size that is not a hex number of up to 8 digits"),
    }
}

/// Where the empty line ends that follows the last chunk and its trailers.
fn trailers(bytes: &[u8], mut at: usize) -> Result<usize> {
    loop {
        let (field, next) = line(bytes, at)?;
        if field.is_empty() {
            return Ok(next);
        }
        header(field, at)?;
        at = next;
    }
}

/// RFC 9110 §5.6.2.
fn is_token(text: &[u8]) -> bool {
    let special = b"!#$%&'*+-.^_`|~";
    !text.is_empty()
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || special.contains(byte))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> std::result::Result<RawRequest, String> {
        RawRequest::parse(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_request_is_read_with_its_body() {
        let get = parsed("GET /a?b=c HTTP/1.1\r\nHost: x\r\naccept:  text/plain \r\n\r\n").unwrap();
        assert_eq!((get.method.as_str(), get.path.as_str()), ("GET", "/a?b=c"));
        assert_eq!(get.values("Accept").collect::<Vec<_>>(), ["text/plain"]);
        assert_eq!((get.body.len(), get.chunked), (0, false));
        let post = parsed("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n20").unwrap();
        assert_eq!((&post.body[..], post.chunked), (&b"20"[..], false));
        let chunks = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n1;x=y\r\n2\r\n2\r\n0z\r\n0\r\nT: u\r\n\r\n";
        let post = parsed(chunks).unwrap();
        assert_eq!((&post.body[..], post.chunked), (&b"20z"[..], true));
    }

    #[test]
    fn every_beginning_of_a_request_is_refused() {
        for whole in [
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n20",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n20\r\n0\r\n\r\n",
        ] {
            assert!(parsed(whole).is_ok());
            for cut in 0..whole.len() {
                assert!(parsed(&whole[..cut]).is_err(), "{:?}", &whole[..cut]);
            }
            let more = parsed(&format!("{whole}G")).unwrap_err();
            assert!(more.contains("more bytes after the end"), "{more}");
        }
    }

    #[test]
    fn what_is_no_request_is_named_with_its_place() {
        let host = |fields: &str| format!("GET / HTTP/1.1\r\nHost: x\r\n{fields}\r\n\r\n");
        for (text, why) in [
            (
                "GET / HTTP/1.1\nHost: x\n\n".to_owned(),
                "end in CR LF, at byte 14",
            ),
            (
                "GET / HTTP/1.0\r\nHost: x\r\n\r\n".to_owned(),
                "other than HTTP/1.1",
            ),
            ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), "three words"),
            (
                "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
                "no method and path",
            ),
            (
                "GET / HTTP/1.1\r\n\r\n".to_owned(),
                "without a header field `Host`",
            ),
            (host("hOST: y"), "several header fields `Host`"),
            (host("A : b"), "an invalid header name, at byte 25"),
            (host(" b"), "without a colon"),
            (host("A: \0"), "a control character"),
            (
                host("Content-Length: 1\r\nContent-Length: 1"),
                "several header fields `Content-Length`",
            ),
            (host("Content-Length: +1"), "not a number"),
            (host("Content-Length: 99999999999999999999"), "not a number"),
            (
                host("Content-Length: 18446744073709551615"),
                "shorter than its `Content-Length`",
            ),
            (host("Content-Length: 1\r\nTransfer-Encoding: chunked"), "both"),
            (host("Transfer-Encoding: gzip, chunked"), "other than `chunked`"),
            (host("Transfer-Encoding: chunked") + "-1\r\n\r\n", "hex number"),
            (
                host("Transfer-Encoding: chunked") + "fffffffff\r\n\r\n",
                "hex number",
            ),
            (
                host("Transfer-Encoding: chunked") + "1\r\nab\r\n0\r\n\r\n",
                "no line end after a chunk",
            ),
        ] {
            let error = parsed(&text).unwrap_err();
            assert!(error.contains(why), "{text:?}: {error}");
        }
    }
}
