//! Whatever message comes from a file or a server, valid or not, is drawn, and safely.

use crate::ESCAPE;
use proptest::prelude::*;
use stratagem_proto::v1::{
    TemporalAgent, TemporalConflict, TemporalConflictMember, TemporalContingentLink, TemporalEvent,
    TemporalEventRange, TemporalNetwork, TemporalRequirementLink, TemporalSchedule,
    TemporalScheduledEvent,
};
use stratagem_render::temporal::{Drawn, scene, times as windows};
use stratagem_render::text::TextOptions;
use stratagem_render::time::from_micros;

/// Ids that exist, ids that do not, and ids that want to break out.
fn id() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a",
        "b",
        "c",
        "origin",
        "",
        "勇者",
        "\u{1b}[2J",
        "</svg>&\"",
    ])
    .prop_map(str::to_owned)
}

pub(crate) fn duration() -> impl Strategy<Value = Option<prost_types::Duration>> {
    let any = (any::<i64>(), any::<i32>());
    let any = any.prop_map(|(seconds, nanos)| prost_types::Duration { seconds, nanos });
    let small = (-50_i64..50).prop_map(|s| from_micros(s * 1_000_000));
    prop::option::of(prop_oneof![3 => small, 1 => any])
}

prop_compose! {
    fn arbitrary_link()(
        ids in (id(), id(), id()),
        lower in duration(),
        upper in duration(),
    ) -> TemporalRequirementLink {
        let (id, from_event_id, to_event_id) = ids;
        TemporalRequirementLink { id, from_event_id, to_event_id, lower, upper }
    }
}

prop_compose! {
    fn arbitrary_network()(
        title in id(),
        origin_id in id(),
        agents in prop::collection::vec((id(), -1_i32..4), 0..3),
        events in prop::collection::vec((id(), id()), 0..8),
        links in prop::collection::vec(arbitrary_link(), 0..12),
        contingent in prop::collection::vec(arbitrary_link(), 0..4),
        horizon_offset in duration(),
    ) -> TemporalNetwork {
        let agent = |id, kind| TemporalAgent { id, kind, label: String::new() };
        let event = |id, agent_id| TemporalEvent {
            id,
            agent_id,
            label: String::new(),
        };
        let nature = |l: TemporalRequirementLink| TemporalContingentLink {
            id: l.id,
            from_event_id: l.from_event_id,
            to_event_id: l.to_event_id,
            lower: l.lower,
            upper: l.upper,
        };
        TemporalNetwork {
            title,
            description: String::new(),
            origin_id,
            agents: agents.into_iter().map(|(id, kind)| agent(id, kind)).collect(),
            events: events.into_iter().map(|(id, agent_id)| event(id, agent_id)).collect(),
            links,
            contingent_links: contingent.into_iter().map(nature).collect(),
            horizon_offset,
        }
    }
}

fn scheduled() -> impl Strategy<Value = Vec<TemporalScheduledEvent>> {
    let event = (id(), duration()).prop_map(|(event_id, time_offset)| TemporalScheduledEvent {
        event_id,
        time_offset,
    });
    prop::collection::vec(event, 0..5)
}

prop_compose! {
    fn arbitrary_schedule()(
        events in scheduled(),
        ranges in prop::collection::vec((id(), duration(), duration()), 0..4),
    ) -> TemporalSchedule {
        let range = |(event_id, earliest_offset, latest_offset)| TemporalEventRange {
            event_id,
            earliest_offset,
            latest_offset,
        };
        TemporalSchedule { events, ranges: ranges.into_iter().map(range).collect() }
    }
}

prop_compose! {
    fn arbitrary_conflict()(
        link_ids in prop::collection::vec(id(), 0..3),
        candidate in scheduled(),
        behaviour in scheduled(),
    ) -> TemporalConflict {
        TemporalConflict {
            members: vec![TemporalConflictMember { link_ids, ..TemporalConflictMember::default() }],
            candidate,
            behavior: behaviour,
            ..TemporalConflict::default()
        }
    }
}

proptest! {
    /// Whatever comes from a file or a server: no panic, no escape code, no open tag, lines that
    /// fit.
    #[test]
    fn any_message_is_drawn_safely(
        network in arbitrary_network(),
        schedule in prop::option::of(arbitrary_schedule()),
        conflict in prop::option::of(arbitrary_conflict()),
        width in 0_usize..200,
        ascii: bool,
    ) {
        let drawn = Drawn { schedule: schedule.as_ref(), conflict: conflict.as_ref() };
        let options = TextOptions { width, ascii, colour: false };
        let times = windows(&network, drawn).text(&options);
        let links = scene(&network, drawn).text(&options);
        let harmless = |text: &str| !text.contains(ESCAPE);
        prop_assert!(harmless(&times) && harmless(&links));
        let rows = links.lines().chain(times.lines());
        let widest = rows.map(unicode_width::UnicodeWidthStr::width).max();
        prop_assert!(widest.unwrap_or(0) <= width.clamp(40, 400), "{}{}", links, times);
        let picture = scene(&network, drawn).svg();
        prop_assert_eq!(picture.matches("</svg>").count(), 1);
        prop_assert!(harmless(&picture) && !picture.contains("NaN"));
        prop_assert_eq!(scene(&network, drawn).svg(), picture);
    }
}
