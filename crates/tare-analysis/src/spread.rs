//! The distribution of a command's runs.

use tare_model::measure::SliceReading;
use tare_model::spread::Spread;
use tare_model::units::Seconds;

/// The distribution over all slices of a command; none without a run.
pub(crate) fn of(slices: &[&SliceReading]) -> Option<Spread> {
    let runs = slices.iter().flat_map(|reading| &reading.load.programs);
    let mut runs: Vec<f64> = runs.map(|run| run.0).collect();
    runs.sort_by(f64::total_cmp);
    let (least, most) = (*runs.first()?, *runs.last()?);
    let count = runs.len() as f64;
    let mean = runs.iter().sum::<f64>() / count;
    let squares: f64 = runs.iter().map(|run| (run - mean).powi(2)).sum();
    let middle = (runs[(runs.len() - 1) / 2] + runs[runs.len() / 2]) / 2.0;
    Some(Spread {
        runs: runs.len() as u64,
        mean: Seconds(mean),
        deviation: (runs.len() > 1).then(|| Seconds((squares / (count - 1.0)).sqrt())),
        median: Seconds(middle),
        least: Seconds(least),
        most: Seconds(most),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(runs: &[f64]) -> SliceReading {
        let mut reading = SliceReading::default();
        reading.load.programs = runs.iter().copied().map(Seconds).collect();
        reading
    }

    #[test]
    fn runs_of_all_slices_are_counted_together() {
        let slices = [slice(&[4.0, 1.0]), slice(&[]), slice(&[1.0, 6.0])];
        let spread = of(&slices.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!((spread.runs, spread.mean), (4, Seconds(3.0)));
        // (1 + 4 + 4 + 9) / 3
        assert_eq!(spread.deviation, Some(Seconds(6.0f64.sqrt())));
        assert_eq!(spread.median, Seconds(2.5));
        assert_eq!((spread.least, spread.most), (Seconds(1.0), Seconds(6.0)));
        let odd = of(&[&slice(&[3.0, 9.0, 5.0])]).unwrap();
        assert_eq!(odd.median, Seconds(5.0));
        let one = of(&[&slice(&[3.0])]).unwrap();
        assert_eq!((one.median, one.deviation), (Seconds(3.0), None));
        assert_eq!(of(&[&slice(&[])]), None);
    }
}
