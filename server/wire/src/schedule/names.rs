//! Ids of the caller, which the planner does not know.

use crate::values::Ids;

/// The names in a project.
#[derive(Debug, Default)]
pub struct Names {
    /// Ids of the activities.
    pub activities: Ids,
    /// For each activity the ids of its modes.
    pub modes: Vec<Ids>,
    /// Ids of the resources.
    pub resources: Ids,
}

impl anytime::Names for Names {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        match kind {
            "activity" => self.activities.list().get(index).cloned(),
            "resource" => self.resources.list().get(index).cloned(),
            _ => None,
        }
    }
}
