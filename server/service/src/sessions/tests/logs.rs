//! Sessions that are logged: what a caller knows survives, whatever happens to servers and logs.

use super::super::log::{Logged, replayed};
use super::super::{Past, Session, Sessions};
use super::places::{Failure, Shelf};
use super::updates::{heist_update, patrol_update, update};
use super::{game, heist, watch};
use crate::metrics::Metrics;
use crate::status::Refusal;
use bytes::Bytes;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use std::sync::Arc;
use std::time::Duration;
use stratagem_proto::v1 as pb;
use wire::method::{Asked, Reading};
use wire::session::{Created, Planning, Question, Routed};

/// A server whose sessions are logged there.
fn server(shelf: &Arc<Shelf>) -> Sessions {
    let sessions = Sessions::new(10, 1 << 20, Metrics::new());
    sessions.log_to(Arc::clone(shelf) as _);
    sessions
}

/// A session that begins.
fn begin(sessions: &Sessions) -> Arc<Session> {
    begin_with(sessions, game("raid"))
}

/// The same for a given one.
fn begin_with(sessions: &Sessions, created: Created) -> Arc<Session> {
    let past = Past {
        origin: 7,
        position: Some(0),
        ..Past::default()
    };
    let kept = sessions.keep("", created, past, || Ok(()));
    kept.unwrap().0
}

/// What the log has.
fn replay(shelf: &Shelf) -> (Created, Past) {
    let found = replayed(&shelf.logged(), &Reading::ALONE);
    found.unwrap().expect("the session has not ended")
}

/// The session at another server, which may have had it before and finds out that it has lost it.
async fn take_over(sessions: &Sessions, shelf: &Shelf) -> Arc<Session> {
    if let Some(lost) = sessions.get("", "raid") {
        let mut watched = lost.watch();
        watched.mark_unchanged();
        let sequence = lost.present().applied + 1;
        let update = pb::SessionUpdate {
            sequence,
            ..Default::default()
        };
        lost.apply(&[update], &Reading::ALONE).unwrap();
        plan(&lost);
        assert_eq!(settle(&lost).await, Err(Refusal::SessionMoved));
        assert!(sessions.get("", "raid").is_none());
        // Callers have not seen its plan.
        assert!(!watched.has_changed().unwrap());
    }
    loop {
        let (created, past) = replay(shelf);
        let session = sessions.keep("", created, past, || Ok(())).unwrap().0;
        // The other one may have written a base meanwhile.
        if settle(&session).await.is_ok() {
            return session;
        }
    }
}

/// All that callers see of a session is logged.
async fn settle(session: &Session) -> Result<(), Refusal> {
    let (_, number) = session.view_without(0);
    session.logged(number, None).await
}

/// Publishes the adapted plan.
fn plan(session: &Session) {
    let Some(moment) = session.unplanned(&Reading::ALONE).unwrap() else {
        return;
    };
    match moment.planning {
        Planning::Allocation(question) => adapt(session, moment.version, *question),
        Planning::Patrol(question) => adapt(session, moment.version, *question),
        Planning::Unchanged => session.go_on(moment.version),
        Planning::Played => session.show_played(moment.version),
        Planning::Executed => panic!("nothing is executed here"),
    }
}

fn adapt<M: Routed>(session: &Session, version: u64, question: Question<M>) {
    let Question { request, setting } = question;
    let found = M::adapted(&request);
    let asked = Asked::<M> {
        request,
        validate: Duration::ZERO,
        budget: Duration::ZERO,
    };
    let view = found.and_then(|found| M::shown(&setting, &asked, &found));
    assert!(session.publish(version, view.unwrap_or_default()));
}

/// How a game begins, and what happens in it.
type Kind = (
    fn(&str) -> Created,
    fn(i64, i64, &mut Random) -> pb::SessionUpdate,
);

/// Compares a session with what its log has.
fn compare(session: &Session, shelf: &Shelf) {
    let (view, _) = session.view_without(0);
    let (created, past) = replay(shelf);
    let present = session.present();
    let state = |state: &wire::session::State| (state.snapshot(), state.beyond_snapshot());
    assert_eq!(state(&created.state), state(present.state()));
    assert_eq!(created.applied, present.applied);
    assert_eq!(past.seen, present.seen);
    assert_eq!(past.origin, 7);
    assert!(past.revision >= view.plan_revision.max(view.epoch));
}

/// A game of a seed, which moves from server to server. Returns how often it did, and how many
/// updates were refused.
async fn play(seed: u64, kind: Kind) -> (usize, usize) {
    let mut random = Random::seed_from_u64(seed);
    let shelf = Arc::new(Shelf::default());
    let servers = [server(&shelf), server(&shelf)];
    let (mut at, mut moves, mut refused) = (0, 0, 0);
    let (created, update) = kind;
    let mut session = begin_with(&servers[at], created("raid"));
    plan(&session);
    let (mut sequence, mut now_s) = (0, 0);
    let mut newest = (0, 0);
    for _ in 0..120 {
        let updates = random.random_range(0..4);
        for _ in 0..updates {
            (sequence, now_s) = (sequence + 1, now_s + random.random_range(0..3));
            let update = update(sequence, now_s, &mut random);
            let (_, refusals) = session.apply(&[update], &Reading::ALONE).unwrap();
            refused += refusals.len();
        }
        // A call that ends early leaves the plan to the next one.
        if random.random_bool(0.8) {
            plan(&session);
            if random.random_bool(0.3) {
                let version = session.present().version;
                session.under_way(version, &Reading::ALONE).unwrap();
            }
        }
        if random.random_bool(0.7) {
            settle(&session).await.unwrap();
            compare(&session, &shelf);
            let (view, _) = session.view_without(0);
            assert!(newest <= (view.epoch, view.plan_revision));
            newest = (view.epoch, view.plan_revision);
            if random.random_bool(0.1) {
                at = 1 - at;
                moves += 1;
                session = take_over(&servers[at], &shelf).await;
                assert!(session.view_without(0).0.epoch > newest.1);
            }
        }
    }
    (moves, refused)
}

/// A log has all that callers know.
async fn check_games(kind: Kind) {
    let (mut moves, mut refused) = (0, 0);
    for seed in 0..40 {
        let game = play(seed, kind).await;
        (moves, refused) = (moves + game.0, refused + game.1);
    }
    assert!(moves > 100, "{moves} moves");
    assert!(refused > 100, "{refused} refused updates");
}

#[tokio::test]
async fn a_log_has_all_that_callers_know_of_routes() {
    check_games((game, update)).await;
}

#[tokio::test]
async fn a_log_has_all_that_callers_know_of_patrols() {
    check_games((watch, patrol_update)).await;
}

#[tokio::test]
async fn a_log_has_all_that_callers_know_of_heists() {
    check_games((heist, heist_update)).await;
}

#[tokio::test]
async fn a_server_that_lost_its_session_acknowledges_nothing() {
    let shelf = Arc::new(Shelf::default());
    let (one, two) = (server(&shelf), server(&shelf));
    let first = begin(&one);
    plan(&first);
    settle(&first).await.unwrap();
    let _second = take_over(&two, &shelf).await;
    let random = &mut Random::seed_from_u64(1);
    let mut watched = first.watch();
    watched.mark_unchanged();
    first
        .apply(&[update(1, 1, random)], &Reading::ALONE)
        .unwrap();
    plan(&first);
    assert_eq!(settle(&first).await, Err(Refusal::SessionMoved));
    assert!(one.get("", "raid").is_none());
    let late = first.apply(&[update(2, 2, random)], &Reading::ALONE);
    assert_eq!(late.err(), Some(Refusal::SessionMoved));
    // No caller has seen its plan.
    assert!(!watched.has_changed().unwrap());
    assert_eq!(replay(&shelf).0.applied, 0);
}

#[tokio::test]
async fn a_server_finds_out_that_it_has_missed_updates() {
    let shelf = Arc::new(Shelf::default());
    let (one, two) = (server(&shelf), server(&shelf));
    let first = begin(&one);
    assert_eq!(first.confirm(None).await, Ok(()));
    let second = take_over(&two, &shelf).await;
    assert_eq!(first.confirm(None).await, Err(Refusal::SessionMoved));
    assert_eq!(second.confirm(None).await, Ok(()));
    compare(&second, &shelf);
}

#[tokio::test]
async fn a_session_expires_without_its_server() {
    let shelf = Arc::new(Shelf::default());
    let session = begin(&server(&shelf));
    settle(&session).await.unwrap();
    for (seconds, is_there) in [(60, true), (81, false)] {
        let logged = Logged {
            age: Duration::from_secs(seconds),
            ..shelf.logged()
        };
        let found = replayed(&logged, &Reading::ALONE).unwrap();
        assert_eq!(found.is_some(), is_there, "after {seconds} s");
    }
}

#[tokio::test]
async fn a_base_counts_whatever_the_place_still_has_before_it() {
    let shelf = Arc::new(Shelf::default());
    let sessions = server(&shelf);
    let session = begin(&sessions);
    let random = &mut Random::seed_from_u64(3);
    let mut all = Vec::new();
    for sequence in 1..=200 {
        session
            .apply(&[update(sequence, 1, random)], &Reading::ALONE)
            .unwrap();
        plan(&session);
        settle(&session).await.unwrap();
        let Logged {
            position,
            entries,
            age,
        } = shelf.logged();
        all.extend(entries.last().cloned());
        let entries = all.clone();
        let found = replayed(
            &Logged {
                position,
                entries,
                age,
            },
            &Reading::ALONE,
        );
        let (created, _) = found.unwrap().unwrap();
        assert_eq!(created.applied, sequence);
    }
    assert!(
        shelf.logged().entries.len() < all.len(),
        "there are several bases"
    );
    all.push(Bytes::new());
    let ended = Logged {
        position: 0,
        entries: all,
        age: Duration::ZERO,
    };
    assert!(replayed(&ended, &Reading::ALONE).unwrap().is_none());
}

#[tokio::test]
async fn failures_of_the_log_lose_nothing() {
    for failure in [Failure::Before, Failure::After] {
        let shelf = Arc::new(Shelf::default());
        let sessions = server(&shelf);
        let mut session = begin(&sessions);
        settle(&session).await.unwrap();
        let random = &mut Random::seed_from_u64(2);
        let one = update(1, 1, random);
        shelf.fail_once(failure);
        session
            .apply(std::slice::from_ref(&one), &Reading::ALONE)
            .unwrap();
        if settle(&session).await.is_err() {
            // It cannot know whether it has written, or another server.
            session = take_over(&sessions, &shelf).await;
            session.apply(&[one], &Reading::ALONE).unwrap();
            settle(&session).await.unwrap();
        }
        compare(&session, &shelf);
        assert_eq!(replay(&shelf).0.applied, 1);
    }
}

#[tokio::test]
async fn a_closed_session_leaves_an_empty_log() {
    let shelf = Arc::new(Shelf::default());
    let (one, two) = (server(&shelf), server(&shelf));
    let session = begin(&one);
    settle(&session).await.unwrap();
    // By a server that does not have it.
    two.close("", "raid").await.unwrap();
    assert_eq!(shelf.logged().entries, [Bytes::new()]);
    assert!(
        replayed(&shelf.logged(), &Reading::ALONE)
            .unwrap()
            .is_none()
    );
    session.apply(&[], &Reading::ALONE).unwrap();
    let past = Past {
        position: Some(shelf.logged().position),
        ..Past::default()
    };
    let (again, _) = two.keep("", game("raid"), past, || Ok(())).unwrap();
    settle(&again).await.unwrap();
    two.close("", "raid").await.unwrap();
    assert_eq!(shelf.logged().entries, [Bytes::new()]);
}
