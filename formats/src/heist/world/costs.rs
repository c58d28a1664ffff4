//! What the player's actions cost.

use super::super::super::Mistake;
use serde::Deserialize;
use stratagem_proto::v1::HeistCosts;

/// The player's costs, by kind of target.
#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
pub(super) struct Costs {
    door: Option<i32>,
    container: Option<i32>,
    machine: Option<i32>,
    camera: Option<i32>,
}

impl Costs {
    /// The same as the contract says it; how high a cost may be is the server's to say.
    pub(super) fn read(self, mistakes: &mut Vec<Mistake>) -> HeistCosts {
        let Self {
            door,
            container,
            machine,
            camera,
        } = self;
        let named = [
            ("door", door),
            ("container", container),
            ("machine", machine),
            ("camera", camera),
        ];
        for (name, cost) in named {
            if let Some(cost) = cost.filter(|cost| *cost < 0) {
                let message = format!("{cost} is less than nothing");
                mistakes.push(Mistake::in_element(format!("costs.{name}"), message));
            }
        }
        HeistCosts {
            door,
            container,
            machine,
            camera,
        }
    }
}
