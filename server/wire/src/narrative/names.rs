//! How the caller calls things, which the planner does not know.

use super::read::{Entries, unknown};
use crate::links::{Links, Nodes};
use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, shown};
use anytime::Path;
use anytime::Step::{Field, Index};
use anytime::{Step, written};
use narrative::problem::{Activity, Micros, Node, ORIGIN, Source, Spec, Start};
use std::collections::HashMap;
use stratagem_proto::v1 as pb;

/// Id of the origin unless the caller has another.
const ORIGIN_ID: &str = "origin";
/// Between the id of a group and the id of what is its own.
const IN_GROUP: char = '/';

/// The names in a narrative as written, before there are groups of it.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Id of the origin.
    pub origin: String,
    /// Ids of the events.
    pub events: Ids,
    /// Ids of activities, resources and choices.
    pub activities: Ids,
    pub resources: Ids,
    pub choices: Ids,
    /// Ids of the options of each choice.
    pub options: Vec<Ids>,
    /// Ids of links.
    pub links: Vec<String>,
    pub contingent: Vec<String>,
}

impl Written {
    /// No event may have the id of the origin.
    pub(super) fn new(origin: String) -> Self {
        let origin = match &*origin {
            "" => ORIGIN_ID.into(),
            _ => origin,
        };
        Self {
            origin,
            ..Self::default()
        }
    }

    /// Takes the id of the next event.
    pub(super) fn take_event(&mut self, at: &Path<'_>, id: String, wrong: &mut Mistakes) {
        if id == self.origin {
            let why = format!("is {}, which is the origin", shown(&id));
            wrong.add(at, Code::Duplicate, why);
        }
        no_group(at, &id, wrong);
        self.events.take(at, id, wrong);
    }

    /// The names of everything in `spec`, as written, when these groups live through it; without
    /// groups as written.
    pub(super) fn with_groups(&self, spec: &Spec, groups: &Ids, starts: &[Start]) -> Names {
        let mut names = Names {
            origin: self.origin.clone(),
            resources: self.resources.list().to_vec(),
            ..Names::default()
        };
        let groups: Vec<String> = if groups.list().is_empty() {
            vec![String::new()]
        } else {
            let prefix = |id: &String| format!("{id}{IN_GROUP}");
            groups.list().iter().map(prefix).collect()
        };
        for (at, group) in groups.iter().enumerate() {
            let own = |id: &String| format!("{group}{id}");
            let start = starts.get(at).copied().unwrap_or_default();
            names.events.extend(self.events.list().iter().map(own));
            let links = self.links.iter().zip(&spec.links);
            names.links.extend(links.map(|(id, link)| {
                let later_us = start.later_us(link.from, link.to);
                Some(Called {
                    id: own(id),
                    later_us,
                })
            }));
            let added = start.links_added(spec.events);
            names.links.extend((0..added).map(|_| None));
            let links = self.contingent.iter().zip(&spec.contingent);
            names.contingent.extend(links.map(|(id, link)| {
                let later_us = start.later_us(link.from, link.to);
                Called {
                    id: own(id),
                    later_us,
                }
            }));
            let activities = self.activities.list().iter();
            names.activities.extend(activities.map(own));
            let choices = self.choices.list().iter().zip(&self.options);
            names.choices.extend(choices.map(|(id, options)| Fork {
                id: own(id),
                options: options.list().to_vec(),
            }));
        }
        // Origins of groups that start late, and their links: see `Spec::copies`.
        let held = |it: &&Activity| it.start == ORIGIN && it.end != ORIGIN;
        let held = spec.activities.iter().filter(held).count();
        for (_, group, _) in spec.own_origins(starts) {
            names
                .events
                .push(format!("{}{}", groups[group], self.origin));
            names.links.extend((0..=held).map(|_| None));
        }
        let index = |list: &[String]| {
            let pairs = list.iter().enumerate();
            pairs.map(|(at, id)| (id.clone(), at)).collect()
        };
        names.event_index = index(&names.events);
        names.activity_index = index(&names.activities);
        names
    }
}

/// Ids that groups put theirs in front of have no slash.
pub(super) fn no_group(at: &Path<'_>, id: &str, wrong: &mut Mistakes) {
    if id.contains(IN_GROUP) {
        let why = format!(
            "is {}: no {IN_GROUP:?} is allowed, it marks groups",
            shown(id)
        );
        wrong.add(at, Code::Contradiction, why);
    }
}

impl Nodes for Written {
    fn name(&self, node: usize) -> &str {
        match node.checked_sub(1) {
            None => &self.origin,
            Some(event) => &self.events.list()[event],
        }
    }

    fn find(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        if id == self.origin {
            return Some(ORIGIN);
        }
        self.events.find(at, id, wrong).map(|event| event + 1)
    }
}

/// The names in a narrative, groups included.
#[derive(Debug, Default)]
pub struct Names {
    /// Id of the origin.
    pub origin: String,
    /// Ids of events, those of groups' own origins last: `group/origin`.
    pub events: Vec<String>,
    /// Index of each event.
    event_index: HashMap<String, usize>,
    /// Index of each activity.
    activity_index: HashMap<String, usize>,
    /// Links; none for those that keep a group's events after its origin, and those of its origin.
    pub links: Vec<Option<Called>>,
    pub contingent: Vec<Called>,
    /// Ids of activities and resources.
    pub activities: Vec<String>,
    pub resources: Vec<String>,
    /// Choices with their options.
    pub choices: Vec<Fork>,
}

/// How the caller calls a link, and how its bounds differ from those that were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    pub id: String,
    /// By how much they are larger: those that count from a group's origin do so from the common
    /// one inside.
    pub later_us: Micros,
}

/// Ids of a choice and its options.
#[derive(Debug)]
pub struct Fork {
    pub id: String,
    pub options: Vec<String>,
}

impl Names {
    /// Id of a node.
    pub(crate) fn node(&self, node: Node) -> &str {
        match node.checked_sub(1) {
            None => &self.origin,
            Some(event) => &self.events[event],
        }
    }

    /// Node of an event's id.
    pub(super) fn event(&self, id: &str) -> Option<Node> {
        self.event_index.get(id).map(|event| event + 1)
    }

    /// Index of an activity's id.
    pub(super) fn activity(&self, id: &str) -> Option<usize> {
        self.activity_index.get(id).copied()
    }

    /// The link that a bound comes from, and which end of it; `None` for bounds that no link of the
    /// caller's has.
    pub(super) fn link(&self, source: Source) -> Option<(&Called, pb::TemporalBoundSide)> {
        use pb::TemporalBoundSide::{Lower, Upper};
        Some(match source {
            Source::LinkUpper(link) => (self.links[link].as_ref()?, Upper),
            Source::LinkLower(link) => (self.links[link].as_ref()?, Lower),
            Source::ContingentUpper(link) => (&self.contingent[link], Upper),
            Source::ContingentLower(link) => (&self.contingent[link], Lower),
            Source::Horizon(_) | Source::Start(_) | Source::Happened(_) => return None,
        })
    }

    /// Indices of a choice and its option; `None` when one does not exist.
    pub(super) fn picked(
        &self,
        pick: &pb::NarrativePick,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Option<(usize, usize)> {
        let mut choices = self.choices.iter();
        let Some(choice) = choices.position(|fork| fork.id == pick.choice_id) else {
            unknown(&pick.choice_id, &at.field("choice_id"), wrong);
            return None;
        };
        let mut options = self.choices[choice].options.iter();
        let option = options.position(|id| *id == pick.option_id);
        if option.is_none() {
            unknown(&pick.option_id, &at.field("option_id"), wrong);
        }
        Some((choice, option?))
    }

    /// An option that was picked, by the indices of choice and option.
    pub(super) fn pick(&self, choice: usize, option: usize) -> pb::NarrativePick {
        let fork = &self.choices[choice];
        pb::NarrativePick {
            choice_id: fork.id.clone(),
            option_id: fork.options[option].clone(),
        }
    }
}

impl anytime::Names for Names {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        match kind {
            "node" if index <= self.events.len() => Some(self.node(index).into()),
            "link" => self.links.get(index)?.as_ref().map(|link| link.id.clone()),
            "contingent link" => self.contingent.get(index).map(|link| link.id.clone()),
            "activity" => self.activities.get(index).cloned(),
            "resource" => self.resources.get(index).cloned(),
            "choice" => self.choices.get(index).map(|choice| choice.id.clone()),
            _ => None,
        }
    }

    /// All but progress was checked before there were groups: what is wrong now is the number of
    /// groups, or when they start.
    fn path(&self, at: &[Step]) -> String {
        match at {
            [Field("progress"), ..] => written(at),
            _ => "groups".into(),
        }
    }
}

/// The names in a narrative as written, with the places of its elements in the request.
pub(super) struct InRequest<'r> {
    pub written: &'r Written,
    pub read: &'r Links,
    /// Where each activity is in the request.
    pub activities_at: &'r [usize],
}

impl anytime::Names for InRequest<'_> {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        let written = self.written;
        match kind {
            "node" if index <= written.events.list().len() => Some(written.name(index).into()),
            "link" => written.links.get(index).cloned(),
            "contingent link" => written.contingent.get(index).cloned(),
            "resource" => written.resources.list().get(index).cloned(),
            _ => None,
        }
    }

    fn path(&self, at: &[Step]) -> String {
        let mut at = at.to_vec();
        if let [Field(list), Index(index), ..] = at.as_mut_slice() {
            match *list {
                "links" => *index = self.read.requirements.at[*index],
                "contingent_links" => *index = self.read.contingent.at[*index],
                "activities" => *index = self.activities_at[*index],
                _ => {}
            }
        }
        written(&at)
    }
}

/// The names in a narrative, with the places of a plan's entries before they were sorted.
pub(super) struct InPlan<'r> {
    pub names: &'r Names,
    pub entries: &'r [Entries],
}

impl anytime::Names for InPlan<'_> {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        self.names.id(kind, index)
    }

    fn path(&self, at: &[Step]) -> String {
        let mut at = at.to_vec();
        if let [
            Field("policies"),
            Index(policy),
            ..,
            Field(list),
            Index(entry),
        ] = at.as_mut_slice()
        {
            let entries = &self.entries[*policy];
            let places = match *list {
                "outcomes" => &entries.outcomes,
                "orders" => &entries.order,
                "bounds" => &entries.bounds,
                "waits" => &entries.waits,
                _ => &entries.hand_overs,
            };
            *entry = places[*entry];
        }
        written(&at)
    }
}
