//! Networks of policies in units.

use super::controllability::{ContingentRow, End, Network};
use crate::problem::{Link, Micros, ORIGIN};
use crate::solve::cover;
use crate::solve::joint_network::JointNetwork;
use crate::solve::story::Story;
use stn::Edge;

/// What times are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    pub(super) unit: Micros,
    /// In microseconds: nothing needs to be later.
    latest: Micros,
}

impl Scale {
    /// All times of a story are multiples of the unit.
    pub(super) fn new(story: &Story<'_>) -> Scale {
        let spec = story.narrative.spec();
        let longest = |link: &Link| {
            let bounds = [link.lower_us, link.upper_us];
            let sizes = bounds.map(|bound| bound.map_or(0, Micros::abs));
            sizes[0].max(sizes[1])
        };
        let links = spec.links.iter().map(longest);
        let all = links.chain(spec.contingent.iter().map(|link| link.upper_us));
        let sum = all.fold(spec.progress.now_us, Micros::saturating_add);
        let sum = spec.horizon_us.map_or(sum, |horizon| horizon.min(sum));
        let unit = cover::unit(story);
        Scale {
            unit,
            latest: sum.saturating_add(unit),
        }
    }

    /// The same with a unit that divides these times too.
    pub(super) fn divided_by(self, times: impl Iterator<Item = Micros>) -> Scale {
        let unit = times.fold(self.unit, divisor);
        Scale { unit, ..self }
    }

    /// In units: nothing needs to be later.
    pub(super) fn horizon(&self) -> i64 {
        self.latest / self.unit
    }

    pub(super) fn units(&self, time: Micros) -> i64 {
        debug_assert!(time % self.unit == 0, "{time} in units of {}", self.unit);
        time / self.unit
    }

    /// The network of policies, with outcomes that may be others, by index of the link in the joint
    /// network.
    pub(super) fn network(
        &self,
        joint: &JointNetwork,
        outcomes: impl Fn(usize) -> Option<(End, End)>,
    ) -> Network {
        let edge = |edge: &Edge| Edge::new(edge.from, edge.to, self.units(edge.weight), 0);
        let mut edges: Vec<Edge> = joint.requirements.iter().map(edge).collect();
        for node in 1..joint.nodes {
            edges.push(Edge::new(ORIGIN as u32, node as u32, self.horizon(), 0));
        }
        let lasting = joint.contingents.iter().enumerate().map(|(at, link)| {
            let known = || {
                let ends = [link.lower, link.upper];
                let [lower, upper] = ends.map(|end| End::Fixed(self.units(end)));
                (lower, upper)
            };
            let (lower, upper) = outcomes(at).unwrap_or_else(known);
            ContingentRow {
                from: link.from as usize,
                to: link.to as usize,
                lower,
                upper,
            }
        });
        Network {
            nodes: joint.nodes,
            edges,
            lasting: lasting.collect(),
        }
    }
}

fn divisor(a: Micros, b: Micros) -> Micros {
    if b == 0 { a.abs() } else { divisor(b, a % b) }
}
