//! `stnu/1`.

use super::{Mistake, duration, requirement, wrong};
use serde::Deserialize;
use stratagem_proto::v1::{TemporalContingentLink, TemporalEvent, TemporalNetwork};

#[derive(Deserialize)]
pub(super) struct Document {
    #[serde(default)]
    name: String,
    vertices: Vec<String>,
    links: Vec<Link>,
}

#[derive(Deserialize)]
struct Link {
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

/// The network of a document. Its vertices are not tied to the origin, which is none of them.
pub(super) fn network(document: Document) -> Result<TemporalNetwork, Mistake> {
    let mut network = TemporalNetwork {
        title: document.name,
        origin_id: free_origin(&document.vertices),
        ..TemporalNetwork::default()
    };
    for id in document.vertices {
        network.events.push(TemporalEvent {
            id,
            ..TemporalEvent::default()
        });
    }
    for (i, link) in document.links.into_iter().enumerate() {
        let lower = duration(link.lb, || format!("links[{i}].lb"))?;
        let upper = duration(link.ub, || format!("links[{i}].ub"))?;
        if link.kind == Kind::Ctg {
            if lower.is_none() || upper.is_none() {
                let message = "a contingent link needs lb and ub";
                return Err(wrong(format!("links[{i}]"), message));
            }
            network.contingent_links.push(TemporalContingentLink {
                id: String::new(),
                from_event_id: link.from,
                to_event_id: link.to,
                lower,
                upper,
            });
        } else if lower.is_some() || upper.is_some() {
            let ends = [link.from, link.to];
            network.links.push(requirement(ends, [lower, upper]));
        }
    }
    Ok(network)
}

/// The default id of the origin, or one that no vertex has.
fn free_origin(vertices: &[String]) -> String {
    let mut id = String::from("origin");
    while vertices.contains(&id) {
        id.insert(0, '_');
    }
    if id == "origin" { String::new() } else { id }
}
