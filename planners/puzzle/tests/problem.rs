//! Problems that make no sense: every mistake is told.

use puzzle::{Goal, Mask, Problem, ProblemError, Spec, Symmetry, Tile, Walls, Weights};

fn errors(change: impl FnOnce(&mut Spec)) -> Vec<ProblemError> {
    let mut spec = Spec::thesis(5, 4);
    change(&mut spec);
    Problem::new(spec).expect_err("no problem")
}

#[test]
fn several_mistakes_are_told_at_once() {
    let found = errors(|spec| {
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
            ProblemError::Boxes { least: 0, most: 10 },
            ProblemError::Levels { given: 51 },
            ProblemError::Difference { given: 101 },
            ProblemError::BoxPushes { given: 101 },
            ProblemError::NoWeights,
            ProblemError::Divisor { given_micro: 0 },
            ProblemError::Target {
                easiest_micro: 2,
                hardest_micro: 1
            },
            ProblemError::Tolerance { given: 101 },
            ProblemError::Size {
                width: 2,
                height: 6
            },
        ]
    );
}

#[test]
fn templates_that_contradict_themselves_are_told_with_their_cells() {
    let set = |spec: &mut Spec, cells: &[(usize, Tile)]| {
        spec.template = vec![Mask::Free; 42];
        for &(cell, tile) in cells {
            spec.template[cell] = Mask::Is(tile);
        }
    };
    assert_eq!(
        errors(|spec| set(
            spec,
            &[(0, Tile::Goal), (8, Tile::Player), (9, Tile::Player)]
        )),
        [
            ProblemError::TemplateBorder { row: 0, column: 0 },
            ProblemError::TemplateStart { row: 1, column: 2 },
        ]
    );
    assert_eq!(
        errors(|spec| {
            spec.symmetry = Symmetry::LeftRight;
            set(spec, &[(8, Tile::Floor), (12, Tile::Wall)]);
        })[0],
        ProblemError::TemplateSymmetry { row: 1, column: 1 }
    );
    // A wall all the way down between two cells that have to be floor.
    let walls: Vec<(usize, Tile)> = (1..5).map(|row| (row * 7 + 3, Tile::Wall)).collect();
    assert_eq!(
        errors(|spec| set(
            spec,
            &[&walls[..], &[(8, Tile::Floor), (12, Tile::Goal)]].concat()
        )),
        [ProblemError::TemplateCut { row: 1, column: 5 }]
    );
    assert_eq!(
        errors(|spec| spec.template = vec![Mask::Free; 7]),
        [ProblemError::TemplateSize {
            given: 7,
            expected: 42
        }]
    );
}

#[test]
fn which_walls_are_needed_cannot_be_told_where_nothing_is_solved() {
    assert_eq!(
        errors(|spec| spec.walls = Walls::Needed),
        [ProblemError::WallsUnsolved]
    );
}

#[test]
fn more_boxes_than_fit_are_refused() {
    assert_eq!(
        errors(|spec| {
            spec.boxes_min = 20;
            spec.boxes_max = 20;
        }),
        [ProblemError::BoxesNoRoom {
            wanted: 20,
            room: 19
        }]
    );
    assert_eq!(
        errors(|spec| {
            spec.boxes_max = 1;
            spec.template = vec![Mask::Free; 42];
            spec.template[8] = Mask::Is(Tile::Goal);
            spec.template[9] = Mask::Is(Tile::Goal);
        }),
        [ProblemError::TemplateGoals { goals: 2, most: 1 }]
    );
}

#[test]
fn a_quarter_of_a_turn_needs_a_square() {
    assert_eq!(
        errors(|spec| spec.symmetry = Symmetry::QuarterTurn),
        [ProblemError::SymmetrySquare {
            width: 7,
            height: 6
        }]
    );
}
