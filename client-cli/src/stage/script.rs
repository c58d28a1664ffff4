//! A narrative by numbers, its groups side by side.

pub(super) use super::dispatch::NONE;
use crate::narrative::{ids, origin, prefixes};
use std::collections::BTreeMap;
use stratagem_proto::v1::{NarrativeChoice, NarrativeChooser, NarrativeDemand, NarrativeProblem};
use stratagem_render::time::micros;

/// Events that can be rehearsed, at most: twice those of the service.
const EVENTS_MAX: usize = 1_000;

/// `lower <= time(to) - time(from) <= upper`, in microseconds.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    pub(super) id: String,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) lower_us: i64,
    pub(super) upper_us: i64,
}

/// Something that holds resources.
#[derive(Debug, Clone)]
pub(super) struct Activity {
    pub(super) id: String,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Resource, amount, and whether it is used up.
    pub(super) demands: Vec<(usize, i64, bool)>,
}

/// A fork.
#[derive(Debug, Clone)]
pub(crate) struct Fork {
    pub(super) id: String,
    pub(super) players: bool,
    /// Ids, and the events that happen only then.
    pub(super) options: Vec<(String, Vec<usize>)>,
    /// Options that can be picked.
    pub(super) offered: Vec<usize>,
}

/// A choice as far as it is known: not made yet; made, and then the option, none where it does not
/// come up.
pub(super) type Made = Option<Option<usize>>;

/// A narrative by numbers. Nodes are the events of all groups, then the origin of each group, then
/// the one at which time starts.
#[derive(Debug, Clone)]
pub struct Script {
    /// Ids of the events.
    pub(crate) events: Vec<String>,
    /// When each group's story begins; the last is 0.
    pub(super) origins: Vec<i64>,
    pub(super) links: Vec<Bounds>,
    pub(super) contingent: Vec<Bounds>,
    /// The contingent link that ends with an event.
    pub(super) players: Vec<Option<usize>>,
    pub(super) activities: Vec<Activity>,
    /// Ids, and how much there is.
    pub(super) resources: Vec<(String, i64)>,
    pub(crate) forks: Vec<Fork>,
    pub(super) horizon_us: Option<i64>,
    index: BTreeMap<String, usize>,
}

impl Script {
    /// A narrative by numbers.
    ///
    /// # Errors
    /// The first mistake; the service finds them all.
    pub fn new(problem: &NarrativeProblem) -> Result<Self, String> {
        let prefixes = prefixes(problem);
        let count = problem.events.len() * prefixes.len();
        if count > EVENTS_MAX {
            return Err(format!(
                "{count} events, at most {EVENTS_MAX} can be rehearsed"
            ));
        }
        let groups = problem.groups.iter();
        let mut origins: Vec<i64> = groups.map(|g| micros(g.start_offset.as_ref())).collect();
        if origins.is_empty() {
            origins.push(0);
        }
        origins.push(0);
        let mut script = Self {
            events: Vec::new(),
            origins,
            links: Vec::new(),
            contingent: Vec::new(),
            players: vec![None; count],
            activities: Vec::new(),
            resources: Vec::new(),
            forks: Vec::new(),
            horizon_us: problem.horizon_offset.as_ref().map(|d| micros(Some(d))),
            index: BTreeMap::new(),
        };
        for resource in &problem.resources {
            let capacity = i64::from(resource.capacity.unwrap_or(1));
            script.resources.push((resource.id.clone(), capacity));
        }
        for prefix in &prefixes {
            for event in &problem.events {
                let id = format!("{prefix}{}", event.id);
                script.index.insert(id.clone(), script.events.len());
                script.events.push(id);
            }
        }
        // In plans the origin is that of the whole.
        script
            .index
            .insert(origin(problem).into(), script.nodes() - 1);
        for (group, prefix) in prefixes.iter().enumerate() {
            script.add(problem, group, prefix)?;
        }
        Ok(script)
    }

    fn add(
        &mut self,
        problem: &NarrativeProblem,
        group: usize,
        prefix: &str,
    ) -> Result<(), String> {
        let begin = self.events.len() + group;
        let start = origin(problem);
        let index = self.index.clone();
        let find = |id: &str| match id {
            id if id == start => Ok(begin),
            id => {
                let found = index.get(&format!("{prefix}{id}")).copied();
                found.ok_or_else(|| format!("there is no event `{id}`"))
            }
        };
        let ids = ids(problem);
        let bound = |d: &Option<prost_types::Duration>, none| {
            d.as_ref()
                .map_or(none, |d| micros(Some(d)).clamp(-NONE, NONE))
        };
        for (link, id) in problem.links.iter().zip(&ids.requirements) {
            self.links.push(Bounds {
                id: format!("{prefix}{id}"),
                from: find(&link.from_event_id)?,
                to: find(&link.to_event_id)?,
                lower_us: bound(&link.lower, -NONE),
                upper_us: bound(&link.upper, NONE),
            });
        }
        for (link, id) in problem.contingent_links.iter().zip(&ids.contingent) {
            let to = find(&link.to_event_id)?;
            if let Some(player) = self.players.get_mut(to) {
                *player = Some(self.contingent.len());
            }
            self.contingent.push(Bounds {
                id: format!("{prefix}{id}"),
                from: find(&link.from_event_id)?,
                to,
                lower_us: bound(&link.lower, 0),
                upper_us: bound(&link.upper, NONE),
            });
        }
        for activity in &problem.activities {
            let ends = [&activity.start_event_id, &activity.end_event_id];
            let [start, end] = ends.map(|id| find(id));
            self.activities.push(Activity {
                id: format!("{prefix}{}", activity.id),
                start: start?,
                end: end?,
                demands: self.demands(&activity.demands)?,
            });
        }
        for choice in &problem.choices {
            let options = choice.options.iter().map(|option| {
                let events = option.event_ids.iter().map(|id| find(id));
                Ok((option.id.clone(), events.collect::<Result<_, String>>()?))
            });
            self.forks.push(Fork {
                offered: offered(choice),
                id: format!("{prefix}{}", choice.id),
                players: choice.chooser() == NarrativeChooser::Player,
                options: options.collect::<Result<_, String>>()?,
            });
        }
        Ok(())
    }

    fn demands(&self, given: &[NarrativeDemand]) -> Result<Vec<(usize, i64, bool)>, String> {
        let demand = |demand: &NarrativeDemand| {
            let mut known = self.resources.iter();
            let at = known.position(|(id, _)| *id == demand.resource_id);
            let at = at.ok_or_else(|| format!("there is no resource `{}`", demand.resource_id))?;
            Ok((at, i64::from(demand.amount.unwrap_or(1)), demand.consumed))
        };
        given.iter().map(demand).collect()
    }

    /// Ids of choices, each with those of its options.
    pub(crate) fn fork_ids(&self) -> Vec<(&str, Vec<&str>)> {
        let forks = self.forks.iter().map(|fork| {
            let options = fork.options.iter().map(|(id, _)| id.as_str());
            (fork.id.as_str(), options.collect())
        });
        forks.collect()
    }

    /// Nodes: events and origins.
    pub(super) fn nodes(&self) -> usize {
        self.events.len() + self.origins.len()
    }

    /// The node of an id in a plan.
    pub(super) fn find(&self, id: &str) -> Option<usize> {
        self.index.get(id).copied()
    }

    /// The index of a choice and of one of its options.
    pub(super) fn pick(&self, choice: &str, option: &str) -> Option<(usize, usize)> {
        let at = self.forks.iter().position(|f| f.id == choice)?;
        let options = self.forks[at].options.iter();
        let option = options.clone().position(|(id, _)| id == option)?;
        Some((at, option))
    }

    /// Whether a node happens: `Some(true)` for sure, `None` when a choice is open on it.
    pub(super) fn present(&self, picks: &[Made], node: usize) -> Option<bool> {
        let mut open = false;
        for (fork, made) in self.forks.iter().zip(picks) {
            let own = fork.options.iter().position(|(_, e)| e.contains(&node));
            match (own, made) {
                (Some(_), None) => open = true,
                (Some(own), Some(picked)) if *picked != Some(own) => return Some(false),
                _ => {}
            }
        }
        (!open).then_some(true)
    }

    /// How many groups there are, one where there are none.
    pub(super) fn groups(&self) -> usize {
        self.origins.len() - 1
    }

    /// The group of a node; none for the origin of the whole.
    pub(super) fn group_of(&self, node: usize) -> Option<usize> {
        let events = self.events.len();
        let group = match node.checked_sub(events) {
            Some(origin) => origin,
            None => node / (events / self.groups()),
        };
        (group < self.groups()).then_some(group)
    }

    /// The choices of a group, in story order.
    pub(super) fn forks_of(&self, group: usize) -> std::ops::Range<usize> {
        let each = self.forks.len() / self.groups();
        group * each..(group + 1) * each
    }
}

/// Options that can be picked.
fn offered(choice: &NarrativeChoice) -> Vec<usize> {
    let options = choice.options.iter().enumerate();
    let offered = options.filter(|(_, option)| !option.withheld);
    offered.map(|(at, _)| at).collect()
}
