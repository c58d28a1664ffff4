//! Invalid problems: every broken rule is reported.

use anytime::Fault;
use puzzle::{Goal, Mask, Problem, Spec, Symmetry, Tile, Walls, Weights};

/// Code and words of each broken rule; the words begin with its field.
fn broken(change: impl FnOnce(&mut Spec)) -> Vec<(&'static str, String)> {
    let mut spec = Spec::thesis(5, 4);
    change(&mut spec);
    let faults: Vec<Fault> = Problem::new(spec).expect_err("no problem");
    let words = faults.iter().map(|fault| (fault.code, fault.to_string()));
    words.collect()
}

#[test]
fn several_broken_rules_are_reported_together() {
    let range = |text: &str| ("OUT_OF_RANGE", text.to_owned());
    let reversed = |text: &str| ("REVERSED", text.to_owned());
    let found = broken(|spec| {
        spec.boxes_min = 0;
        spec.levels = 51;
        spec.difference_min_percent = 101;
        spec.box_pushes_min = 101;
        spec.weights = Weights::default();
        spec.goal = Goal::Hit {
            easiest_micro: 2,
            hardest_micro: 1,
            tolerance_percent: 101,
        };
        spec.width = 2;
    });
    assert_eq!(
        found,
        [
            reversed("max_boxes and min_boxes must be a range within 1 to 32, got 0 to 10"),
            range("level_count must be between 1 and 50, got 51"),
            range("min_difference must be at most 100 %, got 101 %"),
            range("min_box_pushes must be at most 100, got 101"),
            (
                "ALL_ZERO",
                "weights must not all be 0: no level is better than another".into()
            ),
            range("weights.divisor must be between 0.000001 and 1000000, got 0"),
            reversed(
                "target.range.hardest must be at least the easiest value, both between -1000000 \
                 and 1000000, got 0.000001 and 0.000002"
            ),
            range("target.tolerance must be at most 100 %, got 101 %"),
            range("width and height must be between 3 and 64, got 2 x 6"),
        ]
    );
}

#[test]
fn sides_whose_product_overflows_are_out_of_range() {
    let found = broken(|spec| (spec.width, spec.height) = (usize::MAX, usize::MAX));
    let max = usize::MAX;
    let text = format!("width and height must be between 3 and 64, got {max} x {max}");
    assert_eq!(found, [("OUT_OF_RANGE", text)]);
}

#[test]
fn templates_that_contradict_themselves_are_reported_with_their_cells() {
    let set = |spec: &mut Spec, cells: &[(usize, Tile)]| {
        spec.template = vec![Mask::Free; 42];
        for &(cell, tile) in cells {
            spec.template[cell] = Mask::Is(tile);
        }
    };
    assert_eq!(
        broken(|spec| set(
            spec,
            &[(0, Tile::Goal), (8, Tile::Player), (9, Tile::Player)]
        )),
        [
            (
                "BORDER_OPEN",
                "template_rows[0] must have a wall at column 0, which is on the border".into()
            ),
            (
                "SECOND_PLAYER",
                "template_rows[1] has a second start at column 2".into()
            ),
        ]
    );
    assert_eq!(
        broken(|spec| {
            spec.symmetry = Symmetry::LeftRight;
            set(spec, &[(8, Tile::Floor), (12, Tile::Wall)]);
        })[0],
        (
            "CONTRADICTION",
            "template_rows[1] has floor at column 1, whose mirror image is a wall of the template"
                .into()
        )
    );
    // A wall all the way down between two cells that have to be floor.
    let walls: Vec<(usize, Tile)> = (1..5).map(|row| (row * 7 + 3, Tile::Wall)).collect();
    assert_eq!(
        broken(|spec| set(
            spec,
            &[&walls[..], &[(8, Tile::Floor), (12, Tile::Goal)]].concat()
        )),
        [(
            "DISCONNECTED",
            "template_rows[1] is cut off at column 5 from the other floor of the template by its \
             walls"
                .into()
        )]
    );
    assert_eq!(
        broken(|spec| spec.template = vec![Mask::Free; 7]),
        [(
            "WRONG_SIZE",
            "template_rows must have 42 cells, as the board, got 7".into()
        )]
    );
}

#[test]
fn needed_walls_are_refused_where_nothing_is_solved() {
    let found = broken(|spec| spec.walls = Walls::Needed);
    assert_eq!((found.len(), found[0].0), (1, "CONTRADICTION"));
    assert!(
        found[0]
            .1
            .starts_with("walls can be reduced to needed walls only")
    );
}

#[test]
fn more_boxes_than_fit_are_refused() {
    assert_eq!(
        broken(|spec| {
            spec.boxes_min = 20;
            spec.boxes_max = 20;
        }),
        [(
            "NO_ROOM",
            "min_boxes is 20, but the board has room for at most 19 boxes".into()
        )]
    );
    assert_eq!(
        broken(|spec| {
            spec.boxes_max = 1;
            spec.template = vec![Mask::Free; 42];
            spec.template[8] = Mask::Is(Tile::Goal);
            spec.template[9] = Mask::Is(Tile::Goal);
        }),
        [(
            "CONTRADICTION",
            "template_rows has 2 boxes or goals, but levels have at most 1 boxes".into()
        )]
    );
}

#[test]
fn a_quarter_of_a_turn_needs_a_square() {
    assert_eq!(
        broken(|spec| spec.symmetry = Symmetry::QuarterTurn),
        [(
            "CONTRADICTION",
            "symmetry needs a square board, got 7 x 6".into()
        )]
    );
}
