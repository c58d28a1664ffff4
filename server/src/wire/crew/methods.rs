//! The methods: all trade-offs, and the comparison with what people did.

use super::answer::{answer, objective};
use super::compare::{ToCompare, compared, to_compare};
use super::info;
use super::names::Names;
use super::request::request;
use crate::rpc::contract::CompareCrewMoves;
use crate::rpc::question::Question;
use crate::rpc::searches::searches;
use crate::run::Found;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use ::crew::{Cost, Crew};
use anytime::Pulse;

searches! {
    AssignCrew: Crew, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        objective: |_: &_, found: &Found<_>, _| Some(objective(found.cost)),
        levels: |_: &_, cost: &Cost| Some(vec![cost.open.into()]),
    }
}

impl Question for CompareCrewMoves {
    type Read = ToCompare;

    fn read(message: Self::Request) -> Result<Self::Read, Mistakes> {
        to_compare(message)
    }

    fn answer(read: Self::Read, wanted: &Pulse) -> Result<Self::Answer, Refusal> {
        compared(&read, wanted)
    }
}
