//! The methods: errands, levels, and games.

use super::analyze::{analyzed, to_analyze};
use super::answer::{answer, update};
use super::design::{Sketch, design_answer, design_update, to_design};
use super::game::{ToPlay, to_play};
use super::info;
use super::kind::{BurglarPlanner, DesignPlanner};
use super::names::Names;
use super::play::play;
use super::request::request;
use crate::rpc::contract::{AnalyzeHeist, DesignHeist, PlanBurglar, SimulateHeist};
use crate::rpc::game::Game;
use crate::rpc::method::{Asked, Method, Reading, RequestOf};
use crate::rpc::{Now, Streamed};
use crate::run::{Outcome, Stage};
use crate::wire::mistakes::Mistakes;
use crate::wire::solve::Options;
use ::heist::analysis::Analyst;
use stratagem_proto::v1 as pb;

impl Method for PlanBurglar {
    type Planner = BurglarPlanner;
    type Names = Names;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<BurglarPlanner>) -> Self::Answer {
        answer(asked, outcome)
    }
}

impl Streamed for PlanBurglar {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        update(asked, event, now)
    }
}

impl Method for DesignHeist {
    type Planner = DesignPlanner;
    type Names = Sketch;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::design_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        to_design(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<DesignPlanner>) -> Self::Answer {
        design_answer(asked, outcome)
    }
}

impl Streamed for DesignHeist {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        design_update(asked, event, now)
    }
}

impl Method for AnalyzeHeist {
    type Planner = Analyst;
    type Names = Names;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::analysis_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        to_analyze(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Analyst>) -> Self::Answer {
        analyzed(asked, outcome)
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

    // What everybody believes is there once for each of them.
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

    fn play(game: &ToPlay, stage: &Stage<Self::Answer>) -> Option<Self::Answer> {
        play(game, stage)
    }
}
