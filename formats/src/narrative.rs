//! Narratives: our own message, and `linsp/1`.

use super::temporal::{document, duration, wrong};
use super::{Format, Mistake, read as read_message, top_keys};
use serde::Deserialize;
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    NarrativeActivity, NarrativeChoice, NarrativeChooser, NarrativeDemand, NarrativeEvent,
    NarrativeOption, NarrativeProblem, NarrativeResource, TemporalContingentLink,
    TemporalRequirementLink,
};

/// Keys that only documents with a narrative have.
pub const KEYS: &[&str] = &["activities", "resources", "choices", "groups", "edges"];

/// Reads a narrative in either of the formats.
///
/// `linsp/1` is a JSON document with bare numbers, which are taken as seconds: `vertices` and the
/// `origin` among them, `edges` (`id`, `from`, `to`, `lb`, `ub`, and `kind`: `req` is a
/// requirement, `ctg` a contingent link; `null` is no bound), `activities` (`id`, `start`, `end`,
/// and `demand`, how much of each resource), `resources` (how much there is), `choices` (`id`,
/// `owner`: `system` or `player`, `options` with their `id` and `vertices`). Other keys are
/// skipped.
///
/// # Errors
/// The first mistake.
pub fn read(text: &str, format: Format) -> Result<NarrativeProblem, Mistake> {
    let keys = top_keys(text, format);
    if format == Format::Json && keys.iter().any(|k| k == "edges") {
        return problem(document(text)?);
    }
    read_message(text, format)
}

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    name: String,
    origin: String,
    vertices: Vec<String>,
    edges: Vec<Edge>,
    #[serde(default)]
    activities: Vec<Activity>,
    #[serde(default)]
    resources: BTreeMap<String, i32>,
    #[serde(default)]
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Edge {
    #[serde(default)]
    id: String,
    from: String,
    to: String,
    lb: Option<f64>,
    ub: Option<f64>,
    kind: Kind,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// A requirement.
    Req,
    /// A contingent link.
    Ctg,
}

#[derive(Deserialize)]
struct Activity {
    id: String,
    start: String,
    end: String,
    #[serde(default)]
    demand: BTreeMap<String, i32>,
}

#[derive(Deserialize)]
struct Choice {
    id: String,
    owner: Owner,
    options: Vec<Branch>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Owner {
    /// We choose.
    System,
    /// The players choose.
    Player,
}

#[derive(Deserialize)]
struct Branch {
    id: String,
    vertices: Vec<String>,
}

fn problem(document: Document) -> Result<NarrativeProblem, Mistake> {
    let events = document.vertices.into_iter();
    let events = events.filter(|id| *id != document.origin);
    let event = |id| NarrativeEvent {
        id,
        label: String::new(),
    };
    let resources = document.resources.into_iter();
    let resources = resources.map(|(id, capacity)| resource(id, capacity));
    let mut problem = NarrativeProblem {
        title: document.name,
        events: events.map(event).collect(),
        activities: document.activities.into_iter().map(activity).collect(),
        resources: resources.collect(),
        choices: document.choices.into_iter().map(choice).collect(),
        origin_id: document.origin,
        ..NarrativeProblem::default()
    };
    for (i, edge) in document.edges.into_iter().enumerate() {
        add(&mut problem, edge, i)?;
    }
    Ok(problem)
}

fn add(problem: &mut NarrativeProblem, edge: Edge, i: usize) -> Result<(), Mistake> {
    let lower = duration(edge.lb, || format!("edges[{i}].lb"))?;
    let upper = duration(edge.ub, || format!("edges[{i}].ub"))?;
    if edge.kind == Kind::Ctg {
        if lower.is_none() || upper.is_none() {
            let message = "a contingent link needs lb and ub";
            return Err(wrong(format!("edges[{i}]"), message));
        }
        problem.contingent_links.push(TemporalContingentLink {
            id: edge.id,
            from_event_id: edge.from,
            to_event_id: edge.to,
            lower,
            upper,
        });
    } else if lower.is_some() || upper.is_some() {
        problem.links.push(TemporalRequirementLink {
            id: edge.id,
            from_event_id: edge.from,
            to_event_id: edge.to,
            lower,
            upper,
        });
    }
    Ok(())
}

fn activity(given: Activity) -> NarrativeActivity {
    // What is not needed is not asked for.
    let needed = given.demand.into_iter().filter(|(_, amount)| *amount != 0);
    let demand = |(resource_id, amount)| NarrativeDemand {
        resource_id,
        amount: Some(amount),
        consumed: false,
    };
    NarrativeActivity {
        id: given.id,
        start_event_id: given.start,
        end_event_id: given.end,
        demands: needed.map(demand).collect(),
        label: String::new(),
    }
}

fn resource(id: String, capacity: i32) -> NarrativeResource {
    NarrativeResource {
        id,
        capacity: Some(capacity),
        label: String::new(),
    }
}

fn choice(given: Choice) -> NarrativeChoice {
    let chooser = match given.owner {
        Owner::System => NarrativeChooser::System,
        Owner::Player => NarrativeChooser::Player,
    };
    let option = |branch: Branch| NarrativeOption {
        id: branch.id,
        event_ids: branch.vertices,
        ..NarrativeOption::default()
    };
    NarrativeChoice {
        id: given.id,
        chooser: chooser.into(),
        options: given.options.into_iter().map(option).collect(),
        label: String::new(),
    }
}
