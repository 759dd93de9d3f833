//! One job without a size, two with, and a command: what every kit's example does.

use probe::Probe;

fn main() -> std::io::Result<()> {
    let inputs: Vec<u64> = (0..64).map(|i| i * 7919).collect();
    Probe::new()
        .job(inputs.len(), |i| inputs[i].to_string())
        .sized(1, 7, |i| vec![b'a' + i as u8; i])
        .sized(8, 7, |i| probe::number((i as u64).wrapping_sub(1)))
        .command("twice", |word| Ok(probe::unhex(word)?.repeat(2)))
        .only(std::env::args().nth(1).and_then(|size| size.parse().ok()))
        .serve()
}
