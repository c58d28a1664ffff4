//! Burglars, levels for them, and games.

use super::{Family, Search, checking, plan, pulse, solving};
use crate::Draw;
use ::heist::analysis::{AnalysisRequest, Analyzer, rate};
use ::heist::budget::SignalBudget;
use ::heist::design::{
    Kinds, Level, LevelCost, Params as Wanted, Played, design, missing_traps, verify_level_until,
};
use ::heist::explain::{alternatives, infeasibility_reasons, unavoidable};
use ::heist::game::{Replan, Rules, play_until};
use ::heist::generate::{MuseumParams, Zones, museum};
use ::heist::help::{Aim, HelpRequest};
use ::heist::{BURGLAR, Burglar, Params, Problem, World, execute};
use anytime::Control;

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "heist new",
        make: new,
    },
    Family {
        name: "heist solve",
        make: solve,
    },
    Family {
        name: "heist design",
        make: designed,
    },
    Family {
        name: "heist analyse",
        make: analysed,
    },
    Family {
        name: "heist simulate",
        make: simulated,
    },
    Family {
        name: "heist verify",
        make: verify,
    },
    Family {
        name: "heist explain",
        make: why,
    },
    Family {
        name: "heist design verify",
        make: verify_design,
    },
    Family {
        name: "heist design explain",
        make: why_design,
    },
];

fn world(seed: u64) -> World {
    let mut draw = Draw::new(seed);
    if draw.chance(25) {
        let side = draw.size(2, 44);
        return Zones {
            side,
            zones: draw.size(1, side.min(30)),
            loops_percent: draw.one_of(&[0, 30, 100]),
        }
        .world(seed);
    }
    let columns = draw.size(1, 40);
    let params = MuseumParams {
        columns,
        rows: draw.size(2, (2_000 / columns).min(40)),
        loops_percent: draw.one_of(&[0, 30, 50, 100]),
        closed_percent: draw.one_of(&[0, 40, 90]),
        locked_percent: draw.one_of(&[0, 30, 70]),
        keys: draw.size(1, 40) - 1,
        cameras: draw.size(1, 40) - 1,
        guards: draw.size(1, 30) - 1,
        machines: draw.size(1, 40) - 1,
        wrong_percent: draw.one_of(&[0, 10, 50]),
        copies: draw.size(1, 8) - 1,
    };
    museum(&params, seed)
}

fn rules(seed: u64) -> Rules {
    let mut draw = Draw::new(!seed);
    Rules {
        replan: draw.one_of(&[Replan::OnFailure, Replan::OnInconsistency]),
        ticks_max: draw.one_of(&[100, 1_000, 100_000]),
        ..Rules::default()
    }
}

/// The task of a seed, if it has one.
#[must_use]
pub fn problem(seed: u64) -> Option<Problem> {
    let world = world(seed);
    let agent = if Draw::new(!seed).chance(80) {
        BURGLAR
    } else {
        world.agents().len() - 1
    };
    Problem::new(world, agent, &[]).ok()
}

fn new(seed: u64) -> Option<Search> {
    let spec = world(seed).spec();
    Some(Box::new(move |_| {
        let world = World::new(spec.clone());
        let _ = world.map(|world| Problem::new(world, BURGLAR, &[]));
    }))
}

fn solve(seed: u64) -> Option<Search> {
    let params = Params::default();
    Some(solving::<Burglar>(problem(seed)?, params, seed))
}

fn wanted(seed: u64) -> Wanted {
    let mut draw = Draw::new(!seed);
    let played = draw.chance(70).then(|| Played {
        rules: rules(seed),
        cost_max: draw.one_of(&[1, 3, 10]),
        games_max: draw.one_of(&[100, 20_000]),
    });
    let kinds = [Kinds::Cameras, Kinds::Guards, Kinds::Both, Kinds::Patrols];
    Wanted {
        traps: draw.size(1, 32),
        kinds: match played {
            Some(_) => draw.one_of(&kinds),
            None => draw.one_of(&kinds[..3]),
        },
        played,
    }
}

fn designed(seed: u64) -> Option<Search> {
    let (world, wanted) = (world(seed), wanted(seed));
    Some(Box::new(move |token| {
        let mut sink = |_: &Level, _: LevelCost| {};
        let mut control = Control::new(super::open(token), seed, &mut sink);
        let _ = design(&world, &wanted, &mut control);
    }))
}

fn analysed(seed: u64) -> Option<Search> {
    let mut draw = Draw::new(!seed);
    let question = HelpRequest {
        aim: draw.one_of(&[Aim::Win, Aim::Capture]),
        cost_max: draw.one_of(&[1, 3, 10]),
        games_max: 20_000,
    };
    let tick = draw.one_of(&[0, 0, 5, 50, 5_000]);
    let request =
        AnalysisRequest::new(world(seed), rules(seed), Vec::new(), tick, question).ok()?;
    Some(solving::<Analyzer>(request, (), seed))
}

fn simulated(seed: u64) -> Option<Search> {
    let (world, rules) = (world(seed), rules(seed));
    Some(Box::new(move |token| {
        let pulse = pulse(token);
        let _ = play_until(&world, rules, &[], &mut SignalBudget(&pulse));
    }))
}

fn verify(seed: u64) -> Option<Search> {
    let problem = problem(seed)?;
    let plan = plan::<Burglar>(&problem, &Params::default(), 2_000)?;
    Some(checking::<Burglar>(problem, plan))
}

fn why(seed: u64) -> Option<Search> {
    let problem = problem(seed)?;
    let plan = plan::<Burglar>(&problem, &Params::default(), 2_000);
    Some(Box::new(move |token| match &plan {
        None => _ = infeasibility_reasons(&problem),
        Some(plan) => {
            let _ = alternatives(&problem, plan, 10, &pulse(token));
            let _ = unavoidable(&problem, plan);
            let _ = execute(&problem, plan);
        }
    }))
}

/// The best level after some looks.
fn level(world: &World, wanted: &Wanted) -> Option<Level> {
    let mut best = None;
    let mut sink = |level: &Level, _: LevelCost| best = Some(level.clone());
    let mut control = Control::new(anytime::Limits::iterations(50), 1, &mut sink);
    let _ = design(world, wanted, &mut control);
    best
}

fn verify_design(seed: u64) -> Option<Search> {
    let (world, wanted) = (world(seed), wanted(seed));
    let level = level(&world, &wanted)?;
    Some(Box::new(move |token| {
        let pulse = pulse(token);
        let _ = verify_level_until(&world, &wanted, &level, &mut SignalBudget(&pulse));
    }))
}

fn why_design(seed: u64) -> Option<Search> {
    let (world, wanted) = (world(seed), wanted(seed));
    let level = level(&world, &wanted)?;
    Some(Box::new(move |token| {
        let pulse = pulse(token);
        let _ = rate(&level.world, rules(seed), 20_000, &mut SignalBudget(&pulse));
        let _ = missing_traps(&world, &wanted, Some(&level), &mut SignalBudget(&pulse));
    }))
}
