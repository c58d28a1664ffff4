//! What is found out about levels and games is true, and more of it with more time.

use anytime::{Conclusion, Limits, Record, Stop, record};
use heist::World;
use heist::analysis::{
    Analysis, AnalysisCost, AnalysisRequest, Definition, DefinitionKind, analyse, rate,
    verify_analysis,
};
use heist::design::Verdict;
use heist::game::{Ending, Intervention, PlayerAction, Rules, Target, Verb, play};
use heist::generate::{MuseumParams, line3, museum8, ring4, solvable, two_rings};
use heist::help::{Aim, HelpRequest, HelpResult, help};
use heist::museum::Thing;

pub(crate) const WIN: HelpRequest = HelpRequest {
    aim: Aim::Win,
    cost_max: 4,
    games_max: 100_000,
};

fn about(world: World, past: Vec<Intervention>, tick: u32) -> AnalysisRequest {
    AnalysisRequest::new(world, Rules::default(), past, tick, WIN)
        .expect("a game that can be played")
}

/// All offers within a number of games, each verified, and the conclusion.
fn offers(request: &AnalysisRequest, games: u64) -> (Vec<(Analysis, AnalysisCost)>, Conclusion) {
    let found = record(Limits::iterations(games), 0, |control| {
        analyse(request, control)
    });
    let Record {
        offers, conclusion, ..
    } = found.expect("no errors");
    for (analysis, open) in &offers {
        assert_eq!(verify_analysis(request, analysis), Ok(*open));
    }
    (offers, conclusion)
}

fn analyse_fully(request: &AnalysisRequest) -> Analysis {
    let (mut offers, conclusion) = offers(request, 1_000_000);
    assert_eq!(conclusion, Conclusion::Optimal);
    offers.pop().expect("an offer").0
}

fn lock(door: usize, tick: u32) -> Intervention {
    let target = Target::Thing(Thing::Door(door));
    let verb = Verb::Lock;
    Intervention {
        tick,
        player_action: PlayerAction { verb, target },
    }
}

#[test]
fn known_worlds_are_rated_as_is_known() {
    // World, F(k), the least n of F', what help costs.
    let worlds = [
        (ring4(&[1]), Verdict::Yes, Some(1), Some(1)),
        (ring4(&[1, 3]), Verdict::No, None, Some(2)),
        (line3(), Verdict::No, None, Some(2)),
        (two_rings(&[1, 5]), Verdict::Yes, Some(2), Some(2)),
        (ring4(&[]), Verdict::No, Some(0), Some(0)),
    ];
    for (world, f, least, cost) in worlds {
        let analysis = analyse_fully(&about(world.clone(), Vec::new(), 0));
        let rating = analysis.rating.expect("of a level");
        let first = rating.definitions[0];
        assert_eq!(
            (first.kind, first.verdict),
            (DefinitionKind::F, f),
            "{first:?}"
        );
        assert_eq!(first.n as usize, rating.explanation.pitfalls.len());
        assert_eq!(rating.difficulty.least, least);
        assert_eq!(analysis.help.map(|help| help.cost), cost);
        let alone = rate(&world, Rules::default(), 1_000, &mut || true);
        assert_eq!(alone, rating, "the same by itself");
    }
}

#[test]
fn definitions_agree_with_the_least_n() {
    let rating = rate(&ring4(&[1]), Rules::default(), 1_000, &mut || true);
    let holds = |definition: &&Definition| definition.verdict == Verdict::Yes;
    let prime = rating
        .definitions
        .iter()
        .filter(|it| it.kind == DefinitionKind::FPrime);
    let least = prime.filter(holds).map(|it| it.n).min();
    assert_eq!(least, rating.difficulty.least);
    assert_eq!(rating.difficulty.none_to, Some(0));
}

#[test]
fn whoever_stops_early_has_some_help_and_a_bound() {
    let request = about(museum8(), Vec::new(), 0);
    let whole = analyse_fully(&request);
    let cheapest = whole.help.expect("there is help").cost;
    assert_eq!((cheapest, whole.help_cost_min), (2, Some(2)));
    let (mut offers, conclusion) = offers(&request, 300);
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Iterations));
    let (known, open) = offers.pop().expect("an offer");
    assert!(open.undecided > 0 && known.help_cost_min <= Some(cheapest));
    assert!(known.help.is_none_or(|help| help.cost >= cheapest));
    let (first, conclusion) = self::offers(&request, 0);
    assert_eq!(first.len(), 1, "the game without help is offered");
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Iterations));
}

#[test]
fn help_is_as_cheap_as_that_of_the_search_alone() {
    let (mut found, mut none) = (0, 0);
    for seed in 0..60 {
        let params = MuseumParams {
            columns: 3,
            rows: 2,
            cameras: 2,
            guards: seed as usize % 2,
            machines: seed as usize % 3,
            loops_percent: 80,
            ..MuseumParams::default()
        };
        let Some(world) = solvable(&params, seed) else {
            continue;
        };
        let question = HelpRequest { cost_max: 2, ..WIN };
        let rules = Rules {
            ticks_max: 80,
            ..Rules::default()
        };
        let request = AnalysisRequest::new(world.clone(), rules, Vec::new(), 0, question).unwrap();
        let (mut offers, _) = offers(&request, 1_000_000);
        let analysis = offers.pop().expect("an offer").0;
        match help(&world, rules, &question, &mut || true) {
            HelpResult::Found(help) => {
                found += 1;
                assert_eq!(analysis.help.map(|it| it.cost), Some(help.cost));
                assert_eq!(analysis.help_cost_min, Some(help.cost));
            }
            HelpResult::Nothing => {
                none += 1;
                assert_eq!((analysis.help, analysis.help_cost_min), (None, None));
            }
            HelpResult::Unknown { .. } => {}
        }
    }
    assert!(found > 9 && none > 9, "{found} {none}");
}

#[test]
fn what_the_player_has_done_counts() {
    let world = ring4(&[1]);
    let help = analyse_fully(&about(world.clone(), Vec::new(), 0))
        .help
        .expect("help");
    let [player_action] = help.interventions[..] else {
        panic!("one deed: {help:?}");
    };
    // Before the tick at which it is done, with it, and when it is too late.
    let before = analyse_fully(&about(world.clone(), Vec::new(), player_action.tick));
    assert_eq!(before.rating, None, "the game is under way");
    assert_eq!(
        before.help.map(|help| help.interventions),
        Some(vec![player_action])
    );
    let done = analyse_fully(&about(
        world.clone(),
        vec![player_action],
        player_action.tick,
    ));
    assert_eq!(done.explanation.ending.map(|it| it.0), Some(Ending::Won));
    assert!(done.help.is_some_and(|help| help.interventions.is_empty()));
    let caught = play(&world, Rules::default(), &[]).unwrap().ticks.len() as u32;
    let late = analyse_fully(&about(world, Vec::new(), caught));
    assert_eq!((late.help, late.help_cost_min), (None, None));
}

#[test]
fn wrong_findings_are_found_out() {
    let request = about(ring4(&[1]), Vec::new(), 0);
    let good = analyse_fully(&request);
    let mut dear = good.clone();
    dear.help.as_mut().unwrap().cost += 1;
    let wrong = |analysis: &Analysis| {
        let faults = verify_analysis(&request, analysis).expect_err("it is wrong");
        let fields = faults.iter().map(|fault| (fault.code, fault.field()));
        fields.collect::<Vec<_>>()
    };
    let one = |code, field: &str| vec![(code, field.to_owned())];
    assert_eq!(wrong(&dear), one("CONTRADICTION", "help"));
    let mut idle = good.clone();
    idle.help.as_mut().unwrap().interventions.clear();
    assert_eq!(wrong(&idle), one("CONTRADICTION", "help"));
    let mut cheap = good.clone();
    cheap.help_cost_min = Some(3);
    assert_eq!(wrong(&cheap), one("OUT_OF_RANGE", "help.cost"));
    let mut blind = good;
    blind.explanation.pitfalls.clear();
    assert_eq!(wrong(&blind), one("CONTRADICTION", "explanation"));
}

#[test]
fn games_that_cannot_be_played_are_refused() {
    let far = AnalysisRequest::new(ring4(&[1]), Rules::default(), vec![lock(99, 0)], 0, WIN);
    assert_eq!(far.map_err(|errors| errors.len()), Err(1));
}
