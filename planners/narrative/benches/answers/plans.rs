//! Plans in the JSON of the LINSP benchmark files: for each storyline `choice`, `ctg`, `bounds` and
//! `order`, all by name.

use crate::linsp::{list, nodes, time};
use narrative::plan::{DispatchBound, Outcomes, Plan, Policy};
use narrative::problem::{Micros, Node};
use serde_json::Value;

/// Position of what has this id in a list.
fn position(all: &Value, id: &Value) -> usize {
    let found = list(all).position(|entry| entry["id"] == *id);
    found.expect("what is named is there")
}

/// A plan for a narrative. The makespan is one that nothing can miss.
pub(crate) fn plan(narrative: &Value, storylines: &Value) -> Plan {
    let policies = list(storylines).map(|storyline| policy(narrative, storyline));
    let times = |key| list(&narrative["edges"]).map(move |edge| time(&edge[key]).unwrap_or(0));
    let longest: Micros = times("ub").map(|upper_us| upper_us.max(0)).sum();
    let shortest: Micros = times("lb").map(Micros::abs).sum();
    Plan {
        policies: policies.collect(),
        makespan_us: longest + shortest,
        ..Plan::default()
    }
}

fn policy(narrative: &Value, storyline: &Value) -> Policy {
    let id = |given: &Value| given["id"].as_str().expect("ids are text").to_owned();
    let picks = list(&narrative["choices"]).map(|choice| {
        let picked = &storyline["choice"][id(choice)];
        Some(position(&choice["options"], picked))
    });
    let contingent = list(&narrative["edges"]).filter(|edge| edge["kind"] == "ctg");
    let outcomes = contingent.enumerate().filter_map(|(contingent, edge)| {
        let range = &storyline["ctg"][id(edge)];
        Some(Outcomes {
            contingent,
            lower_us: time(&range[0])?,
            upper_us: time(&range[1])?,
        })
    });
    let activity = |id: &Value| position(&narrative["activities"], id);
    let order = list(&storyline["order"]).map(|pair| (activity(&pair[0]), activity(&pair[1])));
    Policy {
        picks: picks.collect(),
        outcomes: outcomes.collect(),
        order: order.collect(),
        bounds: bounds(narrative, &storyline["bounds"]),
        ..Policy::default()
    }
}

fn bounds(narrative: &Value, bounds: &Value) -> Vec<DispatchBound> {
    let nodes = nodes(narrative);
    let node = |name: &Value| -> Node {
        let place = nodes.iter().position(|known| *known == name);
        place.expect("the vertex is known")
    };
    let bounds = bounds.as_object().into_iter().flatten();
    let kept = bounds.flat_map(|(id, range)| {
        let edges = &narrative["edges"];
        let edge = &edges[position(edges, &Value::from(id.as_str()))];
        let (from, to) = (node(&edge["from"]), node(&edge["to"]));
        let upper = time(&range[1]).map(|upper_us| DispatchBound { from, to, upper_us });
        let lower = time(&range[0]).map(|least| DispatchBound {
            from: to,
            to: from,
            upper_us: -least,
        });
        [upper, lower].into_iter().flatten()
    });
    kept.collect()
}
