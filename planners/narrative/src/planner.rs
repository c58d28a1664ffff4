//! The shape in which a runner carries this planner.

use crate::solve::{Params, solve};
use crate::{Answer, Cost, Narrative, verify};
use anytime::{Conclusion, Control, Fault, Planner, Pulse, SolveError};

/// Scheduling of a narrative: see [`solve`] and [`verify::answer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule;

impl Planner for Schedule {
    type Problem = Narrative;
    type Params = Params;
    type Plan = Answer;
    type Cost = Cost;
    type Violation = Fault;

    fn solve(
        narrative: &Narrative,
        params: &Params,
        control: &mut Control<'_, Answer, Cost>,
    ) -> Result<Conclusion, SolveError> {
        solve(narrative, params, control)
    }

    fn verify(narrative: &Narrative, answer: &Answer) -> Result<Cost, Vec<Fault>> {
        verify::answer(narrative, answer)
    }

    fn verify_until(
        narrative: &Narrative,
        answer: &Answer,
        pulse: &Pulse,
    ) -> Option<Result<Cost, Vec<Fault>>> {
        verify::answer_until(narrative, answer, &|| pulse.beats())
    }
}
