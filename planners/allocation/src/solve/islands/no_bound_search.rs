//! Without a solver of linear programs there is no search for lower bounds.

use crate::solve::draft::Draft;
use crate::{Cost, Plan, Problem};
use anytime::{Control, Rounds};
use std::thread::Scope;

/// No search.
pub(super) struct BoundSearch;

impl BoundSearch {
    pub(super) fn new(_: &Problem, _: &Control<'_, Plan, Cost>) -> Self {
        Self
    }

    pub(super) fn step<'s>(
        &mut self,
        _: &'s Scope<'s, '_>,
        _: &Draft,
        _: &mut Rounds,
        _: &mut Control<'_, Plan, Cost>,
    ) {
    }

    pub(super) fn receive(&self, _: &mut Control<'_, Plan, Cost>) -> bool {
        false
    }
}
