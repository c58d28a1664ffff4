//! Reasons with the caller's names.

use super::{Names, explanation};
use crate::mistakes::Mistakes;
use allocation::Problem;
use allocation::explain::{Obstacle, Reason};
use allocation::generate::{Shape, spec};
use allocation::problem::{Previous, PreviousRoute};
use anytime::Path;
use stratagem_proto::v1 as pb;

fn names() -> Names {
    let (mut names, mut wrong) = (Names::default(), Mistakes::default());
    for (ids, id) in [(&mut names.agents, "ann"), (&mut names.tasks, "dance")] {
        ids.take(&Path::root("id"), id.into(), &mut wrong);
    }
    names.skills = vec!["sing".into(), "swim".into(), "fly".into()];
    names
}

/// One agent, which perhaps has a task under way then, and one task.
fn problem(now_us: i64, committed: usize) -> Problem {
    let mut spec = spec(0, &Shape::depot(1, 1));
    spec.now_us = now_us;
    spec.tasks[0].windows.clear();
    let tasks = vec![0];
    spec.previous = Some(Previous {
        routes: vec![PreviousRoute {
            agent: 0,
            tasks,
            committed,
        }],
        changes_max: None,
    });
    Problem::new(spec).unwrap()
}

fn explained(problem: &Problem, reasons: &[Reason]) -> pb::Explanation {
    explanation(&names(), problem, Some(reasons), Some(1))
}

fn reason(agent: Option<usize>, obstacle: Obstacle) -> Reason {
    Reason {
        task: 0,
        agent,
        obstacle,
        proved: agent.is_none(),
    }
}

#[test]
fn reasons_speak_of_the_callers_names() {
    let skills = reason(Some(0), Obstacle::MissingSkill { missing: 0b101 });
    let window = Obstacle::Window {
        arrival_us: 3_500_000,
        latest_us: 2_000_000,
    };
    let list = [skills, reason(None, window)];
    let found = explained(&problem(0, 0), &list);
    assert_eq!(found.summary, "1 task is in no route");
    let (skills, window) = (&found.reasons[0], &found.reasons[1]);
    assert_eq!(
        skills.message,
        r#"task "dance" by agent "ann": lacks "sing", "fly""#
    );
    let ids = |r: &pb::ExplanationReason| (r.subject_id.clone(), r.blocker_id.clone());
    assert_eq!(ids(skills), ("dance".into(), "ann".into()));
    assert_eq!(ids(window), ("dance".into(), String::new()));
    assert_eq!((skills.proved, window.proved), (false, true));
    assert_eq!((window.shortfall, window.unit.as_str()), (Some(1.5), "s"));
    assert_eq!(window.field, "tasks[0].windows");
    let found = explained(&problem(3_000_000, 0), &list[1..]);
    assert_eq!(
        found.reasons[0].message,
        "task \"dance\" by any agent: arrives at 3.5 s at the earliest, must start by 2 s; \
         now is 3 s"
    );
    // Agents that are busy then are not mentioned.
    let found = explained(&problem(3_000_000, 1), &list[1..]);
    assert!(found.reasons[0].message.ends_with("must start by 2 s"));
}

#[test]
fn what_was_not_looked_for_or_does_not_fit_is_admitted() {
    let found = explanation(&names(), &problem(0, 0), None, None);
    assert_eq!(
        (found.summary.as_str(), found.truncated),
        ("no plan was found", true)
    );
    let many = vec![reason(None, Obstacle::Fits); 1_001];
    let found = explained(&problem(0, 0), &many);
    assert_eq!((found.reasons.len(), found.truncated), (1_000, true));
    let found = explained(&problem(0, 0), &many[1..]);
    assert!(!found.truncated);
}
