//! The judge: counts by hand, and every rule broken once.

use anytime::Fault;
use puzzle::plan::MICRO;
use puzzle::verify::features;
use puzzle::{
    Board, Features, Goal, Level, Mask, Plan, Problem, Spec, Step, Symmetry, Tile, Weights, verify,
};

pub(crate) fn steps(lurd: &str) -> Vec<Step> {
    lurd.chars().filter_map(Step::of_lurd).collect()
}

/// A level whose solution is found by hand: two boxes next to each other, one up, one down.
fn simple() -> (Board, Vec<Step>) {
    let board = Board::of_rows(&["######", "#@   #", "# $$ #", "#    #", "# .. #", "######"]);
    (board.expect("a board"), steps("rDDuurDD"))
}

fn problem(board: &Board, weights: Weights) -> Problem {
    Problem::new(Spec {
        boxes_max: 2,
        weights,
        levels: 2,
        difference_min_percent: 10,
        box_pushes_min: 1,
        ..Spec::thesis(board.width() - 2, board.height() - 2)
    })
    .expect("a problem")
}

fn level(problem: &Problem) -> Level {
    let (board, solution) = simple();
    let needs_solving = problem.spec().weights.needs_solving();
    let found = features(&board, &solution, needs_solving).expect("it is solved");
    Level {
        rung: 0,
        board,
        solution,
        effort: needs_solving.then_some(found.effort),
        value_micro: found.value_micro(&problem.spec().weights),
    }
}

/// Code and words of each broken rule; the words begin with its field.
fn broken(problem: &Problem, levels: Vec<Level>) -> Vec<(&'static str, String)> {
    let faults: Vec<Fault> = verify(problem, &Plan { levels }).expect_err("a rule is broken");
    let words = faults.iter().map(|fault| (fault.code, fault.to_string()));
    words.collect()
}

fn key(code: &'static str, words: &str) -> (&'static str, String) {
    (code, words.to_owned())
}

#[test]
fn features_are_what_is_counted_by_hand() {
    let (board, solution) = simple();
    let found = features(&board, &solution, false).expect("it is solved");
    // The rectangle is 4x4 of floor: all of it in blocks, none next to walls. Boxes are 2, 3, 3,
    // and 2 from the goals. Each goes down a column of three cells, with itself and its goal in it.
    let expected = Features {
        boxes: 2,
        blocks_count: 0,
        blocks_micro: 0,
        mixing: 0,
        goal_distance_micro: 2_500_000,
        congestion_sum: 4,
        congestion_micro: 2 * 666_666,
        pushes: 4,
        moves: 8,
        box_changes: 1,
        counter_intuitive: 0,
        box_pushes_min: 2,
        effort: 0,
    };
    assert_eq!(found, expected);
    // (5 * 0 + 1.333332 + 10 * 2) / 50
    assert_eq!(found.value_micro(&Weights::SCORE), 426_666);
}

#[test]
fn walls_in_the_rectangle_count_for_blocks_mixing_and_congestion() {
    let rows = [
        "#######", "#@    #", "# $#  #", "#  #  #", "# .   #", "#######",
    ];
    let board = Board::of_rows(&rows).expect("a board");
    let found = features(&board, &steps("rDD"), false).expect("it is solved");
    // 20 cells; no 3x3 block is all floor: every one has a wall.
    assert_eq!((found.blocks_count, found.blocks_micro), (20, 1_000_000));
    // Two walls next to floor; floor next to them: one above, one below, two at each side.
    assert_eq!(found.mixing, 8);
    assert_eq!((found.congestion_sum, found.congestion_micro), (2, 666_666));
}

#[test]
fn a_push_away_from_where_the_box_ends_is_counter_intuitive() {
    let rows = ["########", "#      #", "#.$ @  #", "#      #", "########"];
    let board = Board::of_rows(&rows).expect("a board");
    // Around to the left of the box, one push to the right, around again and two to the left.
    let found = features(&board, &steps("ullldRurrdLL"), false).expect("it is solved");
    assert_eq!((found.pushes, found.counter_intuitive), (3, 1));
}

#[test]
fn a_level_that_keeps_all_rules_costs_what_it_is_worth() {
    for weights in [Weights::SCORE, Weights::DIFFICULTY] {
        let problem = problem(&simple().0, weights);
        let level = level(&problem);
        let value = level.value_micro;
        let cost = verify(
            &problem,
            &Plan {
                levels: vec![level],
            },
        )
        .expect("no rule is broken");
        assert_eq!((cost.missing, cost.miss_micro), (1, -value));
    }
}

#[test]
fn a_solution_that_cannot_be_played_is_refused_at_its_step() {
    let problem = problem(&simple().0, Weights::SCORE);
    let with = |lurd: &str| Level {
        solution: steps(lurd),
        ..level(&problem)
    };
    for (lurd, step) in [("u", 0), ("rddd", 1), ("rDDD", 3), ("R", 0), ("drDD", 1)] {
        let letter = &lurd[step..=step];
        let text = format!(
            "levels[0].solution has '{letter}' as letter {step}, which cannot be done there"
        );
        let found = broken(&problem, vec![with(lurd)]);
        assert_eq!(found, [("STEP_IMPOSSIBLE", text)], "{lurd}");
    }
    let left = key(
        "NOT_SOLVED",
        "levels[0].solution leaves 1 goals without a box",
    );
    assert_eq!(broken(&problem, vec![with("rDD")]), [left]);
}

fn ones(micro: i64) -> f64 {
    micro as f64 / MICRO as f64
}

#[test]
fn wrong_claims_are_refused() {
    let problem = problem(&simple().0, Weights::DIFFICULTY);
    let right = level(&problem);
    let effort = right.effort.expect("it is counted");
    let wrong = Level {
        effort: Some(effort + 1),
        value_micro: right.value_micro + 1,
        ..right.clone()
    };
    assert_eq!(
        broken(&problem, vec![wrong]),
        [
            (
                "EFFORT_WRONG",
                format!(
                    "levels[0].features.effort is {} instead of {effort}",
                    effort + 1
                )
            ),
            (
                "VALUE_WRONG",
                format!(
                    "levels[0].value is {} instead of {}",
                    ones(right.value_micro + 1),
                    ones(right.value_micro)
                )
            ),
        ]
    );
    // A box goes right and back again.
    let detour = Level {
        solution: steps("rDldRdrruLruulldDuurDD"),
        ..right.clone()
    };
    let pushes = "levels[0].solution has 6 pushes, 4 suffice";
    assert_eq!(
        broken(&problem, vec![detour])[0],
        key("NOT_SHORTEST", pushes)
    );
    let too_long = Level {
        solution: vec![right.solution[0]; 100_001],
        ..right
    };
    let steps = "levels[0].solution has 100001 steps, at most 100000 are supported";
    assert_eq!(
        broken(&problem, vec![too_long]),
        [key("SOLUTION_TOO_LONG", steps)]
    );
}

#[test]
fn what_was_not_asked_for_is_refused() {
    let base = problem(&simple().0, Weights::SCORE);
    let level = level(&base);
    let with = |change: &dyn Fn(&mut Spec)| {
        let mut spec = base.spec().clone();
        change(&mut spec);
        Problem::new(spec).expect("a problem")
    };
    let found = |problem: &Problem| broken(problem, vec![level.clone()]);
    let wider = with(&|spec| {
        spec.width = 7;
        spec.template.clear();
    });
    let size = "levels[0].rows is a board of 6 x 6 cells, 7 x 6 are wanted";
    assert_eq!(found(&wider)[0], key("SIZE_WRONG", size));
    let one = with(&|spec| spec.boxes_max = 1);
    let boxes = "levels[0].rows has 2 boxes, 1 to 1 are wanted";
    assert_eq!(found(&one), [key("BOXES_WRONG", boxes)]);
    let eager = with(&|spec| spec.box_pushes_min = 3);
    let few = "levels[0].solution pushes a box 2 times, at least 3 are wanted";
    assert_eq!(found(&eager)[0], key("BOX_PUSHES_FEW", few));
    let walled = with(&|spec| spec.template[7] = Mask::Is(Tile::Wall));
    let template = |column| {
        let text = format!("levels[0].rows[1] does not match the template at column {column}");
        ("TEMPLATE_BROKEN", text)
    };
    assert_eq!(found(&walled)[0], template(1));
    let elsewhere = with(&|spec| spec.template[8] = Mask::Is(Tile::Player));
    assert_eq!(found(&elsewhere)[0], template(2));
    let ladder = with(&|spec| {
        spec.goal = Goal::Hit {
            easiest_micro: 0,
            hardest_micro: MICRO,
            tolerance_percent: 0,
        };
    });
    let next = Level {
        rung: 1,
        ..level.clone()
    };
    let flat = "levels[1].value is no more than that of the level before";
    let steps = broken(&ladder, vec![level.clone(), next]);
    assert_eq!(steps[0], key("NOT_RISING", flat));
    let known = with(&|spec| spec.avoided = vec![simple().0]);
    let similar = "levels[0] differs from another in 0 % of the cells, at least 10 % are wanted";
    assert_eq!(found(&known), [key("TOO_SIMILAR", similar)]);
}

#[test]
fn walls_that_are_not_symmetric_are_refused() {
    let board = Board::of_rows(&["######", "#@   #", "# $$ #", "##   #", "# .. #", "######"]);
    let board = board.expect("a board");
    let base = problem(&board, Weights::SCORE);
    let problem = Problem::new(Spec {
        symmetry: Symmetry::LeftRight,
        ..base.spec().clone()
    });
    let problem = problem.expect("a problem");
    let found = features(&board, &steps("rDDuurDD"), false).expect("it is solved");
    let level = Level {
        rung: 0,
        board,
        solution: steps("rDDuurDD"),
        effort: None,
        value_micro: found.value_micro(&Weights::SCORE),
    };
    let symmetry = |column| {
        let text = format!("levels[0].rows[3] differs at column {column} from its mirror image");
        ("SYMMETRY_BROKEN", text)
    };
    assert_eq!(broken(&problem, vec![level]), [symmetry(1), symmetry(4)]);
}

#[test]
fn levels_of_a_plan_rise_and_differ() {
    let problem = problem(&simple().0, Weights::SCORE);
    let first = level(&problem);
    let second = Level {
        rung: 1,
        ..first.clone()
    };
    assert_eq!(
        broken(&problem, vec![first.clone(), second.clone()]),
        [key(
            "TOO_SIMILAR",
            "levels[1] differs from another in 0 % of the cells, at least 10 % are wanted"
        )]
    );
    assert_eq!(
        broken(&problem, vec![second.clone(), first.clone()])[0],
        key(
            "RUNG_ORDER",
            "levels[1].rung is not later than that of the level before"
        )
    );
    let third = Level {
        rung: 2,
        ..first.clone()
    };
    assert_eq!(
        broken(&problem, vec![first, second, third]),
        [
            key("TOO_MANY_LEVELS", "has 3 levels, at most 2 are wanted"),
            key(
                "RUNG_UNKNOWN",
                "levels[2].rung is 2, but only 2 levels are wanted (0 is the first)"
            )
        ]
    );
}
