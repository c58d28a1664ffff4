//! What happened in a rehearsal.

use super::Stage;
use stratagem_proto::v1 as pb;

/// What happened.
pub(crate) enum News {
    /// An event happened.
    Happened {
        /// Its id.
        event: String,
        /// When, in microseconds.
        at_us: i64,
        /// Why, for people: `our plan`, `you`, `at the latest`.
        by: &'static str,
    },
    /// A choice was made.
    Picked {
        /// Its id.
        choice: String,
        /// Id of the option.
        option: String,
        /// Whether the players did.
        players: bool,
    },
    /// An activity begins: what it needs, and from where, the stock being empty.
    Begins {
        /// Id of the activity.
        activity: String,
        /// Ids of resource and of the activities that it comes from.
        brings: Vec<(String, String)>,
    },
    /// The story has left its plan.
    Lost,
}

impl Stage<'_> {
    /// Notes picks that are new.
    pub(super) fn note_picks(&mut self) {
        let picks = self.decisions.picks.clone();
        for pb::NarrativePick {
            choice_id: choice,
            option_id: option,
        } in picks
        {
            if self.picked.insert(choice.clone()) {
                let mut forks = self.script.forks.iter();
                let players = forks.any(|fork| fork.id == choice && fork.is_players);
                self.news.push(News::Picked {
                    choice,
                    option,
                    players,
                });
            }
        }
    }

    /// Notes what activities need that an event starts.
    pub(super) fn note_activities(&mut self, event: &str) {
        let script = self.script;
        for activity in script.activities.iter().filter(|it| it.start == event) {
            let brings = activity.resources.iter().map(|resource| {
                let all = self.decisions.hand_overs.iter();
                let to = all.filter(|it| it.to_activity_id == activity.id);
                let from = to.filter(|it| it.resource_id == *resource);
                let from = from.map(|it| it.from_activity_id.as_str());
                let from = from.filter(|id| !id.is_empty()).collect::<Vec<_>>();
                (resource.clone(), from.join(", "))
            });
            let brings = brings.collect();
            self.news.push(News::Begins {
                activity: activity.id.clone(),
                brings,
            });
        }
    }
}
