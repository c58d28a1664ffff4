//! Small projects.

use prost_types::Duration;
use stratagem_proto::v1::{
    ScheduleActivity, ScheduleDemand, ScheduleMode, SchedulePrecedence, ScheduleProblem,
    ScheduleProjectRequest, ScheduleResource, SolveOptions,
};

/// A sword: a blade takes both smiths for 20 minutes, a hilt one for 10, and they are joined by one
/// in 5.
#[must_use]
pub fn sword() -> ScheduleProblem {
    let activity = |id: &str, minutes: i64, smiths| ScheduleActivity {
        id: id.into(),
        modes: vec![ScheduleMode {
            work_duration: Some(Duration {
                seconds: minutes * 60,
                nanos: 0,
            }),
            demands: vec![ScheduleDemand {
                resource_id: "smith".into(),
                amount: Some(smiths),
            }],
            ..ScheduleMode::default()
        }],
        ..ScheduleActivity::default()
    };
    let before = |from: &str| SchedulePrecedence {
        from_activity_id: from.into(),
        to_activity_id: "join".into(),
        ..SchedulePrecedence::default()
    };
    ScheduleProblem {
        title: "a sword".into(),
        activities: vec![
            activity("blade", 20, 2),
            activity("hilt", 10, 1),
            activity("join", 5, 1),
        ],
        precedences: vec![before("blade"), before("hilt")],
        resources: vec![ScheduleResource {
            id: "smith".into(),
            capacity: Some(2),
            ..ScheduleResource::default()
        }],
        ..ScheduleProblem::default()
    }
}

/// A request for a schedule.
#[must_use]
pub fn project(problem: ScheduleProblem, options: SolveOptions) -> ScheduleProjectRequest {
    ScheduleProjectRequest {
        problem: Some(problem),
        options: Some(options),
        previous_plan: None,
    }
}
