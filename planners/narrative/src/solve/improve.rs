//! Better plans with the same policies: sooner over, with more slack, with less idle time.
//!
//! A tightening (a horizon, wider durations, shorter waiting links) is a change of the joint
//! network, so each question is one about orders. A feasible tightening stays feasible with less of
//! it, so bisection finds the best, and what refutes a tightening refutes every greater one: a
//! proof for these policies, and for all where there is one storyline. Where there are more, what
//! each of them needs by itself bounds all plans, and coverage is searched for from scratch within
//! shorter horizons.

mod lower_bound;
mod makespan;

#[cfg(feature = "milp")]
pub(super) use makespan::cap_horizon;

use super::joint_network::JointNetwork;
use super::precedences::{OrderingProblem, Outcome, find_precedences, is_sufficient};
use super::{Extra, cost, minimal_makespan, offer_plan, stopped};
use crate::plan::{Answer, Cost, Plan};
use crate::problem::{Micros, ORIGIN};
use anytime::{Conclusion, Control, Stop};
use stn::Edge;
use stn::uncertain::{self, Contingent, Strategy, strategy};

/// What a plan should keep besides the story.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Tightening {
    /// Everything has happened by then.
    pub(super) makespan: Option<Micros>,
    /// Every duration that can vary may be so much shorter and longer.
    pub(super) slack: Micros,
    /// Waiting links, and how long they may take.
    pub(super) waiting: Vec<(usize, Micros)>,
}

/// Orders and how to keep them.
type Feasible = (Vec<Edge>, Strategy);

pub(super) struct Improvement<'i, 'q, 'k> {
    pub(super) question: &'i OrderingProblem<'q>,
    pub(super) control: &'i mut Control<'k, Answer, Cost>,
    /// Orders that were found last.
    pub(super) orders: Vec<Edge>,
    /// Whether other policies need not be thought of.
    pub(super) is_whole: bool,
    /// Whether the story was given fewer options than there are: nothing is proved about all plans.
    pub(super) is_part: bool,
    /// Whether plans report the flexibility of durations.
    pub(super) flexibilities: bool,
    /// What all times are multiples of.
    pub(super) unit: Micros,
}

/// Stopped, or at the limits of the engine.
struct Ended;

impl Improvement<'_, '_, '_> {
    /// Offers better and better plans.
    pub(super) fn run(mut self) -> Conclusion {
        let done = self.improve();
        let (best, bound) = (self.control.best(), self.control.bound());
        match done {
            Ok(true) if self.is_whole => Conclusion::Optimal,
            _ if bound.is_some() && best <= bound => Conclusion::Optimal,
            Ok(_) => Conclusion::Stopped(Stop::Exhausted),
            Err(Ended) => stopped(self.control),
        }
    }

    /// Whether the best of all plans with these policies was offered.
    fn improve(&mut self) -> Result<bool, Ended> {
        if self.is_whole {
            return self.search();
        }
        if !self.is_part && !self.prove_lower_bound() {
            return Err(Ended);
        }
        let best = self.search()?;
        if self.single() && self.question.joint.strands.is_none() {
            self.shorten_makespan()?;
        }
        Ok(best)
    }

    /// Whether the best of all plans was offered.
    fn search(&mut self) -> Result<bool, Ended> {
        let objective = self.question.story.narrative.spec().objective.clone();
        let slack = match (objective.slack, &self.question.joint.strands) {
            // Of strands it is not looked for.
            (0, _) | (_, Some(_)) => 0,
            _ => self.most_slack()?,
        };
        let least_idle = match objective.idle {
            0 => 0,
            _ => self.least_idle()?,
        };
        let mut least = None;
        let bound = |control: &mut Control<'_, Answer, Cost>, makespan: Micros, whole| {
            let ideal = Plan {
                makespan_us: makespan,
                slack_us: slack,
                idle_us: least_idle,
                ..Plan::default()
            };
            let bound = cost(self.question.story.narrative, &ideal);
            if whole {
                control.prove(bound, "relaxation");
            }
            bound
        };
        let mut ideal = bound(self.control, 0, self.is_whole && objective.makespan == 0);
        // With no slack at all first, since that says what is possible; then from the most on.
        let parts: &[Micros] = match (objective.slack, objective.makespan + objective.idle) {
            (0, _) => &[0],
            (_, 0) => &[4],
            _ => &[0, 4, 3, 2, 1],
        };
        for part in parts {
            let mut tightening = Tightening {
                slack: slack / 4 * part + slack % 4 * part / 4,
                ..Tightening::default()
            };
            if !self.satisfy(&tightening)? {
                continue;
            }
            if objective.makespan > 0 {
                let makespan = self.least_makespan(&mut tightening)?;
                if least.is_none() {
                    least = Some(makespan);
                    ideal = bound(self.control, makespan, self.is_whole);
                }
            }
            if objective.idle > 0 {
                self.shorten_waiting(&mut tightening)?;
            }
        }
        Ok(self.control.best() == Some(ideal))
    }

    /// The joint network with a tightening; `None`: beyond the limits of the engine.
    fn joint(&self, tightening: &Tightening) -> Option<JointNetwork> {
        let joint = tightened(self.question, tightening);
        joint.network(&[]).is_ok().then_some(joint)
    }

    /// Whether a tightening can be kept; if so, a plan that does is offered.
    fn satisfy(&mut self, tightening: &Tightening) -> Result<bool, Ended> {
        let Some(joint) = self.joint(tightening) else {
            return Ok(false);
        };
        let Some((orders, strategy)) = self.keep(&joint)? else {
            return Ok(false);
        };
        let question = OrderingProblem {
            joint: &joint,
            ..*self.question
        };
        self.orders.clone_from(&orders);
        let given = as_given(self.question, tightening);
        let extra = Extra {
            slack: tightening.slack,
            flexibilities: self.flexibilities.then_some(&given),
        };
        offer_plan(&question, &orders, &strategy, extra, "auto", self.control).ok_or(Ended)?;
        Ok(true)
    }

    /// Orders with which a network can be kept, those of the last plan if possible.
    fn keep(&mut self, joint: &JointNetwork) -> Result<Option<Feasible>, Ended> {
        let question = OrderingProblem {
            joint,
            ..*self.question
        };
        let known = joint.network(&self.orders).map_err(|_| Ended)?;
        match strategy(&known, &mut || self.control.go_on()) {
            uncertain::Verdict::Holds(strategy) => {
                let go_on = &mut || self.control.go_on();
                let is_enough = is_sufficient(&question, &self.orders, &strategy, go_on);
                if is_enough.ok_or(Ended)? {
                    return Ok(Some((self.orders.clone(), strategy)));
                }
            }
            uncertain::Verdict::Fails(_) => {}
            uncertain::Verdict::Stopped => return Err(Ended),
        }
        if !self.control.tick() {
            return Err(Ended);
        }
        match find_precedences(&question, self.control) {
            Outcome::Found(orders, strategy) => Ok(Some((orders, *strategy))),
            Outcome::Uncontrollable(_) | Outcome::Overloaded(_) => Ok(None),
            Outcome::TooLarge | Outcome::Stopped => Err(Ended),
        }
    }

    /// The least makespan with a tightening that can be kept, which becomes part of it.
    fn least_makespan(&mut self, tightening: &mut Tightening) -> Result<Micros, Ended> {
        let joint = self.joint(tightening).ok_or(Ended)?;
        // Without any order it takes at least so long.
        let question = OrderingProblem {
            joint: &joint,
            ..*self.question
        };
        let mut relaxed = Improvement {
            question: &question,
            control: self.control,
            orders: Vec::new(),
            ..*self
        };
        let mut low = relaxed.shortest()?;
        let go_on = &mut || self.control.go_on();
        let mut high =
            minimal_makespan::minimal_makespan(&joint, &self.orders, go_on).ok_or(Ended)?;
        let mut sure = high;
        while low < sure {
            let weight = self.question.story.narrative.spec().objective.makespan;
            if self.is_whole && tightening.slack == 0 && self.single() {
                let bound = i128::from(weight) * i128::from(low);
                self.control.prove(Cost::Weighted(bound), "orders");
            }
            tightening.makespan = Some(middle(low - 1, sure, self.unit));
            if self.satisfy(tightening)? {
                let go_on = &mut || self.control.go_on();
                high =
                    minimal_makespan::minimal_makespan(&joint, &self.orders, go_on).ok_or(Ended)?;
                sure = sure.min(high);
            } else {
                low = tightening.makespan.map_or(low, |refused| refused + 1);
            }
        }
        tightening.makespan = Some(sure);
        self.satisfy(tightening)?;
        Ok(sure)
    }

    /// Whether the makespan is all that is asked for.
    fn single(&self) -> bool {
        let objective = &self.question.story.narrative.spec().objective;
        objective.slack == 0 && objective.idle == 0
    }

    /// The largest slack that can be kept.
    fn most_slack(&mut self) -> Result<Micros, Ended> {
        let story = self.question.story;
        let varies = story.open.iter().any(|open| open.lower < open.upper);
        let longest = story.bounds.iter().map(|bound| bound.most.abs());
        let longest = longest
            .chain(story.open.iter().map(|open| open.upper))
            .max();
        let (mut low, mut high) = if varies {
            (0, 2 * longest.unwrap_or(0) + 1)
        } else {
            (0, 1)
        };
        while low + 1 < high {
            let slack = middle(low, high, self.unit);
            if self.satisfy(&Tightening {
                slack,
                ..Tightening::default()
            })? {
                low = slack;
            } else {
                high = slack;
            }
        }
        Ok(low)
    }

    /// The least that waiting links add up to in any plan: each alone, without orders.
    fn least_idle(&mut self) -> Result<Micros, Ended> {
        let mut most = 0;
        for place in &self.question.joint.place {
            let mut sum = 0;
            for &link in &self.question.story.narrative.spec().waiting {
                let given = self.question.story.narrative.spec().links[link];
                if place[given.from] == super::joint_network::ABSENT
                    || place[given.to] == super::joint_network::ABSENT
                {
                    continue;
                }
                let (mut low, mut high) = (given.lower_us.unwrap_or(0) - 1, self.longest());
                while low + 1 < high {
                    let limit = middle(low, high, self.unit);
                    let waiting = vec![(link, limit)];
                    let tightening = Tightening {
                        waiting,
                        ..Tightening::default()
                    };
                    let network = tightened(self.question, &tightening)
                        .network(&[])
                        .map_err(|_| Ended)?;
                    match uncertain::dynamic(&network, &mut || self.control.go_on()) {
                        uncertain::Verdict::Holds(()) => high = limit,
                        uncertain::Verdict::Fails(_) => low = limit,
                        uncertain::Verdict::Stopped => return Err(Ended),
                    }
                }
                sum += high;
            }
            most = most.max(sum);
        }
        Ok(most)
    }

    /// More than any waiting link needs.
    fn longest(&self) -> Micros {
        let story = self.question.story;
        let all = story.bounds.iter().map(|bound| bound.most.abs());
        let all = all.chain(story.open.iter().map(|open| open.upper));
        all.fold(1, Micros::saturating_add)
            .min(stn::uncertain::BOUND_MAX)
    }

    /// Makes one waiting link after the other as short as the ones before allow.
    fn shorten_waiting(&mut self, tightening: &mut Tightening) -> Result<(), Ended> {
        let spec = self.question.story.narrative.spec();
        for &link in &spec.waiting {
            let (mut low, mut high) = (spec.links[link].lower_us.unwrap_or(0) - 1, self.longest());
            tightening.waiting.push((link, high));
            let at = tightening.waiting.len() - 1;
            while low + 1 < high {
                let limit = middle(low, high, self.unit);
                tightening.waiting[at].1 = limit;
                if self.satisfy(tightening)? {
                    high = limit;
                } else {
                    low = limit;
                }
            }
            tightening.waiting[at].1 = high;
        }
        Ok(())
    }
}

/// A time between two others, both excluded, in whole units if there is one; when only fractions
/// are left, first the one just below the upper end, since mostly there is nothing between.
pub(super) fn middle(low: Micros, high: Micros, unit: Micros) -> Micros {
    let (least, most) = (low.div_euclid(unit) + 1, (high - 1).div_euclid(unit));
    if least <= most {
        return (least + (most - least) / 2) * unit;
    }
    if high % unit == 0 {
        high - 1
    } else {
        low + (high - low) / 2
    }
}

/// The joint network with a tightening, but without its slack: durations are as they are given.
pub(super) fn as_given(question: &OrderingProblem<'_>, tightening: &Tightening) -> JointNetwork {
    let tightening = Tightening {
        slack: 0,
        ..tightening.clone()
    };
    tightened(question, &tightening)
}

/// The joint network with a tightening.
pub(super) fn tightened(question: &OrderingProblem<'_>, tightening: &Tightening) -> JointNetwork {
    let mut joint = question.joint.clone();
    let mut more = Vec::new();
    if let Some(makespan) = tightening.makespan {
        more = minimal_makespan::horizon_edges(&joint, makespan);
    }
    for (link, limit) in &tightening.waiting {
        let given = question.story.narrative.spec().links[*link];
        for place in &joint.place {
            let (from, to) = (place[given.from], place[given.to]);
            if from != super::joint_network::ABSENT && to != super::joint_network::ABSENT {
                more.push(Edge::new(from, to, *limit, ORIGIN as u32));
            }
        }
    }
    joint.requirements.extend(more);
    let varies = |link: &Contingent| {
        let mut open = question.story.open.iter();
        open.any(|open| open.contingent == link.id as usize && open.lower < open.upper)
    };
    for link in joint.contingents.iter_mut().filter(|link| varies(link)) {
        link.lower = (link.lower - tightening.slack).max(0);
        link.upper += tightening.slack;
    }
    joint
}
