//! Rehearsal of a narrative: the plan acts, the user decides durations and players' choices.
//!
//! Time is simulated, in microseconds. This is an executor of the server's plan that knows only
//! what has happened so far (non-anticipativity): it keeps all policies that are still possible.
//!
//! * `script`: the narrative by numbers.
//! * `policies`: what each storyline allows.
//! * `dispatch`: time windows of our events, given what has happened so far.
//! * `picks`, `forks`: times of choices, and our picks.
//! * `referee`: which rules were satisfied; `status`: the current state.
//! * `chance`: random decisions instead of commands.

mod chance;
mod dispatch;
mod forks;
mod picks;
mod policies;
mod referee;
mod script;
mod status;

pub use chance::play as play_by_chance;
pub use referee::broken;
pub use script::Script;

use policies::{Policy, policies};
use script::Made;
use std::ops::Range;
use stratagem_proto::v1::{NarrativePlan, NarrativeProgress};
use stratagem_render::time::{micros, span_text};

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
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
    /// An activity begins: who and what goes there, and from where, the stock being empty.
    Begins {
        /// Id of the activity.
        activity: String,
        /// Ids of resource and of the activity that it comes from.
        brings: Vec<(String, String)>,
    },
    /// No storyline of the plan is meant for what happened.
    Lost,
}

/// Choices that are made in story order.
struct Track {
    groups: Vec<usize>,
    choices: Range<usize>,
}

impl Track {
    /// One for each group, or one for all.
    fn tracks(script: &Script, policies: &[Policy]) -> Vec<Self> {
        let all = 0..script.groups();
        if policies.iter().any(|p| p.groups.len() < all.len()) {
            let each = all.map(|group| Self {
                groups: vec![group],
                choices: script.forks_of(group),
            });
            return each.collect();
        }
        vec![Self {
            groups: all.collect(),
            choices: 0..script.forks.len(),
        }]
    }
}

/// A rehearsal that goes on.
pub struct Stage<'a> {
    script: &'a Script,
    policies: Vec<Policy>,
    /// When each node happened.
    times: Vec<Option<i64>>,
    /// Choices made.
    picks: Vec<Made>,
    /// Whose choices wait for one another: everybody's, or each group's where it has policies of
    /// its own.
    tracks: Vec<Track>,
    now_us: i64,
    lost: bool,
    news: Vec<News>,
}

impl<'a> Stage<'a> {
    /// A rehearsal at its begin.
    #[must_use]
    pub fn new(script: &'a Script, plan: &NarrativePlan) -> Self {
        let mut times = vec![None; script.events.len()];
        times.extend(script.origins.iter().map(|us| Some(*us)));
        let policies = policies(script, plan);
        let mut stage = Self {
            script,
            tracks: Track::tracks(script, &policies),
            policies,
            times,
            picks: vec![None; script.forks.len()],
            now_us: 0,
            lost: false,
            news: Vec::new(),
        };
        stage.settle();
        stage
    }

    /// The same after what has happened already.
    #[must_use]
    pub fn after(mut self, progress: &NarrativeProgress) -> Self {
        self.now_us = micros(progress.now_offset.as_ref());
        for event in &progress.happened {
            if let Some(node) = self.script.find(&event.event_id) {
                self.times[node] = Some(micros(event.time_offset.as_ref()));
            }
        }
        self.settle();
        self.news.clear();
        self
    }

    /// The moment that it is, in microseconds.
    #[must_use]
    pub fn now_us(&self) -> i64 {
        self.now_us
    }

    /// What happened since this was asked before.
    pub fn news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// Policies that agree with what was picked and seen.
    fn possible(&self) -> Vec<&Policy> {
        let lasted = |link: usize| {
            let link = &self.script.contingent[link];
            let begun = self.times[link.from]?;
            match self.times[link.to] {
                Some(ended) => Some((ended - begun, true)),
                None => Some((self.now_us - begun, false)),
            }
        };
        let all = self.policies.iter();
        let possible = all.clone().filter(|p| p.possible(&self.picks, lasted));
        let possible: Vec<_> = possible.collect();
        if !possible.is_empty() {
            return possible;
        }
        // The last ones that had the picks: better than standing still.
        all.filter(|p| p.agrees(&self.picks)).collect()
    }

    /// Our next event and its time, by what has happened so far: it may change.
    #[must_use]
    pub fn next_of_ours(&self) -> Option<(i64, usize)> {
        let possible = self.possible();
        let earliest = possible
            .iter()
            .map(|p| p.earliest(&self.times, self.now_us));
        let earliest: Vec<_> = earliest.collect();
        let ours = (0..self.script.events.len()).filter(|event| {
            self.times[*event].is_none()
                && self.script.players[*event].is_none()
                && self.script.present(&self.picks, *event) == Some(true)
                && !possible.iter().any(|p| p.blocked(&self.times, *event))
        });
        ours.filter_map(|event| {
            let latest = earliest.iter().map(|times| times[event]).max()?;
            Some((latest.max(self.now_us), event))
        })
        .min()
    }

    /// What players may end, now or later: event, earliest and latest moment.
    #[must_use]
    pub fn running(&self) -> Vec<(usize, i64, i64)> {
        let links = self.script.contingent.iter();
        links
            .filter(|link| self.times[link.to].is_none())
            .filter(|link| self.script.present(&self.picks, link.to) == Some(true))
            .filter_map(|link| {
                let begun = self.times[link.from].filter(|us| *us <= self.now_us)?;
                Some((link.to, begun + link.lower_us, begun + link.upper_us))
            })
            .collect()
    }

    /// Lets time go by until `until_us`. Our events before that moment happen, and those of players
    /// whose time is over. Time stands still at a choice of the players.
    pub fn wait_until(&mut self, until_us: i64) {
        while self.step(until_us, false) {}
        if self.pending().is_none() {
            self.now_us = self.now_us.max(until_us);
            self.settle();
        }
    }

    /// Makes an event of players happen now.
    ///
    /// # Errors
    /// Why it may not, for people.
    pub fn happen(&mut self, event: usize) -> Result<(), String> {
        let id = &self.script.events[event];
        let none_of_players = self.script.players[event].is_none();
        if let Some(at) = self.times[event] {
            return Err(format!("{id} happened at {}", span_text(at)));
        }
        if none_of_players {
            return Err(format!("{id} is ours: the plan decides"));
        }
        let running = |stage: &Self| stage.running().into_iter().find(|r| r.0 == event);
        // Our event at this very moment may be what it waits for.
        while running(self).is_none() && self.step(self.now_us, true) {}
        let Some((_, earliest, _)) = running(self) else {
            return Err(format!("it is not time for {id} yet"));
        };
        if earliest > self.now_us {
            let earliest = span_text(earliest);
            return Err(format!("{id} may not happen before {earliest}"));
        }
        self.execute(event, "you");
        Ok(())
    }

    /// Plays on to the end: players take as long as they may, and pick the first option.
    pub fn finish(&mut self) {
        // Everything happens once, storylines are ruled out once.
        for _ in 0..self.times.len() + self.policies.len() + self.script.forks.len() {
            if let Some(choice) = self.pending() {
                let offered = self.script.forks[choice].offered.first();
                self.make(choice, offered.copied().unwrap_or(0));
                self.settle();
            } else if !self.step(i64::MAX, true) {
                break;
            }
        }
    }

    /// Lets the next thing happen if that is before `until_us` (or at it, if `included`). False
    /// when there is nothing.
    fn step(&mut self, until_us: i64, included: bool) -> bool {
        if self.pending().is_some() {
            return false;
        }
        let due = |at: i64| at < until_us || included && at == until_us;
        let running = self.running();
        let overdue = running.iter().map(|r| (r.2.max(self.now_us), r.0)).min();
        let ours = self.next_of_ours();
        let next = [ours, overdue].into_iter().flatten().map(|n| n.0).min();
        // What was possible until then may be over before.
        if let Some(at) = self.ruled_out()
            && due(at)
            && next.is_none_or(|next| at < next)
        {
            self.now_us = at;
            self.settle();
            return true;
        }
        if let Some((at, event)) = overdue
            && due(at)
            && ours.is_none_or(|ours| at <= ours.0)
        {
            self.now_us = at;
            self.execute(event, "at the latest");
            return true;
        }
        match ours {
            Some((at, event)) if due(at) => {
                self.now_us = at;
                self.execute(event, "our plan");
                true
            }
            _ => false,
        }
    }

    /// The next moment at which a policy is not possible any more, because a link lasts too long.
    fn ruled_out(&self) -> Option<i64> {
        let possible = self.possible();
        let outcomes = possible.iter().flat_map(|p| &p.outcomes);
        let over = outcomes.filter_map(|(link, _, upper)| {
            let link = &self.script.contingent[*link];
            let begun = self.times[link.from]?;
            (self.times[link.to].is_none()).then_some(begun + upper + 1)
        });
        over.filter(|at| *at > self.now_us).min()
    }

    fn execute(&mut self, event: usize, by: &'static str) {
        let at_us = self.now_us;
        self.times[event] = Some(at_us);
        self.news.push(News::Happened {
            event: self.script.events[event].clone(),
            at_us,
            by,
        });
        self.begin(event);
        self.settle();
    }

    /// Notes who goes where when an event begins activities.
    fn begin(&mut self, event: usize) {
        let begun = self.script.activities.iter().enumerate();
        let begun = begun.filter(|(_, a)| a.start == event && !a.demands.is_empty());
        let mut news = Vec::new();
        for (at, activity) in begun {
            let mut brings = Vec::new();
            let possible = self.possible();
            let of = possible.first().map_or(&[][..], |p| &p.hand_overs);
            for (resource, ..) in &activity.demands {
                let name = &self.script.resources[*resource].0;
                let hands = of.iter().filter(|h| h.0 == *resource && h.2 == at);
                let from = hands.filter_map(|h| Some(self.script.activities[h.1?].id.clone()));
                let from = from.collect::<Vec<_>>().join(", ");
                brings.push((name.clone(), from));
            }
            news.push(News::Begins {
                activity: activity.id.clone(),
                brings,
            });
        }
        self.news.extend(news);
        if !self.lost && !self.agrees() {
            self.lost = true;
            self.news.push(News::Lost);
        }
    }

    /// Whether some policy is meant for what happened.
    fn agrees(&self) -> bool {
        let ended = |link: usize| {
            let link = &self.script.contingent[link];
            Some((self.times[link.to]? - self.times[link.from]?, true))
        };
        self.tracks.iter().all(|track| {
            let mut own = self.policies.iter().filter(|p| p.groups == track.groups);
            own.any(|p| p.possible(&self.picks, ended))
        })
    }

    /// Whether everything has happened.
    #[must_use]
    pub fn over(&self) -> bool {
        self.picks.iter().all(Option::is_some) && self.left().is_empty()
    }

    /// Events that are present for sure and have not happened.
    fn left(&self) -> Vec<usize> {
        let events = 0..self.script.events.len();
        let sure = |e: &usize| self.script.present(&self.picks, *e) == Some(true);
        events
            .filter(|e| self.times[*e].is_none() && sure(e))
            .collect()
    }
}
