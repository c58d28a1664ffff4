//! The travelling salesman, small; and a guide whose hints can be switched on one by one.

use mcts::{Bound, Domain, Guide, Outcome, Rng};
use rand::{RngExt, SeedableRng};

/// Longest way between two cities.
const WAY_MAX: u32 = 100;

/// Visit every city once, from city 0 and back.
pub(crate) struct Tour {
    cities: usize,
    /// Symmetric, by row.
    ways: Vec<u32>,
}

/// The cities visited so far, in order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) visited: Vec<u8>,
    pub(crate) length: u32,
}

impl Clone for Route {
    fn clone(&self) -> Self {
        Self {
            visited: self.visited.clone(),
            length: self.length,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.visited.clone_from(&source.visited);
        self.length = source.length;
    }
}

impl Tour {
    /// A world with random ways.
    pub(crate) fn random(seed: u64, cities: usize) -> Self {
        let mut rng = Rng::seed_from_u64(seed);
        let mut ways = vec![0; cities * cities];
        for a in 0..cities {
            for b in 0..a {
                let way = rng.random_range(1..=WAY_MAX);
                ways[a * cities + b] = way;
                ways[b * cities + a] = way;
            }
        }
        Self { cities, ways }
    }

    fn way(&self, a: u8, b: u8) -> u32 {
        self.ways[usize::from(a) * self.cities + usize::from(b)]
    }

    fn length(&self, visited: &[u8]) -> u32 {
        let home = [visited[visited.len() - 1], visited[0]];
        visited
            .windows(2)
            .chain([&home[..]])
            .map(|leg| self.way(leg[0], leg[1]))
            .sum()
    }
}

impl Domain for Tour {
    type State = Route;
    type Action = u8;
    type Cost = u32;

    fn root(&self) -> Route {
        Route {
            visited: vec![0],
            length: 0,
        }
    }

    fn actions(&self, state: &Route, out: &mut Vec<u8>) {
        out.extend((0..self.cities as u8).filter(|city| !state.visited.contains(city)));
    }

    fn apply(&self, state: &mut Route, city: u8) {
        state.length += self.way(state.visited[state.visited.len() - 1], city);
        state.visited.push(city);
    }

    fn outcome(&self, terminal: &Route) -> Outcome<u32> {
        assert_eq!(terminal.visited.len(), self.cities, "asked only at the end");
        let cost = self.length(&terminal.visited);
        Outcome {
            cost,
            reward: 1.0 - f64::from(cost) / f64::from(WAY_MAX * self.cities as u32),
        }
    }
}

/// Every city that is still to be left is left by its shortest way.
#[derive(Clone, Copy)]
pub(crate) struct ShortestWays;

impl Bound<Tour> for ShortestWays {
    fn lower(&self, domain: &Tour, state: &Route) -> Option<u32> {
        let cities = 0..domain.cities as u8;
        let last = state.visited[state.visited.len() - 1];
        let to_leave = cities
            .clone()
            .filter(|city| *city == last || !state.visited.contains(city));
        let shortest = |a: u8| cities.clone().filter(move |b| *b != a).map(move |b| (a, b));
        let rest = to_leave.map(|a| {
            let ways = shortest(a).map(|(a, b)| domain.way(a, b));
            ways.min().unwrap_or(0)
        });
        Some(state.length + rest.sum::<u32>())
    }
}

/// Hints, each of which can be on or off.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hints {
    /// Order and rollouts: the nearest city first, most of the time.
    pub(crate) nearest: bool,
    /// Equation 5.5 of Kartal 2016: actions are remembered wherever they happen.
    pub(crate) history: bool,
    /// Local search at the end.
    pub(crate) two_opt: bool,
    /// Anything but a hint: every tour is replaced by the same one, and all values are swapped.
    pub(crate) wrong: bool,
    /// By action: sum of rewards, and times.
    pub(crate) remembered: [(f64, u32); 16],
    pub(crate) learnt: usize,
}

impl Guide<Tour> for Hints {
    fn order(&mut self, domain: &Tour, state: &Route, actions: &mut [u8], rng: &mut Rng) {
        use rand::seq::SliceRandom;
        actions.shuffle(rng);
        if self.nearest {
            let last = state.visited[state.visited.len() - 1];
            actions.sort_by_key(|city| domain.way(last, *city));
        }
    }

    fn rollout(&mut self, domain: &Tour, state: &Route, actions: &[u8], rng: &mut Rng) -> usize {
        if !self.nearest || rng.random_range(0..4) == 0 {
            return rng.random_range(0..actions.len());
        }
        let last = state.visited[state.visited.len() - 1];
        let way = |index: &usize| domain.way(last, actions[*index]);
        (0..actions.len())
            .min_by_key(way)
            .expect("actions are never empty")
    }

    fn value(&self, action: u8, mean: f64, visits: u32) -> f64 {
        const ENOUGH: f64 = 20.0;
        let (sum, times) = self.remembered[usize::from(action)];
        let mut value = mean;
        if self.history && times > 0 {
            let trust = (f64::from(visits) / ENOUGH).min(1.0);
            value = trust * mean + (1.0 - trust) * sum / f64::from(times);
        }
        if self.wrong { 1.0 - value } else { value }
    }

    fn polish(&mut self, domain: &Tour, terminal: &mut Route, _rng: &mut Rng) {
        if self.two_opt {
            two_opt(domain, &mut terminal.visited);
        }
        if self.wrong {
            terminal.visited.sort_unstable();
        }
    }

    fn learn(&mut self, _domain: &Tour, actions: &[u8], outcome: &Outcome<u32>) {
        self.learnt += 1;
        for action in actions {
            let (sum, times) = &mut self.remembered[usize::from(*action)];
            *sum += outcome.reward;
            *times += 1;
        }
    }
}

/// Reverses stretches as long as that helps.
fn two_opt(domain: &Tour, visited: &mut [u8]) {
    let mut length = domain.length(visited);
    let stretches = |n: usize| (1..n).flat_map(move |end| (1..end).map(move |start| (start, end)));
    while let Some((start, end)) = stretches(visited.len()).find(|&(start, end)| {
        visited[start..=end].reverse();
        let shorter = domain.length(visited) < length;
        visited[start..=end].reverse();
        shorter
    }) {
        visited[start..=end].reverse();
        length = domain.length(visited);
    }
}
