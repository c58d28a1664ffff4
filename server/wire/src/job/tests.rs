use super::{page, wanted};
use crate::mistakes::Mistakes;
use stratagem_proto::v1 as pb;

fn found(wrong: Mistakes) -> Vec<(String, &'static str)> {
    let list = wrong.into_list();
    list.into_iter().map(|m| (m.field, m.code.name())).collect()
}

fn label(key: &str, value: &str) -> pb::JobLabel {
    pb::JobLabel {
        key: key.into(),
        value: value.into(),
    }
}

#[test]
fn all_mistakes_of_a_wish_are_told_at_once() {
    let month = 30 * 86_400;
    let duration = |seconds| prost_types::Duration { seconds, nanos: 0 };
    let mut request = pb::CreateJobRequest {
        request_id: "a b".into(),
        request: None,
        labels: vec![
            label("", ""),
            label("a", &"x".repeat(256)),
            label("a", ""),
            label("ä", ""),
        ],
        deadline_duration: Some(duration(month + 1)),
        keep_duration: Some(duration(0)),
    };
    let mut wrong = Mistakes::in_fields(&mut request).unwrap();
    assert_eq!(wanted(request, None, &mut wrong), None);
    let mistakes = [
        ("request", "REQUIRED"),
        ("labels[0].key", "REQUIRED"),
        ("labels[1].value", "TOO_LONG"),
        ("deadline_duration", "OUT_OF_RANGE"),
        ("keep_duration", "OUT_OF_RANGE"),
        ("request_id", "CHARACTER_UNKNOWN"),
        ("labels[2].key", "DUPLICATE"),
        ("labels[3].key", "CHARACTER_UNKNOWN"),
    ];
    let mistakes = mistakes.map(|(field, code)| (field.to_owned(), code));
    assert_eq!(found(wrong), mistakes);
}

#[test]
fn pages_have_a_size_states_that_exist_and_tokens_of_ours() {
    let request = pb::ListJobsRequest {
        states: vec![1, 99],
        labels: vec![label("a b", "")],
        planner: "x".repeat(101),
        page_size: Some(1_001),
        page_token: "after:1".into(),
    };
    let mistakes = [
        ("states[1]", "ENUM_UNKNOWN"),
        ("planner", "TOO_LONG"),
        ("page_size", "OUT_OF_RANGE"),
        ("labels[0].key", "CHARACTER_UNKNOWN"),
        ("page_token", "UNKNOWN"),
    ];
    let mistakes = mistakes.map(|(field, code)| (field.to_owned(), code));
    assert_eq!(found(page(request).unwrap_err()), mistakes);
}

#[test]
fn filters_want_all_labels_and_any_state() {
    let request = pb::ListJobsRequest {
        states: vec![pb::JobState::Queued.into(), pb::JobState::Running.into()],
        labels: vec![label("game", "raid"), label("night", "")],
        planner: "allocation".into(),
        ..Default::default()
    };
    let filter = page(request).unwrap().filter;
    let job = pb::Job {
        state: pb::JobState::Running.into(),
        planner: "allocation".into(),
        labels: vec![label("night", ""), label("game", "raid"), label("x", "y")],
        ..Default::default()
    };
    assert!(filter.takes(&job));
    let with = |change: fn(&mut pb::Job)| {
        let mut other = job.clone();
        change(&mut other);
        other
    };
    assert!(!filter.takes(&with(|it| it.set_state(pb::JobState::Failed))));
    assert!(!filter.takes(&with(|it| it.planner = "crew".into())));
    assert!(!filter.takes(&with(|it| it.labels[1].value = "duel".into())));
}
