//! Where in a request, a problem or a plan something is.

use std::fmt::{Display, Formatter, Result};

/// Path of a field, in the names of the contract, as in `tasks[3].windows[0].close_offset`.
///
/// A chain of borrowed steps: costs nothing until it is written down.
#[derive(Debug, Clone, Copy)]
pub struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Option<Step>,
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// To a field of a message.
    Field(&'static str),
    /// To an element of a list, counted from 0.
    Index(usize),
}

impl<'p> Path<'p> {
    /// The whole: the empty path.
    pub const WHOLE: Path<'static> = Path {
        parent: None,
        step: None,
    };

    /// A field of the whole.
    #[must_use]
    pub fn root(field: &'static str) -> Self {
        Self {
            parent: None,
            step: Some(Step::Field(field)),
        }
    }

    /// A field of the message that this path leads to.
    #[must_use]
    pub fn field(&'p self, name: &'static str) -> Self {
        self.with_step(Step::Field(name))
    }

    /// An element of the list that this path leads to.
    #[must_use]
    pub fn index(&'p self, index: usize) -> Self {
        self.with_step(Step::Index(index))
    }

    /// One step further.
    fn with_step(&'p self, step: Step) -> Self {
        Self {
            parent: Some(self),
            step: Some(step),
        }
    }

    /// All steps, from the whole on.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = self.parent.map_or_else(Vec::new, Path::steps);
        steps.extend(self.step);
        steps
    }
}

impl Display for Path<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&written(&self.steps()))
    }
}

/// Steps as the contract writes them.
///
/// ```
/// use anytime::Step::{Field, Index};
/// assert_eq!(anytime::written(&[Field("tasks"), Index(3), Field("id")]), "tasks[3].id");
/// ```
#[must_use]
pub fn written(steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Field(name) if path.is_empty() => path += name,
            Step::Field(name) => path.extend([".", name]),
            Step::Index(index) => path += &format!("[{index}]"),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn a_path_reads_as_in_the_contract() {
        let tasks = Path::root("tasks");
        let task = tasks.index(3);
        assert_eq!(task.field("id").to_string(), "tasks[3].id");
        assert_eq!(Path::WHOLE.field("problem").to_string(), "problem");
        assert_eq!(Path::WHOLE.to_string(), "");
    }
}
