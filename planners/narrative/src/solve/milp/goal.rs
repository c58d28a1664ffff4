//! What is minimised in a story without choices.

use super::block::{Block, End};
use super::network::Scale;
use super::program::{Id, Program, Sum, float};
use super::{micros, micros_above};
use crate::plan::Cost;
use crate::problem::{Micros, Node, ORIGIN, Objective};
use crate::solve::improve::Wish;
use crate::solve::joint::NOWHERE;
use crate::solve::orders::Question;
use crate::solve::story::Story;
use milp::Solution;

/// Variables of the objective.
pub(super) struct Goal {
    weights: Objective,
    makespan: Id,
    /// By how much more every duration that can vary may vary.
    slack: Option<Id>,
    /// Outcomes with slack: link, shortest, longest.
    wider: Vec<(usize, Id, Id)>,
    /// Links that are idle time: index, and its ends in the joint network.
    waiting: Vec<(usize, usize, usize)>,
}

impl Goal {
    /// The variables, and the rows that slack needs (equation 13, with one slack for all).
    pub(super) fn new(
        program: &mut Program,
        question: &Question<'_>,
        (weights, scale): (&Objective, Scale),
    ) -> Goal {
        let whole = scale.unit == 1;
        let mut goal = Goal {
            weights: weights.clone(),
            makespan: program.number((0, scale.horizon()), whole),
            slack: None,
            wider: Vec::new(),
            waiting: Vec::new(),
        };
        let story = question.story;
        let mut open = story.open.iter();
        if weights.slack > 0 && open.any(|open| open.lower < open.upper) {
            goal.add_slack(program, story, scale);
        }
        let place = &question.joint.place[0];
        let at = |node: Node| (place[node] != NOWHERE).then_some(place[node] as usize);
        let spec = story.narrative.spec();
        let waiting = spec.waiting.iter().filter_map(|index| {
            let link = spec.links[*index];
            Some((*index, at(link.from)?, at(link.to)?))
        });
        goal.waiting = waiting.filter(|_| weights.idle > 0).collect();
        goal
    }

    fn add_slack(&mut self, program: &mut Program, story: &Story<'_>, scale: Scale) {
        let bounds = story.bounds.iter().map(|bound| bound.most.abs());
        let all = bounds.chain(story.open.iter().map(|open| open.upper));
        // More is not told: see `Stretch::longest_us`.
        let most = 2 * scale.units(all.max().unwrap_or(0));
        let slack = program.number((0, most), scale.unit == 1);
        self.slack = Some(slack);
        for open in story.open.iter().filter(|open| open.lower < open.upper) {
            let [lower, upper] = [open.lower, open.upper].map(|time| scale.units(time));
            let shortest = program.add((0, lower));
            let longest = program.add((upper, upper + most));
            // No shorter than 0.
            let shorter = vec![Sum::from(shortest) + slack - lower];
            program.either(&[], shorter, vec![Sum::from(shortest)]);
            program.require(&[], Sum::from(slack) + upper - longest);
            self.wider.push((open.contingent, shortest, longest));
        }
    }

    /// The outcomes of a link, if they are not as given.
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
    pub(super) fn set(&self, program: &mut Program, block: &Block, nodes: usize) {
        let mut sum = Sum::default();
        if self.weights.makespan > 0 {
            for node in 1..nodes {
                program.require(&[], block.most(ORIGIN, node) - self.makespan);
            }
            sum = sum + Sum::from(self.makespan).times(i64::from(self.weights.makespan));
        }
        if let Some(slack) = self.slack {
            sum = sum - Sum::from(slack).times(i64::from(self.weights.slack));
        }
        for (_, from, to) in &self.waiting {
            sum = sum + block.most(*from, *to).times(i64::from(self.weights.idle));
        }
        program.minimise(sum);
    }

    /// What a solution promises.
    pub(super) fn wish(
        &self,
        (program, block): (&Program, &Block),
        (solution, scale): (&Solution, Scale),
    ) -> Wish {
        let above = |id: Id| micros_above(program.value(solution, id), scale.unit);
        let slack = self.slack.map(|id| program.value(solution, id));
        let waiting = self.waiting.iter().filter_map(|(link, from, to)| {
            let most = block.name_of(*from, *to)?;
            Some((*link, above(most)))
        });
        Wish {
            makespan: (self.weights.makespan > 0).then(|| above(self.makespan)),
            slack: slack.map_or(0, |slack| micros(slack, scale.unit)),
            waiting: waiting.collect(),
        }
    }

    /// The least that a plan can cost, by a bound of the solver, which it knows to some digits.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "weights times units, both below 2^32"
    )]
    pub(super) fn least(bound: f64, scale: Scale) -> Cost {
        let (whole, unit) = (bound.round(), scale.unit);
        let cost = if (bound - whole).abs() < 1e-5 {
            whole as Micros * unit
        } else {
            ((bound - 1e-5) * float(unit)).ceil() as Micros
        };
        Cost::Weighted(i128::from(cost))
    }
}
