//! Rows of the table `world(id, randomNumber)`.

use serde_json::Value;

/// What a value is that is no row.
pub(super) const NO_ROW: &str = "it is no object of two whole numbers, `id` and `randomNumber`";

/// The number that the table holds in a row.
fn number_of(id: u64) -> u64 {
    id.wrapping_mul(48_271) % 2_147_483_647 % 10_000 + 1
}

/// What precedes the number of a row.
const NUMBER: &[u8] = b",\"randomNumber\":";

/// Reads `{"id":N,"randomNumber":M}`, exactly so but for the case of the names, which the suite's own verification ignores. None: the body may still mean a row.
pub(super) fn scan(body: &[u8]) -> Option<(u64, u64)> {
    let (row, rest) = scan_first(body)?;
    rest.is_empty().then_some(row)
}

/// The same, with what follows it.
#[inline]
pub(super) fn scan_first(body: &[u8]) -> Option<((u64, u64), &[u8])> {
    let (id, rest) = digits(body.strip_prefix(b"{\"id\":")?)?;
    let (name, rest) = rest.split_at_checked(NUMBER.len())?;
    let (number, rest) = digits(name.eq_ignore_ascii_case(NUMBER).then_some(rest)?)?;
    Some(((id, number), rest.strip_prefix(b"}")?))
}

/// A number without leading zeros.
fn digits(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let len = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = bytes.split_at(len);
    let valid = (1..=18).contains(&len) && (digits[0] != b'0' || len == 1);
    let add = |sum: u64, digit: &u8| sum * 10 + u64::from(digit - b'0');
    valid.then(|| (digits.iter().fold(0, add), rest))
}

/// Whether a table of `rows` rows holds this number in this row.
#[inline]
pub(super) fn is_in_table(id: u64, number: u64, rows: u32) -> bool {
    is_id(id, rows) && number == number_of(id)
}

/// Whether it is the id of a row.
pub(super) fn is_id(id: u64, rows: u32) -> bool {
    (1..=u64::from(rows)).contains(&id)
}

/// Reads a row and compares it with the table.
///
/// # Errors
/// Why it is not a row of a table of `rows` rows.
pub(crate) fn check(body: &[u8], rows: u32) -> Result<(u64, u64), String> {
    let by_meaning = || of_value(&serde_json::from_slice(body).ok()?);
    let row = scan(body).or_else(by_meaning).ok_or(NO_ROW)?;
    is_true(row, rows)?;
    Ok(row)
}

/// Compares a row with the table.
///
/// # Errors
/// Why it is not a row of a table of `rows` rows.
pub(super) fn is_true((id, number): (u64, u64), rows: u32) -> Result<(), String> {
    if !is_id(id, rows) {
        return Err(format!("the id {id} is outside the table"));
    }
    if number != number_of(id) {
        return Err(format!("row {id} of the table holds {}", number_of(id)));
    }
    Ok(())
}

/// The row that a JSON value means.
pub(super) fn of_value(value: &Value) -> Option<(u64, u64)> {
    let object = value.as_object().filter(|object| object.len() == 2)?;
    let member = |wanted: &str| {
        let named = |(name, _): &(&String, &Value)| name.eq_ignore_ascii_case(wanted);
        object.iter().find(named)?.1.as_u64()
    };
    Some((member("id")?, member("randomNumber")?))
}

/// A right row, as servers write it.
#[cfg(test)]
pub(crate) fn written(id: u64) -> String {
    format!("{{\"id\":{id},\"randomNumber\":{}}}", number_of(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_compared_with_the_table() {
        assert_eq!((number_of(1), number_of(2), number_of(10_000)), (8272, 6543, 1));
        for id in [1, 2, 9999, 10_000] {
            assert_eq!(check(written(id).as_bytes(), 10_000), Ok((id, number_of(id))));
            assert!(scan(written(id).as_bytes()).is_some());
        }
        let lower = written(7).to_lowercase();
        assert!(scan(lower.as_bytes()).is_some());
        assert_eq!(check(lower.as_bytes(), 10_000), Ok((7, number_of(7))));
        let loose = " { \"randomNumber\" : 8272 ,\n\"id\": 1 } ";
        assert_eq!(scan(loose.as_bytes()), None);
        assert_eq!(check(loose.as_bytes(), 10_000), Ok((1, 8272)));
        for (body, why) in [
            (written(0), "outside"),
            (written(10_001), "outside"),
            (
                written(7).replace("\"id\":7", "\"id\":8"),
                "row 8 of the table holds",
            ),
            ("{\"id\":1}".into(), "two whole numbers"),
            ("{\"id\":1,\"ID\":8272}".into(), "two whole numbers"),
            ("{\"id\":\"1\",\"randomNumber\":8272}".into(), "two whole numbers"),
            (
                "{\"id\":1,\"randomNumber\":8272,\"x\":1}".into(),
                "two whole numbers",
            ),
            ("{\"id\":01,\"randomNumber\":8272}".into(), "two whole numbers"),
            ("{\"id\":1.0,\"randomNumber\":8272}".into(), "two whole numbers"),
            ("".into(), "two whole numbers"),
        ] {
            let error = check(body.as_bytes(), 10_000).unwrap_err();
            assert!(error.contains(why), "{body}: {error}");
        }
    }
}
