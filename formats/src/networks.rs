//! Temporal networks and narratives in the JSON of others.
//!
//! All are documents with bare numbers, which are taken as seconds and rounded to the nearest
//! microsecond (many were made by programs and have all the digits of a binary fraction); keys that
//! are not of the format are skipped. A link has `from`, `to`, `lb` and `ub` (`null` is no bound),
//! and `kind`: `req` is a requirement, `ctg` a contingent link.
//!
//! * `stnit/1`, simple temporal networks for improvisational teamwork: `zero` (the id of the
//!   origin), `timepoints` (`id`, and `agent`: `C` is ours, `U` a teammate's), `constraints` (links
//!   without a kind).
//! * `stnu/1`, simple temporal networks with uncertainty: `vertices` and `links`.
//! * `linsp/1`, narratives: `vertices` and the `origin` among them, `edges` (links with an `id`),
//!   `activities` (`id`, `start`, `end`, and `demand`, how much of each resource), `resources` (how
//!   much there is), `choices` (`id`, `owner`: `system` or `player`, `options` with their `id` and
//!   `vertices`).

use super::{Mistake, json::document};
use serde::Deserialize;
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    NarrativeActivity, NarrativeChoice, NarrativeChooser, NarrativeDemand, NarrativeEvent,
    NarrativeOption, NarrativeProblem, NarrativeResource, TemporalAgent, TemporalAgentKind,
    TemporalContingentLink, TemporalEvent, TemporalNetwork, TemporalRequirementLink,
};
use stratagem_render::time::from_micros;

/// The longest time that is read, either way: ten years, in seconds. The server's own limit.
const SECONDS_MAX: f64 = 315_360_000.0;

#[derive(Deserialize)]
struct Link {
    #[serde(default)]
    id: String,
    from: String,
    to: String,
    lb: Option<f64>,
    ub: Option<f64>,
    /// Required of all but `stnit/1`.
    kind: Option<Kind>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// A requirement.
    Req,
    /// A contingent link.
    Ctg,
}

/// Requirements, and contingent links.
#[derive(Default)]
struct Links {
    requirements: Vec<TemporalRequirementLink>,
    contingent: Vec<TemporalContingentLink>,
}

impl Links {
    fn read(links: Vec<Link>, name: &str, has_kinds: bool) -> Result<Self, Mistake> {
        let mut all = Self::default();
        for (i, link) in links.into_iter().enumerate() {
            let path = format!("{name}[{i}]");
            let lower = duration(link.lb, || format!("{path}.lb"))?;
            let upper = duration(link.ub, || format!("{path}.ub"))?;
            let ends = (link.from, link.to);
            match link.kind {
                None if has_kinds => {
                    return Err(Mistake::in_element(path, "kind must be req or ctg"));
                }
                Some(Kind::Ctg) if lower.is_none() || upper.is_none() => {
                    return Err(Mistake::in_element(
                        path,
                        "a contingent link needs lb and ub",
                    ));
                }
                Some(Kind::Ctg) => all.contingent.push(TemporalContingentLink {
                    id: link.id,
                    from_event_id: ends.0,
                    to_event_id: ends.1,
                    lower,
                    upper,
                }),
                // A link without bounds constrains nothing; the service requires one.
                _ if lower.is_none() && upper.is_none() => {}
                _ => all.requirements.push(TemporalRequirementLink {
                    id: link.id,
                    from_event_id: ends.0,
                    to_event_id: ends.1,
                    lower,
                    upper,
                }),
            }
        }
        Ok(all)
    }
}

/// Seconds as a duration of whole microseconds, the nearest; none is no bound.
fn duration(
    seconds: Option<f64>,
    path: impl Fn() -> String,
) -> Result<Option<prost_types::Duration>, Mistake> {
    let Some(seconds) = seconds else {
        return Ok(None);
    };
    if !seconds.is_finite() || seconds.abs() > SECONDS_MAX {
        return Err(Mistake::in_element(
            path(),
            format!("{seconds} s is beyond ten years"),
        ));
    }
    // At most 3.2e14.
    Ok(Some(from_micros((seconds * 1e6).round() as i64)))
}

#[derive(Deserialize)]
struct Stnit {
    #[serde(default)]
    name: String,
    zero: String,
    timepoints: Vec<Timepoint>,
    constraints: Vec<Link>,
}

#[derive(Deserialize)]
struct Timepoint {
    id: String,
    agent: String,
}

/// Reads a network in `stnit/1`. Agents keep their letters as ids.
///
/// # Errors
/// The first mistake.
pub fn stnit(text: &str) -> Result<TemporalNetwork, Mistake> {
    let given: Stnit = document(text)?;
    let agent = |id: &str, label: &str, kind: TemporalAgentKind| TemporalAgent {
        id: id.into(),
        kind: kind.into(),
        label: label.into(),
    };
    let event = |i: usize, point: Timepoint| {
        if !["C", "U"].contains(&point.agent.as_str()) {
            let path = format!("timepoints[{i}].agent");
            return Err(Mistake::in_element(
                path,
                format!("must be C or U, got `{}`", point.agent),
            ));
        }
        Ok(TemporalEvent {
            id: point.id,
            agent_id: point.agent,
            label: String::new(),
        })
    };
    let events = given
        .timepoints
        .into_iter()
        .enumerate()
        .map(|(i, it)| event(i, it));
    Ok(TemporalNetwork {
        title: given.name,
        origin_id: given.zero,
        agents: vec![
            agent("C", "we", TemporalAgentKind::Controllable),
            agent("U", "teammate", TemporalAgentKind::Uncontrollable),
        ],
        events: events.collect::<Result<_, _>>()?,
        links: Links::read(given.constraints, "constraints", false)?.requirements,
        ..TemporalNetwork::default()
    })
}

#[derive(Deserialize)]
struct Stnu {
    #[serde(default)]
    name: String,
    vertices: Vec<String>,
    links: Vec<Link>,
}

/// Reads a network in `stnu/1`. Its vertices are not tied to the origin, which is none of them.
///
/// # Errors
/// The first mistake.
pub fn stnu(text: &str) -> Result<TemporalNetwork, Mistake> {
    let given: Stnu = document(text)?;
    let links = Links::read(given.links, "links", true)?;
    // The default id of the origin, or one that no vertex has.
    let mut origin = String::from("origin");
    while given.vertices.contains(&origin) {
        origin.insert(0, '_');
    }
    let events = given.vertices.into_iter().map(|id| TemporalEvent {
        id,
        ..TemporalEvent::default()
    });
    Ok(TemporalNetwork {
        title: given.name,
        origin_id: if origin == "origin" {
            String::new()
        } else {
            origin
        },
        events: events.collect(),
        links: links.requirements,
        contingent_links: links.contingent,
        ..TemporalNetwork::default()
    })
}

#[derive(Deserialize)]
struct Linsp {
    #[serde(default)]
    name: String,
    origin: String,
    vertices: Vec<String>,
    edges: Vec<Link>,
    #[serde(default)]
    activities: Vec<Activity>,
    #[serde(default)]
    resources: BTreeMap<String, i32>,
    #[serde(default)]
    choices: Vec<Choice>,
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

/// Reads a narrative in `linsp/1`.
///
/// # Errors
/// The first mistake.
pub fn linsp(text: &str) -> Result<NarrativeProblem, Mistake> {
    let given: Linsp = document(text)?;
    let links = Links::read(given.edges, "edges", true)?;
    let events = given.vertices.into_iter();
    let events = events.filter(|id| *id != given.origin);
    let event = |id| NarrativeEvent {
        id,
        label: String::new(),
    };
    let resource = |(id, capacity)| NarrativeResource {
        id,
        capacity: Some(capacity),
        label: String::new(),
    };
    Ok(NarrativeProblem {
        title: given.name,
        events: events.map(event).collect(),
        activities: given.activities.into_iter().map(activity).collect(),
        resources: given.resources.into_iter().map(resource).collect(),
        choices: given.choices.into_iter().map(choice).collect(),
        origin_id: given.origin,
        links: links.requirements,
        contingent_links: links.contingent,
        ..NarrativeProblem::default()
    })
}

fn activity(given: Activity) -> NarrativeActivity {
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
