//! Makespan descent with other policies: coverage is searched again within capped horizons.

use super::{Ended, Improvement, middle};
use crate::plan::Cost;
use crate::problem::{Micros, Node, ORIGIN, Source};
use crate::solve::cover::{Cover, CoverageGap, PolicyCache};
use crate::solve::precedences::{OrderingProblem, Outcome, find_precedences};
use crate::solve::story::{Bound, Story};
use crate::solve::{Extra, TURNS, minimal_makespan, non_anticipativity, offer_plan};
use stn::uncertain;

/// What came of a horizon.
enum Within {
    /// A plan that keeps it was offered.
    Offered,
    /// No plan keeps it.
    Refuted,
    /// These policies do not go together: others might.
    Unknown,
}

impl Improvement<'_, '_, '_> {
    /// Offers shorter and shorter plans, where only the makespan counts, and proves what no plan is
    /// below: by bisection of a horizon that policies have to keep each alone.
    pub(super) fn shorten_makespan(&mut self) -> Result<(), Ended> {
        let weight = i128::from(self.question.story.narrative.spec().objective.makespan);
        let narrative = self.question.story.narrative;
        let mut story = Story::new(narrative, &mut || self.control.go_on()).ok_or(Ended)?;
        let makespan = |cost: Option<Cost>| match cost {
            Some(Cost::Weighted(cost)) => Micros::try_from(cost.div_euclid(weight)).ok(),
            _ => None,
        };
        let mut low = makespan(self.control.bound()).unwrap_or(0);
        let mut high = makespan(self.control.best()).ok_or(Ended)?;
        let mut is_proved = !self.is_part;
        while low < high {
            let horizon = middle(low - 1, high, self.unit);
            cap_horizon(&mut story, horizon);
            match self.plan_within(&story)? {
                Within::Offered => {
                    high = makespan(self.control.best())
                        .unwrap_or(horizon)
                        .min(horizon);
                }
                Within::Refuted => low = horizon + 1,
                Within::Unknown => {
                    low = horizon + 1;
                    is_proved = false;
                }
            }
            if is_proved {
                let least = Cost::Weighted(weight * i128::from(low));
                self.control.prove(least, "coverage");
            }
        }
        Ok(())
    }

    /// Looks for a plan of a story within a horizon, and offers it.
    fn plan_within(&mut self, story: &Story<'_>) -> Result<Within, Ended> {
        let mut notes = PolicyCache::new(story);
        for first in 0..TURNS {
            let mut cover = Cover::new(story, self.control, notes);
            let covered = cover.cover(first);
            let refuted = match &covered {
                Err(CoverageGap::Uncovered(_)) => cover.is_refuted(),
                _ => Ok(false),
            };
            notes = cover.notes;
            let skeletons = match covered {
                Ok(skeletons) => skeletons,
                Err(CoverageGap::Uncovered(_)) => match refuted {
                    Ok(true) => return Ok(Within::Refuted),
                    Err(CoverageGap::Stopped) => return Err(Ended),
                    _ => return Ok(Within::Unknown),
                },
                Err(CoverageGap::TooLarge) => continue,
                Err(CoverageGap::Stopped) => return Err(Ended),
            };
            let go_on = &mut || self.control.go_on();
            let joint = non_anticipativity::joint_network(story, &skeletons, go_on).ok_or(Ended)?;
            let question = OrderingProblem::new(story, &skeletons, &joint);
            match find_precedences(&question, self.control) {
                Outcome::Found(orders, _) => {
                    let go_on = &mut || self.control.go_on();
                    let least =
                        minimal_makespan::minimal_makespan(&joint, &orders, go_on).ok_or(Ended)?;
                    let edges =
                        [&orders[..], &minimal_makespan::horizon_edges(&joint, least)].concat();
                    let network = joint.network(&edges).map_err(|_| Ended)?;
                    let strategy = uncertain::strategy(&network, go_on);
                    let strategy = strategy.witness().ok_or(Ended)?;
                    let extra = Extra::without_slack(&joint, self.flexibilities);
                    offer_plan(&question, &orders, &strategy, extra, "auto", self.control)
                        .ok_or(Ended)?;
                    return Ok(Within::Offered);
                }
                Outcome::Stopped => return Err(Ended),
                Outcome::Uncontrollable(_) | Outcome::Overloaded(_) | Outcome::TooLarge => {}
            }
        }
        Ok(Within::Unknown)
    }
}

/// Lets all events happen by a horizon. Moments of choices stay those of the story as given.
pub(in crate::solve) fn cap_horizon(story: &mut Story<'_>, horizon: Micros) {
    let narrative = story.narrative;
    let most = narrative.spec().horizon_us.unwrap_or(horizon).min(horizon);
    let other = |bound: &Bound| !matches!(bound.source, Source::Horizon(_));
    story.bounds.retain(other);
    let limit = |node: Node| Bound {
        from: ORIGIN,
        to: node,
        most,
        source: Source::Horizon(node),
    };
    story.bounds.extend((1..narrative.nodes()).map(limit));
}
