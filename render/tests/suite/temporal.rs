//! Pictures of temporal networks: exact for tiny ones, safe and bounded for any.

use crate::seconds;
use stratagem_proto::v1::{
    TemporalAgent, TemporalAgentKind, TemporalConflict, TemporalConflictMember,
    TemporalContingentLink, TemporalEvent, TemporalEventRange, TemporalNetwork,
    TemporalRequirementLink, TemporalSchedule, TemporalScheduledEvent,
};
use stratagem_render::temporal::{Drawn, scene, times};
use stratagem_render::text::TextOptions;

fn svg(network: &TemporalNetwork, drawn: Drawn<'_>) -> String {
    scene(network, drawn).svg()
}

fn timeline_text(network: &TemporalNetwork, drawn: Drawn<'_>, options: &TextOptions) -> String {
    times(network, drawn).text(options)
}

fn links_text(network: &TemporalNetwork, drawn: Drawn<'_>, options: &TextOptions) -> String {
    scene(network, drawn).untitled().text(options)
}

const NARROW: TextOptions = TextOptions {
    width: 46,
    ascii: false,
    colour: false,
};

fn event(id: &str, agent: &str) -> TemporalEvent {
    TemporalEvent {
        id: id.into(),
        agent_id: agent.into(),
        label: String::new(),
    }
}

fn link(from: &str, to: &str, [lower, upper]: [Option<i64>; 2]) -> TemporalRequirementLink {
    TemporalRequirementLink {
        from_event_id: from.into(),
        to_event_id: to.into(),
        lower: lower.and_then(seconds),
        upper: upper.and_then(seconds),
        ..TemporalRequirementLink::default()
    }
}

fn scheduled(id: &str, s: i64) -> TemporalScheduledEvent {
    TemporalScheduledEvent {
        event_id: id.into(),
        time_offset: seconds(s),
    }
}

/// We leave, the mate opens, a bell of Nature's tolls, we ring at any time near it.
fn evening() -> TemporalNetwork {
    let agent = |id: &str, kind: TemporalAgentKind| TemporalAgent {
        id: id.into(),
        kind: kind.into(),
        label: String::new(),
    };
    TemporalNetwork {
        title: "An <evening>".into(),
        agents: vec![
            agent("us", TemporalAgentKind::Controllable),
            agent("mate", TemporalAgentKind::Uncontrollable),
        ],
        events: vec![
            event("ring", "us"),
            event("leave", "us"),
            event("open", "mate"),
            event("toll", ""),
        ],
        links: vec![
            link("origin", "leave", [Some(0), Some(10)]),
            link("leave", "open", [Some(5), Some(15)]),
            // Turned around: leaving comes at least 2 s before ringing.
            link("ring", "leave", [None, Some(-2)]),
            link("toll", "ring", [Some(-3), Some(4)]),
        ],
        contingent_links: vec![TemporalContingentLink {
            id: "bell".into(),
            from_event_id: "leave".into(),
            to_event_id: "toll".into(),
            lower: seconds(10),
            upper: seconds(20),
        }],
        horizon_offset: seconds(40),
        ..TemporalNetwork::default()
    }
}

fn clash() -> TemporalConflict {
    let member = |link: &str| TemporalConflictMember {
        link_ids: vec![link.into()],
        ..TemporalConflictMember::default()
    };
    TemporalConflict {
        members: vec![member("bell"), member("toll->ring")],
        candidate: vec![scheduled("ring", 14)],
        behavior: vec![scheduled("toll", 20)],
        ..TemporalConflict::default()
    }
}

#[test]
fn what_clashes_is_marked() {
    let conflict = clash();
    let drawn = Drawn {
        schedule: None,
        conflict: Some(&conflict),
    };
    let text = links_text(&evening(), drawn, &TextOptions::default());
    let rows = text.lines().filter(|line| line.ends_with("  yes"));
    let marked: Vec<_> = rows.map(|line| line.split_whitespace().next()).collect();
    assert_eq!(marked, [Some("bell"), Some("toll->ring")], "{text}");
    let times = timeline_text(&evening(), drawn, &NARROW);
    assert!(times.ends_with("├─┤ may happen  × breaks\n"), "{times}");
}

#[test]
fn links_are_listed_in_the_order_and_direction_of_time() {
    let expected = "Links
  link           from    to     takes        order
  origin->leave  origin  leave  0s to 10s    comes before
  leave->open    leave   open   5s to 15s    comes before
  ring->leave    leave   ring   at least 2s  comes before
  bell           leave   toll   10s to 20s   Nature decides how long
  toll->ring     toll    ring   -3s to 4s    in any order
";
    let text = links_text(&evening(), Drawn::default(), &TextOptions::default());
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn windows_follow_from_the_links() {
    let expected = "      0s         10s         20s         30s
      ┬──────────┬───────────┬───────────┬────
leave ├──────────┤
open       ├───────────────────────┤
ring          ├──────────────────────────────┤
toll             ├───────────────────────┤
├─┤ may happen
";
    let text = timeline_text(&evening(), Drawn::default(), &NARROW);
    assert_eq!(text, expected);
}

#[test]
fn a_network_that_is_not_tied_to_the_origin_begins_there() {
    let network = TemporalNetwork {
        events: vec![event("b", ""), event("a", ""), event("early", "")],
        links: vec![
            link("a", "b", [Some(10), Some(20)]),
            link("origin", "early", [None, Some(-10)]),
        ],
        ..TemporalNetwork::default()
    };
    let expected = "      -10s      -5s       0s        5s
      ┬─────────┬─────────┬─────────┬─────────
early │
a                         ├──────────────────>
b                                            >
├─┤ may happen
";
    assert_eq!(timeline_text(&network, Drawn::default(), &NARROW), expected);
}

#[test]
fn a_schedule_takes_the_place_of_windows() {
    let schedule = TemporalSchedule {
        events: vec![scheduled("leave", 1), scheduled("ring", 20)],
        ranges: vec![TemporalEventRange {
            event_id: "open".into(),
            earliest_offset: seconds(6),
            latest_offset: seconds(16),
        }],
    };
    let drawn = Drawn {
        schedule: Some(&schedule),
        conflict: None,
    };
    let ascii = TextOptions {
        ascii: true,
        ..NARROW
    };
    let expected = "      0s           10s          20s
      +------------+------------+-------------
leave  *
open          [------------]
toll               [-------------------------]
ring                            *
* chosen  [-] may happen
";
    let text = timeline_text(&evening(), drawn, &ascii);
    assert_eq!(text, expected);
    assert!(links_text(&evening(), drawn, &ascii).is_ascii());
}

#[test]
fn boxes_and_arrows_are_where_they_belong() {
    let conflict = clash();
    let drawn = Drawn {
        schedule: None,
        conflict: Some(&conflict),
    };
    let picture = svg(&evening(), drawn);
    for part in [
        "<text x=\"16\" y=\"26\" class=\"title\">An &lt;evening&gt;</text>",
        // Leaving is first, in the middle of its column; all others come after it.
        "<rect x=\"16\" y=\"68\" width=\"136\" height=\"36\" rx=\"5\" fill=\"#dff3e1\" \
         stroke=\"#d00\"><title>leave: 0s to 10s</title></rect>",
        "<rect x=\"236\" y=\"128\" width=\"136\" height=\"36\" rx=\"5\" fill=\"#ece0f8\" \
         stroke=\"#d00\"><title>toll: 10s to 30s</title></rect>",
        "<path d=\"M152,86 C194,86 194,26 236,26\" class=\"curve line\" stroke=\"#555\">\
         <title>ring-&gt;leave: at least 2s</title></path>",
        "<polygon points=\"236,26 229,29.5 229,22.5\" fill=\"#555\"/>",
        "<path d=\"M152,86 C194,86 194,146 236,146\" class=\"curve bold\" stroke=\"#d00\">\
         <title>bell: 10s to 20s</title></path>",
        "<title>toll at 20s: breaks</title>",
    ] {
        assert!(picture.contains(part), "{part}\n{picture}");
    }
}

#[test]
fn the_document_stands_alone() {
    let picture = svg(&evening(), Drawn::default());
    assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(picture.ends_with("</svg>\n"));
    let rest = picture.replace("http://www.w3.org/2000/svg", "");
    for foreign in ["http", "<script", "href", "url(", "@import"] {
        assert!(!rest.contains(foreign), "{foreign}");
    }
}

/// A thousand events, each linked to the hundred before it.
fn crowd() -> TemporalNetwork {
    let id = |i: i64| format!("event {i}");
    let mut network = TemporalNetwork {
        events: (0..1_000).map(|i| event(&id(i), "")).collect(),
        ..TemporalNetwork::default()
    };
    for to in 1..1_000 {
        for from in (to - 100).max(0)..to {
            network
                .links
                .push(link(&id(from), &id(to), [Some(1), Some(500)]));
        }
    }
    network
}

#[test]
fn pictures_of_the_largest_networks_are_bounded() {
    let network = crowd();
    let picture = svg(&network, Drawn::default());
    assert!(picture.len() < 2_000_000, "{} bytes", picture.len());
    assert_eq!(picture.matches("<path").count(), 2_000);
    assert_eq!(picture.matches("rx=\"5\"").count(), 1_000);
    let links = links_text(&network, Drawn::default(), &NARROW);
    assert!(links.contains("  and 94750 more\n"), "{links}");
    let times = timeline_text(&network, Drawn::default(), &NARROW);
    assert!(times.contains("and 800 more events\n"), "{times}");
}

#[test]
fn what_clashes_is_drawn_in_a_crowd_too() {
    let network = crowd();
    let member = TemporalConflictMember {
        link_ids: vec!["event 998->event 999".into()],
        ..TemporalConflictMember::default()
    };
    let conflict = TemporalConflict {
        members: vec![member],
        ..TemporalConflict::default()
    };
    let drawn = Drawn {
        schedule: None,
        conflict: Some(&conflict),
    };
    assert_eq!(
        svg(&network, drawn)
            .matches("\"curve bold\" stroke=\"#d00\"")
            .count(),
        1
    );
    let links = links_text(&network, drawn, &NARROW);
    assert!(
        links
            .lines()
            .any(|l| l.starts_with("  event 998->event 999")),
        "{links}"
    );
}
