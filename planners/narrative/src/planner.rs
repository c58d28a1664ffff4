//! The shape in which a runner carries this planner.

use crate::solve::{Params, solve};
use crate::{Answer, Cost, Narrative, verify};
use anytime::{Pulse, Runnable};
use std::convert::Infallible;

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

// Why there is no plan is part of the answer.
impl Runnable for Schedule {
    const NAME: &'static str = "narrative";
    const PAIR_BYTES: usize = 1_024;
    type Reasons = Infallible;

    fn elements(narrative: &Narrative) -> usize {
        narrative.spec().events
    }

    fn is_partial(_: &Narrative, answer: &Answer) -> bool {
        !matches!(answer, Answer::Plan(_))
    }
}
