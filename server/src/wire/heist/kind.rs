//! The planners of heists: of one agent's errand, and of levels. What else is asked about a plan is
//! no business of its search.

use crate::run::Kind;
use ::heist::analysis::{Analyst, Inquiry, Rating, rate};
use ::heist::design::{
    Lack, Level, LevelCost, LevelViolation, design, lacking, verify_level, verify_level_until,
};
use ::heist::explain::{Alternative, Reason, alternatives, impossible, unavoidable};
use ::heist::game::Rules;
use ::heist::watch::Awaited;
use ::heist::{Burglar, Cost, Outcome, Params, Plan, Problem, Violation, World, trial};
use anytime::{Conclusion, Control, Planner, Pulse, SolveError};
use std::convert::Infallible;

/// An errand, and what is to be told about its plan.
pub(crate) struct Errand {
    pub problem: Problem,
    /// How many other plans are wanted.
    pub alternatives: usize,
}

/// What is told about a plan, or about there being none.
pub(crate) struct Told {
    /// Why there is none.
    pub impossible: Vec<Reason>,
    /// Other plans, the shortest first.
    pub alternatives: Vec<Alternative>,
    /// Rooms that every plan enters.
    pub unavoidable: Vec<usize>,
    /// What comes of the plan as things are.
    pub outcome: Option<Outcome>,
}

/// Plans errands.
#[derive(Debug)]
pub(crate) struct BurglarPlanner;

impl Planner for BurglarPlanner {
    type Problem = Errand;
    type Params = Params;
    type Plan = Plan;
    type Cost = Cost;
    type Violation = Violation;

    fn solve(
        errand: &Errand,
        params: &Params,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Result<Conclusion, SolveError> {
        Burglar::solve(&errand.problem, params, control)
    }

    fn verify(errand: &Errand, plan: &Plan) -> Result<Cost, Vec<Violation>> {
        Burglar::verify(&errand.problem, plan)
    }
}

impl Kind for BurglarPlanner {
    const NAME: &'static str = "heist";
    const NODE_BYTES: usize = 300;
    type Reasons = Told;

    fn elements(errand: &Errand) -> usize {
        errand.problem.museum().rooms()
    }

    fn explain(errand: &Errand, plan: Option<&Plan>, wanted: &Pulse) -> Option<Told> {
        let problem = &errand.problem;
        let Some(plan) = plan else {
            return Some(Told {
                impossible: impossible(problem),
                alternatives: Vec::new(),
                unavoidable: Vec::new(),
                outcome: None,
            });
        };
        let others = match errand.alternatives {
            0 => Vec::new(),
            most => alternatives(problem, plan, most, wanted),
        };
        Some(Told {
            impossible: Vec::new(),
            alternatives: others,
            unavoidable: unavoidable(problem, plan),
            outcome: Some(trial(problem, plan)),
        })
    }
}

/// A world, and what level is wanted of it.
pub(crate) struct Wanted {
    pub world: World,
    pub params: ::heist::design::Params,
}

/// What is told about a level.
pub(crate) struct Rated {
    /// Why traps are missing.
    pub lacks: Vec<Lack>,
    /// What it is like; where there was time to find out.
    pub rating: Option<Rating>,
}

/// Most games that are played for one question about a level that is not played otherwise.
const GAMES_MAX: u64 = 20_000;

/// Designs levels.
#[derive(Debug)]
pub(crate) struct DesignPlanner;

impl Planner for DesignPlanner {
    type Problem = Wanted;
    type Params = ();
    type Plan = Level;
    type Cost = LevelCost;
    type Violation = LevelViolation;

    fn solve(
        wanted: &Wanted,
        (): &(),
        control: &mut Control<'_, Level, LevelCost>,
    ) -> Result<Conclusion, SolveError> {
        design(&wanted.world, &wanted.params, control)
    }

    fn verify(wanted: &Wanted, level: &Level) -> Result<LevelCost, Vec<LevelViolation>> {
        verify_level(&wanted.world, &wanted.params, level)
    }

    fn verify_until(
        wanted: &Wanted,
        level: &Level,
        pulse: &Pulse,
    ) -> Option<Result<LevelCost, Vec<LevelViolation>>> {
        verify_level_until(&wanted.world, &wanted.params, level, &mut Awaited(pulse))
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
        // What is told too late is not told at all.
        let (half, most) = (pulse.share(50), pulse.share(80));
        let rating = level.map(|level| rate(&level.world, rules, games, &mut Awaited(&half)));
        let (world, params) = (&wanted.world, &wanted.params);
        Some(Rated {
            lacks: lacking(world, params, level, &mut Awaited(&most)),
            // What was not played to its end tells less than nothing.
            rating: rating.filter(|rating| rating.explanation.ending.is_some()),
        })
    }
}

// What is open is part of the answer.
impl Kind for Analyst {
    const NAME: &'static str = "heist";
    const NODE_BYTES: usize = 300;
    type Reasons = Infallible;

    fn elements(inquiry: &Inquiry) -> usize {
        inquiry.world().museum().rooms()
    }
}
