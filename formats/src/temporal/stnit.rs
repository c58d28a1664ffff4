//! `stnit/1`.

use super::{Mistake, duration, requirement, wrong};
use serde::Deserialize;
use stratagem_proto::v1::{TemporalAgent, TemporalAgentKind, TemporalEvent, TemporalNetwork};

#[derive(Deserialize)]
pub(super) struct Document {
    #[serde(default)]
    name: String,
    zero: String,
    timepoints: Vec<Timepoint>,
    constraints: Vec<Constraint>,
}

#[derive(Deserialize)]
struct Timepoint {
    id: String,
    agent: String,
}

#[derive(Deserialize)]
struct Constraint {
    from: String,
    to: String,
    lb: Option<f64>,
    ub: Option<f64>,
}

/// The network of a document. Agents keep their letters as ids.
pub(super) fn network(document: Document) -> Result<TemporalNetwork, Mistake> {
    let agent = |id: &str, label: &str, kind: TemporalAgentKind| TemporalAgent {
        id: id.into(),
        kind: kind.into(),
        label: label.into(),
    };
    let mut network = TemporalNetwork {
        title: document.name,
        origin_id: document.zero,
        agents: vec![
            agent("C", "we", TemporalAgentKind::Controllable),
            agent("U", "teammate", TemporalAgentKind::Uncontrollable),
        ],
        ..TemporalNetwork::default()
    };
    for (i, point) in document.timepoints.into_iter().enumerate() {
        if !["C", "U"].contains(&point.agent.as_str()) {
            let path = format!("timepoints[{i}].agent");
            return Err(wrong(path, format!("is `{}`, not C or U", point.agent)));
        }
        network.events.push(TemporalEvent {
            id: point.id,
            agent_id: point.agent,
            label: String::new(),
        });
    }
    for (i, constraint) in document.constraints.into_iter().enumerate() {
        let bounds = [
            duration(constraint.lb, || format!("constraints[{i}].lb"))?,
            duration(constraint.ub, || format!("constraints[{i}].ub"))?,
        ];
        // A range without bounds says nothing; the service wants one.
        if bounds.iter().any(Option::is_some) {
            let ends = [constraint.from, constraint.to];
            network.links.push(requirement(ends, bounds));
        }
    }
    Ok(network)
}
