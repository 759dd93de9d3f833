//! What is wrong with manifests: every problem of a file, each with its line and a hint.

use std::fmt;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file or folder, relative to the lab's folder.
    pub file: String,
    /// The line, from 1; none for a problem of the whole file.
    pub line: Option<u32>,
    /// What was expected and what was found.
    pub text: String,
    /// What to do about it, where that is known.
    pub hint: Option<String>,
}

/// Everything that is wrong with what was read: at least one problem, in the order of files and lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestError {
    /// The problems.
    pub problems: Vec<Problem>,
}

impl Problem {
    /// A problem with a file or folder as a whole.
    pub fn whole(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: None,
            text: text.into(),
            hint: None,
        }
    }

    /// The same, at a line.
    pub(super) fn at(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }

    /// The same, with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<Problem> for ManifestError {
    fn from(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.text)?,
            None => write!(f, "{}: {}", self.file, self.text)?,
        }
        match &self.hint {
            Some(hint) => write!(f, "\n\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ManifestError {
    /// Each problem on a line of its own; a hint follows after a blank line, and another blank line ends it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut previous: Option<&Problem> = None;
        for problem in &self.problems {
            match previous {
                Some(last) if last.hint.is_some() => f.write_str("\n\n")?,
                Some(_) => f.write_str("\n")?,
                None => {}
            }
            problem.fmt(f)?;
            previous = Some(problem);
        }
        Ok(())
    }
}

impl std::error::Error for ManifestError {}
