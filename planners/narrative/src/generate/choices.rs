//! One fork after a duration that others pick.

use super::{Random, SECOND_US, valid};
use crate::problem::{
    Activity, Choice, Chooser, Contingent, Demand, Link, Micros, Narrative, Node, ORIGIN, Resource,
    Spec,
};

/// The end of the part before the fork.
const FORK: Node = 1;
/// The end of the story.
const END: Node = 2;
/// Scenes of each option, two events each.
const SCENES: usize = 2;

/// The narrative number `seed` in which something that takes others 5 to 25 s, or 40 to 110 s more,
/// is followed by one of `options` storylines (2 to 32), picked by `chooser`.
///
/// Each has two scenes at once, one in four of contingent length, each with an actor and a prop of
/// the option; there are two of each, in one of seven cases only one. The end has to be within a
/// window after the start. A storyline fits a part of the durations of what comes before: one share
/// each in turn, up to 8 s wider or 1 s narrower on either side; of a player's in one of two
/// narratives all of them. With 2 to 4 options 71 of 100 of ours have a plan, and 28 of 100 of
/// players'.
///
/// # Examples
/// ```
/// use narrative::generate::choices;
/// use narrative::problem::Chooser;
/// assert_eq!(choices(7, Chooser::System, 3).storylines().len(), 3);
/// ```
#[must_use]
pub fn choices(seed: u64, chooser: Chooser, options: usize) -> Narrative {
    let mut random = Random::new(seed);
    let lower_us = random.seconds(5, 25);
    let upper_us = lower_us + random.seconds(40, 110);
    let earliest = upper_us + random.seconds(8, 30);
    let latest = earliest + random.seconds(10, 45);
    let mut spec = Spec {
        events: END + 2 * SCENES * options,
        links: vec![link(ORIGIN, END, earliest, latest)],
        contingent: vec![Contingent::new(ORIGIN, FORK, lower_us, upper_us)],
        resources: vec![one_or_two(&mut random)],
        ..Spec::default()
    };
    let all = chooser == Chooser::Player && random.chance(50);
    let count = Micros::try_from(options).expect("few options");
    let share = (upper_us - lower_us) / count / SECOND_US * SECOND_US;
    let mut nodes = Vec::new();
    for option in 0..options {
        let before = Micros::try_from(option).expect("few options") * share;
        let first = lower_us + before - random.seconds(-1, 8);
        let last = if option + 1 == options {
            upper_us
        } else {
            lower_us + before + share + random.seconds(-1, 8)
        };
        let (first, last) = if all {
            (lower_us, upper_us)
        } else {
            (first.max(lower_us), last.min(upper_us))
        };
        let times = Times {
            shortest: earliest - first,
            longest: latest - last,
        };
        spec.resources.push(one_or_two(&mut random));
        let start = END + 1 + 2 * SCENES * option;
        for scene in 0..SCENES {
            times.scene(start + 2 * scene, option + 1, &mut spec, &mut random);
        }
        nodes.push((start..start + 2 * SCENES).collect());
    }
    spec.choices.push(Choice::new(chooser, nodes));
    valid(spec)
}

/// How long an option can take: it has to reach `shortest` when the part before was quick, and to
/// fit `longest` when it was slow.
struct Times {
    shortest: Micros,
    longest: Micros,
}

impl Times {
    /// A scene from one node to the next, with the way in and out.
    fn scene(&self, start: Node, prop: usize, spec: &mut Spec, random: &mut Random) {
        let end = start + 1;
        let (into, out) = (random.seconds(0, 2), random.seconds(0, 3));
        // As long as the scene takes at most, it fits.
        let upper = (self.longest - into - out).max(SECOND_US);
        let upper = upper.min(random.seconds(4, 60).max(upper / 3));
        let lower = (upper - random.seconds(1, 6)).max(0);
        // As short as it may be, waiting before and after makes up for it.
        let wait = (self.shortest - lower).max(into + out + SECOND_US);
        let before = into + (wait - into - out) / 2;
        spec.links.push(link(FORK, start, into, before));
        spec.links
            .push(link(end, END, out, wait - before + random.seconds(0, 3)));
        if random.chance(25) {
            spec.contingent
                .push(Contingent::new(start, end, lower, upper));
        } else {
            spec.links.push(link(start, end, lower, upper));
        }
        let demand = |resource: usize| Demand::new(resource, 1);
        spec.activities
            .push(Activity::new(start, end, vec![demand(0), demand(prop)]));
    }
}

fn link(from: Node, to: Node, lower: Micros, upper: Micros) -> Link {
    Link::new(from, to, lower, upper.max(lower))
}

fn one_or_two(random: &mut Random) -> Resource {
    let capacity = if random.chance(15) { 1 } else { 2 };
    Resource { capacity }
}
