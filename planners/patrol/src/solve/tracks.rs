//! Where guards go against an intruder who enters at tick 0: a beam, then stretch by stretch anew.

use super::beam::Stretch;
use super::branch_and_bound::{Bound, Proof, positions};
use super::side_constraints::allowed;
use super::warm::tracks;
use crate::context::{Context, Position, share};
use crate::plan::{Cost, Plan};
use anytime::{Conclusion, Control, Stop};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Width of the first beam before stretches are walked anew.
const FIRST: usize = 300;
/// After how many stretches in vain the beam is widened.
const PATIENCE: usize = 300;
/// The same before the proof.
const HASTE: usize = 40;
/// How often what is known is left for something else before the beam is widened again.
const KICKS: usize = 60;
/// Nodes of the first try of a proof.
const PROOF: u64 = 400_000;
/// Width of the beam for a stretch.
const NARROW: usize = 48;
/// Numbers that all beliefs of a beam may hold together.
const ROOM: usize = 8_000_000;

/// Where each guard is at each tick, and what that is worth.
#[derive(Clone)]
pub(super) struct Tracks<'s> {
    context: &'s Context<'s>,
    tracks: Vec<Vec<Position>>,
    /// What is left after each tick.
    left: Vec<Vec<u64>>,
    /// How likely who is at a place after each tick escapes.
    escape: Vec<Vec<f64>>,
}

impl<'s> Tracks<'s> {
    /// What tracks are worth.
    pub(super) fn new(context: &'s Context<'s>, tracks: Vec<Vec<Position>>) -> Self {
        let instants = tracks[0].len();
        let mut one = Self {
            context,
            tracks,
            left: vec![Vec::new(); instants],
            escape: vec![Vec::new(); instants],
        };
        one.left[0] = context.prior();
        one.look(0);
        one.escape[instants - 1] = vec![1.0; context.problem.places()];
        one.fill([0, instants - 1]);
        one
    }

    /// Computes again what is left after the first of two ticks, and the probabilities of escape
    /// before the second, after the tracks between them changed.
    fn fill(&mut self, [first, last]: [usize; 2]) {
        let context = self.context;
        let mut parts = Vec::new();
        for tick in first + 1..self.left.len() {
            let (before, now) = self.left.split_at_mut(tick);
            let (before, now) = (&before[tick - 1], &mut now[0]);
            match context.work.proceed(context.step_work()) {
                true => context.step(before, &mut parts, now),
                // Stopped: what is found now is not offered any more.
                false => {
                    now.clear();
                    now.resize(before.len(), 0);
                }
            }
            self.look(tick);
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

    /// What guards see at a tick is not left after it.
    fn look(&mut self, tick: usize) {
        let left = &mut self.left[tick];
        for (guard, track) in self.tracks.iter().enumerate() {
            self.context
                .for_each_seen(guard, track[tick], |place| left[place] = 0);
        }
    }

    /// The probability of escape, exactly.
    pub(super) fn rest(&self) -> u64 {
        self.left.last().expect("there is an instant").iter().sum()
    }

    /// With some guards on another stretch from a tick on. What is left before it, and the
    /// probabilities of escape after it, stay as they are.
    fn with(&self, active: &[usize], (from, positions): (usize, &[Vec<Position>])) -> Self {
        let mut one = self.clone();
        for (guard, positions) in active.iter().zip(positions) {
            one.tracks[*guard][from + 1..=from + positions.len()].copy_from_slice(positions);
        }
        let long = positions.first().map_or(0, Vec::len);
        one.fill([from, from + long]);
        one
    }
}

/// The search for an intruder who enters at tick 0, from a plan if there is one. Optimal only with
/// proof.
pub(super) fn watch(
    context: &Context<'_>,
    warm: Option<&Plan>,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let mut best = warm.map(|plan| Tracks::new(context, tracks(context, plan)));
    for width in [1, 30, FIRST] {
        try_beams((context, width), &mut best, control);
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(control.seed(0));
    // What is known before the proof makes it shorter.
    stretches((&mut best, HASTE), &mut rng, control);
    let (mut width, mut nodes) = (FIRST, PROOF);
    while control.go_on() && control.remaining() > 0 {
        // In between, what is known may become better, and the proof shorter.
        let kicks = match prove((context, nodes), &mut best, control) {
            Proof::Best => return Conclusion::Optimal,
            // The proof will get there, and finds what is better on the way.
            Proof::Stopped => 0,
            Proof::Unfit => KICKS,
        };
        nodes = nodes.saturating_mul(8);
        width = width.saturating_mul(3);
        try_beams((context, width), &mut best, control);
        if !stretches((&mut best, PATIENCE), &mut rng, control) {
            break;
        }
        for _ in 0..kicks {
            if let Some(best) = best.as_mut().filter(|best| best.rest() > 0) {
                elsewhere(best, &mut rng, control);
            }
            if !control.go_on() || control.remaining() == 0 {
                break;
            }
        }
    }
    Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
}

/// Stretches anew until so many in a row were in vain; false: there is nothing to gain.
fn stretches(
    (best, failures_max): (&mut Option<Tracks<'_>>, usize),
    rng: &mut Xoshiro256PlusPlus,
    control: &mut Control<'_, Plan, Cost>,
) -> bool {
    let Some(best) = best else {
        return false;
    };
    if best.tracks[0].len() < 3 || best.rest() == 0 {
        return false;
    }
    let mut failed = 0;
    while failed < failures_max && control.go_on() && control.remaining() > 0 {
        failed = if anew(best, rng, control) {
            0
        } else {
            failed + 1
        };
    }
    true
}

/// Beams of a width, for one guard after the other and for two together.
fn try_beams<'s>(
    (context, width): (&'s Context<'s>, usize),
    best: &mut Option<Tracks<'s>>,
    control: &mut Control<'_, Plan, Cost>,
) {
    let instants = context.problem.intruder().instants as usize;
    let width = width.min(ROOM / context.problem.places()).max(1);
    for together in [false, true] {
        if together && (context.guards() != 2 || width == 1) {
            continue;
        }
        let Some(tracks) = beam((context, instants), (width, together), control) else {
            continue;
        };
        let found = Tracks::new(context, tracks);
        // What is no better against the intruder may be less idle.
        offer(&found, "beam", control);
        if best.as_ref().is_none_or(|best| found.rest() < best.rest()) {
            *best = Some(found);
        }
    }
}

/// Whether nothing is better than the best, which may have become better.
fn prove<'s>(
    (context, nodes): (&'s Context<'s>, u64),
    best: &mut Option<Tracks<'s>>,
    control: &mut Control<'_, Plan, Cost>,
) -> Proof {
    let objective = context.problem.objective();
    let Some(known) = best else {
        return Proof::Unfit;
    };
    if objective.worst_idleness > 0 || objective.mean_idleness > 0 {
        return Proof::Unfit;
    }
    let mut better = Vec::new();
    let proof = Bound::search(
        (context, 1.0 - share(known.rest()), nodes),
        &mut |path| better = path.to_vec(),
        control,
    );
    if !better.is_empty() {
        let found = Tracks::new(context, vec![positions(&better)]);
        if found.rest() < known.rest() {
            offer(&found, "branch and bound", control);
            *best = Some(found);
        }
    }
    proof
}

/// All guards, one after the other against what the ones before leave, or together.
fn beam(
    (context, instants): (&Context<'_>, usize),
    (width, together): (usize, bool),
    control: &mut Control<'_, Plan, Cost>,
) -> Option<Vec<Vec<Position>>> {
    let guards = context.guards();
    let start = |guard| vec![context.start(guard); instants];
    let mut tracks: Vec<Vec<Position>> = (0..guards).map(start).collect();
    let teams: Vec<Vec<usize>> = if together {
        vec![(0..guards).collect()]
    } else {
        (0..guards).map(|guard| vec![guard]).collect()
    };
    for team in teams {
        let known = Tracks::new(context, tracks.clone());
        let found = Stretch {
            context,
            active: &team,
            tracks: &tracks,
            ticks: [0, instants - 1],
            belief: &known.left[0],
            is_tied: false,
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

/// Walks a stretch anew, and keeps it if it is better.
fn anew(
    best: &mut Tracks<'_>,
    rng: &mut Xoshiro256PlusPlus,
    control: &mut Control<'_, Plan, Cost>,
) -> bool {
    let part = Part::choose(best, rng);
    let last = best.escape[part.ticks[1]].clone();
    let Some(found) = part.search((best, &last, NARROW), control) else {
        return false;
    };
    if found.escape + 1e-13 < share(best.rest()) {
        let found = best.with(&part.active, (part.ticks[0], &found.positions));
        if found.rest() < best.rest() {
            offer(&found, "stretch", control);
            *best = found;
            return true;
        }
    }
    false
}

/// Replans some stretches with random factors on the probabilities of escape, improves the result
/// with `stretches`, and keeps it if it is better.
fn elsewhere(
    best: &mut Tracks<'_>,
    rng: &mut Xoshiro256PlusPlus,
    control: &mut Control<'_, Plan, Cost>,
) {
    let mut other = best.clone();
    for _ in 0..rng.random_range(1..=3) {
        let part = Part::choose(&other, rng);
        let escape = &other.escape[part.ticks[1]];
        let last: Vec<f64> = escape.iter().map(|one| one * rng.random::<f64>()).collect();
        if let Some(found) = part.search((&other, &last, 1), control) {
            other = other.with(&part.active, (part.ticks[0], &found.positions));
        }
    }
    let mut other = Some(other);
    stretches((&mut other, PATIENCE / 4), rng, control);
    if let Some(other) = other.filter(|other| other.rest() < best.rest()) {
        *best = other;
    }
}

/// Guards and a stretch of time.
struct Part {
    active: Vec<usize>,
    ticks: [usize; 2],
}

impl Part {
    fn choose(best: &Tracks<'_>, rng: &mut Xoshiro256PlusPlus) -> Self {
        let instants = best.tracks[0].len();
        let guards = best.tracks.len();
        let long = rng
            .random_range(2..=instants.clamp(3, 40))
            .min(instants - 1);
        let from = rng.random_range(0..instants - long);
        let first = rng.random_range(0..guards);
        let mut active = vec![first];
        if guards > 1 && rng.random_ratio(1, 3) {
            let second = (first + rng.random_range(1..guards)) % guards;
            active = vec![first.min(second), first.max(second)];
        }
        Self {
            active,
            ticks: [from, from + long],
        }
    }

    /// A way for these guards, where who is at a place in the end escapes as `last` says.
    fn search(
        &self,
        (best, last, width): (&Tracks<'_>, &[f64], usize),
        control: &mut Control<'_, Plan, Cost>,
    ) -> Option<super::beam::Replanned> {
        let [from, until] = self.ticks;
        Stretch {
            context: best.context,
            active: &self.active,
            tracks: &best.tracks,
            ticks: self.ticks,
            belief: &best.left[from],
            is_tied: until + 1 < best.tracks[0].len(),
            last,
            width,
        }
        .search(control)
    }
}

fn offer(found: &Tracks<'_>, by: &str, control: &mut Control<'_, Plan, Cost>) {
    // Gaps and idleness are part of it, too.
    if let Some((plan, cost)) = allowed(found.context, &found.tracks) {
        super::offer(control, &plan, (cost, by));
    }
}
