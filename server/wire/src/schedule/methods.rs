//! The method: schedules of projects.

use super::answer::{answer, objective, seconds, step};
use super::info;
use super::names::Names;
use super::request::request;
use crate::searches::searches;
use ::schedule::Schedule;
use anytime::Found;

searches! {
    ScheduleProject: Schedule, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        step: step,
        objective: |_: &_, found: &Found<_>, _| Some(objective(found.cost)),
        levels: |_: &_, cost: &_| Some(vec![seconds(*cost)]),
    }
}
