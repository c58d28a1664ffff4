//! The methods: all trade-offs, and the comparison with what people did.

use super::answer::{answer, objective};
use super::compare::{ToCompare, compared, to_compare};
use super::info;
use super::names::Names;
use super::request::request;
use crate::contract::CompareCrewMoves;
use crate::method::Question;
use crate::mistakes::Mistakes;
use crate::searches::searches;
use ::crew::{Cost, Crew};
use anytime::Found;
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

    fn answer(read: Self::Read, wanted: &Pulse) -> Result<Option<Self::Answer>, Mistakes> {
        compared(&read, wanted)
    }
}
