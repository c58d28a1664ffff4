//! Puzzles: one mistake a line.

use crate::mistakes::{check_by, encode_as, lines, replaced};
use puzzle::problem::{Goal, Mask, Symmetry, Theme, Walls, Weights};
use puzzle::{Problem, Tile};
use serde_json::{Value, json};
use wire::decode::{board, puzzle};

/// A hall with a pillar, three levels of it.
fn good() -> Value {
    json!({
        "problem": {
            "title": "a hall",
            "width": 7,
            "templateRows": ["#######", "#@????#", "#? # .#", "#???", "#######"],
            "minBoxes": 1,
            "maxBoxes": 3,
            "symmetry": "PUZZLE_SYMMETRY_NONE",
            "theme": "PUZZLE_THEME_STATIC",
            "walls": "PUZZLE_WALLS_OUTLINE",
            "weights": {"pushes": 0.5, "boxChanges": 0.3333333333, "divisor": 2},
            "target": {"range": {"easiest": 2.5, "hardest": 9}, "tolerance": 0.1},
            "levelCount": 3,
            "minDifference": 0.25,
            "minBoxPushes": 1,
            "avoided": [{"rows": ["######", "#@$ .#", "######"]}],
        },
        "options": {"timeBudget": "0.25s", "strategy": "mcts", "target": {"levels": [0, 1.5]}},
    })
}

fn read(request: &Value) -> Problem {
    let bytes = encode_as("stratagem.v1.GeneratePuzzleRequest", request);
    puzzle(&bytes).expect("the request of these tests makes sense")
}

fn mistakes(request: &Value) -> Vec<String> {
    lines(puzzle(&encode_as(
        "stratagem.v1.GeneratePuzzleRequest",
        request,
    )))
}

fn mistakes_of_board(request: &Value) -> Vec<String> {
    lines(board(&encode_as(
        "stratagem.v1.SolvePuzzleRequest",
        request,
    )))
}

#[test]
fn a_request_is_read_to_the_last_field() {
    let problem = read(&good());
    let spec = problem.spec();
    assert_eq!((spec.width, spec.height), (7, 5), "as high as its template");
    let cells: Vec<_> = [8, 9, 15, 16, 17, 19, 25]
        .map(|cell| spec.template[cell])
        .into();
    let is = Mask::Is;
    let wanted = [
        is(Tile::Player),
        Mask::Free,
        Mask::Free,
        is(Tile::Floor),
        is(Tile::Wall),
        is(Tile::Goal),
        Mask::Free,
    ];
    assert_eq!(cells, wanted, "short rows are free at their end");
    assert_eq!((spec.boxes_min, spec.boxes_max, spec.levels), (1, 3, 3));
    assert_eq!((spec.symmetry, spec.theme), (Symmetry::None, Theme::Static));
    assert_eq!(spec.walls, Walls::Outline);
    let weights = Weights {
        pushes: 500_000,
        box_changes: 333_333,
        divisor: 2_000_000,
        ..Weights::default()
    };
    assert_eq!(spec.weights, weights);
    let goal = Goal::Hit {
        easiest_micro: 2_500_000,
        hardest_micro: 9_000_000,
        tolerance_percent: 10,
    };
    assert_eq!(spec.goal, goal);
    assert_eq!((spec.difference_min_percent, spec.box_pushes_min), (25, 1));
    assert_eq!(spec.avoided[0].rows()[1], "#@$ .#");
}

#[test]
fn what_is_left_out_has_its_default() {
    let problem = read(&json!({"problem": {"width": 9, "height": 8}}));
    let spec = problem.spec();
    assert!(spec.template.iter().all(|cell| *cell == Mask::Free));
    assert_eq!((spec.boxes_min, spec.boxes_max, spec.levels), (1, 4, 1));
    assert_eq!((spec.weights, spec.goal), (Weights::DIFFICULTY, Goal::Most));
    assert_eq!((spec.difference_min_percent, spec.box_pushes_min), (20, 2));
    let value =
        json!({"problem": {"width": 9, "height": 8, "minBoxes": 6, "target": {"value": 0}}});
    let problem = read(&value);
    assert_eq!(problem.spec().boxes_max, 6);
    let goal = Goal::Hit {
        easiest_micro: 0,
        hardest_micro: 0,
        tolerance_percent: 15,
    };
    assert_eq!(problem.spec().goal, goal);
}

#[test]
fn the_score_of_the_thesis_is_the_planners_own() {
    let weights = json!({"boxes": 10, "blocks": 5, "congestion": 1, "divisor": 50});
    let problem = read(&replaced(good(), "/problem/weights", weights));
    assert_eq!(problem.spec().weights, Weights::SCORE);
}

#[test]
fn sizes_and_numbers() {
    let table = r##"
        width = 2 => width OUT_OF_RANGE
        width = 65 => width OUT_OF_RANGE
        width = -1 => width OUT_OF_RANGE
        height = 6 => template_rows WRONG_SIZE
        minBoxes = -1 => min_boxes OUT_OF_RANGE
        minBoxes = 33 => min_boxes OUT_OF_RANGE
        minBoxes = 4 => max_boxes REVERSED
        maxBoxes = 33 => max_boxes OUT_OF_RANGE
        symmetry = 9 => symmetry ENUM_UNKNOWN
        symmetry = "PUZZLE_SYMMETRY_QUARTER_TURN" => symmetry CONTRADICTION
        theme = 9 => theme ENUM_UNKNOWN
        walls = 9 => walls ENUM_UNKNOWN
        levelCount = -1 => level_count OUT_OF_RANGE
        levelCount = 51 => level_count OUT_OF_RANGE
        minDifference = 1.01 => min_difference OUT_OF_RANGE
        minBoxPushes = -1 => min_box_pushes OUT_OF_RANGE
        minBoxPushes = 101 => min_box_pushes OUT_OF_RANGE
        avoided/0/rows = [] => avoided[0].rows REQUIRED
        avoided/0/rows/1 = "#@$  #" => avoided[0].rows UNEQUAL_GOALS
        avoided/0/rows/1 = "#@$ . " => avoided[0].rows[1] BORDER_OPEN
    "##;
    check_by(mistakes, &good(), "problem", table);
    let found = mistakes(&replaced(good(), "/problem/width", json!(6)));
    let wanted = [0, 1, 2, 4].map(|row| format!("problem.template_rows[{row}] TOO_LONG"));
    assert_eq!(found, wanted);
    let many = vec![good()["problem"]["avoided"][0].clone(); 201];
    let found = mistakes(&replaced(good(), "/problem/avoided", json!(many)));
    assert_eq!(found, ["problem.avoided TOO_MANY"]);
}

#[test]
fn worths_and_targets() {
    let table = r#"
        weights = {} => weights ALL_ZERO
        weights = {"pushes": 0.0000004} => weights ALL_ZERO
        weights/pushes = "NaN" => weights.pushes NOT_FINITE
        weights/pushes = 1000000.5 => weights.pushes OUT_OF_RANGE
        weights/divisor = -1 => weights.divisor OUT_OF_RANGE
        weights/divisor = 0.0000004 => weights.divisor OUT_OF_RANGE
        target = {} => target REQUIRED
        target/range/easiest = 9.5 => target.range.hardest REVERSED
        target/range/hardest = 1000001 => target.range.hardest OUT_OF_RANGE
        target/range/hardest = "Infinity" => target.range.hardest NOT_FINITE
        target/tolerance = 1.01 => target.tolerance OUT_OF_RANGE
    "#;
    check_by(mistakes, &good(), "problem", table);
    let found = mistakes(&replaced(good(), "/problem/target", json!({"value": -1e7})));
    assert_eq!(found, ["problem.target.value OUT_OF_RANGE"]);
    let found = mistakes(&replaced(
        good(),
        "/options/target",
        json!({"levels": [0, 0, 0]}),
    ));
    assert_eq!(found, ["options.target.levels TOO_MANY"]);
}

#[test]
fn templates() {
    let table = r######"
        templateRows/1 = "#@???? " => template_rows[1] BORDER_OPEN
        templateRows/0 = "#####.#" => template_rows[0] BORDER_OPEN
        templateRows/3 = "#??@" => template_rows[3] SECOND_PLAYER
        templateRows/3 = "#?!?" => template_rows[3] CHARACTER_UNKNOWN
        templateRows/3 = "#...." => template_rows CONTRADICTION
    "######;
    check_by(mistakes, &good(), "problem", table);
    let cut = json!(["#######", "#@    #", "#######", "#   .?#", "#######"]);
    let found = mistakes(&replaced(good(), "/problem/templateRows", cut));
    assert_eq!(found.len(), 4, "each cell that is cut off: {found:?}");
    assert!(
        found
            .iter()
            .all(|one| one == "problem.template_rows[3] DISCONNECTED")
    );
    let full = json!(vec!["#######"; 5]);
    let found = mistakes(&replaced(good(), "/problem/templateRows", full));
    assert_eq!(found, ["problem.template_rows NO_FLOOR"]);
    let tight = json!(["#######", "#@??###", "#######", "#######", "#######"]);
    let request = replaced(good(), "/problem/templateRows", tight);
    let found = mistakes(&replaced(request, "/problem/minBoxes", json!(3)));
    assert_eq!(found, ["problem.min_boxes NO_ROOM"]);
    let lopsided = json!(["#######", "#@????#", "#?????#", "#????##", "#######"]);
    let request = replaced(good(), "/problem/templateRows", lopsided);
    let request = replaced(request, "/problem/templateRows/3", json!("#.???##"));
    let found = mistakes(&replaced(
        request,
        "/problem/symmetry",
        json!("PUZZLE_SYMMETRY_LEFT_RIGHT"),
    ));
    // What is floor on one side only is a wall for the rest of the check.
    let wanted = ["CONTRADICTION", "DISCONNECTED"];
    assert_eq!(
        found,
        wanted.map(|why| format!("problem.template_rows[3] {why}"))
    );
}

#[test]
fn all_mistakes_come_at_once_and_a_wrong_size_makes_no_others() {
    let request = replaced(good(), "/problem/width", json!(99));
    let request = replaced(
        request,
        "/problem/symmetry",
        json!("PUZZLE_SYMMETRY_QUARTER_TURN"),
    );
    let request = replaced(request, "/problem/weights/pushes", json!("NaN"));
    let request = replaced(request, "/options/strategy", json!("magic"));
    let wanted = [
        "problem.width OUT_OF_RANGE",
        "problem.weights.pushes NOT_FINITE",
        "options.strategy UNKNOWN",
    ];
    assert_eq!(mistakes(&request), wanted);
}

#[test]
fn boards_to_solve() {
    let good = json!({"problem": {"rows": ["#######", "#@ $ .#", "#######"]}, "playedMoves": "rR"});
    let bytes = encode_as("stratagem.v1.SolvePuzzleRequest", &good);
    let read = board(&bytes).expect("the request of these tests makes sense");
    assert_eq!(read.rows()[1], "#  @$.#", "after what was played");
    let row = "/problem/rows/1";
    for (at, value, wanted) in [
        (row, json!("#  $ .#"), "problem.rows NO_PLAYER"),
        (row, json!("#@ $@.#"), "problem.rows[1] SECOND_PLAYER"),
        (row, json!("#@    #"), "problem.rows NO_BOXES"),
        (row, json!("#@ $$.#"), "problem.rows UNEQUAL_GOALS"),
        (row, json!("#@ $ . "), "problem.rows[1] BORDER_OPEN"),
        (row, json!("#@ a .#"), "problem.rows[1] CHARACTER_UNKNOWN"),
        (row, json!("#@ $#.#"), "problem.rows[1] WALLED_OFF"),
        ("/problem/rows", json!([]), "problem.rows REQUIRED"),
        (
            "/problem/rows",
            json!(vec!["#"; 65]),
            "problem.rows TOO_MANY",
        ),
        ("/playedMoves", json!("rr"), "played_moves STEP_IMPOSSIBLE"),
        (
            "/playedMoves",
            json!("north"),
            "played_moves CHARACTER_UNKNOWN",
        ),
        (
            "/options",
            json!({"strategy": "mcts"}),
            "options.strategy UNKNOWN",
        ),
        (
            "/options",
            json!({"target": {"levels": [3, 3]}}),
            "options.target.levels TOO_MANY",
        ),
    ] {
        let found = mistakes_of_board(&replaced(good.clone(), at, value));
        assert_eq!(found, [wanted]);
    }
}
