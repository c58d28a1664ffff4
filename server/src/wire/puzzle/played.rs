//! What a player has done so far.

use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use puzzle::{Board, Step};

/// The board after these steps; `None` when one of them cannot be made as it is written.
pub(super) fn after(
    board: &Board,
    steps: &[Step],
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Board> {
    if steps.is_empty() {
        return Some(board.clone());
    }
    let mut boxes = board.boxes().to_vec();
    let mut player = board.player();
    for (index, step) in steps.iter().enumerate() {
        let Some(there) = made(board, &mut boxes, (player, *step)) else {
            let letter = step.lurd();
            let why = format!("has '{letter}' as letter {index}, which cannot be done there");
            wrong.add(at, Code::StepImpossible, why);
            return None;
        };
        player = there;
    }
    boxes.sort_unstable();
    // The player is where he walked to, and can walk back.
    board.with_pieces(&boxes, player).ok()
}

/// Makes a step; where the player is then, or `None` when it cannot be made.
fn made(board: &Board, boxes: &mut [usize], (player, step): (usize, Step)) -> Option<usize> {
    let there = board.beside(player, step.way)?;
    let hit = boxes.iter().position(|one| *one == there);
    if board.is_wall(there) || hit.is_some() != step.pushes {
        return None;
    }
    if let Some(hit) = hit {
        let beyond = board.beside(there, step.way)?;
        if board.is_wall(beyond) || boxes.contains(&beyond) {
            return None;
        }
        boxes[hit] = beyond;
    }
    Some(there)
}

#[cfg(test)]
mod tests {
    use super::after;
    use crate::wire::mistakes::Mistakes;
    use crate::wire::path::Path;
    use puzzle::{Board, Step};

    fn play(lurd: &str) -> Result<Vec<String>, String> {
        let board = Board::of_rows(&["#######", "#@ $ .#", "#######"]).unwrap();
        let steps: Vec<Step> = lurd.chars().filter_map(Step::of_lurd).collect();
        let mut wrong = Mistakes::default();
        let after = after(&board, &steps, &Path::root("played"), &mut wrong);
        after
            .map(|board| board.rows())
            .ok_or_else(|| wrong.to_string())
    }

    #[test]
    fn steps_move_the_player_and_what_he_pushes() {
        assert_eq!(play("").unwrap()[1], "#@ $ .#");
        assert_eq!(play("rR").unwrap()[1], "#  @$.#");
        assert_eq!(play("rRRll").unwrap()[1], "# @  *#");
    }

    #[test]
    fn a_step_that_cannot_be_made_is_told_with_its_place() {
        for (lurd, letter) in [("u", 0), ("rr", 1), ("rRRR", 3), ("R", 0)] {
            let told = play(lurd).unwrap_err();
            assert!(told.contains(&format!("letter {letter},")), "{told}");
        }
    }
}
