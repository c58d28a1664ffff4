//! Pictures of schedules.

use crate::ESCAPE;
use crate::any_network::duration;
use crate::golden;
use crate::seconds;
use proptest::prelude::*;
use stratagem_proto::v1::{
    ScheduleActivity, ScheduleDemand, ScheduleMode, SchedulePlan, SchedulePoint,
    SchedulePrecedence, ScheduleProblem, ScheduleResource, ScheduledActivity,
};
use stratagem_render::schedule::scene;
use stratagem_render::text::TextOptions;

fn svg(problem: &ScheduleProblem, plan: Option<&SchedulePlan>) -> String {
    scene(problem, plan).svg()
}

fn page(problem: &ScheduleProblem, plan: Option<&SchedulePlan>) -> String {
    scene(problem, plan).html()
}

fn text(problem: &ScheduleProblem, plan: Option<&SchedulePlan>, options: &TextOptions) -> String {
    scene(problem, plan).untitled().text(options)
}

/// Two bars on one resource, one of them in its second mode.
fn project() -> ScheduleProblem {
    let mode = |time, amount| ScheduleMode {
        work_duration: seconds(time),
        demands: vec![ScheduleDemand {
            resource_id: "smith".into(),
            amount: Some(amount),
        }],
        ..ScheduleMode::default()
    };
    let activity = |id: &str, modes| ScheduleActivity {
        id: id.into(),
        modes,
        ..ScheduleActivity::default()
    };
    ScheduleProblem {
        title: "sword".into(),
        activities: vec![
            activity("blade", vec![mode(10, 3), mode(20, 2)]),
            activity("hilt", vec![mode(10, 2)]),
        ],
        precedences: vec![SchedulePrecedence {
            from_activity_id: "blade".into(),
            to_activity_id: "hilt".into(),
            ..SchedulePrecedence::default()
        }],
        resources: vec![ScheduleResource {
            id: "smith".into(),
            capacity: Some(3),
            ..ScheduleResource::default()
        }],
        ..ScheduleProblem::default()
    }
}

fn plan(starts: &[(&str, i64, &str)]) -> SchedulePlan {
    let place = |(id, start, mode): &(&str, i64, &str)| ScheduledActivity {
        activity_id: (*id).into(),
        start_offset: seconds(*start),
        mode_id: (*mode).into(),
        ..ScheduledActivity::default()
    };
    SchedulePlan {
        activities: starts.iter().map(place).collect(),
        makespan_offset: None,
    }
}

const NARROW: TextOptions = TextOptions {
    width: 46,
    ascii: true,
    colour: false,
};

#[test]
fn a_plan_is_drawn_as_it_is() {
    let plan = plan(&[("blade", 0, "2"), ("hilt", 10, ""), ("gone", 3, "")]);
    let expected = "      0s              10s
      +---------------+----------------
blade =================================
hilt                  =================

smith 6666666666666666!!!!!!!!!!!!!!!!! 4 of 3
makespan 20s
";
    assert_eq!(text(&project(), Some(&plan), &NARROW), expected);
    let picture = svg(&project(), Some(&plan));
    assert!(picture.contains("blade: 0s to 20s, mode 2, holds 2 smith"));
    assert!(picture.contains("#d00"), "what exceeds the capacity is red");
    let html = page(&project(), Some(&plan));
    golden::check("schedule", "forge.page.html", &html);
}

/// Starts in the picture of a project without a plan, by activity.
fn starts(problem: &ScheduleProblem) -> Vec<String> {
    let html = page(problem, None);
    let rows = html.split("<tr><td>").skip(1);
    let cells = rows.map(|row| row.split("</td><td>").take(2).collect::<Vec<_>>());
    let starts = cells.map(|cells| cells.join(" "));
    let mut starts: Vec<_> = starts.take(problem.activities.len()).collect();
    starts.sort();
    starts
}

#[test]
fn without_a_plan_times_are_the_earliest() {
    let mut problem = project();
    assert_eq!(starts(&problem), ["blade 0s", "hilt 10s"]);
    problem.activities[0].release_offset = seconds(3);
    assert_eq!(starts(&problem), ["blade 3s", "hilt 13s"]);
    let lag = &mut problem.precedences[0];
    lag.from_point = SchedulePoint::Start.into();
    lag.lower = seconds(4);
    assert_eq!(starts(&problem), ["blade 3s", "hilt 7s"]);
    problem.precedences[0].to_point = SchedulePoint::End.into();
    assert_eq!(starts(&problem), ["blade 3s", "hilt 0s"]);
    // A maximal lag of 1 s from the end of the blade draws it to a hilt that waits.
    problem.activities[1].release_offset = seconds(60);
    let lag = &mut problem.precedences[0];
    (lag.lower, lag.upper) = (None, seconds(1));
    (lag.from_point, lag.to_point) = (0, 0);
    assert_eq!(starts(&problem), ["blade 49s", "hilt 1m"]);
}

#[test]
fn a_cycle_of_precedences_is_said_to_conflict() {
    let mut problem = project();
    let mut back = problem.precedences[0].clone();
    std::mem::swap(&mut back.from_activity_id, &mut back.to_activity_id);
    problem.precedences.push(back);
    let conflict = "the precedences conflict; drawn up to";
    assert!(text(&problem, None, &NARROW).contains(conflict));
    assert!(svg(&problem, None).contains(conflict));
}

#[test]
fn pictures_of_many_steps_are_limited() {
    let mut problem = project();
    let activity = problem.activities[1].clone();
    problem.precedences.clear();
    problem.activities = (0..2_000)
        .map(|index| ScheduleActivity {
            id: index.to_string(),
            release_offset: seconds(11 * index),
            ..activity.clone()
        })
        .collect();
    let rectangles = svg(&problem, None).matches("<rect").count();
    assert!((2_500..3_000).contains(&rectangles), "{rectangles}");
}

fn id() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "", "勇者", "\u{1b}[2J", "</svg>&\""])
        .prop_map(str::to_owned)
}

prop_compose! {
    fn any_activity()(
        id in id(),
        label in id(),
        modes in prop::collection::vec((id(), duration(), id(), any::<Option<i32>>()), 0..3),
        release_offset in duration(),
    ) -> ScheduleActivity {
        let mode = |(id, work_duration, resource_id, amount)| ScheduleMode {
            id,
            work_duration,
            demands: vec![ScheduleDemand { resource_id, amount }],
        };
        let modes = modes.into_iter().map(mode).collect();
        ScheduleActivity { id, label, modes, release_offset, deadline_offset: None }
    }
}

prop_compose! {
    fn any_problem()(
        title in id(),
        activities in prop::collection::vec(any_activity(), 0..6),
        lags in prop::collection::vec((id(), id(), duration(), duration(), 0..4_i32), 0..5),
        resources in prop::collection::vec((id(), any::<Option<i32>>()), 0..3),
    ) -> ScheduleProblem {
        let precedence = |(from, to, lower, upper, point)| SchedulePrecedence {
            from_activity_id: from,
            to_activity_id: to,
            lower,
            upper,
            from_point: point,
            to_point: 3 - point,
        };
        let resource = |(id, capacity)| ScheduleResource { id, capacity, label: String::new() };
        ScheduleProblem {
            title,
            activities,
            precedences: lags.into_iter().map(precedence).collect(),
            resources: resources.into_iter().map(resource).collect(),
            ..ScheduleProblem::default()
        }
    }
}

proptest! {
    /// Whatever message comes from a file or a server, valid or not, is drawn, and safely.
    #[test]
    fn any_message_is_drawn(
        problem in any_problem(),
        places in prop::option::of(prop::collection::vec((id(), duration(), id()), 0..6)),
        ascii in any::<bool>(),
    ) {
        let place = |(activity_id, start_offset, mode_id)| ScheduledActivity {
            activity_id,
            start_offset,
            end_offset: None,
            mode_id,
        };
        let plan = places.map(|places| SchedulePlan {
            activities: places.into_iter().map(place).collect(),
            makespan_offset: None,
        });
        let plan = plan.as_ref();
        let options = TextOptions { ascii, ..TextOptions::default() };
        prop_assert!(!text(&problem, plan, &options).contains(ESCAPE));
        for picture in [svg(&problem, plan), page(&problem, plan)] {
            prop_assert!(!picture.contains(ESCAPE));
            prop_assert!(!picture.contains("</svg>&\""));
            for absurd in ["NaN", "inf\"", "width=\"-", "height=\"-"] {
                prop_assert!(!picture.contains(absurd), "{absurd}");
            }
        }
    }
}
