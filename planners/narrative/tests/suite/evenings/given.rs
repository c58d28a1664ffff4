//! The JSON of a narrative, as far as the evenings here use it.

use narrative::Narrative;
use narrative::problem::{
    Activity, Choice, Chooser, Contingent, Demand, Link, Micros, Node, Objective, Resource, Spec,
    Start,
};
use serde_json::Value;

/// A story and the groups that live through it.
pub(crate) struct Evening {
    pub(crate) spec: Spec,
    pub(crate) starts: Vec<Start>,
}

impl Evening {
    pub(crate) fn parse(text: &str) -> Self {
        let given: Value = serde_json::from_str(text).expect("it is JSON");
        let read = Read { given: &given };
        let starts = list(&given, "groups").iter().map(|group| Start {
            offset_us: time(group, "start_offset").unwrap_or(0),
        });
        Self {
            spec: read.spec(),
            starts: starts.collect(),
        }
    }

    /// The same with this many groups, so far apart.
    pub(crate) fn groups(mut self, count: usize, apart_us: Micros) -> Self {
        let offsets = (0..).map(|at| at * apart_us).take(count);
        self.starts = offsets.map(|offset_us| Start { offset_us }).collect();
        self
    }

    pub(crate) fn narrative(&self) -> Narrative {
        Narrative::new(self.spec.copies(&self.starts)).expect("the story is valid")
    }
}

struct Read<'g> {
    given: &'g Value,
}

fn list<'v>(of: &'v Value, field: &str) -> &'v [Value] {
    of[field].as_array().map_or(&[], Vec::as_slice)
}

fn text<'v>(of: &'v Value, field: &str) -> &'v str {
    of[field].as_str().expect("a text")
}

/// Whole seconds.
fn time(of: &Value, field: &str) -> Option<Micros> {
    let seconds = of[field].as_str()?.strip_suffix('s').expect("seconds");
    Some(seconds.parse::<Micros>().expect("whole ones") * 1_000_000)
}

impl Read<'_> {
    fn node(&self, id: &str) -> Node {
        let events = list(self.given, "events").iter();
        let mut ids = events.map(|event| text(event, "id"));
        ids.position(|known| known == id).map_or(0, |at| at + 1)
    }

    fn resource(&self, id: &str) -> usize {
        let mut all = list(self.given, "resources").iter();
        all.position(|known| known["id"] == id)
            .expect("it is known")
    }

    fn spec(&self) -> Spec {
        let ends =
            |of: &Value| ["from_event_id", "to_event_id"].map(|field| self.node(text(of, field)));
        let links = list(self.given, "links").iter().map(|of| {
            let [from, to] = ends(of);
            let (lower_us, upper_us) = (time(of, "lower"), time(of, "upper"));
            Link::new(from, to, lower_us, upper_us)
        });
        let contingent = list(self.given, "contingent_links").iter().map(|of| {
            let [from, to] = ends(of);
            Contingent {
                from,
                to,
                lower_us: time(of, "lower").unwrap_or(0),
                upper_us: time(of, "upper").expect("a longest one"),
            }
        });
        let resources = list(self.given, "resources").iter().map(|of| Resource {
            capacity: of["capacity"].as_u64().unwrap_or(1) as u32,
        });
        let activities = list(self.given, "activities").iter();
        let choices = list(self.given, "choices").iter();
        let weight = self.given["objective"]["makespan_weight"].as_u64();
        Spec {
            events: list(self.given, "events").len(),
            links: links.collect(),
            contingent: contingent.collect(),
            activities: activities.map(|of| self.activity(of)).collect(),
            resources: resources.collect(),
            choices: choices.map(|of| self.choice(of)).collect(),
            objective: Objective::makespan(weight.unwrap_or(0) as u32),
            ..Spec::default()
        }
    }

    fn activity(&self, of: &Value) -> Activity {
        let demands = list(of, "demands").iter().map(|demand| Demand {
            resource: self.resource(text(demand, "resource_id")),
            amount: demand["amount"].as_u64().unwrap_or(1) as u32,
            consumed: false,
        });
        Activity {
            start: self.node(text(of, "start_event_id")),
            end: self.node(text(of, "end_event_id")),
            demands: demands.collect(),
        }
    }

    fn choice(&self, of: &Value) -> Choice {
        let events = |option: &Value| {
            let ids = list(option, "event_ids").iter();
            let ids = ids.map(|id| self.node(id.as_str().expect("a text")));
            ids.collect()
        };
        let chooser = match text(of, "chooser") {
            "NARRATIVE_CHOOSER_SYSTEM" => Chooser::System,
            _ => Chooser::Player,
        };
        Choice::new(chooser, list(of, "options").iter().map(events).collect())
    }
}
