//! Believed places of keys and artifacts, where they differ from the facts.

use super::super::names::Names;
use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use anytime::Path;
use heist::Place;
use std::collections::BTreeMap;
use stratagem_proto::v1 as pb;

/// Where an agent believes the items to be, and where they are.
pub(in super::super) struct ItemBeliefs<'a> {
    pub agent: usize,
    pub believed: &'a mut [Place],
    pub truth: &'a [Place],
}

/// Sets where an agent believes items to be: each once, and keys with copies in as many places as
/// there are copies that the agent does not hold.
pub(in super::super) fn item_places(
    given: &[pb::HeistItemPlace],
    at: &Path<'_>,
    names: &Names,
    beliefs: ItemBeliefs<'_>,
    wrong: &mut Mistakes,
) {
    let ItemBeliefs {
        agent,
        believed,
        truth,
    } = beliefs;
    let mut stated: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
    for (index, place) in given.iter().enumerate() {
        let pb::HeistItemPlace {
            item_id,
            container_id,
        } = place;
        let at = at.index(index);
        let item_at = at.field("item_id");
        let item = names.item(&item_at, item_id, wrong);
        let place = match container_id.as_str() {
            "" => Some(Place::Unknown),
            id => names
                .container(&at.field("container_id"), id, wrong)
                .map(Place::In),
        };
        let (Some(item), Some(place)) = (item, place) else {
            continue;
        };
        let copies = names.copies(item);
        let mine = |item: &&usize| believed[**item] == Place::With(agent);
        let others = copies.len() - copies.iter().filter(mine).count();
        let places = stated.entry(item).or_default();
        if others == 0 {
            let why = format!("is {}, which the agent holds", shown(item_id));
            wrong.add(&item_at, Code::Contradiction, why);
        } else if places.contains(&place) && place != Place::Unknown {
            let why = format!("is {}, of which that is stated already", shown(item_id));
            wrong.add(&item_at, Code::Duplicate, why);
        } else if places.len() == others {
            let why = match copies.len() {
                1 => format!("is {}, whose place is stated already", shown(item_id)),
                _ => format!(
                    "is {}, of which there are only {others} that the agent does not hold",
                    shown(item_id)
                ),
            };
            wrong.add(&item_at, Code::Duplicate, why);
        } else {
            places.push(place);
        }
    }
    for (item, places) in stated {
        let mut copies = names.copies(item);
        copies.retain(|it| believed[*it] != Place::With(agent));
        assign(&copies, places, believed, truth);
    }
}

/// Makes an agent believe copies of a key in these places. A copy that is really in one of them is
/// believed there, so that the agent finds it; the first of the others get the other places.
fn assign(copies: &[usize], places: Vec<Place>, believed: &mut [Place], truth: &[Place]) {
    let mut left = places;
    for &copy in copies {
        believed[copy] = match left.iter().position(|place| *place == truth[copy]) {
            Some(right) => left.remove(right),
            None => Place::Unknown,
        };
    }
    let unknown = copies
        .iter()
        .filter(|copy| believed[**copy] == Place::Unknown);
    let unknown: Vec<usize> = unknown.copied().collect();
    for (copy, place) in unknown.into_iter().zip(left) {
        believed[copy] = place;
    }
}
