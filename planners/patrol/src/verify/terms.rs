//! What a plan is worth.

use super::simulation::Simulation;
use crate::plan::{Terms, UNSEEN};
use crate::problem::{Motion, PROBABILITY_ONE, Tick};

/// The terms of a plan's cost, from what is seen at each tick. `None`: stopped, here and below.
pub(super) fn terms(simulation: &Simulation<'_>) -> Option<Terms> {
    let escape = match simulation.problem.intruder().motion {
        Motion::Still => still(simulation)?,
        _ => walking(simulation)?,
    };
    let (worst_idleness, mean_idleness) = idleness(simulation)?;
    Some(Terms {
        escape,
        worst_idleness,
        mean_idleness,
    })
}

fn still(simulation: &Simulation<'_>) -> Option<u64> {
    let (first, end) = simulation.entries();
    let missed = missed(simulation)?;
    let escaped = missed.iter().zip(simulation.problem.shares());
    let escaped: u128 = escaped
        .map(|(missed, share)| missed * u128::from(*share))
        .sum();
    let mean = escaped / u128::from(end - first);
    Some(u64::try_from(mean).expect("at most certain"))
}

/// For each vertex, the number of entries of who stays there and is not seen in the window.
pub(super) fn missed(simulation: &Simulation<'_>) -> Option<Vec<u128>> {
    let shares = simulation.problem.shares();
    let instants = Tick::from(simulation.problem.intruder().instants);
    let (first, end) = simulation.entries();
    // Backwards in time: when each vertex is seen next.
    let mut next: Vec<Option<Tick>> = vec![None; shares.len()];
    let mut missed = vec![0_u128; shares.len()];
    for tick in (first..end + instants - 1).rev() {
        simulation.look(tick, |place| {
            if let Some(next) = next.get_mut(place) {
                *next = Some(tick);
            }
        })?;
        if tick >= end {
            continue;
        }
        simulation.stop_check.spend(shares.len())?;
        for (missed, next) in missed.iter_mut().zip(&next) {
            let caught = next.is_some_and(|next| next < tick + instants);
            *missed += u128::from(!caught);
        }
    }
    Some(missed)
}

/// For each entry: what is left of the intruder's probability after the last instant.
fn walking(simulation: &Simulation<'_>) -> Option<u64> {
    let (first, end) = simulation.entries();
    let mut walker = Walker::new(simulation);
    let mut escaped = 0;
    for (entry, times) in simulation.different() {
        escaped += walker.left(entry)? * u128::from(times);
    }
    let mean = escaped / u128::from(end - first);
    Some(u64::try_from(mean).expect("at most certain"))
}

/// An intruder who is followed place by place.
struct Walker<'p> {
    simulation: &'p Simulation<'p>,
    parts: Vec<u64>,
    belief: Vec<u64>,
    before: Vec<u64>,
}

impl<'p> Walker<'p> {
    fn new(simulation: &'p Simulation<'p>) -> Self {
        let places = simulation.problem.places();
        Self {
            simulation,
            parts: (0..places)
                .map(|place| simulation.problem.parts(place))
                .collect(),
            belief: Vec::new(),
            before: Vec::new(),
        }
    }

    /// What is left of who enters at a tick.
    fn left(&mut self, entry: Tick) -> Option<u128> {
        let problem = self.simulation.problem;
        self.belief.clear();
        self.belief.extend_from_slice(problem.shares());
        self.belief.resize(problem.places(), 0);
        for instant in 0..Tick::from(problem.intruder().instants) {
            if instant > 0 {
                self.simulation.walk()?;
                self.step();
            }
            self.simulation
                .look(entry + instant, |place| self.belief[place] = 0)?;
        }
        Some(self.belief.iter().map(|mass| u128::from(*mass)).sum())
    }

    fn step(&mut self) {
        self.before.clone_from(&self.belief);
        for (place, mass) in self.before.iter().enumerate() {
            // Nothing goes from where nobody is.
            if *mass == 0 {
                continue;
            }
            let part = mass / self.parts[place];
            let near = self.simulation.problem.neighbours(place);
            self.belief[place] -= part * near.len() as u64;
            for next in near {
                self.belief[*next as usize] += part;
            }
        }
    }
}

/// The worst and the mean idleness once the patrol goes round.
fn idleness(simulation: &Simulation<'_>) -> Option<(Tick, u128)> {
    let shares = simulation.problem.shares();
    let mut last: Vec<Option<Tick>> = vec![None; shares.len()];
    let (mut worst, mut sum) = (0, vec![0_u128; shares.len()]);
    // The first time round finds out when each vertex was last seen; the second counts.
    let begin = simulation.prefix + simulation.period;
    for tick in simulation.prefix..begin + simulation.period {
        simulation.look(tick, |place| {
            if let Some(last) = last.get_mut(place) {
                *last = Some(tick);
            }
        })?;
        if tick < begin {
            continue;
        }
        simulation.stop_check.spend(shares.len())?;
        for (vertex, last) in last.iter().enumerate().filter(|(v, _)| shares[*v] > 0) {
            let idle = last.map_or(UNSEEN, |last| tick - last);
            worst = idle.max(worst);
            sum[vertex] += u128::from(idle);
        }
    }
    let all = sum.iter().zip(shares);
    let all: u128 = all.map(|(sum, share)| sum * u128::from(*share)).sum();
    debug_assert!(
        all <= u128::from(UNSEEN) * u128::from(simulation.period) * u128::from(PROBABILITY_ONE)
    );
    Some((worst, all / u128::from(simulation.period)))
}
