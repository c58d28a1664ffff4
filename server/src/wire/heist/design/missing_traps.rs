//! Why a level has fewer traps than wanted, or why there is none.

use super::super::explanation::plan_reason;
use super::super::names::Names;
use crate::rpc::Asked;
use crate::rpc::contract::DesignHeist;
use crate::run::Outcome;
use crate::wire::heist::kind::DesignPlanner;
use crate::wire::values::shown;
use anytime::Conclusion;
use heist::design::MissingTrap;
use heist::world::BURGLAR;
use heist::{Problem, World};
use stratagem_proto::v1 as pb;

/// Most reasons that are sent.
const REASONS_MAX: usize = 1_000;

/// Why traps are missing; `None` when none is.
pub(super) fn explanation(
    asked: &Asked<DesignHeist>,
    outcome: &Outcome<DesignPlanner>,
) -> Option<pb::Explanation> {
    let wanted = asked.request.problem.params.traps;
    let summary = match (outcome.best.as_deref(), outcome.conclusion) {
        (Some(best), _) if best.cost.missing == 0 => return None,
        (Some(best), _) => {
            let placed = best.plan.traps.len();
            format!("{placed} of {wanted} traps were placed.")
        }
        (None, Conclusion::Infeasible) => {
            "No trap can be placed: the burglar has no plan, can do without no room of it, or \
             cannot be helped."
                .into()
        }
        (None, _) => "No level was found; nor is it proved that there is none.".into(),
    };
    let (world, names) = (&asked.request.problem.world, &asked.request.names.names);
    let report = outcome.reasons.as_deref();
    let missing = report.map_or(&[][..], |report| &report.missing);
    let sent = missing.iter().take(REASONS_MAX);
    Some(pb::Explanation {
        summary,
        reasons: sent
            .filter_map(|missing| reason(*missing, world, names))
            .collect(),
        truncated: missing.len() > REASONS_MAX,
        ..pb::Explanation::default()
    })
}

fn reason(missing: MissingTrap, world: &World, names: &Names) -> Option<pb::ExplanationReason> {
    let room = missing.room().map_or("", |room| &names.rooms[room]);
    let named = shown(room);
    let (code, message) = match missing {
        MissingTrap::NoPlan(reason) => {
            let problem = Problem::new(world.clone(), BURGLAR, &[]).ok()?;
            return Some(plan_reason(reason, &problem, names));
        }
        MissingTrap::ShortPath(rooms) => (
            "WAY_TOO_SHORT",
            format!("the burglar's plan enters no more than {rooms} other rooms"),
        ),
        MissingTrap::Unavoidable(_) => (
            "ROOM_UNAVOIDABLE",
            format!("every plan of the burglar enters {named}"),
        ),
        MissingTrap::UnavoidableTogether(_) => (
            "NOT_ALL_AT_ONCE",
            format!("no plan does without {named} and all rooms with traps"),
        ),
        MissingTrap::Harmless(_) => (
            "HARMLESS",
            format!("with a trap in {named}, too, the burglar would not be caught"),
        ),
        MissingTrap::Helpless(_) => (
            "HELPLESS",
            format!("with a trap in {named}, too, nothing would help for the price allowed"),
        ),
        MissingTrap::Undecided(_) => (
            "UNDECIDED",
            format!("what a trap in {named} would do was not found out in time"),
        ),
        MissingTrap::Fits(_) => (
            "FITS",
            format!("a trap in {named} fits, too: the search has not come to it"),
        ),
    };
    Some(pb::ExplanationReason {
        code: code.into(),
        message,
        subject_id: room.into(),
        proved: missing.is_of_all(),
        ..pb::ExplanationReason::default()
    })
}
