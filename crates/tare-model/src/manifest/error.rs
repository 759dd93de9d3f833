//! What is wrong with manifests: every problem of a file, each with its line and a hint.

use std::fmt;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file or folder, relative to the lab's folder.
    pub file: String,
    /// The line, from 1; none where the file as a whole is meant.
    pub line: Option<u32>,
    /// What was expected and what was found.
    pub text: String,
    /// The hint, where one can be told.
    pub hint: Option<String>,
}

/// All that is wrong with what was asked for; at least one problem, in the order of files and lines.
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
    /// Each problem on its line; a hint follows a blank line, and another blank line parts it from the next.
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
