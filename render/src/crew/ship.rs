//! A ship with its names, and places for its nodes.

use crate::patrol::layout::layout;
use crate::time::micros;
use std::collections::BTreeMap;
use stratagem_proto::v1::{CrewProblem, CrewRole};

/// A ship, ready to be drawn.
#[derive(Debug)]
pub(super) struct Ship<'a> {
    pub(super) problem: &'a CrewProblem,
    /// Where nodes are, in any unit; downwards.
    pub(super) places: Vec<(f64, f64)>,
    nodes: BTreeMap<&'a str, usize>,
}

/// The label of something, or its id.
fn name<'a>(label: &'a str, id: &'a str) -> &'a str {
    if label.is_empty() { id } else { label }
}

impl<'a> Ship<'a> {
    /// A ship; nodes get places unless all have them.
    pub(super) fn new(problem: &'a CrewProblem) -> Self {
        let nodes: BTreeMap<&str, usize> = problem
            .nodes
            .iter()
            .enumerate()
            .map(|(index, node)| (node.id.as_str(), index))
            .collect();
        let finite = |x: Option<f64>| x.filter(|x| x.is_finite());
        let given = problem.nodes.iter();
        let given: Option<Vec<_>> = given.map(|it| finite(it.x).zip(finite(it.y))).collect();
        let places = given.unwrap_or_else(|| {
            let edges: Vec<_> = problem
                .arcs
                .iter()
                .filter_map(|arc| {
                    let from = *nodes.get(arc.from_node_id.as_str())?;
                    let to = *nodes.get(arc.to_node_id.as_str())?;
                    Some(([from, to], micros(arc.walk_duration.as_ref()).max(1)))
                })
                .collect();
            layout(problem.nodes.len(), &edges)
        });
        Self {
            problem,
            places,
            nodes,
        }
    }

    /// Index of a node.
    pub(super) fn node(&self, id: &str) -> Option<usize> {
        self.nodes.get(id).copied()
    }

    /// The name of a node, by id.
    pub(super) fn node_name(&self, id: &'a str) -> &'a str {
        let node = self.node(id).map(|node| &self.problem.nodes[node]);
        node.map_or(id, |node| name(&node.label, &node.id))
    }

    /// The name of a player, by id.
    pub(super) fn player_name(&self, id: &'a str) -> &'a str {
        let player = self.problem.players.iter().find(|it| it.id == id);
        player.map_or(id, |it| name(&it.label, &it.id))
    }

    /// Index of a player; that after the last for one who does not exist.
    pub(super) fn player(&self, id: &str) -> usize {
        let players = &self.problem.players;
        let found = players.iter().position(|it| it.id == id);
        found.unwrap_or(players.len())
    }

    /// The name of a tool, by id.
    pub(super) fn tool_name(&self, id: &'a str) -> &'a str {
        let tool = self.problem.tools.iter().find(|it| it.id == id);
        tool.map_or(id, |it| name(&it.label, &it.id))
    }

    /// The name of an event, by id.
    pub(super) fn event_name(&self, id: &'a str) -> &'a str {
        let event = self.problem.events.iter().find(|it| it.id == id);
        event.map_or(id, |it| name(&it.label, &it.id))
    }

    /// The actions of a player, in words, without the path.
    pub(super) fn role(&self, role: &'a CrewRole) -> String {
        let who = self.player_name(&role.player_id);
        format!("{who} with {}", self.tool_name(&role.tool_id))
    }
}
