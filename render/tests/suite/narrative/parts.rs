//! What stands where in pictures.

use super::{NARROW, alone, dragon, evening, json, page, planned, svg, text};
use stratagem_proto::v1::narrative_conflict_member::Rule;
use stratagem_proto::v1::{
    NarrativeActivity, NarrativeBound, NarrativeConflict, NarrativeConflictMember, NarrativeEvent,
    NarrativeOverload, NarrativePlan, NarrativePolicy, NarrativeProblem, TemporalBoundSide,
    TemporalContingentDuration,
};
use stratagem_render::narrative::Drawn;
use stratagem_render::time::from_micros;

#[test]
fn what_is_sure_is_solid_and_what_is_not_is_faint() {
    let (problem, plan) = dragon();
    let of = |policy| svg(&problem, planned(&alone(&plan, policy)));
    // The search is sure until its earliest end; the spell may be cast after its latest start.
    let fill = |picture: &str, fill: &str| picture.matches(fill).count();
    let picture = of(0);
    assert!(fill(&picture, "class=\"faint\"") > 1, "{picture}");
    // Nothing but the search is sure where the sword may be drawn late.
    let sure = "height=\"14.4\" fill=\"hsl(";
    assert!(fill(&picture, sure) > fill(&of(1), sure), "{picture}");
}

#[test]
fn divided_durations_are_drawn_as_bars() {
    let (problem, mut plan) = dragon();
    let picture = svg(&problem, planned(&plan));
    assert!(
        picture.contains("<title>sword: 15m to 1h20m</title>"),
        "{picture}"
    );
    for policy in &mut plan.policies {
        policy.outcomes.clear();
    }
    assert!(!svg(&problem, planned(&plan)).contains("search takes"));
    let (problem, plan) = evening();
    let text = text(&problem, planned(&plan), &NARROW);
    assert!(text.contains("finding (blue) takes 5m to 25m\n"), "{text}");
}

#[test]
fn hand_overs_are_arrows() {
    let (problem, plan) = evening();
    let picture = svg(&problem, planned(&alone(&plan, 0)));
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
    let picture = svg(&problem, drawn);
    assert_eq!(
        picture.matches("\"curve bold\" stroke=\"#d00\"").count(),
        1,
        "{picture}"
    );
    // The choice, the last event, and both ends of the activity.
    assert_eq!(picture.matches("fill=\"#fdd\"").count(), 4, "{picture}");
    for text in [&picture, &page(&problem, drawn)] {
        assert!(text.contains("too &lt;late&gt;"), "{text}");
        assert!(
            text.contains("no storyline is for this: search takes 14m"),
            "{text}"
        );
    }
    let text = text(&problem, drawn, &NARROW);
    assert!(text.contains("  too <late>\n"), "{text}");
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
    assert!(lines < 500 && text.contains("more"), "{lines}");
}

#[test]
fn plans_without_times_say_so() {
    let plan = NarrativePlan {
        policies: vec![NarrativePolicy::default()],
        ..NarrativePlan::default()
    };
    let (problem, _) = dragon();
    assert!(text(&problem, planned(&plan), &NARROW).contains("no times are known\n"));
    assert!(svg(&problem, planned(&plan)).contains("no times are known"));
}
