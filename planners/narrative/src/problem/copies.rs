//! Several groups that live through one narrative at once, on shared resources.

use super::{Activity, Choice, Contingent, Link, Micros, Node, ORIGIN, Spec};

/// When a group's own origin is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Start {
    /// Time from the common origin, 0 or above: every time between the origin and an event of the
    /// group counts from here.
    pub offset_us: Micros,
}

impl Start {
    /// By how much a bound between two nodes of a group is larger than as written, since it counts
    /// from the common origin.
    #[must_use]
    pub fn later_us(self, from: Node, to: Node) -> Micros {
        match (from, to) {
            (ORIGIN, _) => self.offset_us,
            (_, ORIGIN) => -self.offset_us,
            _ => 0,
        }
    }

    /// How many links a group has besides its own, one for each event: none is before its origin.
    /// They come after its own.
    #[must_use]
    pub fn links_added(self, events: usize) -> usize {
        if self.offset_us > 0 { events } else { 0 }
    }
}

impl Spec {
    /// The narrative for several groups. The node n of group g is node `g * events + n`; links,
    /// contingent links, activities and choices stand in the same order, group by group. Choices
    /// are made group by group; resources, horizon and objective are common. Progress is dropped.
    ///
    /// An activity from the origin on holds what it needs from its own group's origin on. For that,
    /// groups that start late have events of their own after those of all groups, but only where
    /// there are such activities: see [`Spec::own_origins`]. Their links come after all others.
    ///
    /// Source: the copies of the first suite of Azad and others, "Scheduling live interactive
    /// narratives with mixed-integer linear programming" (2017).
    #[must_use]
    pub fn copies(&self, starts: &[Start]) -> Self {
        let own = self.own_origins(starts);
        let mut all = Self {
            events: self.events * starts.len() + own.len(),
            resources: self.resources.clone(),
            horizon_us: self.horizon_us,
            objective: self.objective.clone(),
            ..Self::default()
        };
        if starts.len() > 1 {
            let events = (0..starts.len()).flat_map(|group| vec![group; self.events]);
            all.groups = events
                .chain(own.iter().map(|(_, group, _)| *group))
                .collect();
        }
        for (group, start) in starts.iter().enumerate() {
            let mut origins = own.iter();
            let origin = origins.find(|(_, of, _)| *of == group);
            let origin = origin.map_or(ORIGIN, |(node, ..)| *node);
            self.append(group, origin, *start, &mut all);
        }
        for (origin, _, time_us) in own {
            let after = |from: Node, to: Node, lower_us: Micros, upper_us| Link {
                from,
                to,
                lower_us: Some(lower_us),
                upper_us,
            };
            let time = after(ORIGIN, origin, time_us, Some(time_us));
            let activities = all.activities.iter();
            let held = activities.filter(|given| given.start == origin && given.end != origin);
            let held = held.map(|given| after(origin, given.end, 0, None));
            all.links.extend(std::iter::once(time).chain(held));
        }
        all
    }

    /// Events that [`Spec::copies`] adds: node, group and time of the origin of each group that
    /// starts late, none where no activity starts at the origin. Those at or before
    /// [`Progress::now_us`](super::Progress::now_us) have happened.
    #[must_use]
    pub fn own_origins(&self, starts: &[Start]) -> Vec<(Node, usize, Micros)> {
        if self.activities.iter().all(|given| given.start != ORIGIN) {
            return Vec::new();
        }
        let groups = starts.iter().enumerate();
        let late = groups.filter(|(_, start)| start.offset_us > 0);
        let first = self.events * starts.len() + 1;
        let late = late.enumerate();
        late.map(|(at, (group, start))| (first + at, group, start.offset_us))
            .collect()
    }

    fn append(&self, group: usize, origin: Node, start: Start, all: &mut Self) {
        let moved = |node: Node| match node {
            ORIGIN => ORIGIN,
            event => group * self.events + event,
        };
        let links = all.links.len();
        all.links.extend(self.links.iter().map(|link| {
            let later = start.later_us(link.from, link.to);
            Link {
                from: moved(link.from),
                to: moved(link.to),
                lower_us: link.lower_us.map(|lower| lower.saturating_add(later)),
                upper_us: link.upper_us.map(|upper| upper.saturating_add(later)),
            }
        }));
        all.waiting
            .extend(self.waiting.iter().map(|link| links + link));
        all.contingent.extend(self.contingent.iter().map(|link| {
            let later = start.later_us(link.from, link.to);
            Contingent {
                from: moved(link.from),
                to: moved(link.to),
                lower_us: link.lower_us.saturating_add(later),
                upper_us: link.upper_us.saturating_add(later),
            }
        }));
        all.activities
            .extend(self.activities.iter().map(|activity| Activity {
                start: match activity.start {
                    ORIGIN => origin,
                    event => moved(event),
                },
                end: moved(activity.end),
                demands: activity.demands.clone(),
            }));
        all.choices.extend(self.choices.iter().map(|choice| {
            let options = choice.options.iter();
            let options = options.map(|events| events.iter().map(|event| moved(*event)).collect());
            Choice::new(choice.chooser, options.collect())
        }));
        let choices = group * self.choices.len();
        let withheld = self.withheld.iter();
        all.withheld
            .extend(withheld.map(|(choice, option)| (choices + choice, *option)));
        let added = 1..=start.links_added(self.events);
        all.links
            .extend(added.map(|event| Link::new(ORIGIN, moved(event), start.offset_us, None)));
    }
}
