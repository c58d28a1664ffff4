//! The method: a schedule for a story.

use super::answer::{answer, found_objective, level, step};
use super::info;
use super::names::Names;
use super::request::request;
use crate::searches::searches;
use ::narrative::Schedule;

searches! {
    ScheduleNarrative: Schedule, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        step: step,
        objective: |asked: &_, found: &_, _| found_objective(asked, found),
        levels: |_: &_, cost: &_| level(*cost).map(|level| vec![level]),
    }
}
