//! Groups that live through one story, each with a beginning of its own.

use stratagem_cli::stage::{Script, Stage, broken, play_by_chance};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::problems::iterations;
use stratagem_integration_tests::stories::{in_millis, quest_of_two, schedule};

#[tokio::test]
async fn outcomes_count_from_the_beginning_of_their_group() {
    let server = Server::start(&[]).await;
    let problem = quest_of_two(70_000);
    let mut client = server.narrative().await;
    let call = client.schedule_narrative(schedule(problem.clone(), iterations(1_000_000, 0)));
    let plan = call
        .await
        .unwrap()
        .into_inner()
        .plan
        .expect("it is feasible");
    let outcomes = plan.policies.iter().flat_map(|p| &p.outcomes);
    for outcome in outcomes {
        let lower = in_millis(outcome.lower.as_ref());
        let upper = in_millis(outcome.upper.as_ref());
        assert!(10_000 <= lower && upper <= 60_000, "{outcome:?}");
    }
    // The execution knows no more than the contract.
    let script = Script::new(&problem).unwrap();
    for seed in 0..50 {
        let mut stage = Stage::new(&script, &plan);
        play_by_chance(&mut stage, seed);
        assert_eq!(broken(&stage), [""; 0], "{seed}");
    }
}
