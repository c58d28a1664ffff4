//! What stands where in pictures.

use super::{NARROW, dragon, evening, json, planned};
use stratagem_proto::v1::narrative_conflict_member::Rule;
use stratagem_proto::v1::{
    NarrativeActivity, NarrativeBound, NarrativeConflict, NarrativeConflictMember, NarrativeEvent,
    NarrativeOverload, NarrativePlan, NarrativePolicy, NarrativeProblem, TemporalBoundSide,
    TemporalContingentDuration,
};
use stratagem_render::narrative::{
    Drawn, coverage_svg, coverage_text, gantt_svg, page, story_svg, svg, text, timeline_text,
};
use stratagem_render::time::from_micros;

#[test]
fn what_is_sure_is_solid_and_what_is_not_is_hatched() {
    let (problem, plan) = dragon();
    let picture = gantt_svg(&problem, &plan.policies[0]);
    // The search is sure until its earliest end, 10 of the 125 minutes drawn.
    let room = 1_160.0 - 190.0 - 32.0;
    let width = (room * 10.0_f64 / 125.0 * 10.0).round() / 10.0;
    let sure = format!("<rect x=\"190\" y=\"42\" width=\"{width}\" height=\"19\"");
    assert!(picture.contains(&sure), "{sure}\n{picture}");
    assert!(picture.contains("class=\"hatch\""));
    // The sword may be drawn after it could have been put away: nothing is sure but the search.
    let picture = gantt_svg(&problem, &plan.policies[1]);
    assert_eq!(picture.matches("58%,72%").count(), 1, "{picture}");
}

#[test]
fn one_divided_duration_is_drawn_as_bars_and_two_as_boxes() {
    let (problem, mut plan) = dragon();
    let picture = coverage_svg(&problem, &plan).unwrap();
    assert_eq!(picture.matches("rx=\"5\"").count(), 3);
    assert!(
        picture.contains("<title>sword: 15m to 1h20m</title>"),
        "{picture}"
    );
    for policy in &mut plan.policies {
        policy.outcomes.clear();
    }
    assert_eq!(coverage_svg(&problem, &plan), None);
    let (problem, plan) = evening();
    let picture = coverage_svg(&problem, &plan).unwrap();
    // Boxes and their key.
    assert_eq!(picture.matches("fill-opacity").count(), 12);
    let text = coverage_text(&problem, &plan, &NARROW);
    assert!(text.contains("finding (blue): 5m to 25m\n"), "{text}");
}

#[test]
fn hand_overs_are_arrows() {
    let (problem, plan) = evening();
    let picture = gantt_svg(&problem, &plan.policies[0]);
    let tip = "<title>Boris, the heir: from Boris and Dmitri fight (red) to \
               Ada and Boris raise their glasses (red)</title>";
    assert!(picture.contains(tip), "{picture}");
}

fn clash() -> NarrativeConflict {
    let member = |rule| NarrativeConflictMember {
        message: "too <late>".into(),
        rule: Some(rule),
    };
    let bound = NarrativeBound {
        link_id: "to-the-spell".into(),
        side: TemporalBoundSide::Upper as i32,
        bound: Some(from_micros(600_000_000)),
    };
    let overload = NarrativeOverload {
        resource_id: "dragon-actor".into(),
        activity_ids: vec!["robbery".into(), "nobody".into()],
    };
    NarrativeConflict {
        members: vec![
            member(Rule::Bound(bound)),
            member(Rule::Overload(overload)),
            member(Rule::ChoiceId("how".into())),
            member(Rule::EventId("back-home".into())),
        ],
        uncovered_durations: vec![TemporalContingentDuration {
            link_id: "search".into(),
            duration: Some(from_micros(840_000_000)),
        }],
        ..NarrativeConflict::default()
    }
}

#[test]
fn what_clashes_is_red_and_told() {
    let problem = json::example("vote");
    let conflict = clash();
    let drawn = Drawn {
        plan: None,
        conflict: Some(&conflict),
    };
    let picture = story_svg(&problem, drawn);
    assert_eq!(picture.matches("class=\"clash\"").count(), 1, "{picture}");
    // The choice, the last event, and both ends of the activity.
    assert_eq!(picture.matches("fill=\"#fdd\"").count(), 4, "{picture}");
    for text in [&picture, &page(&problem, drawn)] {
        assert!(text.contains("! too &lt;late&gt;"), "{text}");
        assert!(
            text.contains("no storyline is for this: search takes 14m"),
            "{text}"
        );
    }
    let text = text(&problem, drawn, &NARROW);
    assert!(text.contains("! too <late>\n"), "{text}");
}

#[test]
fn documents_stand_alone() {
    let (problem, plan) = evening();
    for document in [
        svg(&problem, planned(&plan)),
        page(&problem, planned(&plan)),
    ] {
        let rest = document.replace("http://www.w3.org/2000/svg", "");
        for foreign in ["http", "<script", "href", "url(", "@import", "src="] {
            assert!(!rest.contains(foreign), "{foreign}");
        }
    }
    let page = page(&problem, planned(&plan));
    assert_eq!(page.matches("type=\"radio\"").count(), plan.policies.len());
    assert_eq!(page.matches("class=\"panel\"").count(), plan.policies.len());
}

/// More of everything than the contract allows, each event with an activity, in many policies.
fn crowd() -> (NarrativeProblem, NarrativePlan) {
    let (mut problem, mut plan) = evening();
    for n in 0..3_000 {
        problem.events.push(NarrativeEvent {
            id: format!("e{n}"),
            label: "long ".repeat(30),
        });
        problem.activities.push(NarrativeActivity {
            id: format!("a{n}"),
            start_event_id: "finale".into(),
            end_event_id: "curtain".into(),
            ..NarrativeActivity::default()
        });
    }
    let policy = plan.policies[0].clone();
    plan.policies.extend(std::iter::repeat_n(policy, 1_500));
    (problem, plan)
}

#[test]
fn pictures_of_too_much_are_bounded() {
    let (problem, plan) = crowd();
    let drawn = planned(&plan);
    let picture = svg(&problem, drawn);
    assert!(picture.len() < 6_000_000, "{} bytes", picture.len());
    let page = page(&problem, drawn);
    assert!(page.len() < 12_000_000, "{} bytes", page.len());
    let text = text(&problem, drawn, &NARROW);
    let lines = text.lines().count();
    assert!(lines < 500 && text.contains("and more\n"), "{lines}");
}

#[test]
fn plans_without_times_say_so() {
    let policy = NarrativePolicy::default();
    let (problem, _) = dragon();
    let text = timeline_text(&problem, &policy, &NARROW);
    assert_eq!(text, "no times are known\n");
    assert!(gantt_svg(&problem, &policy).contains("no times are known"));
}
