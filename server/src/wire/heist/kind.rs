//! The planners of heists: of one agent's plan, and of levels. What is reported about a plan
//! besides it is worked out after the search.

use crate::run::Kind;
use ::heist::analysis::{AnalysisRequest, Analyzer, Rating, rate};
use ::heist::budget::SignalBudget;
use ::heist::design::{Level, LevelCost, design, missing_traps, verify_level, verify_level_until};
use ::heist::explain::{Alternative, alternatives, infeasibility_reasons, unavoidable};
use ::heist::game::Rules;
use ::heist::{Burglar, Cost, Params, Plan, PlanOutcome, Problem, World, execute};
use anytime::{Conclusion, Control, Fault, Planner, Pulse, Reason, SolveError};
use std::convert::Infallible;

/// A problem, and what is to be reported about its plan.
pub(crate) struct PlanRequest {
    pub problem: Problem,
    /// How many other plans are wanted.
    pub alternatives: usize,
}

/// What is reported about a plan, or about there being none.
pub(crate) struct PlanReport {
    /// Why there is none.
    pub infeasibility_reasons: Vec<Reason>,
    /// Other plans, the shortest first.
    pub alternatives: Vec<Alternative>,
    /// Rooms that every plan enters.
    pub unavoidable: Vec<usize>,
    /// What comes of the plan as things are.
    pub outcome: Option<PlanOutcome>,
}

/// Plans tasks.
#[derive(Debug)]
pub(crate) struct BurglarPlanner;

impl Planner for BurglarPlanner {
    type Problem = PlanRequest;
    type Params = Params;
    type Plan = Plan;
    type Cost = Cost;

    fn solve(
        request: &PlanRequest,
        params: &Params,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Result<Conclusion, SolveError> {
        Burglar::solve(&request.problem, params, control)
    }

    fn verify(request: &PlanRequest, plan: &Plan) -> Result<Cost, Vec<Fault>> {
        Burglar::verify(&request.problem, plan)
    }
}

impl Kind for BurglarPlanner {
    const NAME: &'static str = "heist";
    const NODE_BYTES: usize = 300;
    type Reasons = PlanReport;

    fn elements(request: &PlanRequest) -> usize {
        request.problem.museum().rooms()
    }

    fn explain(request: &PlanRequest, plan: Option<&Plan>, wanted: &Pulse) -> Option<PlanReport> {
        let problem = &request.problem;
        let Some(plan) = plan else {
            return Some(PlanReport {
                infeasibility_reasons: infeasibility_reasons(problem),
                alternatives: Vec::new(),
                unavoidable: Vec::new(),
                outcome: None,
            });
        };
        let others = match request.alternatives {
            0 => Vec::new(),
            most => alternatives(problem, plan, most, wanted),
        };
        Some(PlanReport {
            infeasibility_reasons: Vec::new(),
            alternatives: others,
            unavoidable: unavoidable(problem, plan),
            outcome: Some(execute(problem, plan)),
        })
    }
}

/// A world, and what level is wanted of it.
pub(crate) struct Wanted {
    pub world: World,
    pub params: ::heist::design::Params,
}

/// What is reported about a level.
pub(crate) struct Rated {
    /// Why traps are missing.
    pub missing: Vec<Reason>,
    /// What it is like; where there was time to find out.
    pub rating: Option<Rating>,
}

/// Maximal number of games for one question about a level that is not simulated otherwise.
const GAMES_MAX: u64 = 20_000;

/// Designs levels.
#[derive(Debug)]
pub(crate) struct DesignPlanner;

impl Planner for DesignPlanner {
    type Problem = Wanted;
    type Params = ();
    type Plan = Level;
    type Cost = LevelCost;

    fn solve(
        wanted: &Wanted,
        (): &(),
        control: &mut Control<'_, Level, LevelCost>,
    ) -> Result<Conclusion, SolveError> {
        design(&wanted.world, &wanted.params, control)
    }

    fn verify(wanted: &Wanted, level: &Level) -> Result<LevelCost, Vec<Fault>> {
        verify_level(&wanted.world, &wanted.params, level)
    }

    fn verify_until(
        wanted: &Wanted,
        level: &Level,
        pulse: &Pulse,
    ) -> Option<Result<LevelCost, Vec<Fault>>> {
        verify_level_until(
            &wanted.world,
            &wanted.params,
            level,
            &mut SignalBudget(pulse),
        )
    }
}

impl Kind for DesignPlanner {
    const NAME: &'static str = "heist";
    const NODE_BYTES: usize = 300;
    type Reasons = Rated;

    fn elements(wanted: &Wanted) -> usize {
        wanted.world.museum().rooms()
    }

    // Playing games takes as long as a search: once, at the end.
    fn explain(wanted: &Wanted, level: Option<&Level>, pulse: &Pulse) -> Option<Rated> {
        let played = wanted.params.played;
        let (rules, games) = played.map_or_else(
            || (Rules::default(), GAMES_MAX),
            |played| (played.rules, played.games_max),
        );
        // A late report is not sent at all: both end before the deadline.
        let (half, most) = (pulse.share(50), pulse.share(80));
        let rating = level.map(|level| rate(&level.world, rules, games, &mut SignalBudget(&half)));
        let (world, params) = (&wanted.world, &wanted.params);
        Some(Rated {
            missing: missing_traps(world, params, level, &mut SignalBudget(&most)),
            // A game that was not played to its end is no rating.
            rating: rating.filter(|rating| rating.explanation.ending.is_some()),
        })
    }
}

// What is open is part of the answer.
impl Kind for Analyzer {
    const NAME: &'static str = "heist";
    const NODE_BYTES: usize = 300;
    type Reasons = Infallible;

    fn elements(request: &AnalysisRequest) -> usize {
        request.world().museum().rooms()
    }
}
