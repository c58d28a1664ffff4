//! Narratives and answers in the JSON of the LINSP benchmark files, "linsp/1". Times are whole
//! numbers, taken as microseconds.

use narrative::Narrative;
use narrative::plan::{DispatchBound, Outcomes, Plan, Policy};
use narrative::problem::{
    Activity, Choice, Chooser, Contingent, Demand, Link, Micros, Resource, Spec,
};
use serde_json::Value;
use std::path::Path;

/// A narrative with the names of the file.
pub(crate) struct File {
    pub(crate) narrative: Narrative,
    json: Value,
}

pub(crate) fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("the file is there");
    serde_json::from_str(&text).expect("the file is JSON")
}

fn list<'a>(json: &'a Value, key: &str) -> &'a [Value] {
    json[key].as_array().map_or(&[], Vec::as_slice)
}

/// Position of what has this id in a list.
fn position(list: &[Value], id: &Value) -> usize {
    let found = list.iter().position(|entry| entry["id"] == *id);
    found.expect("what is named is there")
}

impl File {
    pub(crate) fn read(path: &Path) -> Self {
        let json = json(path);
        let narrative = Narrative::new(spec(&json)).expect("the file makes sense");
        Self { narrative, json }
    }

    /// A plan from `storylines`: each with `choice`, `ctg`, `bounds` and `order`, all by name. The
    /// makespan is one that nothing can miss.
    pub(crate) fn plan(&self, storylines: &[Value]) -> Plan {
        let policies = storylines.iter().map(|storyline| self.policy(storyline));
        let makespan = list(&self.json, "edges").iter();
        let makespan = makespan.map(|edge| edge["ub"].as_i64().unwrap_or(0).max(0));
        let lowest = list(&self.json, "edges").iter();
        let lowest = lowest.map(|edge| edge["lb"].as_i64().unwrap_or(0).abs());
        Plan {
            policies: policies.collect(),
            makespan_us: makespan.sum::<Micros>() + lowest.sum::<Micros>(),
            ..Plan::default()
        }
    }

    fn policy(&self, storyline: &Value) -> Policy {
        let choices = list(&self.json, "choices").iter();
        let picks = choices.map(|choice| {
            let id = choice["id"].as_str().expect("ids are text");
            Some(position(list(choice, "options"), &storyline["choice"][id]))
        });
        let contingent: Vec<&Value> = edges(&self.json, "ctg").collect();
        let outcomes = contingent.iter().enumerate().filter_map(|(at, edge)| {
            let id = edge["id"].as_str().expect("ids are text");
            let range = storyline["ctg"][id].as_array()?;
            Some(Outcomes {
                contingent: at,
                lower_us: range[0].as_i64().expect("whole"),
                upper_us: range[1].as_i64().expect("whole"),
            })
        });
        let activities = list(&self.json, "activities");
        let pair = |pair: &Value| {
            (
                position(activities, &pair[0]),
                position(activities, &pair[1]),
            )
        };
        Policy {
            picks: picks.collect(),
            outcomes: outcomes.collect(),
            order: list(storyline, "order").iter().map(pair).collect(),
            bounds: self.bounds(&storyline["bounds"]),
            ..Policy::default()
        }
    }

    fn bounds(&self, bounds: &Value) -> Vec<DispatchBound> {
        let bounds = bounds.as_object().into_iter().flatten();
        let kept = bounds.flat_map(|(id, range)| {
            let all = list(&self.json, "edges");
            let edge = &all[position(all, &Value::from(id.as_str()))];
            let (from, to) = ends(&self.json, edge, ["from", "to"]);
            let upper = range[1]
                .as_i64()
                .map(|upper_us| DispatchBound { from, to, upper_us });
            let lower = range[0].as_i64().map(|least| DispatchBound {
                from: to,
                to: from,
                upper_us: -least,
            });
            [upper, lower].into_iter().flatten()
        });
        kept.collect()
    }
}

fn edges<'a>(json: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    let all = list(json, "edges").iter();
    all.filter(move |edge| edge["kind"] == kind)
}

/// Node of a vertex: the origin is 0, the others follow in the order of the file.
fn node(json: &Value, id: &Value) -> usize {
    let vertices = list(json, "vertices");
    let place = |id: &Value| vertices.iter().position(|vertex| vertex == id);
    let at = place(id).expect("vertices are listed");
    let origin = place(&json["origin"]).expect("the origin is a vertex");
    match at.cmp(&origin) {
        std::cmp::Ordering::Less => at + 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => at,
    }
}

fn ends(json: &Value, from: &Value, keys: [&str; 2]) -> (usize, usize) {
    (node(json, &from[keys[0]]), node(json, &from[keys[1]]))
}

fn spec(json: &Value) -> Spec {
    let links = edges(json, "req").map(|edge| {
        let (from, to) = ends(json, edge, ["from", "to"]);
        Link::new(from, to, edge["lb"].as_i64(), edge["ub"].as_i64())
    });
    let links = links.filter(|link| link.lower_us.is_some() || link.upper_us.is_some());
    let contingent = edges(json, "ctg").map(|edge| {
        let (from, to) = ends(json, edge, ["from", "to"]);
        Contingent {
            from,
            to,
            lower_us: edge["lb"].as_i64().expect("whole"),
            upper_us: edge["ub"].as_i64().expect("whole"),
        }
    });
    let resources = json["resources"].as_object().into_iter().flatten();
    let capacity = |capacity: &Value| amount(capacity);
    Spec {
        events: list(json, "vertices").len() - 1,
        links: links.collect(),
        contingent: contingent.collect(),
        activities: activities(json),
        resources: resources
            .map(|(_, given)| Resource {
                capacity: capacity(given),
            })
            .collect(),
        choices: list(json, "choices")
            .iter()
            .map(|given| choice(json, given))
            .collect(),
        ..Spec::default()
    }
}

fn amount(given: &Value) -> u32 {
    let given = given.as_u64().expect("whole");
    u32::try_from(given).expect("small")
}

fn activities(json: &Value) -> Vec<Activity> {
    let resources = json["resources"].as_object();
    let names: Vec<&String> = resources.into_iter().flat_map(|all| all.keys()).collect();
    let all = list(json, "activities").iter().map(|given| {
        let (start, end) = ends(json, given, ["start", "end"]);
        let demands = given["demand"].as_object().into_iter().flatten();
        let demands = demands.map(|(name, needed)| Demand {
            resource: names
                .iter()
                .position(|known| *known == name)
                .expect("listed"),
            amount: amount(needed),
            consumed: false,
        });
        Activity::new(start, end, demands.collect())
    });
    all.collect()
}

fn choice(json: &Value, given: &Value) -> Choice {
    let option = |option: &Value| {
        let vertices = list(option, "vertices").iter();
        vertices.map(|vertex| node(json, vertex)).collect()
    };
    Choice {
        chooser: match given["owner"].as_str() {
            Some("player") => Chooser::Player,
            _ => Chooser::System,
        },
        options: list(given, "options").iter().map(option).collect(),
    }
}
