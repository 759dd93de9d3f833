/// The decimal digits doubled from the right, without the zeros in front.
fn double(digits: &[u8]) -> Vec<u8> {
    let (mut doubled, mut carry) = (Vec::with_capacity(digits.len() + 1), 0);
    for digit in digits.iter().rev() {
        let twice = 2 * (digit - b'0') + carry;
        doubled.push(b'0' + twice % 10);
        carry = twice / 10;
    }
    doubled.push(b'0' + carry);
    while doubled.len() > 1 && doubled.last() == Some(&b'0') {
        doubled.pop();
    }
    doubled.reverse();
    doubled
}

/// The job: the double of an integer of any size; `end` ends the connection.
fn answer(out: &mut Vec<u8>, line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line == b"end" {
        return false;
    }
    let digits = line.strip_prefix(b"-").unwrap_or(line);
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        let doubled = double(digits);
        if line != digits && doubled != b"0" {
            out.push(b'-');
        }
        out.extend_from_slice(&doubled);
    } else {
        out.extend_from_slice(b"not an integer");
    }
    out.push(b'\n');
    true
}

