//! What takes long or needs a browser: `cargo test -p tare-report -- --ignored slow`.

mod browser;

#[test]
#[ignore = "slow: 150 results, of which the others write 25"]
fn many_random_results_are_written_correctly() {
    super::chance::written_well(150);
}
