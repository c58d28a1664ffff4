//! The methods: one question, and several.

use super::answer::{levels_answer, strong_answer};
use super::info;
use super::names::Names;
use super::request::{levels, strong};
use crate::searches::searches;
use ::temporal::{Levels, Strong};

searches! {
    CheckStrongControllability: Strong, Names {
        strategies: info::strong_strategies,
        limits: info::limits,
        read: |message, _: &_| strong(message),
        answer: strong_answer,
    }

    CheckControllability: Levels, Names {
        strategies: info::levels_strategies,
        limits: info::limits,
        read: |message, _: &_| levels(message),
        answer: levels_answer,
    }
}
