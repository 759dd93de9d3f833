//! Where a message ends in received bytes: its length goes before it, in four bytes, the highest first.

/// The most bytes of a frame before both sides have proved that they know the key.
pub(crate) const GREETING: usize = 2048;

/// The most bytes of a frame after that. The files of a plan are in one, and its text may take six bytes for one.
pub(crate) const MESSAGE: usize = 64 << 20;

/// Bytes before a frame's content.
const HEAD: usize = 4;

/// A frame that is longer than it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLong;

/// A content with its length before it; none where it is too long.
pub(crate) fn framed(content: &[u8], most: usize) -> Option<Vec<u8>> {
    let length = u32::try_from(content.len())
        .ok()
        .filter(|_| content.len() <= most)?;
    let mut frame = Vec::with_capacity(HEAD + content.len());
    frame.extend_from_slice(&length.to_be_bytes());
    frame.extend_from_slice(content);
    Some(frame)
}

/// Received bytes, and the frames in them.
#[derive(Debug)]
pub(crate) struct Frames {
    bytes: Vec<u8>,
    most: usize,
}

impl Frames {
    /// Accepts frames of up to `most` bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            bytes: Vec::new(),
            most,
        }
    }

    /// From now on frames of up to `most` bytes are accepted.
    pub(crate) fn allow(&mut self, most: usize) {
        self.most = most;
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The content of the next frame, once all of it is there. A length that is not allowed is refused as soon as it is
    /// seen, so that nothing is kept of such a frame.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, TooLong> {
        let Some((head, rest)) = self.bytes.split_first_chunk::<HEAD>() else {
            return Ok(None);
        };
        let length = u32::from_be_bytes(*head) as usize;
        if length > self.most {
            return Err(TooLong);
        }
        let Some(content) = rest.get(..length).map(<[u8]>::to_vec) else {
            return Ok(None);
        };
        self.bytes.drain(..HEAD + length);
        Ok(Some(content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_found_however_their_bytes_come() {
        let mut sent = framed(b"first", 10).unwrap();
        sent.extend(framed(b"", 10).unwrap());
        sent.extend(framed(b"0123456789", 10).unwrap());
        for step in 1..=sent.len() {
            let (mut frames, mut found) = (Frames::new(10), Vec::new());
            for bytes in sent.chunks(step) {
                frames.push(bytes);
                while let Some(content) = frames.next().unwrap() {
                    found.push(content);
                }
            }
            assert_eq!(
                found,
                [b"first".to_vec(), Vec::new(), b"0123456789".to_vec()],
                "{step}"
            );
        }
    }

    #[test]
    fn what_is_too_long_is_refused_by_its_length_alone() {
        assert_eq!(framed(b"0123456789", 9), None);
        let mut frames = Frames::new(9);
        frames.push(&[0, 0, 0, 9]);
        assert_eq!(frames.next(), Ok(None));
        let mut frames = Frames::new(9);
        frames.push(&[0, 0, 0, 10]);
        assert_eq!(frames.next(), Err(TooLong));
        frames.allow(10);
        assert_eq!(frames.next(), Ok(None));
    }
}
