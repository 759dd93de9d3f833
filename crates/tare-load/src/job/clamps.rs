//! Requests for odd numbers of rows, which a server must bring to 1 to 500, as FrameworkBenchmarks has it.

use tare_model::manifest::{HttpAnswer, HttpJob};

/// What stands in place of the number, and how many rows must come then.
const ODD: [(&str, u32); 5] = [("2", 2), ("0", 1), ("foo", 1), ("", 1), ("501", 500)];

/// A job's requests with other numbers of rows; none where its path does not end with `=` and the number.
pub(super) fn jobs(job: &HttpJob) -> Vec<HttpJob> {
    let count = match &job.answer {
        Some(HttpAnswer::WorldList { count, .. } | HttpAnswer::WorldUpdates { count, .. }) => *count,
        _ => None,
    };
    let number = count.map(|count| count.to_string());
    let stem = number.and_then(|number| job.path.strip_suffix(&number));
    let Some(stem) = stem.filter(|stem| stem.ends_with('=')) else {
        return Vec::new();
    };
    let odd = ODD.iter().map(|(text, rows)| HttpJob {
        path: format!("{stem}{text}"),
        answer: job.answer.clone().map(|answer| with_count(answer, *rows)),
        ..job.clone()
    });
    odd.collect()
}

fn with_count(mut answer: HttpAnswer, rows: u32) -> HttpAnswer {
    if let HttpAnswer::WorldList { count, .. } | HttpAnswer::WorldUpdates { count, .. } = &mut answer {
        *count = Some(rows);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, count: Option<u32>) -> Vec<(String, Option<u32>)> {
        let job = HttpJob {
            path: path.to_owned(),
            answer: Some(HttpAnswer::WorldUpdates { rows: 10_000, count }),
            ..HttpJob::default()
        };
        let jobs = jobs(&job).into_iter().map(|job| match job.answer {
            Some(HttpAnswer::WorldUpdates { count, .. }) => (job.path, count),
            other => panic!("{other:?}"),
        });
        jobs.collect()
    }

    #[test]
    fn odd_numbers_stand_in_the_place_of_the_number() {
        let expected = [
            ("/updates?queries=2", 2),
            ("/updates?queries=0", 1),
            ("/updates?queries=foo", 1),
            ("/updates?queries=", 1),
            ("/updates?queries=501", 500),
        ];
        let expected = expected.map(|(path, count)| (path.to_owned(), Some(count)));
        assert_eq!(of("/updates?queries=20", Some(20)), expected);
        for (path, count) in [
            ("/updates/20", Some(20)),
            ("/updates?queries=20", Some(2)),
            ("/", None),
        ] {
            assert_eq!(of(path, count), [], "{path}");
        }
    }
}
