//! The shape in which a runner carries this planner.

use crate::solve::{Params, solve};
use crate::{Answer, Cost, Narrative, verify};
use anytime::Pulse;

anytime::planner! {
    /// Scheduling of a narrative: see [`solve`] and [`verify::answer`].
    pub struct Schedule {
        problem: Narrative,
        params: Params,
        plan: Answer,
        cost: Cost,
        solve: solve,
        verify: verify::answer,
        verify_until: |narrative, answer, pulse: &Pulse| {
            verify::answer_until(narrative, answer, &|| pulse.beats())
        },
    }
}
