//! Alerts by their names (RFC 8446 §6, and the registry of TLS parameters).

/// The last bytes of a connection.
pub(crate) const CLOSE_NOTIFY: u8 = 0;

pub(crate) const UNEXPECTED_MESSAGE: u8 = 10;
pub(crate) const BAD_RECORD_MAC: u8 = 20;
pub(crate) const RECORD_OVERFLOW: u8 = 22;

/// Says nothing by itself; close_notify follows.
pub(crate) const USER_CANCELED: u8 = 90;

/// `bad_record_mac (20)`.
pub(crate) fn named(code: u8) -> String {
    match NAMES.iter().find(|(known, _)| *known == code) {
        Some((_, name)) => format!("{name} ({code})"),
        None => format!("number {code}"),
    }
}

const NAMES: [(u8, &str); 32] = [
    (CLOSE_NOTIFY, "close_notify"),
    (UNEXPECTED_MESSAGE, "unexpected_message"),
    (BAD_RECORD_MAC, "bad_record_mac"),
    (21, "decryption_failed"),
    (RECORD_OVERFLOW, "record_overflow"),
    (30, "decompression_failure"),
    (40, "handshake_failure"),
    (42, "bad_certificate"),
    (43, "unsupported_certificate"),
    (44, "certificate_revoked"),
    (45, "certificate_expired"),
    (46, "certificate_unknown"),
    (47, "illegal_parameter"),
    (48, "unknown_ca"),
    (49, "access_denied"),
    (50, "decode_error"),
    (51, "decrypt_error"),
    (70, "protocol_version"),
    (71, "insufficient_security"),
    (80, "internal_error"),
    (86, "inappropriate_fallback"),
    (USER_CANCELED, "user_canceled"),
    (100, "no_renegotiation"),
    (109, "missing_extension"),
    (110, "unsupported_extension"),
    (112, "unrecognized_name"),
    (113, "bad_certificate_status_response"),
    (115, "unknown_psk_identity"),
    (116, "certificate_required"),
    (117, "general_error"),
    (120, "no_application_protocol"),
    (121, "ech_required"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alerts_have_names_and_numbers() {
        assert_eq!(named(120), "no_application_protocol (120)");
        assert_eq!(named(255), "number 255");
    }
}
