//! Search of tracks against an intruder that enters at tick 0.
//!
//! 1. Beam search for all guards, one after the other and in pairs.
//! 2. Large neighbourhood search: beam search in random windows of time for one or two guards.
//! 3. Branch and bound (`branch_and_bound`), or else perturbations of the incumbent.
//!
//! These alternate, with wider beams and more nodes each time.

use super::beam::{BeamSearch, Replanned};
use super::branch_and_bound::{BranchAndBound, Proof, standing};
use super::side_constraints::cyclic_plan;
use super::warm::tracks;
use crate::context::{Context, Position, share};
use crate::plan::{Cost, Plan};
use anytime::{Conclusion, Control, Stop};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Beam width before the neighbourhood search.
const FIRST_WIDTH: usize = 300;
/// Failures in a row that end the neighbourhood search.
const FAILURES_MAX: usize = 300;
/// The same before branch and bound.
const FIRST_FAILURES_MAX: usize = 40;
/// Perturbations before the beam is widened again.
const PERTURBATIONS: usize = 60;
/// Nodes of the first run of branch and bound.
const FIRST_NODES: u64 = 400_000;
/// Beam width in a window.
const WINDOW_WIDTH: usize = 48;
/// Maximum size of all beliefs of a beam, in numbers.
const NUMBERS_MAX: usize = 8_000_000;

/// Tracks of all guards, with the belief about the intruder.
#[derive(Clone)]
pub(super) struct Tracks<'s> {
    context: &'s Context<'s>,
    /// Positions by guard and tick.
    tracks: Vec<Vec<Position>>,
    /// Belief after each tick.
    beliefs: Vec<Vec<u64>>,
    /// Probability of escape by tick and place, from after the tick.
    escape: Vec<Vec<f64>>,
}

impl<'s> Tracks<'s> {
    pub(super) fn new(context: &'s Context<'s>, tracks: Vec<Vec<Position>>) -> Self {
        let instants = tracks[0].len();
        let mut found = Self {
            context,
            tracks,
            beliefs: vec![Vec::new(); instants],
            escape: vec![Vec::new(); instants],
        };
        found.beliefs[0] = context.prior();
        found.remove_seen(0);
        found.escape[instants - 1] = vec![1.0; context.problem.places()];
        found.update(0, instants - 1);
        found
    }

    /// Updates beliefs after tick `first` and probabilities of escape before tick `last`, after a
    /// change of tracks between them.
    fn update(&mut self, first: usize, last: usize) {
        let context = self.context;
        let mut parts = Vec::new();
        for tick in first + 1..self.beliefs.len() {
            let (before, now) = self.beliefs.split_at_mut(tick);
            let (before, now) = (&before[tick - 1], &mut now[0]);
            if context.work.proceed(context.step_work()) {
                context.step(before, &mut parts, now);
            } else {
                // Stopped: the result is not offered any more.
                now.clear();
                now.resize(before.len(), 0);
            }
            self.remove_seen(tick);
        }
        for tick in (1..=last).rev() {
            let mut after = self.escape[tick].clone();
            for (guard, track) in self.tracks.iter().enumerate() {
                context.for_each_seen(guard, track[tick], |place| after[place] = 0.0);
            }
            let before = &mut self.escape[tick - 1];
            if context.work.proceed(context.step_work()) {
                context.step_back(&after, before);
            } else {
                *before = after;
            }
        }
    }

    /// Removes from the belief what guards see at a tick.
    fn remove_seen(&mut self, tick: usize) {
        let belief = &mut self.beliefs[tick];
        for (guard, track) in self.tracks.iter().enumerate() {
            self.context
                .for_each_seen(guard, track[tick], |place| belief[place] = 0);
        }
    }

    /// Probability of escape, exactly.
    pub(super) fn total_escape(&self) -> u64 {
        self.beliefs
            .last()
            .expect("there is an instant")
            .iter()
            .sum()
    }

    /// The same with other positions of some guards after tick `from`.
    fn replanned(&self, active: &[usize], from: usize, positions: &[Vec<Position>]) -> Self {
        let mut found = self.clone();
        for (guard, positions) in active.iter().zip(positions) {
            found.tracks[*guard][from + 1..=from + positions.len()].copy_from_slice(positions);
        }
        let length = positions.first().map_or(0, Vec::len);
        found.update(from, from + length);
        found
    }
}

/// Searches tracks, from a plan if there is one. Optimal only with proof.
pub(super) fn search(
    context: &Context<'_>,
    warm: Option<&Plan>,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let mut best = warm.map(|plan| Tracks::new(context, tracks(context, plan)));
    for width in [1, 30, FIRST_WIDTH] {
        try_beams(context, width, &mut best, control);
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(control.seed(0));
    // A better incumbent makes branch and bound faster.
    improve(&mut best, FIRST_FAILURES_MAX, &mut rng, control);
    let (mut width, mut nodes) = (FIRST_WIDTH, FIRST_NODES);
    while control.go_on() && control.remaining() > 0 {
        let perturbations = match prove(context, nodes, &mut best, control) {
            Proof::Optimal => return Conclusion::Optimal,
            // Branch and bound also improves the incumbent.
            Proof::Stopped => 0,
            Proof::Unsuitable => PERTURBATIONS,
        };
        nodes = nodes.saturating_mul(8);
        width = width.saturating_mul(3);
        try_beams(context, width, &mut best, control);
        if !improve(&mut best, FAILURES_MAX, &mut rng, control) {
            break;
        }
        for _ in 0..perturbations {
            if let Some(best) = best.as_mut().filter(|best| best.total_escape() > 0) {
                perturb(best, &mut rng, control);
            }
            if !control.go_on() || control.remaining() == 0 {
                break;
            }
        }
    }
    Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
}

/// Large neighbourhood search until `failures_max` failures in a row; false: no improvement is
/// possible.
fn improve(
    best: &mut Option<Tracks<'_>>,
    failures_max: usize,
    rng: &mut Xoshiro256PlusPlus,
    control: &mut Control<'_, Plan, Cost>,
) -> bool {
    let Some(best) = best else {
        return false;
    };
    if best.tracks[0].len() < 3 || best.total_escape() == 0 {
        return false;
    }
    let mut failed = 0;
    while failed < failures_max && control.go_on() && control.remaining() > 0 {
        failed = if replan_window(best, rng, control) {
            0
        } else {
            failed + 1
        };
    }
    true
}

/// Beam searches of a width: for one guard after the other, and for two guards jointly.
fn try_beams<'s>(
    context: &'s Context<'s>,
    width: usize,
    best: &mut Option<Tracks<'s>>,
    control: &mut Control<'_, Plan, Cost>,
) {
    let width = width.min(NUMBERS_MAX / context.problem.places()).max(1);
    for is_joint in [false, true] {
        if is_joint && (context.guards() != 2 || width == 1) {
            continue;
        }
        let Some(tracks) = beam_tracks(context, width, is_joint, control) else {
            continue;
        };
        let found = Tracks::new(context, tracks);
        // Tracks with no lower escape may have lower idleness.
        offer(&found, "beam", control);
        if best
            .as_ref()
            .is_none_or(|best| found.total_escape() < best.total_escape())
        {
            *best = Some(found);
        }
    }
}

/// Runs branch and bound, which may improve the incumbent.
fn prove<'s>(
    context: &'s Context<'s>,
    nodes_max: u64,
    best: &mut Option<Tracks<'s>>,
    control: &mut Control<'_, Plan, Cost>,
) -> Proof {
    let Some(known) = best else {
        return Proof::Unsuitable;
    };
    if context.problem.objective().has_idleness() {
        return Proof::Unsuitable;
    }
    let mut better = Vec::new();
    let proof = BranchAndBound::search(
        context,
        1.0 - share(known.total_escape()),
        nodes_max,
        &mut |path| better = path.to_vec(),
        control,
    );
    if !better.is_empty() {
        let found = Tracks::new(context, vec![standing(&better)]);
        if found.total_escape() < known.total_escape() {
            offer(&found, "branch and bound", control);
            *best = Some(found);
        }
    }
    proof
}

/// Tracks by beam search: for one guard after the other, against the belief that the previous ones
/// leave, or for all jointly.
fn beam_tracks(
    context: &Context<'_>,
    width: usize,
    is_joint: bool,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<Vec<Vec<Position>>> {
    let instants = context.problem.intruder().instants as usize;
    let guards = context.guards();
    let start = |guard| vec![context.start(guard); instants];
    let mut tracks: Vec<Vec<Position>> = (0..guards).map(start).collect();
    let teams: Vec<Vec<usize>> = if is_joint {
        vec![(0..guards).collect()]
    } else {
        (0..guards).map(|guard| vec![guard]).collect()
    };
    for team in teams {
        let known = Tracks::new(context, tracks.clone());
        let found = BeamSearch {
            context,
            active: &team,
            tracks: &tracks,
            ticks: [0, instants - 1],
            belief: &known.beliefs[0],
            is_end_fixed: false,
            last: known.escape.last().expect("there is an instant"),
            width,
        }
        .search(control)?;
        for (guard, positions) in team.iter().zip(found.positions) {
            tracks[*guard].truncate(1);
            tracks[*guard].extend(positions);
        }
    }
    Some(tracks)
}

/// Replans a random window; returns whether that improves the incumbent.
fn replan_window(
    best: &mut Tracks<'_>,
    rng: &mut Xoshiro256PlusPlus,
    control: &mut Control<'_, Plan, Cost>,
) -> bool {
    let window = Window::choose(best, rng);
    let last = best.escape[window.ticks[1]].clone();
    let Some(found) = window.search(best, &last, WINDOW_WIDTH, control) else {
        return false;
    };
    if found.escape + 1e-13 < share(best.total_escape()) {
        let found = best.replanned(&window.active, window.ticks[0], &found.positions);
        if found.total_escape() < best.total_escape() {
            offer(&found, "stretch", control);
            *best = found;
            return true;
        }
    }
    false
}

/// Replans some windows with random factors on the probabilities of escape, improves the result,
/// and keeps it if it is better than the incumbent.
fn perturb(
    best: &mut Tracks<'_>,
    rng: &mut Xoshiro256PlusPlus,
    control: &mut Control<'_, Plan, Cost>,
) {
    let mut other = best.clone();
    for _ in 0..rng.random_range(1..=3) {
        let window = Window::choose(&other, rng);
        let escape = &other.escape[window.ticks[1]];
        let last: Vec<f64> = escape.iter().map(|one| one * rng.random::<f64>()).collect();
        if let Some(found) = window.search(&other, &last, 1, control) {
            other = other.replanned(&window.active, window.ticks[0], &found.positions);
        }
    }
    let mut other = Some(other);
    improve(&mut other, FAILURES_MAX / 4, rng, control);
    if let Some(other) = other.filter(|other| other.total_escape() < best.total_escape()) {
        *best = other;
    }
}

/// Window of time, and the guards that are replanned in it.
struct Window {
    active: Vec<usize>,
    ticks: [usize; 2],
}

impl Window {
    fn choose(best: &Tracks<'_>, rng: &mut Xoshiro256PlusPlus) -> Self {
        let instants = best.tracks[0].len();
        let guards = best.tracks.len();
        let length = rng
            .random_range(2..=instants.clamp(3, 40))
            .min(instants - 1);
        let from = rng.random_range(0..instants - length);
        let first = rng.random_range(0..guards);
        let mut active = vec![first];
        if guards > 1 && rng.random_ratio(1, 3) {
            let second = (first + rng.random_range(1..guards)) % guards;
            active = vec![first.min(second), first.max(second)];
        }
        Self {
            active,
            ticks: [from, from + length],
        }
    }

    /// Beam search in the window; `last` is the probability of escape from each place at its end.
    fn search(
        &self,
        best: &Tracks<'_>,
        last: &[f64],
        width: usize,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Option<Replanned> {
        let [from, until] = self.ticks;
        BeamSearch {
            context: best.context,
            active: &self.active,
            tracks: &best.tracks,
            ticks: self.ticks,
            belief: &best.beliefs[from],
            is_end_fixed: until + 1 < best.tracks[0].len(),
            last,
            width,
        }
        .search(control)
    }
}

/// Offers the cyclic plan of tracks.
fn offer(found: &Tracks<'_>, by: &str, control: &mut Control<'_, Plan, Cost>) {
    // With gaps and idleness.
    if let Some((plan, cost)) = cyclic_plan(found.context, &found.tracks) {
        super::offer(control, &plan, cost, by);
    }
}
