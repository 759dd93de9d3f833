//! Content codings (RFC 9110 §8.4.1): bodies that were compressed, decoded before they are checked.
//!
//! An answer says itself how much it holds, in a few bytes: so what comes out is bounded.

use std::io::Read;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::bufread::MultiGzDecoder;

/// The longest decoded body: 64 MiB.
pub(crate) const LONGEST: usize = 64 << 20;

/// Bytes that are decoded at a time.
const PIECE: usize = 64 << 10;

/// A content coding that is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    Brotli,
}

/// How a coding is undone.
trait Decode {
    /// Decodes a whole body, which must end with its bytes.
    ///
    /// # Errors
    /// It is not encoded so, not whole, or longer than `most` bytes.
    fn decode(&self, coded: &[u8], most: usize) -> Result<Vec<u8>, String>;
}

impl Coding {
    /// The coding that `Content-Encoding` names; none: no coding, or one that is not known here.
    pub(crate) fn named(value: Option<&[u8]>) -> Option<Self> {
        let name = value?.trim_ascii();
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        if is("gzip") || is("x-gzip") {
            Some(Self::Gzip)
        } else if is("br") {
            Some(Self::Brotli)
        } else {
            None
        }
    }

    /// Its name in `Content-Encoding`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Brotli => "br",
        }
    }

    /// Decodes a whole body. An empty one stays empty: answers to HEAD name the coding, too.
    ///
    /// # Errors
    /// It is not encoded so, not whole, or longer than `most` bytes.
    pub(crate) fn decode(self, coded: &[u8], most: usize) -> Result<Vec<u8>, String> {
        if coded.is_empty() {
            return Ok(Vec::new());
        }
        let decoder: &dyn Decode = match self {
            Self::Gzip => &Gzip,
            Self::Brotli => &Brotli,
        };
        decoder.decode(coded, most)
    }
}

fn too_long(most: usize) -> String {
    format!("more than {most} bytes are in it, which is more than there may be")
}

/// RFC 1952. Several members in a row are one body.
struct Gzip;

impl Decode for Gzip {
    fn decode(&self, coded: &[u8], most: usize) -> Result<Vec<u8>, String> {
        let mut body = Vec::new();
        let mut decoder = MultiGzDecoder::new(coded).take(most as u64 + 1);
        decoder
            .read_to_end(&mut body)
            .map_err(|error| error.to_string())?;
        if body.len() > most {
            return Err(too_long(most));
        }
        Ok(body)
    }
}

/// RFC 7932, without the large windows that browsers do not take.
struct Brotli;

impl Decode for Brotli {
    fn decode(&self, coded: &[u8], most: usize) -> Result<Vec<u8>, String> {
        let mut state = BrotliState::<StandardAlloc, StandardAlloc, StandardAlloc>::new_strict(
            StandardAlloc::default(),
            StandardAlloc::default(),
            StandardAlloc::default(),
        );
        let (mut body, mut piece) = (Vec::new(), vec![0; PIECE]);
        let (mut left, mut read, mut total) = (coded.len(), 0, 0);
        loop {
            let (mut room, mut written) = (piece.len(), 0);
            let result = BrotliDecompressStream(
                &mut left,
                &mut read,
                coded,
                &mut room,
                &mut written,
                &mut piece,
                &mut total,
                &mut state,
            );
            body.extend_from_slice(&piece[..written]);
            if body.len() > most {
                return Err(too_long(most));
            }
            match result {
                BrotliResult::ResultSuccess if left == 0 => return Ok(body),
                BrotliResult::ResultSuccess => return Err(format!("{left} bytes follow its end")),
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::NeedsMoreInput => return Err("its end is missing".to_owned()),
                BrotliResult::ResultFailure => return Err("invalid brotli stream".to_owned()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// `hello`, by Node's zlib.
    const HELLO_BR: &[u8] = b"\x0b\x02\x80hello\x03";

    /// 8 MiB of zeros, by Node's zlib with the largest window.
    const BOMB_BR: &[u8] = b"\x9f\xff\xff\x7f\xf8\x27\x00\xe2\xb1\x40\x20\xf7\xfe\x0f";

    fn gzipped(body: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap()
    }

    fn decoded(coding: Coding, coded: &[u8], most: usize) -> Result<String, String> {
        coding
            .decode(coded, most)
            .map(|body| String::from_utf8(body).unwrap())
    }

    #[test]
    fn a_coding_is_known_by_its_names() {
        let of = |name: &str| Coding::named(Some(name.as_bytes()));
        assert_eq!(
            (of("gzip"), of(" X-GZip ")),
            (Some(Coding::Gzip), Some(Coding::Gzip))
        );
        assert_eq!((of("BR"), of("deflate")), (Some(Coding::Brotli), None));
        assert_eq!(
            (of("identity"), of("gzip, br"), Coding::named(None)),
            (None, None, None)
        );
    }

    #[test]
    fn bodies_are_decoded_whole_or_not_at_all() {
        let gzip = gzipped(b"hello");
        for (coding, coded) in [(Coding::Gzip, &gzip[..]), (Coding::Brotli, HELLO_BR)] {
            assert_eq!(decoded(coding, coded, 5).as_deref(), Ok("hello"), "{coding:?}");
            assert_eq!(decoded(coding, b"", 5).as_deref(), Ok(""));
            let long = decoded(coding, coded, 4).unwrap_err();
            assert!(long.contains("more than 4 bytes"), "{long}");
            for cut in 1..coded.len() {
                assert!(
                    decoded(coding, &coded[..cut], 5).is_err(),
                    "{coding:?} cut at {cut}"
                );
            }
            let more = [coded, b"x"].concat();
            assert!(decoded(coding, &more, 5).is_err(), "{coding:?} with more");
            assert!(decoded(coding, b"hello", 5).is_err());
        }
        let twice = [&gzip[..], &gzip].concat();
        assert_eq!(decoded(Coding::Gzip, &twice, 10).as_deref(), Ok("hellohello"));
        // Its checksum.
        let mut lie = gzip;
        let at = lie.len() - 8;
        lie[at] ^= 1;
        assert!(decoded(Coding::Gzip, &lie, 5).is_err());
    }

    #[test]
    fn what_swells_is_stopped_early() {
        let zeros = gzipped(&vec![0; 8 << 20]);
        for (coding, coded) in [(Coding::Gzip, &zeros[..]), (Coding::Brotli, BOMB_BR)] {
            assert!(coded.len() < 10_000);
            let error = coding.decode(coded, 1000).unwrap_err();
            assert!(error.contains("more than 1000 bytes"), "{coding:?}: {error}");
        }
    }
}
