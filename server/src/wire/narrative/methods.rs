//! The method: a schedule for a story.

use super::answer::{answer, update};
use super::info;
use super::names::Names;
use super::request::request;
use crate::rpc::method::searches;
use ::narrative::Schedule;

searches! {
    ScheduleNarrative: Schedule, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        update: update,
    }
}
