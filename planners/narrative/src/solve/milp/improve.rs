//! Better plans of stories with choices.
//!
//! For known policies, the program of their joint network minimises the objective: that proves
//! nothing about other policies. Where only the makespan counts, boxes are searched for from
//! scratch within shorter and shorter horizons, by bisection: a horizon within which outcomes are
//! left uncovered bounds all plans. Other objectives are bounded by the costs of storylines by
//! themselves, as for the other strategy.

use super::network::Scale;
use super::outcome_boxes::{FoundPolicy, Gap, OutcomeBoxes};
use super::{Offer, UNITS_MAX, offer_together, single};
use crate::plan::{Answer, Cost};
use crate::problem::{Micros, Objective};
use crate::solve::Detail;
use crate::solve::improve::{Improvement, cap_horizon, middle};
use crate::solve::joint_network::PolicyOutline;
use crate::solve::non_anticipativity;
use crate::solve::precedences::OrderingProblem;
use crate::solve::story::Story;
use anytime::{Conclusion, Control};

/// Offers better plans than that of these policies.
pub(super) fn improve(
    story: &Story<'_>,
    scale: Scale,
    found: &[FoundPolicy],
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let skeletons: Vec<PolicyOutline> = found.iter().map(|found| found.skeleton.clone()).collect();
    let Some(joint) = non_anticipativity::joint_network(story, &skeletons, &mut || control.go_on())
    else {
        return single::ended(control);
    };
    let question = OrderingProblem::new(story, &skeletons, &joint);
    let mut floor = Improvement {
        question: &question,
        orders: Vec::new(),
        is_whole: false,
        is_part: false,
        unit: scale.unit,
        flexibilities: false,
        control,
    };
    if !floor.prove_lower_bound() {
        return single::ended(control);
    }
    if let Some(scale) = single::fine(&question, scale) {
        // Stopped: what follows hears it too. That the solver gave up leaves other ways.
        let _ = single::best(&question, scale, detail, control);
    }
    if let Some(weight) = makespan_alone(&story.narrative.spec().objective) {
        // Stopped: the conclusion says so.
        let _ = sooner(story, scale, weight, detail, control);
    }
    let bound = control.bound();
    if bound.is_some() && control.best() <= bound {
        Conclusion::Optimal
    } else {
        single::ended(control)
    }
}

/// The weight of the makespan, where nothing else counts.
fn makespan_alone(objective: &Objective) -> Option<u32> {
    let alone = objective.slack == 0 && objective.idle == 0 && objective.makespan > 0;
    alone.then_some(objective.makespan)
}

/// Offers shorter and shorter plans with other policies, and proves a lower bound; `None`: stopped.
fn sooner(
    story: &Story<'_>,
    scale: Scale,
    weight: u32,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<()> {
    let makespan = |cost: Option<Cost>| match cost {
        Some(Cost::Weighted(cost)) => Micros::try_from(cost.div_euclid(i128::from(weight))).ok(),
        _ => None,
    };
    let mut hurried = Story::new(story.narrative, &mut || control.go_on())?;
    let mut low = makespan(control.bound()).unwrap_or(0);
    let mut high = makespan(control.best())?;
    let mut is_proved = !story.tree.is_narrow();
    while low < high {
        let horizon = middle(low - 1, high, scale.unit);
        cap_horizon(&mut hurried, horizon);
        let finer = Scale::new(&hurried);
        if finer.horizon() > UNITS_MAX {
            // What is left is less than the tolerance of the solver.
            break;
        }
        let mut boxes_search = OutcomeBoxes {
            story: &hurried,
            scale: finer,
            control,
        };
        let offered = match boxes_search.cover_story() {
            Ok(found) => match offer_together(&hurried, finer, &found, detail, control) {
                Offer::Offered => true,
                Offer::Fails => {
                    is_proved = false;
                    false
                }
                Offer::Stopped => return None,
            },
            Err(Gap::Uncovered(_)) => false,
            Err(Gap::Open) => {
                is_proved = false;
                false
            }
            Err(Gap::Stopped) => return None,
        };
        if offered {
            high = makespan(control.best())?.min(horizon);
        } else {
            low = horizon + 1;
        }
        if is_proved {
            let least = i128::from(weight) * i128::from(low);
            control.prove(Cost::Weighted(least), "milp");
        }
    }
    Some(())
}
