//! A manifest that is being read: where its lines are, and everything that is wrong with it so far.

use std::cell::RefCell;
use std::ops::Range;

use super::error::{ManifestError, Problem};

/// More problems than this are cut off.
const MAX_PROBLEMS: usize = 100;

/// A file being read.
pub(super) struct Source {
    file: String,
    starts: Vec<usize>,
    problems: RefCell<Vec<Problem>>,
}

/// A value and the line that it is on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot<T> {
    pub value: T,
    pub line: u32,
}

impl Source {
    /// `file`: the path that problems give, relative to the lab's folder.
    pub(super) fn new(file: &str, text: &str) -> Self {
        let after = text
            .match_indices('\n')
            .map(|(at, _)| at + 1)
            .filter(|at| *at < text.len());
        Self {
            file: file.to_owned(),
            starts: std::iter::once(0).chain(after).collect(),
            problems: RefCell::default(),
        }
    }

    /// The file, relative to the lab's folder.
    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// The line on which a span begins.
    pub(super) fn line(&self, span: Option<Range<usize>>) -> Option<u32> {
        let span = span?;
        Some(self.starts.partition_point(|start| *start <= span.start) as u32)
    }

    /// Reports a problem, unless the same one has been reported: what a contender sets for all its variants is
    /// checked with each of them.
    pub(super) fn report(&self, problem: Problem) {
        if !self.problems.borrow().contains(&problem) {
            self.problems.borrow_mut().push(problem);
        }
    }

    /// Reports a problem at a line.
    pub(super) fn problem(&self, line: u32, text: impl Into<String>, hint: Option<String>) {
        self.report(Problem {
            hint,
            ..Problem::whole(&self.file, text).at(line)
        });
    }

    /// Reports a problem with its hint.
    pub(super) fn hinted(&self, line: u32, text: impl Into<String>, hint: impl Into<String>) {
        self.problem(line, text, Some(hint.into()));
    }

    /// Reports the problems of another file that this one depends on.
    pub(super) fn foreign(&self, error: &ManifestError) {
        self.problems.borrow_mut().extend(error.problems.iter().cloned());
    }

    /// The value, if nothing was wrong.
    pub(super) fn close<T>(self, value: Option<T>) -> Result<T, ManifestError> {
        let mut problems = self.problems.into_inner();
        match value {
            Some(value) if problems.is_empty() => Ok(value),
            _ => {
                // Problems of other files come last; within a file they are in the order of lines.
                problems.sort_by_key(|problem| (problem.file != self.file, problem.line));
                problems.dedup();
                cut(&mut problems);
                Err(ManifestError { problems })
            }
        }
    }
}

/// Keeps the first problems, and replaces the rest by their number.
fn cut(problems: &mut Vec<Problem>) {
    let Some(more) = problems.len().checked_sub(MAX_PROBLEMS).filter(|more| *more > 0) else {
        return;
    };
    let first_cut = problems.swap_remove(MAX_PROBLEMS);
    problems.truncate(MAX_PROBLEMS);
    problems.push(Problem {
        text: format!("and {more} more, from here on"),
        hint: None,
        ..first_cut
    });
}

impl<T> Spot<T> {
    /// Another value at the same line.
    pub(super) fn map<U>(self, f: impl FnOnce(T) -> U) -> Spot<U> {
        Spot {
            value: f(self.value),
            line: self.line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one_and_end_with_the_text() {
        let source = Source::new("x", "a\nb\n\nc\n");
        let at = |at: usize| source.line(Some(at..at));
        assert_eq!(
            [at(0), at(1), at(2), at(4), at(5), at(7)],
            [1, 1, 2, 3, 4, 4].map(Some)
        );
        assert_eq!(source.line(None), None);
    }
}
