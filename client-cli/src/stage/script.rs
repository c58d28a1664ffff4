//! What can happen in a narrative, by the ids that a session uses.

use crate::narrative::prefixes;
use std::collections::BTreeSet;
use stratagem_proto::v1::{NarrativeChooser, NarrativeProblem};

/// A choice.
pub(crate) struct Fork {
    pub(crate) id: String,
    /// Whether players pick.
    pub(super) is_players: bool,
    /// Ids of its options.
    pub(crate) options: Vec<String>,
}

/// An activity that needs resources.
pub(super) struct Activity {
    pub(super) id: String,
    /// The event at which it starts.
    pub(super) start: String,
    /// Ids of resources.
    pub(super) resources: Vec<String>,
}

/// What can happen in a narrative.
#[derive(Default)]
pub struct Script {
    /// Ids of events.
    pub(crate) events: Vec<String>,
    /// Events that players determine.
    pub(super) of_players: BTreeSet<String>,
    pub(crate) forks: Vec<Fork>,
    pub(super) activities: Vec<Activity>,
}

impl Script {
    /// What can happen in a narrative, for all groups.
    #[must_use]
    pub fn new(problem: &NarrativeProblem) -> Self {
        let mut script = Self::default();
        for group in prefixes(problem) {
            let id = |id: &String| format!("{group}{id}");
            let events = problem.events.iter().map(|event| id(&event.id));
            script.events.extend(events);
            let links = problem.contingent_links.iter();
            script
                .of_players
                .extend(links.map(|link| id(&link.to_event_id)));
            let forks = problem.choices.iter().map(|choice| Fork {
                id: id(&choice.id),
                is_players: choice.chooser() == NarrativeChooser::Player,
                options: choice
                    .options
                    .iter()
                    .map(|option| option.id.clone())
                    .collect(),
            });
            script.forks.extend(forks);
            let activities = problem.activities.iter();
            let activities = activities.filter(|activity| !activity.demands.is_empty());
            script.activities.extend(activities.map(|activity| {
                Activity {
                    id: id(&activity.id),
                    start: id(&activity.start_event_id),
                    resources: activity
                        .demands
                        .iter()
                        .map(|it| it.resource_id.clone())
                        .collect(),
                }
            }));
        }
        script
    }
}
