//! Levels: the judge agrees with everything that is offered.

use crate::searched::searched;
use anytime::{Conclusion, SolveError, Stop};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use proptest::strategy::Strategy as _;
use puzzle::solve::impossible;
use puzzle::{
    Cost, Goal, Mask, Params, Plan, Problem, Spec, Strategy, Symmetry, Theme, Tile, Weights, plan,
};

fn run(
    problem: &Problem,
    params: &Params,
    iterations: u64,
    seed: u64,
) -> (Result<Conclusion, SolveError>, Vec<(Plan, Cost)>) {
    match searched(problem, params, iterations, seed) {
        Ok(found) => (Ok(found.conclusion), found.offers),
        Err(error) => (Err(error), Vec::new()),
    }
}

fn spec() -> Spec {
    Spec {
        boxes_min: 2,
        boxes_max: 3,
        weights: Weights::DIFFICULTY,
        ..Spec::thesis(6, 5)
    }
}

fn hit(easiest: f64, hardest: f64) -> Goal {
    Goal::Hit {
        easiest_micro: (easiest * 1e6) as i64,
        hardest_micro: (hardest * 1e6) as i64,
        tolerance_percent: 15,
    }
}

fn template(rows: &[&str]) -> Vec<Mask> {
    let cells = rows.iter().flat_map(|row| row.chars());
    cells
        .map(|cell| match cell {
            '?' => Mask::Free,
            tile => Mask::Is(Tile::of_xsb(tile).expect("a tile")),
        })
        .collect()
}

fn specs() -> impl proptest::strategy::Strategy<Value = Spec> {
    let symmetries = [
        Symmetry::None,
        Symmetry::LeftRight,
        Symmetry::TopBottom,
        Symmetry::HalfTurn,
        Symmetry::Both,
        Symmetry::QuarterTurn,
    ];
    let themes = [Theme::Any, Theme::Dynamic, Theme::Static];
    let goals = [Goal::Most, hit(3.0, 3.0), hit(2.0, 6.0)];
    let sides = (6_usize..=9, 6_usize..=9, 1_usize..=3, 0_usize..=1);
    let kinds = (0..symmetries.len(), 0..themes.len(), 0..goals.len());
    (sides, kinds, any::<bool>(), 1_usize..=3, 0_u32..=3).prop_map(
        move |(sides, kinds, is_score, levels, pushes)| {
            let (width, height, boxes, more) = sides;
            let symmetry = symmetries[kinds.0];
            let height = if symmetry == Symmetry::QuarterTurn {
                width
            } else {
                height
            };
            Spec {
                width,
                height,
                boxes_min: boxes,
                boxes_max: boxes + more,
                symmetry,
                theme: themes[kinds.1],
                goal: goals[kinds.2],
                weights: if is_score {
                    Weights::SCORE
                } else {
                    Weights::DIFFICULTY
                },
                levels,
                difference_min_percent: 10,
                box_pushes_min: pushes,
                ..spec()
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_offer_passes_the_judge_at_its_cost(
        spec in specs(), seed in any::<u64>(), is_tree in any::<bool>(),
    ) {
        let problem = Problem::new(spec).expect("a problem");
        let strategy = if is_tree { Strategy::Mcts } else { Strategy::Auto };
        let params = Params { strategy, ..Params::default() };
        let (end, offers) = run(&problem, &params, 60, seed);
        let is_refused = is_tree && problem.spec().symmetry != Symmetry::None;
        prop_assert_eq!(end.is_err(), is_refused);
        let last = offers.last().map(|(_, cost)| *cost);
        if end == Ok(Conclusion::Optimal) {
            // Whatever another seed finds is no better.
            let (_, others) = run(&problem, &params, 60, seed ^ 1);
            prop_assert!(others.iter().all(|(_, cost)| Some(*cost) >= last));
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_levels_and_another_seed_others() {
    let problem = Problem::new(spec()).expect("a problem");
    for strategy in [Strategy::Auto, Strategy::Mcts] {
        let params = Params {
            strategy,
            ..Params::default()
        };
        let once = run(&problem, &params, 300, 1);
        assert_eq!(once, run(&problem, &params, 300, 1));
        assert_ne!(once.1, run(&problem, &params, 300, 2).1);
    }
}

#[test]
fn a_wanted_difficulty_is_hit() {
    for (seed, wanted) in [(1, 3.0), (2, 4.0), (3, 5.0), (4, 6.0)] {
        let problem = Problem::new(Spec {
            goal: hit(wanted, wanted),
            ..spec()
        })
        .expect("a problem");
        let (end, offers) = run(&problem, &Params::default(), 20_000, seed);
        assert_eq!(end, Ok(Conclusion::Optimal));
        let level = &offers[offers.len() - 1].0.levels[0];
        let value = level.value_micro as f64 / 1e6;
        assert!((value - wanted).abs() <= 0.15 * wanted + 1e-6, "{value}");
    }
}

#[test]
fn there_is_some_level_before_anything_is_searched_for() {
    for (side, boxes, theme) in [
        (8, 3, Theme::Any),
        (12, 6, Theme::Any),
        (12, 6, Theme::Static),
        (14, 8, Theme::Static),
    ] {
        let problem = Problem::new(Spec {
            width: side,
            height: side,
            boxes_min: boxes,
            boxes_max: boxes,
            theme,
            goal: hit(12.0, 12.0),
            ..spec()
        })
        .expect("a problem");
        for seed in 0..10 {
            let (_, offers) = run(&problem, &Params::default(), 48, seed);
            let first = &offers.first().expect("a level").0.levels[0];
            // What a plain search solves without a detour.
            assert!(first.effort < Some(60), "{side} {seed} {:?}", first.effort);
        }
    }
}

#[test]
fn a_ladder_rises_and_its_levels_differ() {
    let problem = Problem::new(Spec {
        goal: hit(3.5, 8.0),
        levels: 6,
        difference_min_percent: 20,
        ..spec()
    })
    .expect("a problem");
    let (end, offers) = run(&problem, &Params::default(), 40_000, 3);
    assert_eq!(end, Ok(Conclusion::Optimal));
    let levels = &offers[offers.len() - 1].0.levels;
    assert_eq!(levels.len(), 6);
    for (index, level) in levels.iter().enumerate() {
        for other in &levels[..index] {
            assert!(level.value_micro > other.value_micro);
            assert!(plan::difference(&level.board, &other.board) >= 20);
        }
    }
}

#[test]
fn what_no_level_can_be_worth_is_missed_by_what_is_proved() {
    // Two boxes, pushed twice each, make at least 4 pushes, 4 positions and a change of box: 0.2 +
    // 2.321928 + 0.25.
    let problem = Problem::new(Spec {
        goal: hit(2.0, 2.0),
        boxes_max: 2,
        ..spec()
    })
    .expect("a problem");
    let (end, offers) = run(&problem, &Params::default(), 20_000, 3);
    assert_eq!(end, Ok(Conclusion::Optimal));
    let (plan, cost) = &offers[offers.len() - 1];
    assert_eq!(plan.levels[0].value_micro, 2_771_928);
    assert_eq!(cost.miss_micro, 471_928);
}

#[test]
fn a_level_differs_from_those_that_are_known_also_when_they_are_turned() {
    let one = Problem::new(Spec {
        width: 7,
        goal: hit(3.0, 3.0),
        ..spec()
    })
    .expect("a problem");
    let (_, offers) = run(&one, &Params::default(), 5_000, 1);
    let known = offers[offers.len() - 1].0.levels[0].board.clone();
    let turned: Vec<String> = known
        .rows()
        .iter()
        .map(|row| row.chars().rev().collect())
        .collect();
    let turned = puzzle::Board::of_rows(&turned).expect("a board");
    assert_eq!(plan::difference(&known, &turned), 0);
    let other = Problem::new(Spec {
        avoided: vec![turned],
        difference_min_percent: 15,
        ..one.spec().clone()
    })
    .expect("a problem");
    let (end, offers) = run(&other, &Params::default(), 5_000, 1);
    assert_eq!(end, Ok(Conclusion::Optimal));
    let made = &offers[offers.len() - 1].0.levels[0].board;
    assert!(plan::difference(made, &known) >= 15);
}

#[test]
fn a_template_is_kept() {
    let rows = [
        "?????????",
        "?@  #????",
        "?   #????",
        "?##   ???",
        "????? ???",
        "???.?????",
        "?????????",
    ];
    let problem = Problem::new(Spec {
        width: 9,
        template: template(&rows),
        goal: hit(3.0, 3.0),
        ..spec()
    })
    .expect("a problem");
    let (end, offers) = run(&problem, &Params::default(), 20_000, 5);
    assert_eq!(end, Ok(Conclusion::Optimal));
    let board = &offers[offers.len() - 1].0.levels[0].board;
    assert_eq!(board.player(), 10);
    assert!(board.goals().contains(&48) && board.is_wall(13) && !board.is_wall(32));
}

#[test]
fn a_board_that_is_fixed_in_all_is_solved_or_proved_to_be_unsolvable() {
    let fixed = |rows: &[&str]| {
        Problem::new(Spec {
            width: rows[0].len(),
            height: rows.len(),
            template: template(rows),
            boxes_min: 1,
            boxes_max: 1,
            box_pushes_min: 1,
            ..spec()
        })
        .expect("a problem")
    };
    let (end, offers) = run(
        &fixed(&["#######", "#@ $ .#", "#######"]),
        &Params::default(),
        10,
        0,
    );
    assert_eq!(end, Ok(Conclusion::Optimal));
    assert_eq!(offers[0].0.levels[0].solution.len(), 3);
    let stuck = fixed(&["#######", "#@ .  #", "#   $ #", "#######"]);
    let (end, offers) = run(&stuck, &Params::default(), 10, 0);
    assert_eq!((end, offers), (Ok(Conclusion::Infeasible), Vec::new()));
}

#[test]
fn what_cannot_be_is_infeasible_with_a_reason() {
    let rows = ["######", "#??#?#", "#??#?#", "######"];
    let problem = Problem::new(Spec {
        width: 6,
        height: 4,
        template: template(&rows),
        boxes_min: 1,
        boxes_max: 1,
        ..spec()
    })
    .expect("a problem");
    let reason = impossible(&problem).expect("a reason");
    assert!(reason.is_proved);
    assert_eq!(
        (reason.fault.code, reason.fault.field()),
        ("NO_PUSH", "template_rows".into())
    );
    let (end, offers) = run(&problem, &Params::default(), 10, 0);
    assert_eq!((end, offers), (Ok(Conclusion::Infeasible), Vec::new()));
}

#[test]
fn what_no_judge_could_rate_is_infeasible_unless_nothing_has_to_be_solved() {
    let large = |weights| {
        let spec = Spec {
            width: 64,
            height: 64,
            boxes_min: 32,
            boxes_max: 32,
            weights,
            ..spec()
        };
        impossible(&Problem::new(spec).expect("a problem"))
    };
    // Two pushes each; 30 million steps of 32 * (5 * 64 * 64 + 32^3).
    let reason = large(Weights::DIFFICULTY).expect("a reason").fault;
    let text = "min_boxes no level can be rated: 32 boxes take an effort of at least 64, and on a \
                board of this size at most 17 is counted; ";
    assert_eq!(reason.code, "UNRATABLE");
    assert!(reason.to_string().starts_with(text), "{reason}");
    assert_eq!(large(Weights::SCORE), None);
}

#[test]
fn the_tree_reaches_the_scores_of_table_6_2_in_few_iterations() {
    for (side, score) in [(5, 0.4), (5, 0.8), (6, 1.2), (7, 1.4)] {
        let problem = Problem::new(Spec::thesis(side, side)).expect("a problem");
        let params = Params {
            strategy: Strategy::Mcts,
            ..Params::default()
        };
        let (end, offers) = run(&problem, &params, 200, 0);
        assert_eq!(end, Ok(Conclusion::Stopped(Stop::Iterations)));
        let best = -offers[offers.len() - 1].1.miss_micro as f64 / 1e6;
        assert!(best >= score, "{side}: {best}");
    }
}
