//! A slice takes little room.

use tare_model::histogram::Histogram;
use tare_model::record::Phase;

use super::round_trip::empty;
use super::sample;

/// Times spread as those of a busy server are: a log-normal body and a tail that is ten times as long.
fn times(rng: &mut fastrand::Rng, centre: f64) -> Histogram {
    let mut histogram = Histogram::new();
    for _ in 0..4000 {
        // The sum of twelve uniforms is nearly normal (mean 6, variance 1).
        let normal = (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
        let stretch = if rng.u8(0..100) == 0 { 10.0 } else { 1.0 };
        histogram.record((centre * stretch * (0.25 * normal).exp()) as u64);
    }
    histogram
}

#[test]
fn a_slice_of_four_thousand_answers_takes_less_than_1500_bytes() {
    let (_folder, store) = empty();
    let mut rng = fastrand::Rng::with_seed(6);
    let mut writer = store.begin_run(&sample::new_run(&mut rng)).unwrap();
    let key = writer.arena(&sample::arena_of(&mut rng, 10)).unwrap();
    let pages = || -> i64 {
        let count = store
            .connection
            .pragma_query_value(None, "page_count", |row| row.get(0));
        count.unwrap()
    };
    let before = pages();
    for round in 0..20 {
        let mut slices = sample::round_of(&mut rng, Phase::Round, 0, round, 10);
        for slice in &mut slices {
            slice.reading.load.latency = times(&mut rng, 80_000.0);
            slice.reading.load.lag = times(&mut rng, 25_000.0);
        }
        writer.round(key, &slices).unwrap();
    }
    let each = (pages() - before) * 4096 / 200;
    assert!(each <= 1500, "{each} bytes a slice");
}
