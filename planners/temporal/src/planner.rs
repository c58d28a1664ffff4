//! The two shapes in which a runner carries this planner.

use crate::solve::{LevelsParams, StrongParams, check_levels, check_strong};
use crate::{LevelFinding, Network, StrongFinding, Undecided, verify};
use anytime::{Conclusion, Control, Fault, Planner, Pulse, SolveError};

/// The question whether fixed times for our events work: see [`check_strong`] and
/// [`verify::finding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strong;

impl Planner for Strong {
    type Problem = Network;
    type Params = StrongParams;
    type Plan = StrongFinding;
    type Cost = Undecided;
    type Violation = Fault;

    fn solve(
        network: &Network,
        params: &StrongParams,
        control: &mut Control<'_, StrongFinding, Undecided>,
    ) -> Result<Conclusion, SolveError> {
        check_strong(network, params, control)
    }

    fn verify(network: &Network, finding: &StrongFinding) -> Result<Undecided, Vec<Fault>> {
        verify::finding(network, finding)
    }

    fn verify_until(
        network: &Network,
        finding: &StrongFinding,
        pulse: &Pulse,
    ) -> Option<Result<Undecided, Vec<Fault>>> {
        verify::finding_until(network, finding, &mut || pulse.beats()).ok()
    }
}

/// Several questions in one call: see [`check_levels`] and [`verify::levels`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels;

impl Planner for Levels {
    type Problem = Network;
    type Params = LevelsParams;
    type Plan = Vec<LevelFinding>;
    type Cost = Undecided;
    type Violation = Fault;

    fn solve(
        network: &Network,
        params: &LevelsParams,
        control: &mut Control<'_, Vec<LevelFinding>, Undecided>,
    ) -> Result<Conclusion, SolveError> {
        check_levels(network, params, control)
    }

    fn verify(network: &Network, findings: &Vec<LevelFinding>) -> Result<Undecided, Vec<Fault>> {
        verify::levels(network, findings)
    }

    fn verify_until(
        network: &Network,
        findings: &Vec<LevelFinding>,
        pulse: &Pulse,
    ) -> Option<Result<Undecided, Vec<Fault>>> {
        verify::levels_until(network, findings, &mut || pulse.beats()).ok()
    }
}
