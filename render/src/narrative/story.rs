//! A narrative with its groups side by side, and names for people.

use crate::links::ids_of;
use crate::time::micros;
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    NarrativeActivity, NarrativeChoice, NarrativeChooser, NarrativeOption, NarrativePick,
    NarrativeProblem,
};

/// Things of one kind, those of all groups together: twice what the contract allows.
const ITEMS_MAX: usize = 1_000;
/// Groups, twice what the contract allows.
const GROUPS_MAX: usize = 64;

/// Players who live through the story together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group<'a> {
    /// Empty where the problem has no groups.
    pub(super) id: &'a str,
    /// When its story begins, in microseconds.
    pub(super) offset_us: i64,
}

impl Group<'_> {
    /// What an id of the problem reads in plans.
    pub(super) fn full(&self, id: &str) -> String {
        match self.id {
            "" => id.to_owned(),
            group => format!("{group}/{id}"),
        }
    }
}

/// A duration that players pick, of one group.
#[derive(Debug, Clone)]
pub(super) struct Contingent<'a> {
    /// As in plans.
    pub(super) id: String,
    /// Events of the problem, without group.
    pub(super) ends: [&'a str; 2],
    pub(super) lower_us: i64,
    pub(super) upper_us: i64,
    /// Index of its group.
    pub(super) group: usize,
}

/// An activity of one group.
#[derive(Debug, Clone)]
pub(super) struct Activity<'a> {
    /// As in plans.
    pub(super) id: String,
    pub(super) given: &'a NarrativeActivity,
    /// Index of its group.
    pub(super) group: usize,
}

/// A problem for pictures: what every group does, under the ids that plans use. Things beyond twice
/// the limits of the contract are left out.
pub(super) struct Story<'a> {
    pub(super) problem: &'a NarrativeProblem,
    /// The event at which time starts.
    pub(super) origin: &'a str,
    /// At least one.
    pub(super) groups: Vec<Group<'a>>,
    /// Group by group, in the order of the problem.
    pub(super) contingents: Vec<Contingent<'a>>,
    /// Group by group, in the order of the problem.
    pub(super) activities: Vec<Activity<'a>>,
    /// Labels by id, without groups.
    events: BTreeMap<&'a str, &'a str>,
    activity_labels: BTreeMap<&'a str, &'a str>,
    resources: BTreeMap<&'a str, &'a str>,
    choices: BTreeMap<&'a str, &'a NarrativeChoice>,
}

impl<'a> Story<'a> {
    pub(super) fn new(problem: &'a NarrativeProblem) -> Self {
        let given = problem.groups.iter().take(GROUPS_MAX).map(|g| Group {
            id: &g.id,
            offset_us: micros(g.start_offset.as_ref()),
        });
        let mut groups: Vec<_> = given.collect();
        if groups.is_empty() {
            let id = "";
            groups.push(Group { id, offset_us: 0 });
        }
        let labels = |pairs: Vec<(&'a str, &'a str)>| {
            let named = pairs.into_iter().rev();
            let named = named.map(|(id, label)| (id, if label.is_empty() { id } else { label }));
            named.collect::<BTreeMap<_, _>>()
        };
        let pairs = |e: &'a stratagem_proto::v1::NarrativeEvent| (e.id.as_str(), e.label.as_str());
        let events = labels(problem.events.iter().map(pairs).collect());
        let pairs = |a: &'a NarrativeActivity| (a.id.as_str(), a.label.as_str());
        let activity_labels = labels(problem.activities.iter().map(pairs).collect());
        let pairs =
            |r: &'a stratagem_proto::v1::NarrativeResource| (r.id.as_str(), r.label.as_str());
        let resources = labels(problem.resources.iter().map(pairs).collect());
        let choices = problem.choices.iter().rev();
        Self {
            problem,
            origin: match problem.origin_id.as_str() {
                "" => "origin",
                id => id,
            },
            contingents: contingents(problem, &groups),
            activities: activities(problem, &groups),
            groups,
            events,
            activity_labels,
            resources,
            choices: choices.map(|c| (c.id.as_str(), c)).collect(),
        }
    }

    /// An id of a plan without its group, and the group.
    pub(super) fn local<'b>(&self, id: &'b str) -> (&'b str, Option<&'a str>) {
        if let Some((group, rest)) = id.split_once('/')
            && let Some(group) = self.groups.iter().find(|g| g.id == group)
            && !group.id.is_empty()
        {
            return (rest, Some(group.id));
        }
        (id, None)
    }

    fn named(&self, labels: &BTreeMap<&'a str, &'a str>, id: &str) -> String {
        let (local, group) = self.local(id);
        in_group(labels.get(local).copied().unwrap_or(local), group)
    }

    /// An event for people, with its group.
    pub(super) fn event(&self, id: &str) -> String {
        self.named(&self.events, id)
    }

    /// An activity for people, with its group.
    pub(super) fn activity(&self, id: &str) -> String {
        self.named(&self.activity_labels, id)
    }

    /// A link for people, with its group.
    pub(super) fn link(&self, id: &str) -> String {
        let (local, group) = self.local(id);
        in_group(local, group)
    }

    /// A resource for people.
    pub(super) fn resource(&self, id: &str) -> String {
        self.resources.get(id).copied().unwrap_or(id).to_owned()
    }

    /// A choice of the problem, by its id in plans.
    pub(super) fn choice(&self, id: &str) -> Option<&'a NarrativeChoice> {
        self.choices.get(self.local(id).0).copied()
    }

    /// What was picked, for people, with the group: `A duel in the chapel (red)`.
    pub(super) fn option(&self, pick: &NarrativePick) -> String {
        let choice = self.choice(&pick.choice_id);
        let option = choice.and_then(|c| c.options.iter().find(|o| o.id == pick.option_id));
        let label = option.map(|o| o.label.as_str()).filter(|l| !l.is_empty());
        let (_, group) = self.local(&pick.choice_id);
        in_group(label.unwrap_or(&pick.option_id), group)
    }

    /// All picks for people.
    pub(super) fn picks(&self, picks: &[NarrativePick]) -> String {
        match picks {
            [] => "without a choice".into(),
            picks => {
                let options: Vec<_> = picks.iter().map(|p| self.option(p)).collect();
                options.join(", ")
            }
        }
    }
}

/// All picks by their ids: shorter than for people.
pub(super) fn short_picks(story: &Story<'_>, picks: &[NarrativePick]) -> String {
    let each = picks
        .iter()
        .map(|p| in_group(&p.option_id, story.local(&p.choice_id).1));
    match each.collect::<Vec<_>>() {
        options if options.is_empty() => "without a choice".into(),
        options => options.join(", "),
    }
}

/// A label with the group that it is about.
pub(super) fn in_group(label: &str, group: Option<&str>) -> String {
    group.map_or_else(|| label.to_owned(), |g| format!("{label} ({g})"))
}

/// Label of a choice for people.
pub(super) fn choice_label(choice: &NarrativeChoice) -> &str {
    match choice.label.as_str() {
        "" => &choice.id,
        label => label,
    }
}

/// An option, for people.
pub(super) fn option_label(option: &NarrativeOption) -> String {
    let label = match option.label.as_str() {
        "" => &option.id,
        label => label,
    };
    if option.withheld {
        format!("{label} (not offered)")
    } else {
        label.to_owned()
    }
}

/// Who makes a choice.
pub(super) fn chooser(choice: &NarrativeChoice) -> &'static str {
    match choice.chooser() {
        NarrativeChooser::Player => "players choose",
        NarrativeChooser::System | NarrativeChooser::Unspecified => "we choose",
    }
}

fn contingents<'a>(problem: &'a NarrativeProblem, groups: &[Group<'a>]) -> Vec<Contingent<'a>> {
    let ids = ids_of(&problem.links, &problem.contingent_links).contingent;
    let each = groups.iter().enumerate().flat_map(|(group, g)| {
        let links = problem.contingent_links.iter().zip(&ids);
        links.map(move |(link, id)| Contingent {
            id: g.full(id),
            ends: [&link.from_event_id, &link.to_event_id],
            lower_us: micros(link.lower.as_ref()),
            upper_us: micros(link.upper.as_ref()),
            group,
        })
    });
    each.take(ITEMS_MAX).collect()
}

fn activities<'a>(problem: &'a NarrativeProblem, groups: &[Group<'a>]) -> Vec<Activity<'a>> {
    let each = groups.iter().enumerate().flat_map(|(group, g)| {
        problem.activities.iter().map(move |given| Activity {
            id: g.full(&given.id),
            given,
            group,
        })
    });
    each.take(ITEMS_MAX).collect()
}
