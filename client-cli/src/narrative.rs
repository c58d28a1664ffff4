//! What commands need to know about narratives: how things are called, with and without groups, and
//! how a change is made.

pub mod change;

use crate::output::table::printable;
use std::collections::BTreeMap;
use stratagem_proto::v1::{NarrativeChooser, NarrativePick, NarrativeProblem, TemporalNetwork};
use stratagem_render::temporal::{LinkIds, link_ids};

/// Ids of all links as written, with the contract's default where one is missing.
#[must_use]
pub fn ids(problem: &NarrativeProblem) -> LinkIds {
    link_ids(&TemporalNetwork {
        links: problem.links.clone(),
        contingent_links: problem.contingent_links.clone(),
        ..TemporalNetwork::default()
    })
}

/// What stands before the ids of each group in answers: nothing where there are no groups.
#[must_use]
pub fn prefixes(problem: &NarrativeProblem) -> Vec<String> {
    if problem.groups.is_empty() {
        return vec![String::new()];
    }
    let groups = problem.groups.iter();
    groups.map(|g| format!("{}/", g.id)).collect()
}

/// Names for people, by id and without groups.
pub struct Names<'a> {
    problem: &'a NarrativeProblem,
    events: BTreeMap<&'a str, &'a str>,
    activities: BTreeMap<&'a str, &'a str>,
    resources: BTreeMap<&'a str, &'a str>,
}

impl<'a> Names<'a> {
    /// The names of a narrative.
    #[must_use]
    pub fn new(problem: &'a NarrativeProblem) -> Self {
        let events = problem.events.iter();
        let activities = problem.activities.iter();
        let resources = problem.resources.iter();
        Self {
            problem,
            events: events.map(|e| (e.id.as_str(), e.label.as_str())).collect(),
            activities: activities
                .map(|a| (a.id.as_str(), a.label.as_str()))
                .collect(),
            resources: resources
                .map(|r| (r.id.as_str(), r.label.as_str()))
                .collect(),
        }
    }

    /// The group of an id and the id without it.
    fn split<'b>(&self, id: &'b str) -> (Option<&'b str>, &'b str) {
        match id.split_once('/') {
            Some((group, own)) if !self.problem.groups.is_empty() => (Some(group), own),
            _ => (None, id),
        }
    }

    fn named(&self, labels: &BTreeMap<&str, &str>, id: &str) -> String {
        let (group, own) = self.split(id);
        let label = labels.get(own).copied().filter(|label| !label.is_empty());
        in_group(label.unwrap_or(own), group)
    }

    /// An event: `The curtain falls (red)`.
    #[must_use]
    pub fn event(&self, id: &str) -> String {
        self.named(&self.events, id)
    }

    /// An activity.
    #[must_use]
    pub fn activity(&self, id: &str) -> String {
        self.named(&self.activities, id)
    }

    /// A resource, which all groups share; of labels such as `Boris, the heir` the name.
    #[must_use]
    pub fn resource(&self, id: &str) -> String {
        let label = self.resources.get(id).copied().unwrap_or_default();
        let short = label.split(',').next().unwrap_or_default();
        printable(if short.is_empty() { id } else { short })
    }

    /// A link, by its id.
    #[must_use]
    pub fn link(&self, id: &str) -> String {
        let (group, own) = self.split(id);
        in_group(own, group)
    }

    /// A choice.
    #[must_use]
    pub fn choice(&self, id: &str) -> String {
        let (group, own) = self.split(id);
        let found = self.problem.choices.iter().find(|c| c.id == own);
        let label = found.map_or("", |c| c.label.as_str());
        in_group(if label.is_empty() { own } else { label }, group)
    }

    /// An option of a choice.
    #[must_use]
    pub fn option(&self, pick: &NarrativePick) -> String {
        let (group, own) = self.split(&pick.choice_id);
        let found = self.problem.choices.iter().find(|c| c.id == own);
        let options = found.map_or(&[][..], |c| &c.options);
        let option = options.iter().find(|o| o.id == pick.option_id);
        let label = option.map_or("", |o| o.label.as_str());
        let label = if label.is_empty() {
            &pick.option_id
        } else {
            label
        };
        in_group(label, group)
    }

    /// Who makes a choice.
    #[must_use]
    pub fn chooser(&self, id: &str) -> NarrativeChooser {
        let (_, own) = self.split(id);
        let found = self.problem.choices.iter().find(|c| c.id == own);
        found.map_or(NarrativeChooser::Unspecified, |c| c.chooser())
    }
}

fn in_group(name: &str, group: Option<&str>) -> String {
    match group {
        Some(group) => printable(&format!("{name} ({group})")),
        None => printable(name),
    }
}

/// The names that are nearest to a mistyped one, at most three: those that begin alike or differ in
/// few letters.
#[must_use]
pub fn near<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let small = wanted.to_lowercase();
    let far = |name: &str| {
        let name = name.to_lowercase();
        let alike = !small.is_empty() && (name.contains(&small) || small.contains(&name));
        let edits = edits(&small, &name);
        if alike { edits.min(1) } else { edits }
    };
    let most = 1 + wanted.chars().count() / 3;
    let mut close: Vec<_> = names.into_iter().map(|n| (far(n), n)).collect();
    close.retain(|(edits, _)| *edits <= most);
    close.sort_unstable();
    close.dedup();
    close.into_iter().take(3).map(|(_, n)| n).collect()
}

/// Letters to put in, take out or change: Levenshtein's distance.
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let kept = before + usize::from(a != *b);
            before = row[j + 1];
            row[j + 1] = kept.min(before + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["search", "searching", "sneaking", "whole-quest"];
        assert_eq!(near("serch", names), ["search"]);
        assert_eq!(near("Quest", names), ["whole-quest"]);
        assert_eq!(near("zzz", names), [""; 0]);
        assert_eq!(edits("kitten", "sitting"), 3);
    }
}
