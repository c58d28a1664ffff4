//! Games to be played, from the wire.

use super::info::ONLY_TICKS;
use super::names::{Named, Names};
use super::world::{checked, read};
use crate::mistakes::Mistakes;
use crate::request::How;
use crate::solve::Options;
use anytime::Path;
use heist::game::{Costs, Intervention, PlayerAction, Reactions, Replan, Rules, Target, Verb};
use heist::{Thing, World};
use stratagem_proto::v1 as pb;

/// Ticks of a game of which nothing is said.
const TICKS_DEFAULT: u32 = 1_000;
/// Ticks for which guards look around, likewise.
const SEARCH_DEFAULT: u32 = 5;

/// A game to be played, and how the caller calls the things in it.
#[derive(Debug)]
pub struct ToPlay {
    pub world: World,
    pub names: Names,
    pub rules: Rules,
    /// `None`: guards do not leave their rounds.
    pub reactions: Option<Reactions>,
    /// In order of time.
    pub interventions: Vec<Intervention>,
    /// For how long, and who goes first.
    pub options: Options,
}

/// A game.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_play(mut message: pb::SimulateHeistRequest) -> Result<ToPlay, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::SimulateHeistRequest {
        problem: world,
        rules,
        interventions,
        options,
        reactions,
    } = message;
    let how = How::new(options, ONLY_TICKS, &mut wrong);
    how.without_target(&mut wrong);
    let rules = self::rules(rules, world.as_ref());
    let at = Path::root("problem");
    let read = world.and_then(|world| read(world, &at, &mut wrong));
    let Some(read) = read else {
        return Err(wrong);
    };
    let names = read.names;
    let list = Path::root("interventions");
    let ticks = rules.ticks_max;
    let mut interventions = self::interventions(interventions, &list, &names, ticks, &mut wrong);
    // Stable: those before one tick stay in their order.
    interventions.sort_by_key(|it| it.tick);
    let Some(world) = checked(read.spec, &names, &at, &mut wrong) else {
        return Err(wrong);
    };
    Ok(ToPlay {
        options: how.options,
        world,
        names,
        rules,
        reactions: reactions.map(self::reactions),
        interventions,
    })
}

/// How guards react.
pub(super) fn reactions(given: pb::HeistReactions) -> Reactions {
    let pb::HeistReactions { search_ticks } = given;
    Reactions {
        search_ticks: search_ticks.map_or(SEARCH_DEFAULT, i32::unsigned_abs),
    }
}

/// How a game is played in a world, by the field `rules`.
pub(super) fn rules(given: Option<pb::HeistRules>, world: Option<&pb::HeistWorld>) -> Rules {
    use pb::HeistReplan as Wire;
    let pb::HeistRules {
        replan,
        costs,
        max_ticks,
    } = given.unwrap_or_default();
    let usual = world.and_then(|world| world.costs);
    let usual = self::costs(usual, Costs::default());
    let replan = match Wire::try_from(replan).unwrap_or_default() {
        Wire::Unspecified | Wire::OnFailure => Replan::OnFailure,
        Wire::OnInconsistency => Replan::OnInconsistency,
    };
    Rules {
        replan,
        costs: self::costs(costs, usual),
        ticks_max: max_ticks.map_or(TICKS_DEFAULT, i32::unsigned_abs),
    }
}

/// What the player pays; what is not said is as usual.
fn costs(given: Option<pb::HeistCosts>, usual: Costs) -> Costs {
    let pb::HeistCosts {
        door,
        container,
        machine,
        camera,
    } = given.unwrap_or_default();
    Costs {
        door: door.map_or(usual.door, i32::unsigned_abs),
        container: container.map_or(usual.container, i32::unsigned_abs),
        machine: machine.map_or(usual.machine, i32::unsigned_abs),
        camera: camera.map_or(usual.camera, i32::unsigned_abs),
    }
}

/// What the player does, before these many ticks.
pub(super) fn interventions(
    given: Vec<pb::HeistIntervention>,
    at: &Path<'_>,
    names: &Names,
    ticks: u32,
    wrong: &mut Mistakes,
) -> Vec<Intervention> {
    let mut read = Vec::with_capacity(given.len());
    for (index, given) in given.into_iter().enumerate() {
        let at = at.index(index);
        let pb::HeistIntervention {
            tick,
            verb,
            target_id,
        } = given;
        let last = i64::from(ticks) - 1;
        let tick = wrong.whole(&at.field("tick"), tick.into(), 0..=last);
        if let Some(player_action) = player_action(verb, &target_id, &at, names, wrong) {
            let tick = u32::try_from(tick).unwrap_or(0);
            read.push(Intervention {
                tick,
                player_action,
            });
        }
    }
    read
}

/// An action of the player.
pub(super) fn player_action(
    verb: i32,
    target: &str,
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) -> Option<PlayerAction> {
    use pb::HeistInterventionVerb as Wire;
    let verb = match Wire::try_from(verb).ok()? {
        Wire::Unspecified => return None,
        Wire::Lock => Verb::Lock,
        Wire::Unlock => Verb::Unlock,
        Wire::Open => Verb::Open,
        Wire::Close => Verb::Close,
        Wire::SwitchOn => Verb::On,
        Wire::SwitchOff => Verb::Off,
        Wire::Trigger => Verb::Trigger,
    };
    let target_at = at.field("target_id");
    let target = match verb {
        Verb::Lock | Verb::Unlock | Verb::Open | Verb::Close => {
            Target::Thing(names.lockable(&target_at, target, wrong)?)
        }
        Verb::On | Verb::Off => Target::Camera(names.camera(&target_at, target, wrong)?),
        Verb::Trigger => names.find(
            &target_at,
            target,
            "a vending machine",
            wrong,
            |it| match it {
                Named::Thing(thing @ Thing::Machine(_)) => Some(Target::Thing(thing)),
                _ => None,
            },
        )?,
    };
    Some(PlayerAction { verb, target })
}
