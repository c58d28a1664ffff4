//! Reasons found beside a search.

use super::{Act, best, free, job, runner};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[tokio::test]
async fn the_best_plan_is_explained_when_the_planner_does_not_listen() {
    let runner = runner(1);
    let job = job(
        &[Act::Offer(9), Act::Offer(7), Act::Deaf],
        Duration::from_secs(4),
    );
    let script = Arc::clone(&job.problem);
    let outcome = runner.start(job).await.unwrap().end().await;
    script.wake.store(true, Ordering::Relaxed);
    let outcome = outcome.unwrap();
    assert_eq!(best(&outcome), Some(7));
    assert_eq!(outcome.reasons.as_deref(), Some(&"it is odd"));
    free(&runner).await;
}

#[tokio::test]
async fn that_there_is_no_plan_is_explained_when_the_planner_does_not_listen() {
    let runner = runner(1);
    let job = job(&[Act::Deaf], Duration::from_secs(4));
    let script = Arc::clone(&job.problem);
    let outcome = runner.start(job).await.unwrap().end().await;
    script.wake.store(true, Ordering::Relaxed);
    let outcome = outcome.unwrap();
    assert_eq!(best(&outcome), None);
    assert_eq!(outcome.reasons.as_deref(), Some(&"there is none"));
    free(&runner).await;
}
