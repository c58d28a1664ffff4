//! The runner with planners that behave, and planners that do not.

mod early;
mod failing;
mod memory;

use super::{Budget, Job, Reserves, Runner, SearchThreads, Step, Watchdog};
use crate::Class;
use crate::Meters;
use crate::Refusal;
use crate::account::Unlimited;
use crate::drain::Drain;
use anytime::{
    Conclusion, Control, Fault, Outcome, Path, Planner, Runnable, SolveError, Stop, fault,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a test planner does; its problem is a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// Offers a plan whose cost is the number.
    Offer(u32),
    /// The same, with a cost that is not true.
    Lie(u32),
    /// Offers a plan that breaks a rule.
    Break,
    /// Proves a bound.
    Prove(u32),
    /// Searches until it is stopped.
    Search,
    /// The same, deaf until the flag of the script is set.
    Deaf,
    Panic,
    /// Fails, and not by the problem.
    Fail,
    /// Refuses the problem.
    Refuse,
    /// Ends with a proof that the last offer is the best.
    Optimal,
}

#[derive(Debug, Default)]
struct Script {
    acts: Vec<Act>,
    wake: AtomicBool,
}

/// Plays a script. A plan is its cost; odd ones are partial, 0 is against the rules.
struct Actor;

impl Planner for Actor {
    type Problem = Script;
    type Params = ();
    type Plan = u32;
    type Cost = u32;

    fn solve(
        script: &Script,
        (): &(),
        control: &mut Control<'_, u32, u32>,
    ) -> Result<Conclusion, SolveError> {
        for act in &script.acts {
            match *act {
                Act::Offer(cost) => drop(control.offer(&cost, cost, "script")),
                Act::Lie(cost) => drop(control.offer(&cost, cost - 1, "script")),
                Act::Break => drop(control.offer(&0, 0, "script")),
                Act::Prove(cost) => control.prove(cost, "script"),
                Act::Search => while control.tick() {},
                Act::Deaf => {
                    while !script.wake.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                }
                Act::Fail => {
                    let why = "the solver is gone".into();
                    let strategy = "script";
                    return Err(SolveError::Failed { strategy, why });
                }
                Act::Refuse => {
                    let feature = "scripts".into();
                    let strategy = "script";
                    return Err(SolveError::Unsupported { strategy, feature });
                }
                Act::Panic => panic!("as the script says"),
                Act::Optimal => return Ok(Conclusion::Optimal),
            }
        }
        Ok(Conclusion::Stopped(
            control.stop().unwrap_or(Stop::Exhausted),
        ))
    }

    fn verify(_: &Script, plan: &u32) -> Result<u32, Vec<Fault>> {
        if *plan == 0 {
            Err(vec![fault!("FREE", Path::WHOLE, "is free")])
        } else {
            Ok(*plan)
        }
    }
}

impl Runnable for Actor {
    const NAME: &'static str = "actor";
    const NODE_BYTES: usize = 200;
    type Reasons = &'static str;

    fn elements(script: &Script) -> usize {
        script.acts.len()
    }

    fn is_partial(_: &Script, plan: &u32) -> bool {
        plan % 2 == 1
    }

    fn explain(_: &Script, plan: Option<&u32>, _: &anytime::Pulse) -> Option<&'static str> {
        match plan {
            Some(plan) => (plan % 2 == 1).then_some("it is odd"),
            None => Some("there is none"),
        }
    }
}

fn runner(slots: usize) -> Runner {
    let metrics = Meters::with_page();
    Runner {
        admission: memory::admission(slots, &metrics),
        drain: Drain::default(),
        metrics,
        memory: memory::EACH,
        reserves: Reserves::default(),
        threads: SearchThreads::default(),
        watchdog: Watchdog::default(),
        yields: false,
    }
}

fn job(acts: &[Act], budget: Duration) -> Job<Actor> {
    let script = Script {
        acts: acts.to_vec(),
        ..Script::default()
    };
    Job {
        problem: Arc::new(script),
        params: (),
        target: None,
        seed: 0,
        iterations_max: Some(1_000),
        threads: 1,
        class: Class::Normal,
        budget: Budget::new(Instant::now(), None, budget, budget),
        reserve: Arc::default(),
        tenant: Arc::new(Unlimited),
        bytes: 0,
    }
}

const MINUTE: Duration = Duration::from_secs(60);

async fn play(runner: &Runner, acts: &[Act]) -> Result<Outcome<Actor>, Refusal> {
    runner.start(job(acts, MINUTE)).await?.end().await
}

fn best(outcome: &Outcome<Actor>) -> Option<u32> {
    outcome.best.as_ref().map(|best| best.plan)
}

/// The value of a metric, whatever its labels.
fn metric(runner: &Runner, name: &str) -> f64 {
    let page = runner.metrics.page();
    let lines = page.lines().filter(|line| line.starts_with(name));
    let value = |line: &str| {
        line.rsplit(' ')
            .next()
            .and_then(|value| value.parse::<f64>().ok())
    };
    lines.filter_map(value).sum()
}

#[tokio::test]
async fn the_outcome_is_the_best_offer_and_what_was_proved() {
    let acts = [Act::Offer(9), Act::Offer(4), Act::Prove(2), Act::Search];
    let outcome = play(&runner(1), &acts).await.unwrap();
    assert_eq!(best(&outcome), Some(4));
    assert!(outcome.is_complete());
    assert_eq!(outcome.bound, Some((2, "script")));
    assert_eq!(outcome.conclusion, Conclusion::Stopped(Stop::Iterations));
    assert_eq!((outcome.iterations, outcome.threads), (1_000, 1));
    assert!(outcome.reasons.is_none() && outcome.timings.first_plan.is_some());
}

#[tokio::test]
async fn what_is_missing_is_explained() {
    let outcome = play(&runner(1), &[Act::Offer(9)]).await.unwrap();
    assert!(!outcome.is_complete());
    assert_eq!(outcome.reasons.as_deref(), Some(&"it is odd"));
    let outcome = play(&runner(1), &[]).await.unwrap();
    assert_eq!(best(&outcome), None);
    assert_eq!(outcome.reasons.as_deref(), Some(&"there is none"));
}

#[tokio::test]
async fn an_offer_that_fails_its_check_is_counted_and_not_sent() {
    for wrong in [Act::Lie(4), Act::Break] {
        let runner = runner(1);
        let outcome = play(&runner, &[Act::Offer(8), wrong, Act::Optimal])
            .await
            .unwrap();
        assert_eq!(best(&outcome), Some(8), "{wrong:?}");
        assert_ne!(
            outcome.conclusion,
            Conclusion::Optimal,
            "the proof was about the other"
        );
        let counted = r#"stratagem_verify_mismatch_total{planner="actor"}"#;
        assert_eq!(metric(&runner, counted), 1.0);
    }
    let outcome = play(&runner(1), &[Act::Offer(8), Act::Optimal])
        .await
        .unwrap();
    assert_eq!(outcome.conclusion, Conclusion::Optimal);
}

#[tokio::test]
async fn the_answer_leaves_in_time_when_the_planner_does_not_listen() {
    let runner = runner(1);
    // Long enough for the offer on a busy machine too.
    let job = job(&[Act::Offer(8), Act::Deaf], Duration::from_secs(2));
    let script = Arc::clone(&job.problem);
    let outcome = runner.start(job).await.unwrap().end().await;
    let load = runner.admission.load();
    // Before anything can fail: the runtime waits for a thread that does not listen.
    script.wake.store(true, Ordering::Relaxed);
    assert_eq!(load, (1, 0), "the thread still has its slot");
    let outcome = outcome.unwrap();
    assert_eq!(best(&outcome), Some(8));
    assert_eq!(outcome.conclusion, Conclusion::Stopped(Stop::Deadline));
    free(&runner).await;
}

/// Waits until all slots are free; a test that hangs here has found a slot that never comes back.
async fn free(runner: &Runner) {
    while runner.admission.load().0 > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn dropping_a_search_stops_it() {
    let runner = runner(1);
    let unbounded = Job {
        iterations_max: None,
        ..job(&[Act::Search], MINUTE)
    };
    let search = runner.start(unbounded).await.unwrap();
    assert_eq!(runner.admission.load(), (1, 0));
    drop(search);
    free(&runner).await;
    while metric(&runner, "stratagem_cancel_to_free_seconds_count") < 1.0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_search_that_ended_was_not_cancelled() {
    let runner = runner(1);
    play(&runner, &[Act::Offer(8)]).await.unwrap();
    assert_eq!(
        metric(&runner, "stratagem_cancel_to_free_seconds_count"),
        0.0
    );
}

#[tokio::test]
async fn a_drain_ends_searches_with_the_best_so_far() {
    let runner = runner(1);
    let unbounded = Job {
        iterations_max: None,
        ..job(&[Act::Offer(8), Act::Search], MINUTE)
    };
    let search = runner.start(unbounded).await.unwrap();
    runner.drain.begin();
    let outcome = search.end().await.unwrap();
    assert_eq!(best(&outcome), Some(8));
    assert_eq!(outcome.conclusion, Conclusion::Stopped(Stop::Draining));
}

#[tokio::test]
async fn a_target_ends_a_search() {
    let job = Job {
        target: Some(4),
        ..job(&[Act::Offer(8), Act::Offer(4), Act::Search], MINUTE)
    };
    let outcome = runner(1).start(job).await.unwrap().end().await.unwrap();
    assert_eq!(outcome.conclusion, Conclusion::Stopped(Stop::Target));
}

#[tokio::test]
async fn no_more_threads_are_given_than_there_are_slots() {
    let runner = runner(2);
    let many = Job {
        threads: 64,
        iterations_max: None,
        ..job(&[Act::Search], MINUTE)
    };
    let search = runner.start(many).await.unwrap();
    assert_eq!(runner.admission.load(), (2, 0));
    drop(search);
}

#[tokio::test]
async fn a_call_whose_deadline_has_passed_is_not_searched() {
    let runner = runner(1);
    let now = Instant::now();
    let late = Job {
        budget: Budget::new(now, Some(now), MINUTE, MINUTE),
        ..job(&[Act::Offer(8)], MINUTE)
    };
    assert_eq!(runner.start(late).await.err(), Some(Refusal::Expired));
}

/// Plan or not, new or not, and number of each step.
async fn steps(
    runner: &Runner,
    job: Job<Actor>,
    silence: Duration,
) -> Vec<(Option<u32>, bool, i64)> {
    let search = runner.start(job).await.unwrap();
    let mut steps = search.steps(silence);
    let mut list = Vec::new();
    while let Some(step) = steps.next().await {
        let step = step.unwrap();
        steps.mark_sent(&step);
        let (best, is_new, at) = match step {
            Step::Progress(now) => (now.best, now.is_new, now.at),
            Step::End {
                at,
                is_new,
                outcome,
            } => (outcome.best, is_new, at),
        };
        list.push((best.map(|best| best.plan), is_new, at.sequence));
    }
    list
}

#[tokio::test]
async fn the_last_step_is_told_and_numbers_rise() {
    let acts = [
        Act::Offer(9),
        Act::Offer(7),
        Act::Prove(1),
        Act::Offer(5),
        Act::Search,
    ];
    for _ in 0..50 {
        let list = steps(&runner(1), job(&acts, MINUTE), MINUTE).await;
        let (plan, _, sequence) = *list.last().unwrap();
        assert_eq!((plan, sequence), (Some(5), 5), "{list:?}");
        assert!(list.is_sorted_by(|a, b| a.2 < b.2), "{list:?}");
        // Whatever was overtaken, each plan is new once, and the best is.
        let new: Vec<_> = list
            .iter()
            .filter(|step| step.1)
            .map(|step| step.0)
            .collect();
        assert!(new.is_sorted_by(|a, b| a > b), "{list:?}");
        assert_eq!(new.last(), Some(&Some(5)), "{list:?}");
    }
}

#[tokio::test]
async fn a_silent_search_gives_signs_of_life_until_its_deadline() {
    let silent = Job {
        iterations_max: None,
        ..job(&[Act::Offer(8), Act::Search], Duration::from_millis(200))
    };
    let list = steps(&runner(1), silent, Duration::from_millis(10)).await;
    assert!(list.len() > 3, "{list:?}");
    assert!(list.is_sorted_by(|a, b| a.2 < b.2), "{list:?}");
    assert_eq!(list.iter().filter(|step| step.1).count(), 1, "{list:?}");
}

#[tokio::test]
async fn a_stream_of_a_search_that_panics_ends_with_the_error() {
    let search = runner(1).start(job(&[Act::Panic], MINUTE)).await.unwrap();
    let mut steps = search.steps(MINUTE);
    let first = steps.next().await.unwrap();
    assert_eq!(first.err(), Some(Refusal::Panicked));
    assert!(steps.next().await.is_none());
}
