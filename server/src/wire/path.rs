//! Where in a request something is.

use std::fmt::{Display, Formatter, Result};

/// Path of a field in the caller's request, as in `problem.tasks[3].windows[0].close_offset`.
///
/// A chain of borrowed steps: costs nothing until somebody writes it down.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'p> {
    Message,
    Field(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    /// The request itself.
    pub(crate) const MESSAGE: Path<'static> = Path {
        parent: None,
        step: Step::Message,
    };

    /// A field of the request itself.
    pub(crate) fn root(field: &'p str) -> Self {
        Self {
            parent: None,
            step: Step::Field(field),
        }
    }

    /// A field of the message that this path leads to.
    pub(crate) fn field(&'p self, name: &'p str) -> Self {
        Self {
            parent: Some(self),
            step: Step::Field(name),
        }
    }

    /// An element of the list that this path leads to.
    pub(crate) fn index(&'p self, index: usize) -> Self {
        Self {
            parent: Some(self),
            step: Step::Index(index),
        }
    }
}

impl Display for Path<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let outer = self.parent.filter(|it| !matches!(it.step, Step::Message));
        if let Some(outer) = outer {
            outer.fmt(f)?;
        }
        match self.step {
            Step::Message => Ok(()),
            Step::Field(name) if outer.is_none() => f.write_str(name),
            Step::Field(name) => write!(f, ".{name}"),
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn a_path_reads_as_in_the_callers_request() {
        let problem = Path::root("problem");
        let tasks = problem.field("tasks");
        let task = tasks.index(3);
        assert_eq!(task.field("id").to_string(), "problem.tasks[3].id");
        assert_eq!(Path::MESSAGE.field("problem").to_string(), "problem");
    }
}
