//! The methods: plans, levels, analyses and games.

use super::analyze::{analysis_levels, analysis_objective, analyzed, to_analyze};
use super::answer::{answer, objective, step};
use super::design::{Sketch, design_answer, design_objective, design_step, levels, to_design};
use super::game::{ToPlay, to_play};
use super::info;
use super::names::Names;
use super::play::play;
use super::request::request;
use crate::contract::SimulateHeist;
use crate::method::{Game, Stage};
use crate::mistakes::Mistakes;
use crate::searches::searches;
use crate::solve::Options;
use ::heist::Cost;
use ::heist::analysis::Analyzer;
use anytime::Found;
use heist::{BurglarPlanner, DesignPlanner};

searches! {
    PlanBurglar: BurglarPlanner, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        step: step,
        objective: |_: &_, found: &Found<_>, _| Some(objective(found.cost)),
        levels: |_: &_, cost: &Cost| Some(vec![cost.actions.into()]),
    }

    DesignHeist: DesignPlanner, Sketch {
        strategies: info::design_strategies,
        limits: info::limits,
        read: |message, _: &_| to_design(message),
        answer: design_answer,
        step: design_step,
        objective: |_: &_, found: &Found<_>, _| Some(design_objective(found.cost)),
        levels: |_: &_, cost: &_| Some(levels(*cost)),
    }

    AnalyzeHeist: Analyzer, Names {
        strategies: info::analysis_strategies,
        limits: info::limits,
        read: |message, _: &_| to_analyze(message),
        answer: analyzed,
        objective: |_: &_, found: &Found<_>, _| Some(analysis_objective(found.cost)),
        levels: |_: &_, cost: &_| Some(analysis_levels(*cost)),
    }
}

impl Game for SimulateHeist {
    type Read = ToPlay;
    type Planner = BurglarPlanner;

    fn read(message: Self::Request) -> Result<ToPlay, Mistakes> {
        to_play(message)
    }

    fn options(game: &ToPlay) -> &Options {
        &game.options
    }

    // There is one belief for each agent.
    fn bytes(game: &ToPlay, size: usize) -> usize {
        size * (2 + game.world.agents().len())
    }

    fn elements(game: &ToPlay) -> usize {
        game.world.museum().rooms()
    }

    fn ending(last: &Self::Answer) -> Option<(&'static str, i32)> {
        let end = last.end.as_ref()?;
        Some((end.ending().as_str_name(), end.tick_count))
    }

    fn play(game: &ToPlay, stage: &dyn Stage<Self::Answer>) -> Option<Self::Answer> {
        play(game, stage)
    }
}
