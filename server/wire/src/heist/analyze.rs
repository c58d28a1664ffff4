//! Analyses of levels and games: requests and results.

use super::analysis::{Known, awaited, helped, rated};
use super::design::COST_DEFAULT;
use super::game::{interventions, rules};
use super::info::ONLY_GAMES;
use super::names::Names;
use super::world::{checked, read};
use crate::contract::AnalyzeHeist;
use crate::method::Asked;
use crate::mistakes::Mistakes;
use crate::report::common;
use crate::request::{How, Request, identity};
use crate::solve;
use ::heist::analysis::Analyzer;
use anytime::Outcome;
use anytime::Path;
use heist::analysis::{Analysis, AnalysisCost, AnalysisRequest};
use heist::help::{Aim, HelpRequest};
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// Maximal number of games simulated for one question.
pub(super) const GAMES_MAX: u64 = 20_000;

/// A request for an analysis.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_analyze(
    mut message: pb::AnalyzeHeistRequest,
) -> Result<Request<Analyzer, Names>, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let how = How::new(message.options.take(), ONLY_GAMES, &mut wrong);
    how.without_target(&mut wrong);
    let identity = identity("analyze heist", &message, &how.options, how.name());
    let pb::AnalyzeHeistRequest {
        problem: world,
        options: _,
        rules: given_rules,
        interventions: past,
        tick,
        aim,
        max_help_cost,
    } = message;
    let rules = rules(given_rules, world.as_ref());
    let question = HelpRequest {
        aim: self::aim(aim),
        cost_max: max_help_cost.map_or(COST_DEFAULT, i32::unsigned_abs),
        games_max: GAMES_MAX,
    };
    let last = i64::from(rules.ticks_max) - 1;
    let tick = wrong.whole(&Path::root("tick"), tick.into(), 0..=last);
    let tick = u32::try_from(tick).unwrap_or(0);
    let at = Path::root("problem");
    let Some(read) = world.and_then(|given| read(given, &at, &mut wrong)) else {
        return Err(wrong);
    };
    let names = read.names;
    let list = Path::root("interventions");
    let past = interventions(past, &list, &names, tick + 1, &mut wrong);
    let world = checked(read.spec, &names, &at, &mut wrong);
    let Some(world) = world.filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    let things = world.museum().rooms() + world.museum().layout().doors.len();
    let request = match AnalysisRequest::new(world, rules, past, tick, question) {
        Ok(request) => request,
        Err(faults) => {
            wrong.add_violations(&faults, &names, &Path::WHOLE);
            return Err(wrong);
        }
    };
    Ok(Request {
        bytes: 10_000 + 1_000 * things,
        problem: Arc::new(request),
        names: Arc::new(names),
        strategy: how.name(),
        options: how.options,
        // There is one search.
        width: 1,
        params: (),
        target: None,
        identity,
    })
}

fn aim(given: i32) -> Aim {
    use pb::HeistAim as Wire;
    match Wire::try_from(given).unwrap_or_default() {
        Wire::Unspecified | Wire::Win => Aim::Win,
        Wire::Capture => Aim::Capture,
    }
}

/// The answer that an outcome is.
pub(crate) fn analyzed(
    asked: &Asked<AnalyzeHeist>,
    outcome: &Outcome<Analyzer>,
) -> pb::AnalyzeHeistResponse {
    let best = outcome.best.as_deref();
    let report = |analysis: &Analysis| {
        let (request, names) = (&*asked.request.problem, &*asked.request.names);
        let awaited = awaited(&analysis.explanation, request.paid(), names);
        let rated = match &analysis.rating {
            Some(rating) => rated(awaited, rating),
            None => awaited,
        };
        let known = Known {
            best: analysis.help.as_ref(),
            cost_min: analysis.help_cost_min,
        };
        helped(rated, &known, request.world().museum(), names)
    };
    pb::AnalyzeHeistResponse {
        analysis: best.map(|best| report(&best.plan)),
        report: Some(common(asked, outcome)),
    }
}

pub(super) fn analysis_levels(open: AnalysisCost) -> Vec<f64> {
    let help = (open.help < u32::MAX).then_some(f64::from(open.help));
    std::iter::once(f64::from(open.undecided))
        .chain(help)
        .collect()
}

pub(super) fn analysis_objective(open: AnalysisCost) -> pb::Objective {
    let levels = analysis_levels(open);
    let names = [("undecided", "questions"), ("help_cost", "cost")];
    let terms = levels.iter().zip(names);
    let terms = terms.map(|(value, (name, unit))| solve::cost(name, *value, unit));
    pb::Objective {
        terms: terms.collect(),
        levels,
    }
}
