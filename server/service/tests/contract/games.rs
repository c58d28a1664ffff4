//! Games that execute a strategy in a session.

use crate::calls::{Caller, settings};
use serde_json::{Value, json};

/// The session "play", which sends updates with patience.
pub(crate) struct Game {
    pub(crate) caller: Caller,
    kind: &'static str,
    sequence: i64,
}

impl Game {
    /// A session with a state of a kind, and its first view.
    pub(crate) async fn new(kind: &'static str, state: Value) -> (Self, Value) {
        Self::create(Caller::new(settings()).await, kind, state).await
    }

    /// The same at a server.
    pub(crate) async fn create(caller: Caller, kind: &'static str, state: Value) -> (Self, Value) {
        let request = json!({"session_id": "play", kind: state});
        let created = caller.answer("CreateSession", &request).await;
        let game = Self {
            caller,
            kind,
            sequence: 0,
        };
        (game, created["view"].clone())
    }

    /// The view after a change at a time.
    pub(crate) async fn after(&mut self, now: &str, changes: Value) -> Value {
        let kind = self.kind;
        self.update(json!({"now_offset": now, kind: changes})).await
    }

    /// The view after an update.
    pub(crate) async fn update(&mut self, mut update: Value) -> Value {
        self.sequence += 1;
        update["sequence"] = json!(self.sequence);
        let request = json!({
            "session_id": "play",
            "updates": [update],
            // Long enough for a slow machine: it ends as soon as there is an answer.
            "patience_duration": "10s",
        });
        self.caller.answer("UpdateSession", &request).await["view"].clone()
    }

    /// What creates it again under another id.
    pub(crate) async fn snapshot(&self, id: &str) -> Value {
        let get = json!({"session_id": "play"});
        let session = self.caller.answer("GetSession", &get).await;
        let mut snapshot = session["snapshot"].clone();
        snapshot["session_id"] = json!(id);
        snapshot
    }
}

/// The decisions of a view, of any kind.
fn decisions(view: &Value) -> &Value {
    match &view["narrative"] {
        Value::Null => &view["temporal"],
        story => story,
    }
}

/// One event that has happened.
pub(crate) fn happened(id: &str) -> Value {
    json!({"happened": [{"event_id": id}]})
}

/// Ids and windows of a list of decisions.
pub(crate) fn windows(view: &Value, list: &str) -> Vec<[String; 3]> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let window = |it: &Value| {
        let times = [&it["not_before_offset"], &it["not_after_offset"]];
        [text(&it["event_id"]), text(times[0]), text(times[1])]
    };
    let windows = decisions(view)[list].as_array();
    windows.map_or_else(Vec::new, |windows| windows.iter().map(window).collect())
}

/// Whether the rest can be executed.
pub(crate) fn verdict(view: &Value) -> &str {
    let verdict = decisions(view)["verdict"].as_str().unwrap_or_default();
    verdict.trim_start_matches("TEMPORAL_VERDICT_")
}
