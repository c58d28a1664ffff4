//! How far one duration could stretch with the same orders.

use super::super::joint::Joint;
use super::super::orders::Question;
use super::super::story::Open;
use crate::plan::Stretch;
use crate::problem::Micros;
use stn::Edge;
use stn::uncertain::{self, Bound, dynamic};

/// One of the two ends of a duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Shortest,
    Longest,
}

/// How far each duration that can vary could stretch, all else being equal (equation 13 of the paper); `None`: told to stop.
pub(crate) fn stretches(
    question: &Question<'_>,
    orders: &[Edge],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Stretch>> {
    let story = question.story;
    let bounds = story.bounds.iter().map(|bound| bound.most.abs());
    let longest = bounds.chain(story.open.iter().map(|open| open.upper)).max();
    let cap = longest.unwrap_or(0) * 2;
    let mut all = Vec::new();
    for open in story.open.iter().filter(|open| open.lower < open.upper) {
        let mut ask = Ask {
            question,
            orders,
            open,
            go_on,
        };
        all.push(Stretch {
            contingent: open.contingent,
            shortest_us: ask.furthest(End::Shortest, 0)?,
            longest_us: ask.furthest(End::Longest, cap.max(open.upper))?,
        });
    }
    Some(all)
}

struct Ask<'a> {
    question: &'a Question<'a>,
    orders: &'a [Edge],
    open: &'a Open,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Ask<'_> {
    /// The furthest time towards `goal` that one end can be moved to. Each conflict is linear in it and says how far back to
    /// go; where that is further than needed, a bisection finds the rest.
    fn furthest(&mut self, end: End, goal: Micros) -> Option<Micros> {
        let given = match end {
            End::Shortest => self.open.lower,
            End::Longest => self.open.upper,
        };
        let sign = if goal < given { -1 } else { 1 };
        let (mut fails, mut at) = (goal + sign, goal);
        while (at - given) * sign > 0 {
            let Some(clash) = self.clash(end, at)? else {
                break;
            };
            fails = at;
            at -= sign * clash;
        }
        if (at - given) * sign < 0 {
            at = given;
        }
        let mut holds = at;
        // Most often the step was right: one question is enough.
        let mut next = holds + sign;
        while (fails - holds) * sign > 1 {
            match self.clash(end, next)? {
                None => holds = next,
                Some(_) => fails = next,
            }
            next = holds + (fails - holds) / 2;
        }
        Some(holds)
    }

    /// How far an end would have to come back to break the conflict that there is at `at`; none inside: there is no conflict.
    fn clash(&mut self, end: End, at: Micros) -> Option<Option<Micros>> {
        let joint = self.stretched(end, at);
        let Ok(network) = joint.network(self.orders) else {
            return Some(Some(1.max((at - self.open.upper).abs() / 2)));
        };
        match dynamic(&network, self.go_on) {
            uncertain::Verdict::Holds(()) => Some(None),
            uncertain::Verdict::Stopped => None,
            uncertain::Verdict::Fails(conflict) => {
                let ours = conflict.terms.iter().filter(|term| match term.bound {
                    Bound::Lower(_) => end == End::Shortest,
                    Bound::Upper(_) => end == End::Longest,
                    Bound::Requirement(_) => false,
                });
                let ours = ours.filter(|term| term.id as usize == self.open.contingent);
                let count: i64 = ours.map(|term| term.coefficient.abs()).sum();
                let back = (-conflict.value + count - 1) / count.max(1);
                Some(Some(back.max(1)))
            }
        }
    }

    /// The joint network with one end elsewhere, for the policies that have all outcomes of the link.
    fn stretched(&self, end: End, at: Micros) -> Joint {
        let mut joint = self.question.joint.clone();
        let whole = |link: &&mut uncertain::Contingent| {
            let range = (link.lower, link.upper);
            link.id as usize == self.open.contingent && range == (self.open.lower, self.open.upper)
        };
        for link in joint.contingents.iter_mut().filter(whole) {
            match end {
                End::Shortest => link.lower = at,
                End::Longest => link.upper = at,
            }
        }
        joint
    }
}
