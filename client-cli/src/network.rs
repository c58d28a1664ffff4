//! What commands need to know about temporal networks: who is in them, how links are called, and
//! how a change of bounds is made.

use stratagem_proto::v1::{
    TemporalAgentKind, TemporalBoundChange, TemporalBoundSide,
    TemporalControllabilityLevel as Level, TemporalNetwork, TemporalRelaxation,
};
use stratagem_render::temporal::{LinkIds, link_ids};
use stratagem_render::time::{micros, span_text};

/// Whether somebody else makes events happen.
#[must_use]
pub fn has_teammates(network: &TemporalNetwork) -> bool {
    let teammate =
        |a: &stratagem_proto::v1::TemporalAgent| a.kind() == TemporalAgentKind::Uncontrollable;
    network.agents.iter().any(teammate)
}

/// The question that is asked unless the user says another.
#[must_use]
pub fn natural_level(network: &TemporalNetwork) -> Level {
    if has_teammates(network) {
        Level::Strong
    } else if network.contingent_links.is_empty() {
        Level::Consistent
    } else {
        Level::Dynamic
    }
}

/// Makes all changes of a relaxation.
///
/// # Errors
/// A change that names no link or bound; the network is then changed in part.
pub fn apply(network: &mut TemporalNetwork, relaxation: &TemporalRelaxation) -> Result<(), String> {
    let ids = link_ids(network);
    for change in &relaxation.changes {
        let side = change.side();
        let id = &change.link_id;
        let ends = ends(network, &ids, id);
        let (lower, upper) = ends.ok_or_else(|| format!("no link has the id `{id}`"))?;
        match side {
            TemporalBoundSide::Lower => *lower = change.new_bound,
            TemporalBoundSide::Upper => *upper = change.new_bound,
            TemporalBoundSide::Unspecified => {
                return Err(format!("the change of link `{id}` is of neither bound"));
            }
        }
    }
    Ok(())
}

type Bound<'a> = &'a mut Option<prost_types::Duration>;

/// Both bounds of the link of an id.
fn ends<'a>(
    network: &'a mut TemporalNetwork,
    ids: &LinkIds,
    id: &str,
) -> Option<(Bound<'a>, Bound<'a>)> {
    if let Some(i) = ids.requirements.iter().position(|known| known == id) {
        let link = &mut network.links[i];
        return Some((&mut link.lower, &mut link.upper));
    }
    let i = ids.contingent.iter().position(|known| known == id)?;
    let link = &mut network.contingent_links[i];
    Some((&mut link.lower, &mut link.upper))
}

/// A change for people: `surprise: upper 10s -> 18s`.
#[must_use]
pub fn change_text(change: &TemporalBoundChange) -> String {
    let side = match change.side() {
        TemporalBoundSide::Lower => "lower",
        TemporalBoundSide::Upper => "upper",
        TemporalBoundSide::Unspecified => "bound",
    };
    let text = |d: &Option<prost_types::Duration>| span_text(micros(d.as_ref()));
    format!(
        "{}: {side} {} -> {}",
        change.link_id,
        text(&change.old_bound),
        text(&change.new_bound)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{TemporalContingentLink, TemporalRequirementLink};
    use stratagem_render::time::from_micros;

    fn change(link: &str, side: TemporalBoundSide, new_us: i64) -> TemporalBoundChange {
        TemporalBoundChange {
            link_id: link.into(),
            side: side.into(),
            old_bound: None,
            new_bound: Some(from_micros(new_us)),
        }
    }

    fn network() -> TemporalNetwork {
        let link = |id: &str| TemporalRequirementLink {
            id: id.into(),
            from_event_id: "a".into(),
            to_event_id: "b".into(),
            ..TemporalRequirementLink::default()
        };
        TemporalNetwork {
            links: vec![link(""), link("named"), link("")],
            contingent_links: vec![TemporalContingentLink {
                from_event_id: "b".into(),
                to_event_id: "c".into(),
                ..TemporalContingentLink::default()
            }],
            ..TemporalNetwork::default()
        }
    }

    #[test]
    fn changes_reach_named_and_nameless_links_of_both_kinds() {
        let mut changed = network();
        let relaxation = TemporalRelaxation {
            changes: vec![
                change("a->b", TemporalBoundSide::Upper, 5),
                change("named", TemporalBoundSide::Lower, -7),
                change("b->c", TemporalBoundSide::Upper, 9),
            ],
            total_duration: None,
        };
        apply(&mut changed, &relaxation).unwrap();
        assert_eq!(changed.links[0].upper, Some(from_micros(5)));
        assert_eq!(changed.links[1].lower, Some(from_micros(-7)));
        assert_eq!(changed.contingent_links[0].upper, Some(from_micros(9)));
        assert_eq!(changed.links[2], network().links[2]);
    }

    #[test]
    fn a_change_of_nothing_is_refused() {
        for (change, error) in [
            (
                change("x", TemporalBoundSide::Lower, 1),
                "no link has the id `x`",
            ),
            (
                change("named", TemporalBoundSide::Unspecified, 1),
                "the change of link `named` is of neither bound",
            ),
        ] {
            let relaxation = TemporalRelaxation {
                changes: vec![change],
                total_duration: None,
            };
            assert_eq!(apply(&mut network(), &relaxation), Err(error.to_owned()));
        }
    }
}
