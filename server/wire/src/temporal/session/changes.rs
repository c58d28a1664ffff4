//! Changes of links, and other networks, while a session executes one.

use super::State;
use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use ::temporal::problem::{Micros, Node};
use anytime::Path;
use std::collections::{HashMap, HashSet};
use stratagem_proto::v1 as pb;

impl State {
    /// Changes links, and returns what has happened.
    pub(super) fn change(
        &mut self,
        changes: pb::TemporalChanges,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Vec<pb::TemporalHappenedEvent> {
        let pb::TemporalChanges {
            happened,
            removed_link_ids: removed,
            put_links: put,
            put_contingent_links: put_contingent,
        } = changes;
        if removed.is_empty() && put.is_empty() && put_contingent.is_empty() {
            return happened;
        }
        let mut network = pb::TemporalNetwork::clone(&self.network);
        let known: HashSet<&str> = self.network.links.iter().map(|link| &*link.id).collect();
        let removed_at = at.field("removed_link_ids");
        for (index, id) in removed.iter().enumerate() {
            if !known.contains(&**id) {
                let why = format!("is {}, which is no requirement link", shown(id));
                wrong.add(&removed_at.index(index), Code::Unknown, why);
            }
        }
        let removed: HashSet<String> = removed.into_iter().collect();
        network.links.retain(|link| !removed.contains(&link.id));
        let links = network.links.iter().enumerate();
        let places: HashMap<String, usize> = links
            .map(|(place, link)| (link.id.clone(), place))
            .collect();
        for link in put {
            match places.get(&link.id).filter(|_| !link.id.is_empty()) {
                Some(place) => network.links[*place] = link,
                None => network.links.push(link),
            }
        }
        for (index, link) in put_contingent.into_iter().enumerate() {
            let mut known = network.contingent_links.iter_mut();
            match known.find(|known| known.id == link.id) {
                Some(known) => *known = link,
                None => {
                    let at = at.field("put_contingent_links");
                    let why = format!("is {}, which is no contingent link", shown(&link.id));
                    wrong.add(&at.index(index).field("id"), Code::Unknown, why);
                }
            }
        }
        if wrong.is_empty() {
            self.replace(network, &Path::root("network"), wrong);
        }
        happened
    }

    /// Takes another network. What has happened stays.
    pub(super) fn replace(
        &mut self,
        network: pb::TemporalNetwork,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) {
        let Some(mut next) = Self::begin(network, self.now_us(), at, wrong) else {
            return;
        };
        let before: HashMap<&str, Micros> = self.happened().collect();
        let events = (1..).zip(next.names.events.list());
        let happened = events.filter_map(|(node, id)| Some((node, *before.get(&**id)?)));
        let happened: Vec<(Node, Micros)> = happened.collect();
        if let Err((index, _)) = next.execution.report(self.now_us(), &happened) {
            let id = shown(next.names.node(happened[index].0));
            let why = format!("has {id}, whose contingent link has not begun when it happened");
            wrong.add(at, Code::Contradiction, why);
            return;
        }
        next.generation = self.generation + 1;
        *self = next;
    }
}
