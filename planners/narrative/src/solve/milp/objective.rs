//! What is minimised: for one storyline, or for policies whose picks and outcomes are known.

use super::controllability::{ControllabilityRows, End};
use super::network::Scale;
use super::program::{Id, Program, Sum, float};
use super::{micros, micros_above};
use crate::plan::Cost;
use crate::problem::{Micros, Node, ORIGIN, Objective, Spec};
use crate::solve::improve::Tightening;
use crate::solve::joint_network::ABSENT;
use crate::solve::precedences::OrderingProblem;
use milp::Solution;
use std::collections::BTreeMap;

/// Variables of the objective.
pub(super) struct ObjectiveRows {
    weights: Objective,
    makespan: Id,
    /// By how much more every duration that can vary may vary.
    slack: Option<Id>,
    /// Outcomes with slack: index in the joint network, shortest, longest.
    wider: Vec<(usize, Id, Id)>,
    /// Idle time in the policy where it is most.
    idle: Option<Id>,
    /// For each policy the links that are idle time: index, and its ends in the joint network.
    waiting: Vec<Vec<(usize, usize, usize)>>,
}

impl ObjectiveRows {
    /// The variables, and the rows that slack needs (equation 13, with one slack for all).
    pub(super) fn new(
        program: &mut Program,
        question: &OrderingProblem<'_>,
        weights: &Objective,
        scale: Scale,
    ) -> ObjectiveRows {
        let whole = scale.unit == 1;
        let mut goal = ObjectiveRows {
            weights: weights.clone(),
            makespan: program.number((0, scale.horizon()), whole),
            slack: None,
            wider: Vec::new(),
            idle: None,
            waiting: Vec::new(),
        };
        let story = question.story;
        let mut open = story.open.iter();
        if weights.slack > 0 && open.any(|open| open.lower < open.upper) {
            goal.add_slack(program, question, scale);
        }
        let spec = story.narrative.spec();
        if weights.idle > 0 {
            let most = scale.horizon().saturating_mul(spec.waiting.len() as i64);
            goal.idle = Some(program.number((0, most), whole));
            let places = question.joint.place.iter();
            goal.waiting = places.map(|place| waiting(spec, place)).collect();
        }
        goal
    }

    fn add_slack(&mut self, program: &mut Program, question: &OrderingProblem<'_>, scale: Scale) {
        let story = question.story;
        let bounds = story.bounds.iter().map(|bound| bound.most.abs());
        let all = bounds.chain(story.open.iter().map(|open| open.upper));
        // More is not reported: see `Flexibility::longest_us`.
        let most = 2 * scale.units(all.max().unwrap_or(0));
        let slack = program.number((0, most), scale.unit == 1);
        self.slack = Some(slack);
        let varies = |link: usize| {
            let mut open = story.open.iter();
            open.any(|open| open.contingent == link && open.lower < open.upper)
        };
        let links = question.joint.contingents.iter().enumerate();
        for (at, link) in links.filter(|(_, link)| varies(link.id as usize)) {
            let [lower, upper] = [link.lower, link.upper].map(|time| scale.units(time));
            let shortest = program.add((0, lower));
            let longest = program.add((upper, upper + most));
            // No shorter than 0.
            let shorter = vec![Sum::from(shortest) + slack - lower];
            program.either(&[], shorter, vec![Sum::from(shortest)]);
            program.require(&[], Sum::from(slack) + upper - longest);
            self.wider.push((at, shortest, longest));
        }
    }

    /// The outcomes of a link, by its index in the joint network, if they are not as given.
    pub(super) fn outcomes(&self, link: usize) -> Option<(End, End)> {
        let mut wider = self.wider.iter();
        let (_, shortest, longest) = wider.find(|(which, _, _)| *which == link)?;
        Some((End::Open(*shortest), End::Open(*longest)))
    }

    /// Whether some plans are better than others.
    pub(super) fn is_any(&self) -> bool {
        self.weights != Objective::default()
    }

    /// Rows that relate what is minimised to a network, and what is minimised.
    pub(super) fn set(&self, program: &mut Program, block: &ControllabilityRows, nodes: usize) {
        let mut sum = Sum::default();
        if self.weights.makespan > 0 {
            for node in 1..nodes {
                program.require(&[], block.upper(ORIGIN, node) - self.makespan);
            }
            sum = sum + Sum::from(self.makespan).times(i64::from(self.weights.makespan));
        }
        if let Some(slack) = self.slack {
            sum = sum - Sum::from(slack).times(i64::from(self.weights.slack));
        }
        if let Some(idle) = self.idle {
            for waiting in &self.waiting {
                let all = waiting.iter().map(|(_, from, to)| block.upper(*from, *to));
                let all = all.fold(Sum::default(), |all, most| all + most);
                program.require(&[], all - idle);
            }
            sum = sum + Sum::from(idle).times(i64::from(self.weights.idle));
        }
        program.minimise(sum);
    }

    /// What a solution guarantees.
    pub(super) fn tightening(
        &self,
        program: &Program,
        block: &ControllabilityRows,
        solution: &Solution,
        scale: Scale,
    ) -> Tightening {
        let above = |id: Id| micros_above(program.value(solution, id), scale.unit);
        let slack = self.slack.map(|id| program.value(solution, id));
        let mut longest: BTreeMap<usize, Micros> = BTreeMap::new();
        for (link, from, to) in self.waiting.iter().flatten() {
            if let Some(most) = block.name_of(*from, *to) {
                let most = above(most);
                let known = longest.entry(*link).or_insert(most);
                *known = most.max(*known);
            }
        }
        Tightening {
            makespan: (self.weights.makespan > 0).then(|| above(self.makespan)),
            slack: slack.map_or(0, |slack| micros(slack, scale.unit)),
            waiting: longest.into_iter().collect(),
        }
    }

    /// The least that a plan can cost, by a bound of the solver, which it knows to some digits.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "weights times units, both below 2^32"
    )]
    pub(super) fn lower_bound(bound: f64, scale: Scale) -> Cost {
        let (whole, unit) = (bound.round(), scale.unit);
        let cost = if (bound - whole).abs() < 1e-5 {
            whole as Micros * unit
        } else {
            ((bound - 1e-5) * float(unit)).ceil() as Micros
        };
        Cost::Weighted(i128::from(cost))
    }
}

/// The links of a policy that are idle time, by the places of its nodes.
fn waiting(spec: &Spec, place: &[u32]) -> Vec<(usize, usize, usize)> {
    let at = |node: Node| (place[node] != ABSENT).then_some(place[node] as usize);
    let waiting = spec.waiting.iter().filter_map(|index| {
        let link = spec.links[*index];
        Some((*index, at(link.from)?, at(link.to)?))
    });
    waiting.collect()
}
