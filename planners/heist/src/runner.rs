//! The planners of heists: of one agent's plan, and of levels. What is reported about a plan
//! besides it is worked out after the search.

use crate::analysis::{AnalysisRequest, Analyzer, Rating, rate};
use crate::budget::SignalBudget;
use crate::design::{
    self, Level, LevelCost, design, missing_traps, verify_level, verify_level_until,
};
use crate::explain::{Alternative, alternatives, infeasibility_reasons, unavoidable};
use crate::game::Rules;
use crate::{Cost, Params, Plan, PlanOutcome, Problem, World, execute, solve, verify};
use anytime::{Pulse, Reason, Runnable};
use std::convert::Infallible;

/// A problem, and what is to be reported about its plan.
pub struct PlanRequest {
    /// The problem.
    pub problem: Problem,
    /// How many other plans are wanted.
    pub alternatives: usize,
}

/// What is reported about a plan, or about there being none.
pub struct PlanReport {
    /// Why there is none.
    pub infeasibility_reasons: Vec<Reason>,
    /// Other plans, the shortest first.
    pub alternatives: Vec<Alternative>,
    /// Rooms that every plan enters.
    pub unavoidable: Vec<usize>,
    /// What comes of the plan as things are.
    pub outcome: Option<PlanOutcome>,
}

anytime::planner! {
    /// The planner of one agent, as its runner sees it.
    pub struct BurglarPlanner {
        problem: PlanRequest,
        params: Params,
        plan: Plan,
        cost: Cost,
        solve: |request: &PlanRequest, params, control| solve(&request.problem, params, control),
        verify: |request: &PlanRequest, plan| verify(&request.problem, plan),
    }
}

impl Runnable for BurglarPlanner {
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
pub struct LevelRequest {
    /// The world.
    pub world: World,
    /// What the level should be like, and how to search.
    pub params: design::Params,
}

/// What is reported about a level.
pub struct LevelReport {
    /// Why traps are missing.
    pub missing: Vec<Reason>,
    /// What it is like; where there was time to find out.
    pub rating: Option<Rating>,
}

/// Maximal number of games for one question about a level that is not simulated otherwise.
const GAMES_MAX: u64 = 20_000;

anytime::planner! {
    /// The design of levels, as its runner sees it.
    pub struct DesignPlanner {
        problem: LevelRequest,
        params: (),
        plan: Level,
        cost: LevelCost,
        solve: |wanted: &LevelRequest, (): &(), control| {
            design(&wanted.world, &wanted.params, control)
        },
        verify: |wanted: &LevelRequest, level| verify_level(&wanted.world, &wanted.params, level),
        verify_until: |wanted: &LevelRequest, level, pulse| {
            let budget = &mut SignalBudget(pulse);
            verify_level_until(&wanted.world, &wanted.params, level, budget)
        },
    }
}

impl Runnable for DesignPlanner {
    const NAME: &'static str = "heist";
    const NODE_BYTES: usize = 300;
    type Reasons = LevelReport;

    fn elements(wanted: &LevelRequest) -> usize {
        wanted.world.museum().rooms()
    }

    // Playing games takes as long as a search: once, at the end.
    fn explain(wanted: &LevelRequest, level: Option<&Level>, pulse: &Pulse) -> Option<LevelReport> {
        let played = wanted.params.played;
        let (rules, games) = played.map_or_else(
            || (Rules::default(), GAMES_MAX),
            |played| (played.rules, played.games_max),
        );
        // A late report is not sent at all: both end before the deadline.
        let (half, most) = (pulse.share(50), pulse.share(80));
        let rating = level.map(|level| rate(&level.world, rules, games, &mut SignalBudget(&half)));
        let (world, params) = (&wanted.world, &wanted.params);
        Some(LevelReport {
            missing: missing_traps(world, params, level, &mut SignalBudget(&most)),
            // A game that was not played to its end is no rating.
            rating: rating.filter(|rating| rating.explanation.ending.is_some()),
        })
    }
}

// What is open is part of the answer.
impl Runnable for Analyzer {
    const NAME: &'static str = "heist";
    const NODE_BYTES: usize = 300;
    type Reasons = Infallible;

    fn elements(request: &AnalysisRequest) -> usize {
        request.world().museum().rooms()
    }
}
