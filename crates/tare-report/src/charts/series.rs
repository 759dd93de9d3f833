//! Several curves in one plot: how each looks, and where its name is.

use crate::draw::{Anchor, Canvas};

/// Colours, which series take in turn.
const COLOURS: usize = 10;

/// The least distance between two names, in pixels.
pub(super) const LABEL: f64 = 15.0;

/// The end of a curve.
#[derive(Debug, Clone)]
pub(super) struct End {
    /// The series' number, from 0.
    pub index: usize,
    /// The series' name.
    pub name: String,
    /// Where the curve ends.
    pub at: (f64, f64),
}

/// The number of a series' colour.
pub(super) fn colour(index: usize) -> usize {
    index % COLOURS
}

/// The class of a series' colour, and of its dashes, by which those of one colour differ.
pub(super) fn look(index: usize) -> String {
    format!("s{} d{}", colour(index), (index / 3) % 4)
}

/// Names at the ends of the curves, moved apart until none overlap, with hair lines to those that moved.
pub(super) fn labels(canvas: &mut Canvas, mut ends: Vec<End>, right: f64, top: f64, bottom: f64) {
    ends.sort_by(|a, b| a.at.1.total_cmp(&b.at.1));
    let wanted: Vec<f64> = ends.iter().map(|end| end.at.1).collect();
    for (end, y) in ends.iter().zip(apart(&wanted, top, bottom)) {
        let leader = [end.at, (right + 6.0, end.at.1), (right + 16.0, y)];
        canvas.curve(&leader, "leader");
        let class = format!("name t{}", colour(end.index));
        canvas.text(right + 20.0, y + 4.0, Anchor::Start, &class, &end.name);
    }
}

/// Places at least one label apart, in order, as near to the wanted ones as one pass down and one up bring them.
fn apart(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut places = wanted.to_vec();
    let mut least = top;
    for place in &mut places {
        *place = place.max(least);
        least = *place + LABEL;
    }
    let mut most = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - LABEL;
    }
    places
}

/// Names with a sample of their curves, one on each line. Returns where the last line ends.
pub(super) fn legend(canvas: &mut Canvas, top: f64, names: impl IntoIterator<Item = (usize, String)>) -> f64 {
    let mut y = top;
    for (index, name) in names {
        canvas.curve(
            &[(0.0, y - 4.0), (34.0, y - 4.0)],
            &format!("curve {}", look(index)),
        );
        canvas.text(42.0, y, Anchor::Start, "name", &name);
        y += 17.0;
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_move_apart_and_stay_within() {
        let places = apart(&[100.0, 101.0, 102.0, 290.0, 299.0], 0.0, 300.0);
        assert!(
            places.windows(2).all(|pair| pair[1] - pair[0] >= LABEL - 1e-9),
            "{places:?}"
        );
        assert!(places.iter().all(|&y| (0.0..=300.0).contains(&y)), "{places:?}");
    }
}
