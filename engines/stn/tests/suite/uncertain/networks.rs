//! Random networks, by seed.

use stn::Edge;
use stn::uncertain::{Contingent, Stnu};

/// Random numbers from a seed: `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `from` to `to`, both included.
    pub(crate) fn pick(&mut self, from: i64, to: i64) -> i64 {
        from + (self.next() % (to - from + 1) as u64) as i64
    }
}

/// What a random network looks like.
pub(crate) struct Shape {
    pub(crate) events: u32,
    pub(crate) contingents: i64,
    pub(crate) requirements: i64,
    /// Events of ours happen at most so long after event 0.
    pub(crate) horizon: i64,
    /// Largest lower bound and largest freedom of a contingent link.
    pub(crate) lower: i64,
    pub(crate) freedom: i64,
    /// Weights of requirements.
    pub(crate) weights: (i64, i64),
}

impl Shape {
    /// Small enough to be played through.
    pub(crate) fn tiny(random: &mut Random) -> Shape {
        Shape {
            events: random.pick(2, 5) as u32,
            contingents: random.pick(0, 3),
            requirements: random.pick(1, 6),
            horizon: random.pick(3, 7),
            lower: 2,
            freedom: random.pick(1, 3),
            weights: (random.pick(-4, -1), random.pick(1, 5)),
        }
    }

    /// Up to a dozen events.
    pub(crate) fn small(random: &mut Random) -> Shape {
        let events = random.pick(4, 12);
        Shape {
            events: events as u32,
            contingents: random.pick(1, events / 2),
            requirements: random.pick(events / 2, 2 * events),
            horizon: random.pick(10, 60),
            lower: random.pick(0, 10),
            freedom: random.pick(1, 8),
            weights: (random.pick(-12, -1), random.pick(1, 20)),
        }
    }

    /// Event 0 is ours and comes first. Contingent links may be chained, may start together, may
    /// have no choice, and may last no time at all.
    pub(crate) fn network(&self, random: &mut Random) -> Stnu {
        let mut contingents: Vec<Contingent> = Vec::new();
        for id in 0..self.contingents.min(i64::from(self.events) - 1) {
            // Ends are the last events; starts come before them.
            let to = self.events - 1 - id as u32;
            let from = random.pick(0, i64::from(to) - 1) as u32;
            let lower = random.pick(0, self.lower);
            let upper = lower + random.pick(0, self.freedom);
            let id = 1_000 + id as u32;
            contingents.push(Contingent::new(from, to, lower, upper, id));
        }
        let ours = self.events - contingents.len() as u32;
        let mut edges = Vec::new();
        let mut add = |from: u32, to: u32, weight: i64| {
            if from != to {
                let id = edges.len() as u32;
                edges.push(Edge::new(from, to, weight, id));
            }
        };
        for event in 1..ours {
            add(0, event, self.horizon);
            add(event, 0, 0);
        }
        for _ in 0..self.requirements {
            let from = random.pick(0, i64::from(self.events) - 1) as u32;
            let to = random.pick(0, i64::from(self.events) - 1) as u32;
            add(from, to, random.pick(self.weights.0, self.weights.1));
        }
        Stnu::new(self.events as usize, edges, contingents).expect("made to be right")
    }
}

pub(crate) fn tiny(seed: u64) -> Stnu {
    let random = &mut Random(seed);
    Shape::tiny(random).network(random)
}

pub(crate) fn small(seed: u64) -> Stnu {
    let random = &mut Random(seed);
    Shape::small(random).network(random)
}

/// One tree of contingent links, with requirements between its events: what two of them have both
/// waited for does not matter between them.
pub(crate) fn chained(seed: u64) -> Stnu {
    let random = &mut Random(seed);
    let events = random.pick(3, 8) as u32;
    let mut links = Vec::new();
    for to in 1..events {
        let from = random.pick(0, i64::from(to) - 1) as u32;
        let lower = random.pick(0, 5);
        let upper = lower + random.pick(0, 3);
        links.push(Contingent::new(from, to, lower, upper, to));
    }
    let mut edges = Vec::new();
    for id in 0..random.pick(1, 3) as u32 {
        let from = random.pick(0, i64::from(events) - 1) as u32;
        let to = random.pick(0, i64::from(events) - 1) as u32;
        if from != to {
            let weight = random.pick(0, 12);
            edges.push(Edge::new(from, to, weight, id));
        }
    }
    Stnu::new(events as usize, edges, links).expect("made to be right")
}

/// Meetings of ours near the end of uncertain links, before or after it, some tied to each other.
pub(crate) fn meetings(seed: u64) -> Stnu {
    let random = &mut Random(seed);
    let count = random.pick(1, 6) as u32;
    let mut edges = Vec::new();
    let mut links: Vec<Contingent> = Vec::new();
    let mut add = |from: u32, to: u32, weight: i64| {
        let id = edges.len() as u32;
        edges.push(Edge::new(from, to, weight, id));
    };
    for link in 0..count {
        let (end, meeting) = (1 + 2 * link, 2 + 2 * link);
        let from = random.pick(0, i64::from(2 * link)) as u32;
        let lower = random.pick(0, 5);
        let upper = lower + random.pick(0, 6);
        links.push(Contingent::new(from, end, lower, upper, link));
        let earliest = random.pick(-5, 2);
        add(meeting, end, -earliest);
        add(end, meeting, earliest + random.pick(0, 5));
        let other = random.pick(0, i64::from(2 * link)) as u32;
        add(other, meeting, random.pick(0, 20));
        add(meeting, other, random.pick(-4, 12));
    }
    Stnu::new(1 + 2 * count as usize, edges, links).expect("made to be right")
}

/// A project: `tracks` of tasks one after another, each with an uncertain duration and a pause
/// after it, tied together by requirements that the schedule of the longest durations keeps with
/// little room. About half of them are dynamically controllable.
pub(crate) fn large(seed: u64, events: u32, contingents: u32) -> Stnu {
    let random = &mut Random(seed);
    let tracks = (events / 25).max(2);
    let mut edges = Vec::new();
    let mut links: Vec<Contingent> = Vec::new();
    let mut late = vec![0_i64; events as usize];
    let mut last: Vec<u32> = vec![0; tracks as usize];
    let mut owed = contingents;
    for event in 1..events {
        let track = random.pick(0, i64::from(tracks) - 1) as usize;
        let from = last[track];
        let left = i64::from(events - event);
        let follows = links.last().is_some_and(|link| link.to == from);
        if owed > 0 && !follows && random.pick(1, left) <= i64::from(owed) + left / 8 {
            let lower = random.pick(5, 100);
            let upper = lower + random.pick(1, 20);
            links.push(Contingent::new(from, event, lower, upper, event));
            late[event as usize] = late[from as usize] + upper;
            owed -= 1;
        } else {
            let pause = random.pick(0, 20);
            late[event as usize] = late[from as usize] + pause;
            edges.push(Edge::new(event, from, 0, event));
            let weight = pause + random.pick(20, 60);
            edges.push(Edge::new(from, event, weight, event));
        }
        last[track] = event;
    }
    let least = random.pick(0, 5 + i64::from(events) / 10);
    let most = (i64::from(events) + 20).min(200);
    for id in events..3 * events {
        let from = random.pick(0, i64::from(events) - 1) as u32;
        let to = random.pick(0, i64::from(events) - 1) as u32;
        if from != to {
            let gap = late[to as usize] - late[from as usize];
            let weight = gap + random.pick(least, most);
            edges.push(Edge::new(from, to, weight, id));
        }
    }
    Stnu::new(events as usize, edges, links).expect("made to be right")
}

/// By Floyd and Warshall: whether largest differences of times contradict nowhere.
pub(super) fn has_schedule(mut distance: Vec<Vec<i64>>) -> bool {
    let events = distance.len();
    for by in 0..events {
        for from in 0..events {
            for to in 0..events {
                let through = distance[from][by] + distance[by][to];
                distance[from][to] = distance[from][to].min(through);
            }
        }
    }
    (0..events).all(|event| distance[event][event] >= 0)
}
