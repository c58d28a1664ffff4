//! The two suites of the paper.

use super::{Random, SECOND_US, valid};
use crate::plan::{Plan, Policy};
use crate::problem::{
    Activity, Contingent, Demand, Link, Micros, Narrative, Node, ORIGIN, Resource, Spec, Start,
};
use crate::verify;

/// Problems of the first suite: 77 narratives, each in 2 to 5 copies.
pub const SUITE1: usize = 308;
/// Problems of the second suite.
pub const SUITE2: usize = 119;

/// Events of one copy in the first suite, first and last narrative.
const EVENTS: (usize, usize) = (7, 44);
/// Narratives of the first suite.
const NARRATIVES: usize = SUITE1 / COPIES.len();
const COPIES: [usize; 4] = [2, 3, 4, 5];
/// How many resources there are, by narrative.
const RESOURCES: [usize; 13] = [0, 1, 2, 1, 3, 6, 1, 2, 6, 3, 12, 24, 72];
/// Nodes of the first and last problem of the second suite.
const NODES: (usize, usize) = (15, 150);
/// Contingent links for each thousand events, by problem.
const CONTINGENT: [usize; 4] = [0, 125, 250, 500];

/// Problem `index`, below [`SUITE1`], of the first suite: 14 to 220 events, 2 to 5 copies, one
/// contingent link for eight events, 0 to 72 resources. The same seed and index, the same problem;
/// four problems in a row are copies of one narrative.
///
/// # Examples
/// ```
/// use narrative::generate::{SUITE1, suite1};
/// assert_eq!(suite1(1, SUITE1 - 1).spec().events, 220);
/// ```
#[must_use]
pub fn suite1(seed: u64, index: usize) -> Narrative {
    let (number, copies) = (
        index / COPIES.len() % NARRATIVES,
        COPIES[index % COPIES.len()],
    );
    let mut random = random(seed, number);
    let events = EVENTS.0 + number * (EVENTS.1 - EVENTS.0) / (NARRATIVES - 1);
    // The first event is at a time of our choice.
    let mut story = controllable(&mut random, |random, percent| {
        let mut story = Draft::new(events, percent);
        story.follow(ORIGIN + 1, random);
        story.vary((events + 3) / 8, random);
        story
    });
    let length = story.length();
    let window = length * random.pick(20, 120) / 100;
    let others = Micros::try_from(copies - 1).expect("few");
    // All copies draw the same window for each copy but one.
    story
        .spec
        .links
        .push(Link::new(ORIGIN, ORIGIN + 1, 0, window * others));
    story.activities(RESOURCES[number % RESOURCES.len()], &mut random);
    let starts: Vec<Micros> = (0..copies)
        .map(|copy| window * Micros::try_from(copy).expect("few"))
        .collect();
    story.capacities(&starts, &mut random);
    valid(story.spec.copies(&vec![Start::default(); copies]))
}

/// Problem `index`, below [`SUITE2`], of the second suite: 15 to 150 nodes, 0, 12.5, 25 or 50
/// contingent links for 100 nodes, no resources. The same seed and index, the same problem.
///
/// # Examples
/// ```
/// use narrative::generate::suite2;
/// assert_eq!(suite2(1, 118).spec().events, 149);
/// assert_eq!(suite2(1, 3).spec().contingent.len(), 9);
/// ```
#[must_use]
pub fn suite2(seed: u64, index: usize) -> Narrative {
    let index = index % SUITE2;
    let nodes = NODES.0 + index * (NODES.1 - NODES.0) / (SUITE2 - 1);
    let mut random = random(seed, NARRATIVES + index);
    let story = controllable(&mut random, |random, percent| {
        let mut story = Draft::new(nodes - 1, percent);
        story.follow(ORIGIN, random);
        story.vary(nodes * CONTINGENT[index % CONTINGENT.len()] / 1_000, random);
        story
    });
    valid(story.spec)
}

fn random(seed: u64, number: usize) -> Random {
    let number = u64::try_from(number).expect("few problems");
    Random::new(seed.wrapping_mul(1_000_003).wrapping_add(number))
}

/// The first story that is controllable, drawn with less and less variation.
fn controllable(random: &mut Random, draw: impl Fn(&mut Random, i64) -> Draft) -> Draft {
    let mut percent = 100;
    loop {
        let story = draw(random, percent);
        let narrative = valid(story.spec.clone());
        let plan = Plan {
            policies: vec![Policy::default()],
            makespan_us: 1_000 * story.length(),
            ..Plan::default()
        };
        // Without variation the run itself keeps everything.
        if verify::strategy(&narrative, &plan).is_ok() {
            return story;
        }
        percent = percent * 4 / 5;
    }
}

/// A narrative around one run of it.
struct Draft {
    spec: Spec,
    /// When each node happens in the run.
    times: Vec<Micros>,
    /// How much of the variation of a link is left to others, if it is contingent.
    percent: i64,
}

impl Draft {
    fn new(events: usize, percent: i64) -> Self {
        Self {
            spec: Spec {
                events,
                ..Spec::default()
            },
            times: vec![0; events + 1],
            percent,
        }
    }

    /// How long the run takes.
    fn length(&self) -> Micros {
        self.times.iter().max().copied().unwrap_or(0)
    }

    /// Links: each node after `first` follows another, and half as many more.
    fn follow(&mut self, first: Node, random: &mut Random) {
        for node in first + 1..=self.spec.events {
            let from = node - 1 - random.index(4.min(node - first));
            let lower = random.seconds(2, 20);
            let upper = lower + random.seconds(4, 16);
            self.times[node] = self.times[from] + random.pick(lower, upper) / SECOND_US * SECOND_US;
            self.link(from, node, lower, upper);
        }
        for _ in 0..self.spec.events / 2 {
            let from = first + random.index(self.spec.events - first);
            let to = from + 1 + random.index(6.min(self.spec.events - from));
            let apart = self.times[to] - self.times[from];
            let (from, to, apart) = if apart < 0 {
                (to, from, -apart)
            } else {
                (from, to, apart)
            };
            let lower = apart - random.seconds(5, 15);
            let upper = apart + random.seconds(5, 15);
            self.link(from, to, lower, upper);
        }
        let last = (first..=self.spec.events).max_by_key(|node| self.times[*node]);
        self.spec.links.push(Link {
            from: first,
            to: last.unwrap_or(first + 1),
            lower_us: None,
            upper_us: Some(self.length() * 6 / 5),
        });
    }

    fn link(&mut self, from: Node, to: Node, lower: Micros, upper: Micros) {
        self.spec.links.push(Link::new(from, to, lower, upper));
    }

    /// Leaves the durations of `count` of the first links, each of which ends at another node, to
    /// others.
    fn vary(&mut self, count: usize, random: &mut Random) {
        let first = self.spec.links.iter();
        let first = first.zip(1..).take_while(|(link, _)| link.from < link.to);
        // Of these each leads to the node after that of the one before.
        let follows = self.spec.links.first().map_or(0, |link| link.to);
        let follow = first
            .take_while(|(link, at)| link.to + 1 == follows + at)
            .count();
        let chosen = random.some(count, follow);
        for &at in &chosen {
            let link = self.spec.links[at];
            let (Some(lower), Some(upper)) = (link.lower_us, link.upper_us) else {
                continue;
            };
            let taken = self.times[link.to] - self.times[link.from];
            let part = |room: Micros| room * self.percent / 100 / SECOND_US * SECOND_US;
            self.spec.contingent.push(Contingent {
                from: link.from,
                to: link.to,
                lower_us: taken - part(taken - lower),
                upper_us: taken + part(upper - taken),
            });
        }
        let mut at = 0..;
        self.spec
            .links
            .retain(|_| !at.next().is_some_and(|at| chosen.contains(&at)));
    }

    /// Makes activities of half of the links that take time.
    fn activities(&mut self, resources: usize, random: &mut Random) {
        if resources == 0 {
            return;
        }
        let takes = |link: &&Link| link.lower_us.is_some_and(|lower| lower >= 0);
        let links = self.spec.links.iter().filter(takes);
        let links = links.map(|link| (link.from, link.to));
        let contingent = self.spec.contingent.iter().map(|link| (link.from, link.to));
        // Not the link from the origin, which is no part of the story.
        let mut all: Vec<_> = links
            .chain(contingent)
            .filter(|link| link.0 != ORIGIN)
            .collect();
        all.dedup();
        // All bounded links but those for the start and the end count.
        let count = (self.spec.links.len() + self.spec.contingent.len() - 2) / 2;
        for at in random.some(count, all.len()) {
            let needs = 1 + random.index(3.min(resources));
            let needs = random.some(needs, resources).into_iter();
            let (start, end) = all[at];
            self.spec.activities.push(Activity {
                start,
                end,
                demands: needs.map(|resource| Demand::new(resource, 1)).collect(),
            });
        }
        self.spec.resources = vec![Resource { capacity: 1 }; resources];
    }

    /// Capacities by what the run needs, with copies that start at these times.
    fn capacities(&mut self, starts: &[Micros], random: &mut Random) {
        let ample = random.chance(67);
        for resource in 0..self.spec.resources.len() {
            let needs = self.spec.activities.iter().filter(|activity| {
                let mut demands = activity.demands.iter();
                demands.any(|demand| demand.resource == resource)
            });
            let spans: Vec<_> = needs
                .flat_map(|activity| {
                    let (start, end) = (self.times[activity.start], self.times[activity.end]);
                    starts.iter().map(move |copy| (start + copy, end + copy))
                })
                .collect();
            let at = |time: Micros| {
                let running = spans.iter().filter(|span| span.0 <= time && time < span.1);
                running.count()
            };
            let peak = spans.iter().map(|span| at(span.0)).max().unwrap_or(0);
            let peak = i64::try_from(peak).expect("few activities");
            let capacity = if ample {
                peak + random.pick(0, peak / 4)
            } else {
                peak * random.pick(60, 95) / 100
            };
            let capacity = u32::try_from(capacity.max(1)).expect("few activities");
            self.spec.resources[resource].capacity = capacity;
        }
    }
}
