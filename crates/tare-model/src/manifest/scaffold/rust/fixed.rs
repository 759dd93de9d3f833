/// The job: every line has the same answer. False would end the connection.
fn answer(out: &mut Vec<u8>, _line: &[u8]) -> bool {
    out.extend_from_slice(@EXPECT@);
    out.push(b'\n');
    true
}

