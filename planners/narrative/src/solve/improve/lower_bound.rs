//! A lower bound on the cost of all plans.
//!
//! Take any outcomes that Nature may pick for the links that choices of ours have seen. Some policy
//! of the plan is meant for them, in a storyline that our picks lead to whatever the players pick,
//! and it is controllable alone, without resources. So a bound is: the maximum over players'
//! options of the minimum over ours of the least cost of a storyline by itself.

use super::{Ended, Improvement, OrderingProblem, tightened};
use crate::plan::{Cost, Outcomes};
use crate::problem::{Chooser, Micros, ORIGIN};
use crate::solve::joint_network::{JointNetwork, PolicyOutline};
use crate::solve::minimal_makespan;
use crate::solve::precedences::shares;
use crate::solve::story::{OpenLink, Tree};
use stn::uncertain::{self, dynamic};
use stn::{Closure, Edge};

/// Most storylines that are looked at, for each outcome.
const LINES_MAX: usize = 256;

/// What Nature picks for links that were seen.
#[derive(Debug, Clone, Copy)]
enum Picked {
    Shortest,
    Longest,
}

impl Picked {
    fn duration(self, open: &OpenLink) -> Micros {
        match self {
            Self::Shortest => open.lower,
            Self::Longest => open.upper,
        }
    }
}

/// The least cost of a story, or that it has no plan.
type Least = Option<i128>;

impl Improvement<'_, '_, '_> {
    /// Proves what every plan costs at least, as far as it is known; false: stopped.
    pub(in crate::solve) fn prove_lower_bound(&mut self) -> bool {
        let Ok(floor) = self.lower_bound() else {
            return false;
        };
        if let Some(floor) = floor {
            self.control.prove(Cost::Weighted(floor), "storylines");
        }
        true
    }

    /// What every plan costs at least; `None`: nothing is known.
    pub(super) fn lower_bound(&mut self) -> Result<Least, Ended> {
        let story = self.question.story;
        if story.lines.len() > LINES_MAX {
            return Ok(None);
        }
        let mut floor: Least = None;
        for picked in [Picked::Longest, Picked::Shortest] {
            let Some(least) = self.least_of(&story.tree, picked, &[])? else {
                // Nothing is known, or there is no plan, which is not for us to say.
                continue;
            };
            floor = Some(floor.map_or(least, |floor| floor.max(least)));
        }
        Ok(floor.filter(|floor| *floor > i128::MIN))
    }

    /// The least cost of the rest of a story, after outcomes of these links were seen; `None`: no
    /// plan.
    fn least_of(&mut self, tree: &Tree, picked: Picked, seen: &[Outcomes]) -> Result<Least, Ended> {
        let story = self.question.story;
        let fork = match tree {
            Tree::Line(line) => return self.least_alone(*line, seen),
            Tree::Fork(fork) => fork,
        };
        let mut now = seen.to_vec();
        if fork.chooser == Chooser::System {
            for open in &story.open {
                let known = now.iter().any(|seen| seen.contingent == open.contingent);
                if fork.seen.contains(&open.contingent) && !known && open.lower < open.upper {
                    now.push(Outcomes {
                        contingent: open.contingent,
                        lower_us: picked.duration(open),
                        upper_us: picked.duration(open),
                    });
                }
            }
            now.sort_unstable();
        }
        let mut all = Vec::new();
        for option in &fork.options {
            all.push(self.least_of(option, picked, &now)?);
        }
        Ok(match fork.chooser {
            Chooser::System => all.into_iter().flatten().min(),
            Chooser::Player => all
                .into_iter()
                .try_fold(i128::MIN, |most, least| Some(most.max(least?))),
        })
    }

    /// The least cost of one storyline by itself; `None`: it is infeasible. [`i128::MIN`]:
    /// anything.
    fn least_alone(&mut self, line: usize, seen: &[Outcomes]) -> Result<Least, Ended> {
        let story = self.question.story;
        let present = &story.lines[line].present;
        let links = &story.narrative.spec().contingent;
        let here = seen
            .iter()
            .filter(|seen| present[links[seen.contingent].to]);
        let skeletons = [PolicyOutline {
            line,
            outcomes: here.copied().collect(),
        }];
        let joint = JointNetwork::new(story, &skeletons);
        let question = OrderingProblem::new(story, &skeletons, &joint);
        let mut alone = Improvement {
            question: &question,
            control: self.control,
            orders: Vec::new(),
            is_whole: false,
            is_part: false,
            flexibilities: false,
            unit: self.unit,
        };
        let network = joint.network(&[]).map_err(|_| Ended)?;
        match dynamic(&network, &mut || alone.control.go_on()) {
            uncertain::Verdict::Holds(()) => {}
            uncertain::Verdict::Fails(_) => return Ok(None),
            uncertain::Verdict::Stopped => return Err(Ended),
        }
        let objective = &story.narrative.spec().objective;
        let mut sum = 0;
        if objective.makespan > 0 {
            sum += i128::from(objective.makespan) * i128::from(alone.shortest()?);
        }
        if objective.slack > 0 {
            match alone.widest()? {
                Some(slack) => sum -= i128::from(objective.slack) * i128::from(slack),
                None => return Ok(Some(i128::MIN)),
            }
        }
        if objective.idle > 0 {
            sum += i128::from(objective.idle) * i128::from(alone.least_idle()?);
        }
        Ok(Some(sum))
    }

    /// A time that no makespan with these policies is below: without orders, and by what resources
    /// are needed for in all.
    pub(super) fn shortest(&mut self) -> Result<Micros, Ended> {
        let go_on = &mut || self.control.go_on();
        let least =
            minimal_makespan::minimal_makespan(self.question.joint, &[], go_on).ok_or(Ended)?;
        let held = energy(self.question, go_on).ok_or(Ended)?;
        Ok(least.max(held))
    }

    /// No more slack can be kept, even without orders; `None`: there is no end to it.
    fn widest(&mut self) -> Result<Option<Micros>, Ended> {
        let story = self.question.story;
        if !story.open.iter().any(|open| open.lower < open.upper) {
            return Ok(Some(0));
        }
        let (mut low, mut high) = (0, self.longest() + 1);
        let most = high;
        while low + 1 < high {
            let slack = super::middle(low, high, self.unit);
            let tightening = super::Tightening {
                slack,
                ..super::Tightening::default()
            };
            let network = tightened(self.question, &tightening).network(&[]);
            // Beyond the limits of the engine: beyond anything that is offered.
            let holds = network
                .is_ok_and(|network| dynamic(&network, &mut || self.control.go_on()).holds());
            if !self.control.go_on() {
                return Err(Ended);
            }
            if holds { low = slack } else { high = slack }
        }
        Ok((low + 1 < most).then_some(low))
    }
}

/// A lower bound of the makespan: the energy that each policy's activities need of a resource over
/// its capacity when durations are longest, after the earliest start of the first and before what
/// must follow the last; `None`: stopped.
fn energy(question: &OrderingProblem<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<Micros> {
    let joint = question.joint;
    let mut edges: Vec<Edge> = joint.requirements.clone();
    for link in &joint.contingents {
        edges.push(Edge::new(link.from, link.to, link.upper, 0));
        edges.push(Edge::new(link.to, link.from, -link.upper, 0));
    }
    let Ok(closure) = Closure::new_within(joint.nodes, &edges, go_on) else {
        return Some(0);
    };
    let closure = closure?;
    // The least time from one node to another.
    let least = |from: usize, to: usize| closure.get(to, from).map_or(0, |most| (-most).max(0));
    let tail = |node: usize| (0..joint.nodes).map(|last| least(node, last)).max();
    let mut best = 0;
    for share in shares(question.story, joint, question.skeletons)
        .iter()
        .flatten()
    {
        let users = share.users.iter().filter(|user| !user.consumed);
        let (mut held, mut head, mut rest) = (0_i128, Micros::MAX, Micros::MAX);
        for user in users {
            let (start, end) = (user.start as usize, user.end as usize);
            let lasts = least(start, end);
            if lasts > 0 {
                held += i128::from(lasts) * i128::from(user.amount);
                head = head.min(least(ORIGIN, start));
                rest = rest.min(tail(end).unwrap_or(0));
            }
        }
        let capacity = i128::from(share.capacity);
        if held > 0 && capacity > 0 {
            let lasts = (held + capacity - 1) / capacity;
            let lasts = Micros::try_from(lasts).unwrap_or(Micros::MAX);
            best = best.max(head.saturating_add(lasts).saturating_add(rest));
        }
    }
    Some(best)
}
