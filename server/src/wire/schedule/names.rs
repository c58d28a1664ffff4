//! Ids of the caller, which the planner does not know.

use crate::wire::values::Ids;

/// The names in a project.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Ids of the activities.
    pub activities: Ids,
    /// For each activity the ids of its modes.
    pub modes: Vec<Ids>,
    /// Ids of the resources.
    pub resources: Ids,
    /// For each precedence the ids of its activities.
    pub precedences: Vec<[String; 2]>,
}

impl anytime::Names for Names {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        match kind {
            "activity" => self.activities.list().get(index).cloned(),
            "resource" => self.resources.list().get(index).cloned(),
            _ => None,
        }
    }

    fn name(&self, kind: &str, index: usize) -> String {
        use crate::wire::values::shown;
        match (kind, self.precedences.get(index)) {
            ("precedence", Some([from, to])) => {
                format!("the precedence from {} to {}", shown(from), shown(to))
            }
            _ => {
                let id = self.id(kind, index);
                id.map_or_else(|| format!("{kind} {index}"), |id| shown(&id))
            }
        }
    }
}
