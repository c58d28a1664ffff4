//! `puzzle play` on a terminal: keys move the player.

use crate::terminal::Terminal;
use stratagem_integration_tests::Server;

#[tokio::test]
async fn keys_move_the_player_until_q_ends() {
    let server = Server::start(&[]).await;
    let levels = super::lines::file("terminal.xsb", "######\n#@ $.#\n######\n");
    let mut terminal = Terminal::new(&server, &["puzzle", "play", &levels]);
    terminal
        .shows(&["\u{1b}[?1049h", "0 moves, 0 pushes", "u undo"])
        .await;
    terminal.press("\u{1b}[C");
    terminal.shows(&["1 move, 0 pushes"]).await;
    terminal.press("?");
    terminal.shows(&["space does it"]).await;
    terminal.press(" ");
    terminal.shows(&["Solved in 2 moves, 1 pushes."]).await;
    terminal.press("u");
    terminal.shows(&["1 move, 0 pushes"]).await;
    terminal.press("l");
    terminal.shows(&["Solved in 2 moves"]).await;
    terminal.press("q");
    // The other screen goes, the cursor comes back.
    terminal.shows(&["\u{1b}[?25h", "\u{1b}[?1049l"]).await;
    assert_eq!(terminal.ended().await, Some(0));
}
