//! The planner, as the runner sees it.

use crate::run::Kind;
use ::narrative::{Answer, Narrative, Schedule};
use std::convert::Infallible;

// Why there is no plan is part of the answer.
impl Kind for Schedule {
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
