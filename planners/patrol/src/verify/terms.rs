//! Terms of the cost of a plan.

use super::simulation::Simulation;
use crate::plan::{Terms, UNSEEN};
use crate::problem::{Motion, PROBABILITY_ONE, Tick};

/// Terms of the cost of a plan. `None`: stopped, here and below.
pub(super) fn terms(simulation: &Simulation<'_>) -> Option<Terms> {
    let escape = match simulation.problem.intruder().motion {
        Motion::Still => stationary(simulation)?,
        _ => dynamic(simulation)?,
    };
    let (worst_idleness, mean_idleness) = idleness(simulation)?;
    Some(Terms {
        escape,
        worst_idleness,
        mean_idleness,
    })
}

/// Probability of escape of a stationary intruder.
fn stationary(simulation: &Simulation<'_>) -> Option<u64> {
    let (first, end) = simulation.entries();
    let missed = missed(simulation)?;
    let escaped = missed.iter().zip(simulation.problem.shares());
    let escaped: u128 = escaped
        .map(|(missed, share)| missed * u128::from(*share))
        .sum();
    let mean = escaped / u128::from(end - first);
    Some(u64::try_from(mean).expect("at most one"))
}

/// Number of entries by vertex in whose window a stationary intruder is not seen.
pub(super) fn missed(simulation: &Simulation<'_>) -> Option<Vec<u128>> {
    let shares = simulation.problem.shares();
    let instants = Tick::from(simulation.problem.intruder().instants);
    let (first, end) = simulation.entries();
    // Backwards in time: the next sighting of each vertex.
    let mut next: Vec<Option<Tick>> = vec![None; shares.len()];
    let mut missed = vec![0_u128; shares.len()];
    for tick in (first..end + instants - 1).rev() {
        simulation.for_each_seen(tick, |place| {
            if let Some(next) = next.get_mut(place) {
                *next = Some(tick);
            }
        })?;
        if tick >= end {
            continue;
        }
        simulation.ticker.step(shares.len() as u64).ok()?;
        for (missed, next) in missed.iter_mut().zip(&next) {
            let caught = next.is_some_and(|next| next < tick + instants);
            *missed += u128::from(!caught);
        }
    }
    Some(missed)
}

/// Probability of escape of a dynamic intruder.
fn dynamic(simulation: &Simulation<'_>) -> Option<u64> {
    let (first, end) = simulation.entries();
    let mut filter = BeliefFilter::new(simulation);
    let mut escaped = 0;
    for (entry, times) in simulation.distinct_entries() {
        escaped += filter.escape(entry)? * u128::from(times);
    }
    let mean = escaped / u128::from(end - first);
    Some(u64::try_from(mean).expect("at most one"))
}

/// Propagation of the belief about a dynamic intruder.
struct BeliefFilter<'p> {
    simulation: &'p Simulation<'p>,
    parts: Vec<u64>,
    belief: Vec<u64>,
    before: Vec<u64>,
}

impl<'p> BeliefFilter<'p> {
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

    /// Probability of escape after entry at a tick.
    fn escape(&mut self, entry: Tick) -> Option<u128> {
        let problem = self.simulation.problem;
        self.belief.clear();
        self.belief.extend_from_slice(problem.shares());
        self.belief.resize(problem.places(), 0);
        for instant in 0..Tick::from(problem.intruder().instants) {
            if instant > 0 {
                self.simulation.spend_step()?;
                self.step();
            }
            self.simulation
                .for_each_seen(entry + instant, |place| self.belief[place] = 0)?;
        }
        Some(self.belief.iter().map(|mass| u128::from(*mass)).sum())
    }

    /// One step of the intruder.
    fn step(&mut self) {
        self.before.clone_from(&self.belief);
        for (place, mass) in self.before.iter().enumerate() {
            // Nothing to move.
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

/// Worst and mean idleness in the cyclic part.
fn idleness(simulation: &Simulation<'_>) -> Option<(Tick, u128)> {
    let shares = simulation.problem.shares();
    let mut last: Vec<Option<Tick>> = vec![None; shares.len()];
    let (mut worst, mut sum) = (0, vec![0_u128; shares.len()]);
    // The first period gives the last sighting of each vertex; the second counts.
    let begin = simulation.prefix + simulation.period;
    for tick in simulation.prefix..begin + simulation.period {
        simulation.for_each_seen(tick, |place| {
            if let Some(last) = last.get_mut(place) {
                *last = Some(tick);
            }
        })?;
        if tick < begin {
            continue;
        }
        simulation.ticker.step(shares.len() as u64).ok()?;
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
