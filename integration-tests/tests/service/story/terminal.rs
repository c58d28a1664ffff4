//! `story watch` on a terminal: keys move the sliders.

use crate::terminal::Terminal;
use stratagem_integration_tests::Server;

#[tokio::test]
async fn keys_choose_and_move_sliders_until_q_ends() {
    let server = Server::start(&[]).await;
    let line = ["story", "watch", "example:inheritance", "--budget", "60s"];
    let mut terminal = Terminal::new(&server, &line);
    let proved = "proved to be the best";
    terminal
        .shows(&["\u{1b}[?1049h", "0.623885", proved, "> Go "])
        .await;
    for name in ["> Take ", "> Steal ", "> Kill "] {
        terminal.press("\u{1b}[B");
        terminal.shows(&[name]).await;
    }
    terminal.press("\u{1b}[D");
    terminal.shows(&["0.500 ", "0.311942", proved]).await;
    terminal.press("\u{1b}[C");
    terminal.shows(&["1.000 ", "0.623885", proved]).await;
    // Off: nobody dies, so that a goal can never be met. The program says so and stays.
    terminal.press("0");
    terminal
        .shows(&["> Kill                0.000", "can never hold"])
        .await;
    terminal.press("1");
    terminal.shows(&["0.623885", proved]).await;
    terminal.press("\u{1b}[A");
    terminal.shows(&["> Steal "]).await;
    terminal.press("q");
    // The other screen goes, the cursor comes back.
    terminal.shows(&["\u{1b}[?25h", "\u{1b}[?1049l"]).await;
    assert_eq!(terminal.ended().await, Some(0));
}
