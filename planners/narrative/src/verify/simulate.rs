//! Dispatch of a plan: simulated, for given durations and picks of players, and for
//! [executions](crate::execution).

mod breakdown;
mod dispatch_network;
mod dispatcher;
mod enabled;
mod plan_parts;

pub use breakdown::Breakdown;
pub(crate) use dispatcher::{Dispatcher, State};
pub(crate) use plan_parts::{PlanPart, PlanParts};

use super::joint_network::JointNetwork;
use super::network::{of_policy, outcomes, possible};
use super::story_tree::{Set, StoryTree};
use super::transitive_reduction::reduce;
use super::{
    CELLS_MAX, Checked, checked, faults, form, strands, truncated, without_unpicked_options,
};
use crate::plan::Plan;
use crate::problem::{Chooser, Micros, Narrative, Picks};
use anytime::{Argument, Fault, Path, element, fault, time};
use dispatch_network::DispatchNetwork;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use stn::check::{Closure, Network};

/// Most combinations of shortest and longest durations and of picks that are all played.
const CORNERS_MAX: usize = 64;

/// Maximum number of pairs of nodes in joint networks, which are built again after each pick, over
/// all checked runs of a plan by strands.
const CELLS_PLAYED_MAX: usize = 8_000_000;

/// Runs of each plan that [`answer`](super::answer) checks, besides all corners where these are
/// few. For a plan by strands these and the corners are at most this many in all, and at least a
/// quarter of it: fewer where joint networks, built after each pick, have many nodes.
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
/// `durations_us` is how long each contingent link takes, `picks` the option that players pick, by
/// choice; without an entry they pick the first. The dispatcher sees a duration when it is over and
/// a pick when it is made. It follows the bounds of the narrative, and the bounds and waits of all
/// policies that are still possible, with their consequences for shared events. Policies that hold
/// an event back until they are distinguished do so. All rules are checked again on the resulting
/// times.
///
/// # Errors
/// What is wrong with the form of the plan; durations that the narrative does not allow
/// (`DURATION_WRONG`).
pub fn simulate(
    narrative: &Narrative,
    plan: &Plan,
    durations_us: &[Micros],
    picks: &[Option<usize>],
) -> Result<Run, Vec<Fault>> {
    let wrong = duration_violations(narrative, durations_us);
    if !wrong.is_empty() {
        return Err(truncated(wrong));
    }
    let played = RefCell::new(None);
    let play = |parts: &PlanParts<'_>, checked| {
        let known = Known::new(parts, checked, CELLS_MAX);
        let simulator = Simulator::new(parts, &known);
        let run = simulator.play(&Dispatcher::new(simulator), durations_us, picks);
        played.replace(Some(run));
        Ok(())
    };
    shown(narrative, plan, &play)?;
    let run = played.into_inner();
    Ok(run.expect("it was played"))
}

/// Shows a plan of good form to a judge, also one that fails its check.
pub(crate) fn shown(
    narrative: &Narrative,
    plan: &Plan,
    judge: &strands::Judge<'_>,
) -> Result<(), Vec<Fault>> {
    if strands::is_by_strands(narrative, plan) {
        strands::unchecked(narrative, plan, judge)
    } else {
        alone(narrative, plan, judge)
    }
}

/// Durations that the narrative does not allow.
fn duration_violations(narrative: &Narrative, durations_us: &[Micros]) -> Vec<Fault> {
    let mut wrong = Vec::new();
    for contingent in 0..narrative.spec().contingent.len() {
        let (lower, upper) = possible(narrative, contingent);
        let given_us = durations_us.get(contingent).copied();
        if given_us.is_none_or(|given| !(lower..=upper).contains(&given)) {
            let list = Path::root("durations");
            let (at, link) = (
                list.index(contingent),
                element("contingent link", contingent),
            );
            let given = given_us.map_or_else(|| Argument::from("missing"), time);
            let text = (time(lower), time(upper));
            wrong.push(fault!(
                "DURATION_WRONG",
                at,
                "is {}, but {} takes {} to {}",
                given,
                link,
                text.0,
                text.1
            ));
        }
    }
    wrong
}

/// Shows a plan for one story of all groups to a judge, likewise.
fn alone(narrative: &Narrative, plan: &Plan, judge: &strands::Judge<'_>) -> Result<(), Vec<Fault>> {
    if narrative.storylines().is_empty() {
        return Err(vec![faults::picks_wrong(0)]);
    }
    let mut story = StoryTree::new(narrative);
    let fewer = without_unpicked_options(narrative, plan);
    if let Some(fewer) = &fewer
        && checked(&story, plan).is_err()
    {
        story = StoryTree::new(fewer);
    }
    let wrong = form::violations(&story, plan);
    if !wrong.is_empty() {
        return Err(truncated(wrong));
    }
    let joint = JointNetwork::new(&story, plan).expect("nothing stops it");
    let own = plan.policies.iter();
    let own = own.map(|policy| {
        let mut own = of_policy(narrative, policy, plan.makespan_us);
        reduce(&mut own, &|| true);
        own
    });
    let known = Checked {
        joint,
        own: own.collect(),
        closures: Vec::new(),
    };
    judge(&PlanParts::of_story(&story, plan), known)
}

/// What is known about a plan of good form, to play it.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) joint: JointNetwork,
    /// The network of each policy.
    pub(crate) own: Vec<Network>,
    /// What follows from each of these; none: not known yet.
    closures: Vec<Closure>,
    /// By policy and contingent link: the outcomes for which it is meant.
    pub(crate) outcomes: Vec<Vec<(Micros, Micros)>>,
    /// By policy the nodes of which it says something.
    concerns: Vec<Set>,
    /// By node: whether we decide about it.
    pub(crate) ours: Vec<bool>,
    /// By policies that are possible: what they ask for together.
    rules: Mutex<BTreeMap<Vec<usize>, Arc<DispatchNetwork>>>,
    /// Most pairs of nodes in these.
    cells_max: usize,
}

impl Known {
    pub(crate) fn new(parts: &PlanParts<'_>, checked: Checked, cells_max: usize) -> Self {
        let (narrative, plan) = (parts.narrative, parts.plan);
        let links = 0..narrative.spec().contingent.len();
        let of = |policy| {
            let of = links.clone().map(|link| outcomes(narrative, policy, link));
            of.collect()
        };
        let mut ours = vec![true; narrative.nodes()];
        for link in &narrative.spec().contingent {
            ours[link.to] = false;
        }
        Self {
            concerns: parts.concerns(),
            ours,
            joint: checked.joint,
            own: checked.own,
            closures: checked.closures,
            outcomes: plan.policies.iter().map(of).collect(),
            rules: Mutex::default(),
            cells_max,
        }
    }
}

/// A plan of good form, ready to be played.
#[derive(Clone, Copy)]
pub(crate) struct Simulator<'a> {
    pub(crate) parts: &'a PlanParts<'a>,
    pub(crate) known: &'a Known,
}

impl<'a> Simulator<'a> {
    pub(crate) fn new(parts: &'a PlanParts<'a>, known: &'a Known) -> Self {
        Self { parts, known }
    }

    /// What some policies ask for together.
    fn rules(&self, policies: &[usize]) -> Arc<DispatchNetwork> {
        // What is there is whole.
        let known = || {
            let known = self.known.rules.lock();
            known.unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(rules) = known().get(policies) {
            return Arc::clone(rules);
        }
        let rules = Arc::new(DispatchNetwork::new(self, policies));
        let mut known = known();
        let cells = |rules: &Arc<DispatchNetwork>| rules.cells();
        if known.values().map(cells).sum::<usize>() > self.known.cells_max {
            known.clear();
        }
        known.insert(policies.to_vec(), Arc::clone(&rules));
        rules
    }

    /// Maximum number of runs that are checked: for many strands it takes long to build the joint
    /// network after each pick.
    fn runs_max(&self) -> usize {
        match self.parts.pairs[..] {
            [] => usize::MAX,
            _ => {
                let choices = self.parts.narrative.spec().choices.len();
                let each = self.known.joint.nodes.pow(2).saturating_mul(choices.max(1));
                (CELLS_PLAYED_MAX / each).clamp(RUNS / 4, RUNS)
            }
        }
    }

    fn play(&self, now: &Dispatcher, durations_us: &[Micros], picks: &[Option<usize>]) -> Run {
        let mut dispatcher = now.with_outcomes(durations_us, picks);
        let stopped = dispatcher.play().err();
        let mut run = dispatcher.run();
        let broken = || {
            breakdown::first_breakdown(self.parts.narrative, self.parts.plan, &run, durations_us)
        };
        run.breakdown = stopped.or_else(broken);
        run
    }
}

/// Plays a plan of good form for shortest, longest and drawn durations and for picks of players.
/// `checked`: what was found when it was checked.
///
/// # Errors
/// The first run that breaks down.
pub(super) fn several(parts: &PlanParts<'_>, checked: Checked) -> Result<(), Fault> {
    let known = Known::new(parts, checked, CELLS_MAX);
    let simulator = Simulator::new(parts, &known);
    let now = Dispatcher::new(simulator);
    let corners = corners(parts.narrative, parts.plan);
    let cases = cases(parts.narrative, &corners).into_iter();
    for (durations_us, picks) in cases.take(simulator.runs_max()) {
        if !parts.goes_on() {
            break;
        }
        let run = simulator.play(&now, &durations_us, &picks);
        if let Some(breakdown) = run.breakdown {
            return Err(breakdown.fault(&durations_us));
        }
    }
    Ok(())
}

/// Durations and what players pick: [`RUNS`] that are drawn, and all corners where these are few.
fn cases(narrative: &Narrative, corners: &[Vec<Micros>]) -> Vec<(Vec<Micros>, Picks)> {
    let choices = &narrative.spec().choices;
    let players = choices.iter().map(|choice| match choice.chooser {
        Chooser::System => 1,
        Chooser::Player => choice.options.len(),
    });
    let players: Vec<usize> = players.collect();
    let sizes = corners.iter().map(Vec::len).chain(players.iter().copied());
    let all = sizes
        .clone()
        .try_fold(1_usize, |all, size| all.checked_mul(size));
    let all = all.filter(|all| *all <= CORNERS_MAX);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut draw = |run: usize| {
        let durations = corners.iter().map(|corners| match run {
            0 => corners[0],
            1 => corners[corners.len() - 1],
            _ if random.random_range(0..4) > 0 => corners[random.random_range(0..corners.len())],
            _ => random.random_range(corners[0]..=corners[corners.len() - 1]),
        });
        let durations: Vec<Micros> = durations.collect();
        let picks = players
            .iter()
            .map(|options| random.random_range(0..*options));
        (durations, picks.map(Some).collect::<Picks>())
    };
    let mut cases: Vec<_> = (0..RUNS).map(&mut draw).collect();
    for corner in 0..all.unwrap_or(0) {
        let mut left = corner;
        let mut digit = |size: usize| {
            let digit = left % size;
            left /= size;
            digit
        };
        let durations = corners.iter().map(|corners| corners[digit(corners.len())]);
        let durations: Vec<Micros> = durations.collect();
        let picks = players.iter().map(|options| Some(digit(*options)));
        let picks: Picks = picks.collect();
        cases.push((durations, picks));
    }
    cases
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
