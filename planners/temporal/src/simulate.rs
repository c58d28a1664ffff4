//! Simulation of a schedule against teammates or Nature: the paper's table 2.
//!
//! Our events happen as scheduled, even if the schedule is invalid. A teammate plans an event of
//! its own when everything that precedes it has happened, within the remaining window, and plans
//! again only when something happens after which the plan is no longer possible. At one moment
//! events happen in the order in which they precede each other, so that a teammate decides before
//! it sees what comes later. Nature draws durations evenly, or takes the shortest.

use crate::plan::{Model, Schedule, Simulation};
use crate::problem::{Micros, Network, Node, ORIGIN, Owner};
use crate::verify::{Closure, is_complete};
use anytime::{Fault, Pulse, Stop};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Parameters of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runs {
    /// How the others pick times.
    pub model: Model,
    /// How many runs to make.
    pub runs: u32,
    /// The random seed. Run r of a seed is the same however many runs there are.
    pub seed: u64,
}

/// How often a schedule works out against simulated others.
///
/// Stops, with the runs made so far, when `pulse` does. A run is O(events^2 + links). In an
/// inconsistent network with teammates every run fails.
///
/// # Errors
/// When the schedule does not have a sensible time for each of our events and no other.
///
/// # Examples
/// ```
/// use anytime::Pulse;
/// use temporal::generate::{Shape, teammates};
/// use temporal::plan::{Model, Schedule};
/// use temporal::problem::Owner;
/// use temporal::simulate::{Runs, simulate};
/// let network = teammates(1, &Shape::paper(4));
/// let theirs = |node| network.owner(node) == Some(Owner::Uncontrollable);
/// // Everything of ours at 0, which cannot work: tasks take time.
/// let times_us = (0..network.nodes()).map(|node| (!theirs(node)).then_some(0)).collect();
/// let runs = Runs { model: Model::Random, runs: 10, seed: 1 };
/// let found = simulate(&network, &Schedule { times_us }, &runs, &Pulse::unbounded()).unwrap();
/// assert_eq!((found.runs, found.successes), (10, 0));
/// ```
pub fn simulate(
    network: &Network,
    schedule: &Schedule,
    runs: &Runs,
    pulse: &Pulse,
) -> Result<Simulation, Vec<Fault>> {
    is_complete(network, schedule)?;
    let mut made = Simulation {
        model: runs.model,
        runs: 0,
        successes: 0,
    };
    let closure = match network
        .has_teammates()
        .then(|| Closure::new(network, pulse))
    {
        None => None,
        Some(Ok(closure)) => Some(closure),
        Some(Err(_)) => return Ok(made),
    };
    let order = chains(network);
    while made.runs < runs.runs && pulse.beats() {
        let seed = anytime::derive_seed(runs.seed, u64::from(made.runs));
        let mut sampler = Sampler {
            model: runs.model,
            stream: Xoshiro256PlusPlus::seed_from_u64(seed),
        };
        let times = match &closure {
            None => durations(network, schedule, &order, &mut sampler),
            Some(None) => None,
            Some(Some(closure)) => match Run::new(closure, schedule).run(&mut sampler, pulse) {
                Ok(times) => times,
                Err(_) => break,
            },
        };
        made.runs += 1;
        made.successes += u32::from(times.is_some_and(|times| satisfies(network, &times)));
    }
    Ok(made)
}

/// The 95 % interval of a success rate after Wilson: its lower and its upper end, 0 to 1.
///
/// Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
/// American Statistical Association 22 (1927). Without runs anything is possible.
///
/// # Examples
/// ```
/// let (lower, upper) = temporal::simulate::wilson(8, 10);
/// assert!((lower - 0.490).abs() < 0.001 && (upper - 0.943).abs() < 0.001);
/// assert_eq!(temporal::simulate::wilson(0, 0), (0.0, 1.0));
/// ```
#[must_use]
pub fn wilson(successes: u32, runs: u32) -> (f64, f64) {
    if runs == 0 {
        return (0.0, 1.0);
    }
    // The normal distribution has 95 % within this many standard deviations.
    let z = 1.959_963_984_540_054_f64;
    let (runs, rate) = (f64::from(runs), f64::from(successes) / f64::from(runs));
    let middle = rate + z * z / (2.0 * runs);
    let width = z * (rate * (1.0 - rate) / runs + z * z / (4.0 * runs * runs)).sqrt();
    let scale = 1.0 + z * z / runs;
    let end = |sign: f64| ((middle + sign * width) / scale).clamp(0.0, 1.0);
    // Rounding never leaves the rate outside.
    (end(-1.0).min(rate), end(1.0).max(rate))
}

/// Picks times for the others.
struct Sampler {
    model: Model,
    stream: Xoshiro256PlusPlus,
}

impl Sampler {
    /// A time from `first` to `last`, which is not before it.
    fn pick(&mut self, first: Micros, last: Micros) -> Micros {
        match self.model {
            Model::Early => first,
            Model::Random => self.stream.random_range(first..=last),
        }
    }
}

fn satisfies(network: &Network, times: &[Micros]) -> bool {
    let mut bounds = network.bounds();
    bounds.all(|bound| times[bound.to] - times[bound.from] <= bound.weight_us)
}

/// Contingent links in an order in which each starts where a time is known.
fn chains(network: &Network) -> Vec<usize> {
    let links = network.contingent();
    let mut known: Vec<bool> = (0..network.nodes())
        .map(|node| network.owner(node) != Some(Owner::Nature))
        .collect();
    let mut leaving = vec![Vec::new(); network.nodes()];
    for (index, link) in links.iter().enumerate() {
        leaving[link.from].push(index);
    }
    let mut open: Vec<Node> = (0..known.len()).filter(|node| known[*node]).collect();
    let mut order = Vec::with_capacity(links.len());
    while let Some(node) = open.pop() {
        for &index in &leaving[node] {
            let to = links[index].to;
            if !known[to] {
                known[to] = true;
                order.push(index);
                open.push(to);
            }
        }
    }
    order
}

/// Times of all events when Nature picks all durations.
fn durations(
    network: &Network,
    schedule: &Schedule,
    order: &[usize],
    sampler: &mut Sampler,
) -> Option<Vec<Micros>> {
    let mut times = schedule.times_us.clone();
    for &index in order {
        let link = network.contingent()[index];
        let duration = sampler.pick(link.lower_us, link.upper_us);
        times[link.to] = times[link.from].map(|start| start + duration);
    }
    times.into_iter().collect()
}

/// One run with teammates.
struct Run<'a> {
    closure: &'a Closure,
    happened: Vec<Option<Micros>>,
    /// When each event is going to happen, as far as planned; ours are from the start.
    planned: Vec<Option<Micros>>,
    /// What is left for each event: earliest and latest.
    left: Vec<(Micros, Micros)>,
    /// How many events must happen before each.
    before: Vec<usize>,
}

impl<'a> Run<'a> {
    fn new(closure: &'a Closure, schedule: &Schedule) -> Self {
        let nodes = 0..closure.nodes();
        let before = |node: Node| {
            let others = nodes.clone().filter(|other| *other != node);
            others
                .filter(|other| closure.precedes(*other, node))
                .count()
        };
        Self {
            closure,
            happened: vec![None; closure.nodes()],
            planned: schedule.times_us.clone(),
            left: vec![(Micros::MIN, Micros::MAX); closure.nodes()],
            before: nodes.clone().map(before).collect(),
        }
    }

    /// Times of all events, unless a teammate is stuck.
    fn run(mut self, sampler: &mut Sampler, pulse: &Pulse) -> Result<Option<Vec<Micros>>, Stop> {
        // The origin is known to all from the start, before anything at negative times.
        if self.execute(ORIGIN, 0, Micros::MIN, sampler).is_none() {
            return Ok(None);
        }
        while let Some((now, node)) = self.next() {
            pulse.check()?;
            if self.execute(node, now, now, sampler).is_none() {
                return Ok(None);
            }
        }
        Ok(self.happened.into_iter().collect())
    }

    /// The first planned event; at one moment one that no other planned for it precedes.
    fn next(&self) -> Option<(Micros, Node)> {
        let nodes = 0..self.happened.len();
        let open = nodes.filter(|node| self.happened[*node].is_none());
        let planned = open.filter_map(|node| Some((self.planned[node]?, node)));
        planned.reduce(|first, other| {
            let earlier =
                other.0 < first.0 || other.0 == first.0 && self.closure.precedes(other.1, first.1);
            if earlier { other } else { first }
        })
    }

    /// `node` happens at `time`, and teammates see it at `now`. `None`: one of them is stuck.
    fn execute(
        &mut self,
        node: Node,
        time: Micros,
        now: Micros,
        sampler: &mut Sampler,
    ) -> Option<()> {
        self.happened[node] = Some(time);
        for other in (1..self.happened.len()).filter(|other| *other != node) {
            if self.closure.is_ours(other) || self.happened[other].is_some() {
                continue;
            }
            let left = &mut self.left[other];
            if self.closure.precedes(node, other) {
                self.before[other] -= 1;
                left.0 = left.0.max(time - self.closure.bound(other, node));
            } else if self.closure.precedes(other, node) {
                continue;
            }
            left.1 = left.1.min(time + self.closure.bound(node, other));
            if self.before[other] > 0 {
                continue;
            }
            let (first, last) = (left.0.max(now), left.1);
            let fits = |planned: Micros| (first..=last).contains(&planned);
            if !self.planned[other].is_some_and(fits) {
                self.planned[other] = (first <= last).then(|| sampler.pick(first, last));
                self.planned[other]?;
            }
        }
        Some(())
    }
}
