//! Rehearsal of a narrative: a session executes the plan, the user decides durations and players'
//! choices.
//!
//! Time is simulated, in microseconds: it passes when the user says so.
//!
//! * `script`: what can happen.
//! * `news`: what happened.
//! * `status`: the current state, and whether the story stayed on schedule.
//! * `chance`: random decisions instead of commands.

mod chance;
mod news;
mod script;
mod status;

pub(crate) use chance::play as play_by_chance;
pub(crate) use news::News;
pub(crate) use script::Fork;
pub use script::Script;

use crate::call::{unary, unreadable};
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::reflect::method_for;
use formats::Described;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{SystemTime, UNIX_EPOCH};
use stratagem_proto::v1 as pb;
use stratagem_render::time::{from_micros, micros, span_text};

/// A command that cannot be carried out, for people.
pub(crate) type Refused = Result<(), String>;

/// A rehearsal that goes on.
pub(crate) struct Stage<'a> {
    connection: &'a Connection,
    script: &'a Script,
    session_id: String,
    sequence: i64,
    now_us: i64,
    decisions: pb::NarrativeDecisions,
    happened: BTreeMap<String, i64>,
    picked: BTreeSet<String>,
    news: Vec<News>,
}

impl<'a> Stage<'a> {
    /// A rehearsal at its begin.
    pub(crate) async fn new(
        connection: &'a Connection,
        script: &'a Script,
        problem: &pb::NarrativeProblem,
        plan: &pb::NarrativePlan,
    ) -> Result<Self, Failure> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = since.map_or(0, |since| since.as_nanos());
        let session_id = format!("rehearsal-{}-{nanos}", std::process::id());
        let state = pb::NarrativeSessionState {
            problem: Some(problem.clone()),
            plan: Some(plan.clone()),
            ..pb::NarrativeSessionState::default()
        };
        let request = pb::CreateSessionRequest {
            session_id: session_id.clone(),
            state: Some(pb::create_session_request::State::Narrative(state)),
            // As long as people think.
            expire_duration: Some(from_micros(3_600_000_000)),
            ..pb::CreateSessionRequest::default()
        };
        let created: pb::CreateSessionResponse =
            in_session(connection, &request, &session_id).await?;
        let progress = problem.progress.clone().unwrap_or_default();
        let happened = progress.happened.iter();
        let happened = happened.map(|it| (it.event_id.clone(), micros(it.time_offset.as_ref())));
        let mut stage = Self {
            connection,
            script,
            session_id,
            sequence: 0,
            now_us: micros(progress.now_offset.as_ref()),
            decisions: decisions(created.view.unwrap_or_default()),
            happened: happened.collect(),
            picked: BTreeSet::new(),
            news: Vec::new(),
        };
        let before = progress.made.into_iter();
        stage.picked.extend(before.map(|pick| pick.choice_id));
        stage.note_picks();
        Ok(stage)
    }

    /// Ends the session.
    pub(crate) async fn close(&self) -> Result<(), Failure> {
        let session_id = self.session_id.clone();
        let request = pb::CloseSessionRequest { session_id };
        let closed = in_session(self.connection, &request, &self.session_id).await;
        closed.map(|_: pb::CloseSessionResponse| ())
    }

    /// The moment that it is, in microseconds.
    pub(crate) fn now_us(&self) -> i64 {
        self.now_us
    }

    /// What happened since this was asked before.
    pub(crate) fn news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// Reports what has happened now, and notes what the session says.
    async fn update(&mut self, changes: pb::NarrativeChanges) -> Result<(), Failure> {
        self.sequence += 1;
        let update = pb::SessionUpdate {
            sequence: self.sequence,
            now_offset: Some(from_micros(self.now_us)),
            change: Some(pb::session_update::Change::Narrative(changes)),
        };
        let request = pb::UpdateSessionRequest {
            session_id: self.session_id.clone(),
            updates: vec![update],
            patience_duration: Some(from_micros(2_000_000)),
            ..pb::UpdateSessionRequest::default()
        };
        let id = &self.session_id;
        let updated: pb::UpdateSessionResponse = in_session(self.connection, &request, id).await?;
        let view = updated.view.unwrap_or_default();
        let refused = view.refused.iter().flat_map(|refusal| &refusal.mistakes);
        if let Some(mistake) = refused.into_iter().next() {
            let text = format!("{} {}", mistake.field, mistake.description);
            return Err(Failure::new(Exit::INVALID, text));
        }
        let was_kept = self.decisions.deviation.is_none();
        self.decisions = decisions(view);
        self.note_picks();
        if was_kept && self.decisions.deviation.is_some() {
            self.news.push(News::Lost);
        }
        Ok(())
    }

    /// Our next event and its time, by what has happened so far: it may change.
    pub(crate) fn next_of_ours(&self) -> Option<(&str, i64)> {
        let due = self
            .decisions
            .due
            .first()
            .map(|due| (&*due.event_id, self.now_us));
        due.or_else(|| {
            let next = self.decisions.upcoming.first()?;
            Some((&*next.event_id, micros(next.not_before_offset.as_ref())))
        })
    }

    /// What players may end, now or later: event, earliest and latest moment.
    pub(crate) fn running(&self) -> Vec<(String, i64, i64)> {
        let expected = self.decisions.expected.iter();
        let window = |it: &pb::TemporalWindow| {
            let times = [&it.not_before_offset, &it.not_after_offset];
            let [earliest_us, latest_us] = times.map(|time| Some(micros(Some(time.as_ref()?))));
            // Without a limit it never ends by itself.
            let latest_us = latest_us.unwrap_or(i64::MAX);
            (it.event_id.clone(), earliest_us.unwrap_or(0), latest_us)
        };
        expected.map(window).collect()
    }

    /// A choice that players have now, and its options.
    pub(crate) fn open(&self) -> Option<(String, Vec<String>)> {
        // Events of ours at this very moment come first.
        let open = self.decisions.open_choices.first();
        let open = open.filter(|_| self.decisions.due.is_empty())?;
        Some((open.choice_id.clone(), open.option_ids.clone()))
    }

    /// Lets events happen now.
    pub(crate) async fn execute(
        &mut self,
        events: Vec<String>,
        by: &'static str,
    ) -> Result<(), Failure> {
        for event in &events {
            self.happened.insert(event.clone(), self.now_us);
            self.news.push(News::Happened {
                event: event.clone(),
                at_us: self.now_us,
                by,
            });
            self.note_activities(event);
        }
        let at_offset = Some(from_micros(self.now_us));
        let happened = events
            .into_iter()
            .map(|event_id| pb::TemporalHappenedEvent {
                event_id,
                at_offset,
            });
        let happened = happened.collect();
        self.update(pb::NarrativeChanges {
            happened,
            made: Vec::new(),
        })
        .await
    }

    /// Lets players end a duration now, unless that has happened.
    async fn end(&mut self, event: String, by: &'static str) -> Result<(), Failure> {
        if self.happened.contains_key(&event) {
            return Ok(());
        }
        self.execute(vec![event], by).await
    }

    /// Makes a choice of the players.
    pub(crate) async fn make(
        &mut self,
        choice_id: String,
        option_id: String,
    ) -> Result<(), Failure> {
        let made = vec![pb::NarrativePick {
            choice_id,
            option_id,
        }];
        self.update(pb::NarrativeChanges {
            happened: Vec::new(),
            made,
        })
        .await
    }

    /// Time passes, and nothing happens.
    async fn pass(&mut self, until_us: i64) -> Result<(), Failure> {
        self.now_us = self.now_us.max(until_us);
        self.update(pb::NarrativeChanges::default()).await
    }

    /// Lets the next thing happen that is before `until_us`: events of ours that are due, or the
    /// end of a duration that lasts as long as it may. False when there is nothing.
    async fn step(&mut self, until_us: i64) -> Result<bool, Failure> {
        if self.now_us >= until_us || self.open().is_some() {
            return Ok(false);
        }
        let due = self.decisions.due.iter();
        let due: Vec<String> = due.map(|window| window.event_id.clone()).collect();
        if !due.is_empty() {
            self.execute(due, "our plan").await?;
            return Ok(true);
        }
        let running = self.running().into_iter();
        let overdue = running
            .map(|(event, _, latest_us)| (latest_us, event))
            .min();
        let wake = self.decisions.next_wake_offset.as_ref();
        let wake_us = wake.map(|wake| micros(Some(wake)));
        match overdue {
            Some((at_us, event)) if at_us < until_us && wake_us.is_none_or(|us| at_us <= us) => {
                self.now_us = self.now_us.max(at_us);
                self.execute(vec![event], "at the latest").await?;
                Ok(true)
            }
            _ => match wake_us.filter(|wake_us| *wake_us < until_us && *wake_us > self.now_us) {
                Some(wake_us) => self.pass(wake_us).await.map(|()| true),
                None => Ok(false),
            },
        }
    }

    /// Lets time go by until `until_us`. Our events before that moment happen, and those of players
    /// whose time is over. Time stands still at a choice of the players.
    pub(crate) async fn wait_until(&mut self, until_us: i64) -> Result<(), Failure> {
        while self.step(until_us).await? {}
        if self.open().is_none() && self.now_us < until_us {
            self.pass(until_us).await?;
        }
        Ok(())
    }

    /// Lets our events of this very moment happen until something is possible, if they lead there.
    async fn settle(&mut self, is_possible: impl Fn(&Self) -> bool) -> Result<bool, Failure> {
        while !is_possible(self) {
            if self.decisions.due.is_empty() || !self.step(i64::MAX).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes an event of players happen now.
    pub(crate) async fn happen(&mut self, event: usize) -> Result<Refused, Failure> {
        let id = &self.script.events[event];
        if let Some(at) = self.happened.get(id) {
            return Ok(Err(format!("{id} happened at {}", span_text(*at))));
        }
        if !self.script.of_players.contains(id) {
            return Ok(Err(format!("{id} is ours: the plan decides")));
        }
        let running = |stage: &Self| stage.running().into_iter().find(|it| it.0 == *id);
        self.settle(|stage| running(stage).is_some()).await?;
        let earliest_us = match running(self) {
            Some((_, earliest_us, _)) => earliest_us,
            None => return Ok(Err(format!("it is not time for {id} yet"))),
        };
        if earliest_us > self.now_us {
            let earliest = span_text(earliest_us);
            return Ok(Err(format!("{id} may not happen before {earliest}")));
        }
        self.execute(vec![id.clone()], "you").await.map(Ok)
    }

    /// Makes a choice of the players.
    pub(crate) async fn pick(&mut self, choice: usize, option: usize) -> Result<Refused, Failure> {
        let fork = &self.script.forks[choice];
        let (id, option) = (&fork.id, &fork.options[option]);
        if self.picked.contains(id) {
            return Ok(Err(format!("{id} was picked already")));
        }
        if !fork.is_players {
            return Ok(Err(format!("{id} is ours: the plan decides")));
        }
        let options = |stage: &Self| {
            let mut open = stage.decisions.open_choices.iter();
            open.find(|open| open.choice_id == *id)
                .map(|open| open.option_ids.clone())
        };
        self.settle(|stage| options(stage).is_some()).await?;
        match options(self) {
            None => Ok(Err(format!("it is not time for {id} yet"))),
            Some(options) if !options.contains(option) => {
                Ok(Err(format!("{option} is not offered")))
            }
            Some(_) => self.make(id.clone(), option.clone()).await.map(Ok),
        }
    }

    /// Plays on to the end: players take as long as they may, and pick the first option.
    pub(crate) async fn finish(&mut self) -> Result<(), Failure> {
        loop {
            if let Some((choice, options)) = self.open() {
                self.make(choice, options[0].clone()).await?;
            } else if !self.step(i64::MAX).await? {
                return Ok(());
            }
        }
    }
}

/// Calls a method of sessions: balancers find the server of a session by the header.
async fn in_session<Q: Described + prost::Message, A: prost::Message + Default>(
    connection: &Connection,
    request: &Q,
    session_id: &str,
) -> Result<A, Failure> {
    let method = method_for::<Q>(false);
    let mut request = tonic::Request::new(request.encode_to_vec().into());
    let id = session_id.parse().expect("session ids are ASCII");
    request.metadata_mut().insert("x-session-id", id);
    let answer = connection
        .quick(unary(connection, &method, request))
        .await?;
    A::decode(answer).map_err(|e| unreadable(&e))
}

/// What a view says about a narrative.
fn decisions(view: pb::SessionView) -> pb::NarrativeDecisions {
    match view.plan {
        Some(pb::session_view::Plan::Narrative(decisions)) => decisions,
        _ => pb::NarrativeDecisions::default(),
    }
}
