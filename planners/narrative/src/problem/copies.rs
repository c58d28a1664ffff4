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
    /// The narrative for several groups. The node n of group g is node `g * events + n`; links, contingent
    /// links, activities and choices stand in the same order, group by group. Choices are made group
    /// by group; resources, horizon and objective are common. Progress is dropped.
    ///
    /// Source: the copies of the first suite of Azad and others, "Scheduling live interactive
    /// narratives with mixed-integer linear programming" (2017).
    #[must_use]
    pub fn copies(&self, starts: &[Start]) -> Self {
        let mut all = Self {
            events: self.events * starts.len(),
            resources: self.resources.clone(),
            horizon_us: self.horizon_us,
            objective: self.objective.clone(),
            ..Self::default()
        };
        for (group, start) in starts.iter().enumerate() {
            self.append(group, *start, &mut all);
        }
        all
    }

    fn append(&self, group: usize, start: Start, all: &mut Self) {
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
                start: moved(activity.start),
                end: moved(activity.end),
                demands: activity.demands.clone(),
            }));
        all.choices.extend(self.choices.iter().map(|choice| {
            let options = choice.options.iter();
            let options = options.map(|events| events.iter().map(|event| moved(*event)).collect());
            Choice {
                chooser: choice.chooser,
                options: options.collect(),
            }
        }));
        let added = 1..=start.links_added(self.events);
        all.links.extend(added.map(|event| Link {
            from: ORIGIN,
            to: moved(event),
            lower_us: Some(start.offset_us),
            upper_us: None,
        }));
    }
}
