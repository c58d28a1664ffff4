//! Kinds of searches, each with seeded problems of many sizes.

mod allocation;
pub mod crew;
mod crime;
mod evenings;
pub mod heist;
pub mod narrative;
pub mod patrol;
pub mod puzzle;
mod schedule;
pub mod story;
pub mod temporal;

use anytime::{CancelToken, Control, Limits, Planner, Pulse};
use std::cell::RefCell;

/// A search that can be run again: it looks at the token given, and does the same each time.
pub type Search = Box<dyn Fn(&CancelToken) + Send>;

/// A kind of searches.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// The planner, and what it does: `narrative solve`.
    pub name: &'static str,
    /// The search of the problem with this seed; `None`: this seed has none.
    pub make: fn(u64) -> Option<Search>,
}

/// All families.
#[must_use]
pub fn families() -> Vec<Family> {
    let all = [
        temporal::FAMILIES,
        narrative::FAMILIES,
        allocation::FAMILIES,
        crew::FAMILIES,
        patrol::FAMILIES,
        puzzle::FAMILIES,
        schedule::FAMILIES,
        heist::FAMILIES,
        story::FAMILIES,
    ];
    all.concat()
}

/// The search of a planner.
fn solving<P: Planner>(problem: P::Problem, params: P::Params, seed: u64) -> Search
where
    P::Params: Send,
{
    Box::new(move |token| {
        let mut sink = |_: &P::Plan, _: P::Cost| {};
        let mut control = Control::new(open(token), seed, &mut sink);
        let _ = P::solve(&problem, &params, &mut control);
    })
}

/// One thread, and no limit but the token.
fn open(token: &CancelToken) -> Limits {
    Limits::iterations(u64::MAX).with_cancel(token.clone())
}

/// The check of a plan.
fn checking<P: Planner>(problem: P::Problem, plan: P::Plan) -> Search {
    Box::new(move |token| {
        let _ = P::verify_until(&problem, &plan, &pulse(token));
    })
}

/// What checks and explanations look at.
fn pulse(token: &CancelToken) -> Pulse {
    Pulse::new(None, token.clone())
}

/// The best plan after this number of looks at most.
fn plan<P: Planner>(problem: &P::Problem, params: &P::Params, looks: u64) -> Option<P::Plan> {
    let best = RefCell::new(None);
    let mut sink = |plan: &P::Plan, _: P::Cost| _ = best.replace(Some(plan.clone()));
    let made = std::sync::atomic::AtomicU64::new(0);
    let token = CancelToken::observed(move || {
        let made = made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        (made >= looks).then_some(anytime::Stop::Cancelled)
    });
    let limits = Limits::iterations(looks).with_cancel(token);
    let mut control = Control::new(limits, 1, &mut sink);
    let _ = P::solve(problem, params, &mut control);
    best.into_inner()
}
