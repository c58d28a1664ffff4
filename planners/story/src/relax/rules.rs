//! What is looked at: the rules of a domain, and how much of them.

use super::conditions::VALUES_MAX;
use crate::compiled::CompiledDomain;
use crate::problem::Problem;

/// How much of a domain its relaxation distinguishes, and how a proof goes about it. What is beyond
/// is taken to hold: bounds are lower then, and remain bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Most values of a fact, at most 256. Default: 256.
    pub values: usize,
    /// Most alternatives of a condition. Default: 4,096.
    pub choices: usize,
    /// Most combinations of values that one condition or number is worked out for. Default: 4,096.
    pub leaves: usize,
    /// Most contexts of an action in which it is differently believable. Default: 48.
    pub contexts: usize,
    /// Most operators; with more there is no relaxation, and no proof. Default: 400,000.
    pub operators: usize,
    /// Most actions that matter; with more there is no proof. Default: 10,000.
    pub actions: usize,
    /// Most outcomes that are ranked at a glance, parts of them included. Default: 50,000.
    pub outcomes: usize,
    /// Nodes opened before stories are looked for in parts. Default: 60.
    pub opened: u64,
    /// Entities of a type up to which all of them take part in every story looked for; with more,
    /// stories of few are looked for first. Default: 8.
    pub cast: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            values: VALUES_MAX,
            choices: 4_096,
            leaves: 4_096,
            contexts: 48,
            operators: 400_000,
            actions: 10_000,
            outcomes: 50_000,
            opened: 60,
            cast: 8,
        }
    }
}

/// The rules of a domain, and how far they are looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules<'p> {
    pub(crate) problem: &'p Problem,
    pub(crate) compiled: &'p CompiledDomain,
    pub(crate) caps: Caps,
}
