//! Small random stories for groups that are some time apart, with shared actors and rooms, choices,
//! and scenes of no length.

use crate::Draw;
use narrative::Narrative;
use narrative::problem::{
    Activity, Choice, Chooser, Contingent, Demand, Link, Micros, Node, ORIGIN, Objective, Resource,
    Spec, Start,
};

const MINUTE_US: Micros = 60_000_000;

/// The evening of a seed; `None`: its groups would have too many storylines.
pub(super) fn narrative(seed: u64) -> Option<Narrative> {
    let mut story = Story::new(Draw::new(seed));
    story.fill();
    let (groups, gap) = (
        story.draw.one_of(&[1, 2, 2, 3]),
        story.draw.one_of(&[0, 5, 10, 20, 30]),
    );
    story.groups(groups, gap)
}

/// Four or five groups with up to 1,024 storylines: in most cases there is enough of everything for
/// all of them.
pub(super) fn groups(seed: u64) -> Option<Narrative> {
    several(seed, &[4, 4, 4, 5])
}

/// Six to ten groups, most of which have more than 1,024 storylines.
pub(super) fn strands(seed: u64) -> Option<Narrative> {
    several(seed, &[6, 6, 8, 10])
}

fn several(seed: u64, groups: &[Micros]) -> Option<Narrative> {
    let mut story = Story::new(Draw::new(seed));
    let groups = story.draw.one_of(groups);
    if story.draw.chance(70) {
        for resource in &mut story.spec.resources {
            resource.capacity = 8;
        }
    }
    story.last = story.scene(ORIGIN).1;
    for _ in 0..story.draw.one_of(&[1, 2, 2, 2]) {
        story.choice();
        story.last = story.scene(story.last).1;
    }
    story.spec.objective.makespan = 1;
    let gap = story.draw.one_of(&[10, 30, 30, 60]);
    story.groups(groups, gap)
}

struct Story {
    draw: Draw,
    spec: Spec,
    /// Whether some scenes take no time.
    zero: bool,
    /// Minutes of leeway between scenes.
    loose: Micros,
    /// The event before the next scene.
    last: Node,
}

impl Story {
    fn new(mut draw: Draw) -> Self {
        let mut resources = Vec::new();
        for _ in 0..draw.pick(1, 3) {
            let capacity = draw.one_of(&[1, 1, 1, 2]);
            resources.push(Resource { capacity });
        }
        for _ in 0..draw.pick(1, 3) {
            resources.push(Resource { capacity: 1 });
        }
        Self {
            zero: draw.chance(30),
            loose: draw.one_of(&[3, 6, 12, 25]),
            last: ORIGIN,
            draw,
            spec: Spec {
                resources,
                ..Spec::default()
            },
        }
    }

    fn fill(&mut self) {
        for _ in 0..self.draw.pick(1, 3) {
            for _ in 0..self.draw.pick(0, 2) {
                self.last = self.scene(self.last).1;
            }
            if self.draw.chance(70) && self.spec.choices.len() < 2 && self.last != ORIGIN {
                self.choice();
            }
        }
        if self.last == ORIGIN {
            self.last = self.scene(ORIGIN).1;
        }
        if self.draw.chance(50) {
            let most = self.draw.pick(10, 90) as Micros;
            self.link(ORIGIN, self.last, [None, Some(most)]);
        }
        self.spec.objective = Objective::makespan(self.draw.one_of(&[0, 1]));
    }

    /// The story for groups that begin this number of minutes one after the other.
    fn groups(&self, groups: Micros, gap: Micros) -> Option<Narrative> {
        let start = |group| Start {
            offset_us: gap * MINUTE_US * group,
        };
        let starts: Vec<Start> = (0..groups).map(start).collect();
        Narrative::new(self.spec.copies(&starts)).ok()
    }

    fn event(&mut self) -> Node {
        self.spec.events += 1;
        self.spec.events
    }

    /// A requirement in minutes.
    fn link(&mut self, from: Node, to: Node, bounds: [Option<Micros>; 2]) {
        let [lower_us, upper_us] = bounds.map(|it| it.map(|it| it * MINUTE_US));
        self.spec.links.push(Link {
            from,
            to,
            lower_us,
            upper_us,
        });
    }

    /// A scene after an event: its start and its end.
    fn scene(&mut self, after: Node) -> (Node, Node) {
        let (start, end) = (self.event(), self.event());
        let least = if self.zero && self.draw.chance(30) {
            0
        } else {
            self.draw.pick(1, 10) as Micros
        };
        let most = least + self.draw.one_of(&[0, 2, 5, 10]);
        let wait = (
            self.draw.one_of(&[0, 0, 1, 2]),
            self.draw.pick(2, 4) as Micros + self.loose,
        );
        self.link(after, start, [Some(wait.0), Some(wait.1)]);
        if self.draw.chance(55) && most > 0 {
            self.spec.contingent.push(Contingent {
                from: start,
                to: end,
                lower_us: least * MINUTE_US,
                upper_us: most * MINUTE_US,
            });
        } else {
            self.link(start, end, [Some(least), Some(most)]);
        }
        if self.draw.chance(85) {
            let demands = self.demands();
            self.spec.activities.push(Activity {
                start,
                end,
                demands,
            });
        }
        (start, end)
    }

    fn demands(&mut self) -> Vec<Demand> {
        let resources = self.spec.resources.len();
        let first = self.draw.pick(0, resources - 1);
        let second = (first + self.draw.pick(1, resources - 1)) % resources;
        let count = self.draw.pick(1, 2);
        let demand = |resource| Demand {
            resource,
            amount: 1,
            consumed: false,
        };
        [first, second]
            .into_iter()
            .take(count)
            .map(demand)
            .collect()
    }

    /// Two options of a scene each, and an event at which they meet.
    fn choice(&mut self) {
        let scenes = [self.scene(self.last), self.scene(self.last)];
        let meeting = self.event();
        for (_, end) in scenes {
            self.link(end, meeting, [Some(0), Some(self.loose + 3)]);
        }
        self.spec.choices.push(Choice {
            chooser: self
                .draw
                .one_of(&[Chooser::System, Chooser::System, Chooser::Player]),
            options: scenes.map(|(start, end)| vec![start, end]).into(),
        });
        self.last = meeting;
    }
}
