//! A run of a plan: how it goes when the others decide like this.

mod front;
mod realised;
mod rules;
mod stage;

pub use realised::Breakdown;

use super::joint::Joint;
use super::network::{Network, outcomes, possible};
use super::story::Story;
use super::{Violation, form, told};
use crate::plan::Plan;
use crate::problem::{Chooser, Micros, Narrative, Picks};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rules::Rules;
use stage::Stage;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most pairs of nodes between which bounds are remembered, for all sets of policies together.
const CELLS_MAX: usize = 1 << 23;

/// Runs of each plan that [`answer`](super::answer) checks.
pub const RUNS: usize = 24;

/// How a story went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// When each node happened, by node; `None`: it did not.
    pub times_us: Vec<Option<Micros>>,
    /// What was picked, as far as the story went.
    pub picks: Picks,
    /// The policies that were possible to the end, by index.
    pub policies: Vec<usize>,
    /// The first thing that went wrong, if anything did.
    pub breakdown: Option<Breakdown>,
}

/// Plays a plan: everything of ours happens as early as the plan lets it.
///
/// `durations_us` has how long each contingent link takes, `picks` which option players pick, by
/// choice; where it says nothing they pick the first. The dispatcher sees a duration when it is
/// over and a pick when it is made. It follows the bounds of the narrative and what is kept and
/// waited for by all policies that are still possible, with all that follows from this for events
/// that these share; policies that wait until an event to be told apart hold it back until they are. All rules are checked once more on the times that come out.
///
/// # Errors
/// What is wrong with the form of the plan; durations that the narrative does not allow
/// ([`Violation::DurationWrong`]).
pub fn rehearse(
    narrative: &Narrative,
    plan: &Plan,
    durations_us: &[Micros],
    picks: &[Option<usize>],
) -> Result<Run, Vec<Violation>> {
    let story = Story::new(narrative);
    let mut wrong = form::wrong(&story, plan);
    for contingent in 0..narrative.spec().contingent.len() {
        let (lower, upper) = possible(narrative, contingent);
        let given_us = durations_us.get(contingent).copied();
        if given_us.is_none_or(|given| !(lower..=upper).contains(&given)) {
            wrong.push(Violation::DurationWrong {
                contingent,
                given_us,
            });
        }
    }
    if !wrong.is_empty() {
        return Err(told(wrong));
    }
    let joint = Joint::new(&story, plan);
    let script = Script::new(&story, plan, &joint);
    Ok(script.play(durations_us, picks))
}

/// A plan of good form, ready to be played.
struct Script<'a> {
    story: &'a Story<'a>,
    plan: &'a Plan,
    joint: &'a Joint,
    /// The network of each policy.
    own: Vec<Network>,
    /// By policies that are possible: what they ask for together.
    known: RefCell<BTreeMap<Vec<usize>, Rc<Rules>>>,
}

impl<'a> Script<'a> {
    fn new(story: &'a Story<'a>, plan: &'a Plan, joint: &'a Joint) -> Self {
        let own = plan.policies.iter();
        let own = own.map(|policy| Network::policy(story.narrative, policy, plan.makespan_us));
        Self {
            story,
            plan,
            joint,
            own: own.collect(),
            known: RefCell::default(),
        }
    }

    /// What some policies ask for together.
    fn rules(&self, policies: &[usize]) -> Rc<Rules> {
        let mut known = self.known.borrow_mut();
        if let Some(rules) = known.get(policies) {
            return Rc::clone(rules);
        }
        let rules = Rc::new(Rules::new(self, policies));
        let cells = |rules: &Rc<Rules>| rules.cells();
        if known.values().map(cells).sum::<usize>() > CELLS_MAX {
            known.clear();
        }
        known.insert(policies.to_vec(), Rc::clone(&rules));
        rules
    }

    fn play(&self, durations_us: &[Micros], picks: &[Option<usize>]) -> Run {
        let mut stage = Stage::new(self, durations_us, picks);
        let stopped = stage.play().err();
        let mut run = stage.run();
        let broken = || realised::broken(self.story.narrative, self.plan, &run, durations_us);
        run.breakdown = stopped.or_else(broken);
        run
    }
}

/// Plays a plan of good form for shortest, longest and drawn durations and for picks of players.
///
/// # Errors
/// The first run that breaks down.
pub(super) fn several(story: &Story, plan: &Plan, joint: &Joint) -> Result<(), Violation> {
    let mut luck = Xoshiro256PlusPlus::seed_from_u64(0);
    let script = Script::new(story, plan, joint);
    let corners = corners(story.narrative, plan);
    for run in 0..RUNS {
        let durations_us: Vec<Micros> = corners
            .iter()
            .map(|corners| match run {
                0 => corners[0],
                1 => corners[corners.len() - 1],
                _ if luck.random_range(0..4) > 0 => corners[luck.random_range(0..corners.len())],
                _ => luck.random_range(corners[0]..=corners[corners.len() - 1]),
            })
            .collect();
        let picks = story.narrative.spec().choices.iter();
        let picks: Picks = picks
            .map(|choice| match choice.chooser {
                Chooser::System => None,
                Chooser::Player => Some(luck.random_range(0..choice.options.len())),
            })
            .collect();
        let run = script.play(&durations_us, &picks);
        if let Some(breakdown) = run.breakdown {
            return Err(Violation::DispatchBroken {
                durations_us,
                breakdown,
            });
        }
    }
    Ok(())
}

/// For each contingent link the shortest and longest duration of all and of every policy, sorted.
fn corners(narrative: &Narrative, plan: &Plan) -> Vec<Vec<Micros>> {
    let corners = |contingent: usize| {
        let (shortest, longest) = possible(narrative, contingent);
        let mut all = vec![shortest, longest];
        for policy in &plan.policies {
            let (lower, upper) = outcomes(narrative, policy, contingent);
            all.extend([lower, upper]);
        }
        all.sort_unstable();
        all.dedup();
        all
    };
    (0..narrative.spec().contingent.len())
        .map(corners)
        .collect()
}
