//! How the caller calls things, which the planner does not know.

use crate::values::Ids;
use anytime::Step::{Field, Index};
use anytime::{Step, written};

/// The names in a problem.
#[derive(Debug, Default)]
pub struct Names {
    /// Ids of the nodes.
    pub nodes: Ids,
    /// Ids of the players.
    pub players: Ids,
    /// Ids of the tools.
    pub tools: Ids,
    /// Ids of the events.
    pub events: Ids,
    /// For each arc of the planner, its index in the caller's list, and whether it leads against
    /// the direction there: an arc for both directions is two of the planner's.
    pub arcs: Vec<(usize, bool)>,
}

impl Names {
    /// Ids of the nodes on a leg.
    pub(super) fn leg(&self, leg: &[usize]) -> Vec<String> {
        let nodes = self.nodes.list();
        leg.iter().map(|node| nodes[*node].clone()).collect()
    }
}

impl anytime::Names for Names {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        let ids = match kind {
            "node" => &self.nodes,
            "player" => &self.players,
            "tool" => &self.tools,
            "event" => &self.events,
            _ => return None,
        };
        ids.list().get(index).cloned()
    }

    fn path(&self, at: &[Step]) -> String {
        let mut at = at.to_vec();
        if let [Field("arcs"), Index(index), rest @ ..] = at.as_mut_slice() {
            let (arc, is_reversed) = self.arcs[*index];
            *index = arc;
            match rest {
                [Field(end @ "from_node_id")] if is_reversed => *end = "to_node_id",
                [Field(end @ "to_node_id")] if is_reversed => *end = "from_node_id",
                _ => {}
            }
        }
        written(&at)
    }
}
