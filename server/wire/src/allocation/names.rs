//! Names in an allocation problem, which the planner does not know.

use super::problem::Gone;
use crate::values::Ids;
use allocation::Release;

/// The names in a problem.
#[derive(Debug, Default)]
pub struct Names {
    /// Ids of the agents.
    pub agents: Ids,
    /// Ids of the tasks.
    pub tasks: Ids,
    /// Ids of the breaks.
    pub breaks: Ids,
    /// Names of the skills, by bit.
    pub skills: Vec<String>,
    /// Ids of the locations; empty where places are points.
    pub locations: Vec<String>,
    /// Agents and tasks of the previous plan that the problem does not have.
    pub gone: Vec<Gone>,
    /// Agents that are released from tasks under way.
    pub releases: Vec<Release>,
}

impl anytime::Names for Names {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        let ids = match kind {
            "agent" => self.agents.list(),
            "task" => self.tasks.list(),
            "break" => self.breaks.list(),
            "skill" => &self.skills,
            "location" => &self.locations,
            _ => return None,
        };
        ids.get(index).filter(|id| !id.is_empty()).cloned()
    }
}
