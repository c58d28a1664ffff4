//! Do all judges agree? The game played out with every schedule, the check, and all strategies, on
//! small networks; and all strategies on the networks of the directory.

#[path = "../../tests/suite/game.rs"]
mod game;
#[path = "../../tests/suite/opinions.rs"]
mod opinions;

use super::shared::Known;
use opinions::Tally;
use temporal::generate::tiny;

/// Small networks, each of which is played out; inconsistent ones come on top.
const NETWORKS: u64 = 5_000;

/// Prints what was said.
///
/// # Panics
/// When anybody contradicts, after all are printed.
pub(crate) fn run(shared: &[Known]) {
    let mut small = Tally::default();
    for seed in 0.. {
        if small.played == NETWORKS {
            break;
        }
        let (name, network) = (format!("tiny {seed}"), tiny(seed));
        let known = small.play_out(&name, &network);
        small.ask(&name, &network, known);
    }
    print("Networks of 2 to 6 events", &small);
    let mut larger = Tally::default();
    for known in shared {
        larger.ask(&known.name, &known.network, known.verdict);
    }
    print(
        &format!("{} networks of the directory", shared.len()),
        &larger,
    );
    let contradictions = small.contradictions.len() + larger.contradictions.len();
    assert_eq!(contradictions, 0, "they are listed above");
}

fn print(title: &str, tally: &Tally) {
    println!("\n{title}:\n\n| judge | holds | fails | unknown | schedules that pass |");
    println!("|---|---|---|---|---|");
    for (judge, said) in &tally.said {
        println!(
            "| {judge} | {} | {} | {} | {} |",
            said.holds, said.fails, said.unknown, said.witnesses
        );
    }
    println!(
        "\nPlayed out: {}; schedules judged by both the game and the check: {}; contradictions: {}",
        tally.played,
        tally.schedules,
        tally.contradictions.len()
    );
    for said in &tally.contradictions {
        println!("* {said}");
    }
}
