//! How the caller calls things, which the planner does not know.

use crate::wire::values::Ids;

/// The names in a problem.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Ids of the nodes.
    pub nodes: Ids,
    /// Ids of the players.
    pub players: Ids,
    /// Ids of the tools.
    pub tools: Ids,
    /// Ids of the events.
    pub events: Ids,
    /// For each arc of the planner, its index in the caller's list: one in both directions is two
    /// arcs.
    pub arc_at: Vec<usize>,
}

impl Names {
    /// Ids of the nodes on a way.
    pub(super) fn way(&self, way: &[usize]) -> Vec<String> {
        let nodes = self.nodes.list();
        way.iter().map(|node| nodes[*node].clone()).collect()
    }
}
