//! Who hears how a solve goes.

use crate::{Effort, Solution};
use std::ops::ControlFlow;

/// A better solution, on its way out.
#[derive(Debug)]
pub struct Improvement<'i> {
    /// Checked, and strictly better than all before.
    pub solution: &'i Solution,
    /// What no objective can beat, where one is proved so far.
    pub bound: Option<f64>,
    /// Work done so far.
    pub effort: Effort,
}

/// Who hears how a solve goes. Called on the solving thread: be quick. It may solve something else
/// on another thread, not on this one, where that ends as
/// [`Failure::Nested`](crate::Failure::Nested).
///
/// A panic ends the solve, which is then left in good order, and goes on in its caller.
pub trait Listener {
    /// A solution strictly better than all before. `Break` asks to stop:
    /// [`Verdict::Stopped`](crate::Verdict::Stopped) with [`Stop::Target`](anytime::Stop::Target)
    /// follows, unless the solve ends by itself first.
    fn improved(&mut self, found: Improvement<'_>) -> ControlFlow<()>;

    /// No objective can beat `bound`; strictly better than all before. Computed with floating-point
    /// numbers.
    fn bound(&mut self, bound: f64) {
        let _ = bound;
    }
}

/// Nobody listens.
impl Listener for () {
    fn improved(&mut self, _: Improvement<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(Improvement<'_>) -> ControlFlow<()>> Listener for F {
    fn improved(&mut self, found: Improvement<'_>) -> ControlFlow<()> {
        self(found)
    }
}
