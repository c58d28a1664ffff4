//! Strategies, the check and the game contradict each other nowhere: here on some networks, in the
//! bench `strong`, part `agree`, on 5,000. With `--features milp` also the programs.

use crate::opinions::Tally;
use temporal::generate::{Shape, teammates, tiny};
use temporal::problem::{Link, Owner, Spec};
use temporal::{Network, Verdict};

/// Networks with each judge; the programs take their time.
const NETWORKS: u64 = 256;

#[test]
fn nobody_contradicts_the_game_on_tiny_networks() {
    let mut tally = Tally::default();
    for seed in 0..NETWORKS {
        let (name, network) = (format!("tiny {seed}"), tiny(seed));
        let known = tally.play_out(&name, &network);
        tally.ask(&name, &network, known);
    }
    assert_eq!(tally.contradictions, [""; 0]);
    let (game, auto) = (tally.said["game"], tally.said["Auto"]);
    assert!(game.holds > 60 && game.fails > 20, "{game:?}");
    assert_eq!((auto.holds, auto.witnesses), (game.holds, game.holds));
}

#[test]
fn nobody_contradicts_the_search_on_tasks_of_two_agents() {
    let mut tally = Tally::default();
    for seed in 0..NETWORKS {
        let shape = Shape {
            horizon_percent: 100 + u32::try_from(seed % 3).expect("small") * 15,
            ..Shape::paper(3 + usize::try_from(seed % 8).expect("small"))
        };
        let network = teammates(seed, &shape);
        let known = {
            let mut alone = Tally::default();
            // Whatever it says is taken as known: only that it decides is asked.
            alone.ask("", &network, Verdict::Holds);
            let holds = alone.said["Search"].holds == 1;
            if holds {
                Verdict::Holds
            } else {
                Verdict::Fails
            }
        };
        tally.ask(&format!("tasks {seed}"), &network, known);
    }
    assert_eq!(tally.contradictions, [""; 0]);
    let search = tally.said["Search"];
    assert!(search.holds > 60 && search.fails > 20, "{search:?}");
}

/// A test of the judges themselves: what is wrong is reported.
#[test]
fn a_wrong_verdict_is_a_contradiction() {
    let network = Network::new(Spec {
        owners: vec![Owner::Controllable, Owner::Uncontrollable],
        links: vec![Link::new(1, 2, 1, 3)],
        contingent: Vec::new(),
        horizon_us: Some(5),
        progress: None,
    });
    let network = network.expect("it makes sense");
    let mut tally = Tally::default();
    assert_eq!(tally.play_out("right", &network), Verdict::Holds);
    tally.ask("right", &network, Verdict::Holds);
    assert_eq!(tally.contradictions, [""; 0]);
    tally.ask("wrong", &network, Verdict::Fails);
    assert!(tally.contradictions.len() >= 3, "{tally:?}");
}
