//! Frames (RFC 9113 §4 and §6): a header of 9 bytes (length, type, flags, stream), and content.

/// The length of a frame's header in bytes.
pub(super) const HEADER: usize = 9;

/// The most content of a frame, as long as our SETTINGS say nothing else; servers accept as much at the least.
pub(super) const MOST: usize = 16_384;

pub(super) const DATA: u8 = 0;
pub(super) const HEADERS: u8 = 1;
pub(super) const PRIORITY: u8 = 2;
pub(super) const RST_STREAM: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
pub(super) const PUSH_PROMISE: u8 = 5;
pub(super) const PING: u8 = 6;
pub(super) const GOAWAY: u8 = 7;
pub(super) const WINDOW_UPDATE: u8 = 8;
pub(super) const CONTINUATION: u8 = 9;

/// Flags; ACK and END_STREAM are one bit of different frames.
pub(super) const ACK: u8 = 1;
pub(super) const END_STREAM: u8 = 1;
pub(super) const END_HEADERS: u8 = 4;
pub(super) const PADDED: u8 = 8;
pub(super) const WITH_PRIORITY: u8 = 0x20;

/// Settings (§6.5.2).
pub(super) const HEADER_TABLE_SIZE: u16 = 1;
pub(super) const ENABLE_PUSH: u16 = 2;
pub(super) const MAX_CONCURRENT_STREAMS: u16 = 3;
pub(super) const INITIAL_WINDOW_SIZE: u16 = 4;
pub(super) const MAX_FRAME_SIZE: u16 = 5;

/// Errors (§7).
pub(super) const NO_ERROR: u32 = 0;
pub(super) const PROTOCOL_ERROR: u32 = 1;
pub(super) const FLOW_CONTROL_ERROR: u32 = 3;
pub(super) const STREAM_CLOSED: u32 = 5;
pub(super) const FRAME_SIZE_ERROR: u32 = 6;
pub(super) const REFUSED_STREAM: u32 = 7;
pub(super) const CANCEL: u32 = 8;
pub(super) const ENHANCE_YOUR_CALM: u32 = 11;

/// The window of a connection and of a stream before anything is said (§6.9.2), and the largest one.
pub(super) const FIRST_WINDOW: u32 = 65_535;
pub(super) const LARGEST_WINDOW: i64 = (1 << 31) - 1;

/// What a client sends first (§3.4).
pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A frame's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) len: usize,
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
}

impl Frame {
    #[inline]
    pub(super) fn read(header: &[u8; HEADER]) -> Self {
        let [a, b, c, kind, flags, d, e, f, g] = *header;
        Self {
            len: usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c),
            kind,
            flags,
            // One bit is reserved.
            stream: u32::from_be_bytes([d & 0x7f, e, f, g]),
        }
    }

    pub(super) fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Its content without padding and the fields of a priority.
    pub(super) fn content(self, payload: &[u8]) -> Result<&[u8], &'static str> {
        let mut content = payload;
        if self.has(PADDED) {
            let (&padding, rest) = payload
                .split_first()
                .ok_or("a padded frame without its padding")?;
            let kept = rest.len().checked_sub(usize::from(padding));
            content = &rest[..kept.ok_or("more padding than the frame has room for")?];
        }
        if self.kind == HEADERS && self.has(WITH_PRIORITY) {
            content = content.get(5..).ok_or("a priority that is cut")?;
        }
        Ok(content)
    }

    /// Its name, for a person.
    pub(super) fn name(self) -> String {
        const NAMES: [&str; 10] = [
            "DATA",
            "HEADERS",
            "PRIORITY",
            "RST_STREAM",
            "SETTINGS",
            "PUSH_PROMISE",
            "PING",
            "GOAWAY",
            "WINDOW_UPDATE",
            "CONTINUATION",
        ];
        match NAMES.get(usize::from(self.kind)) {
            Some(name) => (*name).to_owned(),
            None => format!("frames of type {}", self.kind),
        }
    }
}

/// Appends a frame.
pub(super) fn push(out: &mut Vec<u8>, kind: u8, flags: u8, stream: u32, content: &[u8]) {
    let [_, a, b, c] = (content.len() as u32).to_be_bytes();
    out.extend_from_slice(&[a, b, c, kind, flags]);
    out.extend_from_slice(&stream.to_be_bytes());
    out.extend_from_slice(content);
}

/// Appends SETTINGS.
pub(super) fn push_settings(out: &mut Vec<u8>, settings: &[(u16, u32)]) {
    let one = |(name, value): &(u16, u32)| [&name.to_be_bytes()[..], &value.to_be_bytes()[..]].concat();
    push(
        out,
        SETTINGS,
        0,
        0,
        &settings.iter().flat_map(one).collect::<Vec<u8>>(),
    );
}

/// Appends the frame that ends a connection with this error; no stream of the server's was processed.
pub(super) fn push_goaway(out: &mut Vec<u8>, error: u32) {
    push(out, GOAWAY, 0, 0, &[[0; 4], error.to_be_bytes()].concat());
}

/// The number in four bytes.
pub(super) fn number(content: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(content.try_into().ok()?))
}

/// The name of an error (§7), for a person.
pub(super) fn error(code: u32) -> String {
    const NAMES: [&str; 14] = [
        "NO_ERROR",
        "PROTOCOL_ERROR",
        "INTERNAL_ERROR",
        "FLOW_CONTROL_ERROR",
        "SETTINGS_TIMEOUT",
        "STREAM_CLOSED",
        "FRAME_SIZE_ERROR",
        "REFUSED_STREAM",
        "CANCEL",
        "COMPRESSION_ERROR",
        "CONNECT_ERROR",
        "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY",
        "HTTP_1_1_REQUIRED",
    ];
    match NAMES.get(code as usize) {
        Some(name) => (*name).to_owned(),
        None => format!("error {code}"),
    }
}
