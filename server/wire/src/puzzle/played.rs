//! What a player has done so far.

use crate::mistakes::{Code, Mistakes};
use anytime::Path;
use puzzle::{Board, Game, Step};

/// The game after these steps; `None` when one of them cannot be made as it is written.
pub(super) fn after(
    board: &Board,
    steps: &[Step],
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Game> {
    let game = Game::played(board, steps).map_err(|index| {
        let letter = steps[index].lurd();
        let why = format!("has '{letter}' as letter {index}, which cannot be done there");
        wrong.add(at, Code::StepImpossible, why);
    });
    game.ok()
}

#[cfg(test)]
mod tests {
    use super::after;
    use crate::mistakes::Mistakes;
    use anytime::Path;
    use puzzle::{Board, Step};

    fn play(lurd: &str) -> Result<Vec<String>, String> {
        let board = Board::of_rows(&["#######", "#@ $ .#", "#######"]).unwrap();
        let steps: Vec<Step> = lurd.chars().filter_map(Step::of_lurd).collect();
        let mut wrong = Mistakes::default();
        let after = after(&board, &steps, &Path::root("played_moves"), &mut wrong);
        after
            .map(|game| game.board().rows())
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
            let mistake = play(lurd).unwrap_err();
            assert!(mistake.contains(&format!("letter {letter},")), "{mistake}");
        }
    }
}
