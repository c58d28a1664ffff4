//! Searches that fail.

use super::*;

#[tokio::test]
async fn a_panic_costs_one_request_and_gives_its_slot_back() {
    let runner = runner(1);
    for _ in 0..3 {
        let refusal = play(&runner, &[Act::Offer(8), Act::Panic]).await.err();
        assert_eq!(refusal, Some(Refusal::Panicked));
    }
    assert_eq!(runner.admission.load(), (0, 0));
    assert_eq!(
        metric(&runner, r#"stratagem_panics_total{planner="actor"}"#),
        3.0
    );
    let outcome = play(&runner, &[Act::Offer(8)]).await.unwrap();
    assert_eq!(best(&outcome), Some(8));
}

#[tokio::test]
async fn what_a_strategy_cannot_do_is_the_callers_and_any_other_failure_ours() {
    let runner = runner(1);
    for (act, reason) in [
        (Act::Refuse, "STRATEGY_UNSUPPORTED"),
        (Act::Fail, "SEARCH_FAILED"),
    ] {
        let refusal = play(&runner, &[Act::Offer(8), act]).await.err();
        let refusal = refusal.expect("it has no answer");
        assert_eq!(refusal.reason(), reason);
        let leaks = refusal.to_string().contains("the solver is gone");
        assert!(!leaks, "what is inside stays in the log");
    }
    assert_eq!(runner.admission.load(), (0, 0));
}
