//! Whatever message comes from a file or a server, valid or not, is drawn, and safely.

use super::json;
use crate::ESCAPE;
use proptest::prelude::*;
use stratagem_proto::v1::{
    NarrativeActivity, NarrativeConflict, NarrativeDemand, NarrativeEvent, NarrativeGroup,
    NarrativeHandOver, NarrativeOption, NarrativeOrder, NarrativeOutcomes, NarrativePick,
    NarrativePlan, NarrativePolicy, NarrativeProblem, TemporalEventRange, TemporalRequirementLink,
};
use stratagem_render::narrative::{Drawn, scene};
use stratagem_render::text::TextOptions;
use stratagem_render::time::from_micros;

/// Ids that exist, ids that do not, and ids that want to break out.
fn id() -> impl Strategy<Value = String> {
    let ids = vec![
        "dragon-found",
        "fight",
        "fought",
        "search",
        "sword",
        "how",
        "sword-fight",
        "g/sword-fight",
        "g/fight",
        "quest-given",
        "g",
        "/",
        "",
        "勇者",
        "\u{1b}[2J",
        "</svg>&\"",
    ];
    prop::sample::select(ids).prop_map(str::to_owned)
}

fn duration() -> impl Strategy<Value = Option<prost_types::Duration>> {
    let any = (any::<i64>(), any::<i32>());
    let any = any.prop_map(|(seconds, nanos)| prost_types::Duration { seconds, nanos });
    let small = (-50_i64..5_000).prop_map(|s| from_micros(s * 1_000_000));
    prop::option::of(prop_oneof![3 => small, 1 => any])
}

prop_compose! {
    fn arbitrary_policy()(
        picks in prop::collection::vec((id(), id()), 0..3),
        outcomes in prop::collection::vec((id(), duration(), duration()), 0..3),
        orders in prop::collection::vec((id(), id()), 0..3),
        hand_overs in prop::collection::vec((id(), id(), id(), any::<i32>()), 0..4),
        ranges in prop::collection::vec((id(), duration(), duration()), 0..8),
    ) -> NarrativePolicy {
        let pick = |(choice_id, option_id)| NarrativePick { choice_id, option_id };
        let part = |(link_id, lower, upper)| NarrativeOutcomes { link_id, lower, upper };
        let order = |(first_activity_id, second_activity_id)| NarrativeOrder {
            first_activity_id,
            second_activity_id,
        };
        let over = |(resource_id, from_activity_id, to_activity_id, amount)| NarrativeHandOver {
            resource_id,
            from_activity_id,
            to_activity_id,
            amount,
        };
        let range = |(event_id, earliest_offset, latest_offset)| TemporalEventRange {
            event_id,
            earliest_offset,
            latest_offset,
        };
        NarrativePolicy {
            picks: picks.into_iter().map(pick).collect(),
            outcomes: outcomes.into_iter().map(part).collect(),
            orders: orders.into_iter().map(order).collect(),
            dispatch: None,
            hand_overs: hand_overs.into_iter().map(over).collect(),
            ranges: ranges.into_iter().map(range).collect(),
        }
    }
}

prop_compose! {
    fn arbitrary_problem()(
        valid: bool,
        title in id(),
        ends in prop::collection::vec((id(), id(), id()), 0..6),
        bounds in (duration(), duration(), duration()),
        groups in prop::collection::vec(id(), 0..3),
        option in prop::collection::vec(id(), 0..4),
        resource in id(),
    ) -> NarrativeProblem {
        let mut problem = if valid { json::example("dragon") } else { NarrativeProblem::default() };
        problem.title = title;
        for (id, from_event_id, to_event_id) in ends {
            problem.events.push(NarrativeEvent { id: id.clone(), label: to_event_id.clone() });
            problem.activities.push(NarrativeActivity {
                id: to_event_id.clone(),
                start_event_id: from_event_id.clone(),
                end_event_id: id.clone(),
                demands: vec![NarrativeDemand {
                    resource_id: resource.clone(),
                    ..Default::default()
                }],
                label: id.clone(),
            });
            let (lower, upper) = (bounds.0, bounds.1);
            problem.links.push(TemporalRequirementLink {
                id,
                from_event_id,
                to_event_id,
                lower,
                upper,
            });
        }
        let start_offset = bounds.2;
        let groups = groups.into_iter().map(|id| NarrativeGroup { id, start_offset });
        problem.groups = groups.collect();
        if let Some(choice) = problem.choices.first_mut() {
            choice.options.push(NarrativeOption { event_ids: option, ..Default::default() });
        }
        problem
    }
}

proptest! {
    #[test]
    fn any_message_is_drawn_safely(
        problem in arbitrary_problem(),
        policies in prop::collection::vec(arbitrary_policy(), 0..3),
        summary in id(),
        width in 0_usize..200,
        ascii: bool,
    ) {
        let plan = NarrativePlan { policies, ..NarrativePlan::default() };
        let conflict = NarrativeConflict { summary, ..NarrativeConflict::default() };
        let drawn = Drawn { plan: Some(&plan), conflict: Some(&conflict) };
        let options = TextOptions { width, ascii, colour: false };
        let text = scene(&problem, drawn).text(&options);
        prop_assert!(!text.contains(ESCAPE));
        // Legends are as wide as they are.
        let rows = text.lines().filter(|l| !l.contains("for sure"));
        let widest = rows.map(unicode_width::UnicodeWidthStr::width).max();
        prop_assert!(widest.unwrap_or(0) <= width.clamp(40, 400), "{}", text);
        let picture = scene(&problem, drawn).svg();
        prop_assert_eq!(picture.matches("</svg>").count(), 1);
        let page = scene(&problem, drawn).html();
        prop_assert_eq!(page.matches("</html>").count(), 1);
        for document in [&picture, &page] {
            prop_assert!(!document.contains(ESCAPE) && !document.contains("NaN"));
        }
        prop_assert_eq!(scene(&problem, drawn).svg(), picture);
    }
}
