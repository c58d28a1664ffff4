//! Small ships.

use stratagem_proto::v1::{
    AssignCrewRequest, CrewArc, CrewEffort, CrewEvent, CrewNode, CrewPlayer, CrewProblem, CrewTool,
    SolveOptions,
};

/// Rooms in a row, "n0" to the last, a second from each to the next, one damage to enter the last
/// with a tool. Player "ann" stands in the first, "bob" in the last, hammer and saw lie in the
/// second, and the event is in the last.
#[must_use]
pub fn row(rooms: usize) -> CrewProblem {
    let id = |room: usize| format!("n{room}");
    let arcs = (1..rooms).map(|room| CrewArc {
        from_node_id: id(room - 1),
        to_node_id: id(room),
        carry_damage: if room + 1 == rooms { 1.0 } else { 0.0 },
        ..CrewArc::default()
    });
    let player = |who: &str, room| CrewPlayer {
        id: who.into(),
        node_id: id(room),
        ..CrewPlayer::default()
    };
    let tool = |what: &str| CrewTool {
        id: what.into(),
        node_id: id(1),
        ..CrewTool::default()
    };
    CrewProblem {
        title: "a row".into(),
        nodes: (0..rooms)
            .map(|room| CrewNode {
                id: id(room),
                ..CrewNode::default()
            })
            .collect(),
        arcs: arcs.collect(),
        players: vec![player("ann", 0), player("bob", rooms - 1)],
        tools: vec![tool("hammer"), tool("saw")],
        events: vec![CrewEvent {
            id: "leak".into(),
            node_id: id(rooms - 1),
            efforts: vec![CrewEffort::default(); 2],
            ..CrewEvent::default()
        }],
        ..CrewProblem::default()
    }
}

/// A request for the fronts of a problem.
#[must_use]
pub fn assign(problem: CrewProblem, options: SolveOptions) -> AssignCrewRequest {
    AssignCrewRequest {
        problem: Some(problem),
        options: Some(options),
        ..AssignCrewRequest::default()
    }
}
