//! The push that lost a board.

use stratagem_proto::v1::{PuzzleDirection, PuzzleLoss, SolvePuzzleResponse};
use stratagem_render::puzzle::{Board, Heading, Marked, Moved, Picture};

/// The board just before the push that lost it, with that push marked; none where no push did.
#[must_use]
pub fn lost(
    name: &str,
    rows: &[String],
    played: &str,
    answer: &SolvePuzzleResponse,
) -> Option<Picture> {
    let loss = answer.loss.as_ref()?;
    let heading = heading(loss.direction())?;
    let mut board = Board::of_rows(rows);
    let mut left = loss.push_index;
    for letter in played.chars() {
        let step = Heading::of_letter(letter)?;
        let mut next = board.clone();
        if next.step(step)? == Moved::Pushed {
            if left == 0 {
                break;
            }
            left -= 1;
        }
        board = next;
    }
    let solution = loss.solution_before.as_ref().filter(|_| is_first(loss));
    Some(Picture {
        name: format!("{name}: the push that lost it")
            .trim_start_matches(": ")
            .into(),
        notes: vec![words(loss, (0, 0))],
        rows: board.rows(),
        solution: solution.map_or_else(String::new, |solution| solution.lurd.clone()),
        marked: Some(Marked {
            row: usize::try_from(loss.row).ok()?,
            column: usize::try_from(loss.column).ok()?,
            heading,
        }),
    })
}

/// Whether no push before can have lost the board.
fn is_first(loss: &PuzzleLoss) -> bool {
    loss.solvable_push_count == Some(loss.push_index)
}

/// Which push lost a board, in words. Rows and columns are counted from `origin` on, which is 1.
pub(super) fn words(loss: &PuzzleLoss, origin: (usize, usize)) -> String {
    let number = i64::from(loss.push_index) + 1;
    let push = push(loss.row, loss.column, loss.direction(), origin.0, origin.1);
    let more = match loss.solvable_push_count {
        _ if is_first(loss) => String::new(),
        Some(count) => format!(", or one from push {} on did", i64::from(count) + 1),
        None => ", or one before it did".into(),
    };
    format!("push {number}, of {push}, lost it{more}")
}

/// A box and where it is pushed, in words.
pub(super) fn push(
    row: i32,
    column: i32,
    direction: PuzzleDirection,
    top: usize,
    left: usize,
) -> String {
    let way = match direction {
        PuzzleDirection::Up => "up",
        PuzzleDirection::Right => "right",
        PuzzleDirection::Down => "down",
        PuzzleDirection::Left => "left",
        PuzzleDirection::Unspecified => "on",
    };
    let row = i64::from(row) - top as i64 + 1;
    let column = i64::from(column) - left as i64 + 1;
    format!("the box in row {row}, column {column} {way}")
}

fn heading(direction: PuzzleDirection) -> Option<Heading> {
    Some(match direction {
        PuzzleDirection::Up => Heading::Up,
        PuzzleDirection::Right => Heading::Right,
        PuzzleDirection::Down => Heading::Down,
        PuzzleDirection::Left => Heading::Left,
        PuzzleDirection::Unspecified => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(solvable_push_count: Option<i32>) -> SolvePuzzleResponse {
        let loss = PuzzleLoss {
            push_index: 1,
            row: 2,
            column: 3,
            direction: PuzzleDirection::Down.into(),
            solvable_push_count,
            solution_before: None,
        };
        SolvePuzzleResponse {
            loss: Some(loss),
            ..SolvePuzzleResponse::default()
        }
    }

    fn rows() -> Vec<String> {
        let rows = ["#######", "#     #", "#@$  .#", "#     #", "#######"];
        rows.map(str::to_owned).into()
    }

    #[test]
    fn the_board_is_that_before_the_push_with_an_arrow() {
        let drawn = lost("", &rows(), "RurDldR", &answer(Some(1))).expect("it is lost");
        assert_eq!(drawn.rows[1..4], ["#  @  #", "#  $ .#", "#     #"]);
        let marked = drawn.marked.expect("it is marked");
        assert_eq!((marked.row, marked.column), (2, 3));
        assert_eq!(marked.heading, Heading::Down);
        assert_eq!(
            drawn.notes,
            ["push 2, of the box in row 3, column 4 down, lost it"]
        );
    }

    #[test]
    fn what_is_not_proved_is_not_claimed() {
        let of = |count| words(answer(count).loss.as_ref().expect("it is lost"), (0, 0));
        assert!(of(Some(0)).ends_with("lost it, or one from push 1 on did"));
        assert!(of(None).ends_with("lost it, or one before it did"));
        assert_eq!(lost("", &rows(), "", &SolvePuzzleResponse::default()), None);
    }
}
