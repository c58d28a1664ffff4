//! The method: schedules of projects.

use super::answer::{answer, update};
use super::info;
use super::names::Names;
use super::request::request;
use crate::rpc::method::searches;
use ::schedule::Schedule;

searches! {
    ScheduleProject: Schedule, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        update: update,
    }
}
