//! Problems as PDDL, and plans of PDDL planners.

use super::chalet;
use formats::Format;
use formats::heist::{moves, pddl};
use proptest::prelude::*;
use stratagem_proto::v1::{
    HeistAgent, HeistContainer, HeistDoor, HeistGoal, HeistPlan, HeistProblem, HeistRoom,
    HeistStep, HeistVerb, HeistWorld,
};

fn step(verb: HeistVerb, target: &str, key: &str) -> HeistStep {
    HeistStep {
        verb: verb.into(),
        target_id: target.into(),
        key_id: key.into(),
    }
}

#[test]
fn pddl_says_what_he_believes() {
    let text = pddl::write(&chalet()).unwrap();
    for part in [
        "(define (problem heist-of-burglar)",
        "    (opened front)\n",
        "    (fits latchkey front)\n",
        "    (locked trunk)\n",
        "    (located fiddle trunk)\n",
        "    (near burglar start)\n",
        "    (connects ladder attic parlour)\n",
        "(:goal (and (has burglar fiddle) (in burglar porch)))",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // The attic has a camera that the burglar knows, and no fact is written twice.
    assert!(!text.contains("connects ladder parlour attic"), "{text}");
    assert!(!text.contains("located start"), "{text}");
    assert!(!text.contains(" = \""), "{text}");
}

#[test]
fn the_domain_has_ten_predicates_and_eight_actions() {
    let count = |what: &str| pddl::DOMAIN.matches(what).count();
    assert_eq!(count("(:action "), 8);
    let predicates = pddl::DOMAIN.split("(:predicates").nth(1).unwrap();
    let predicates = predicates.split("(:action").next().unwrap();
    assert_eq!(predicates.matches("\n    (").count(), 10);
    assert_eq!(count("("), count(")"));
}

#[test]
fn visits_in_an_order_are_places_on_a_list() {
    let mut problem = chalet();
    problem.agent_id = "aunt".into();
    let goal = |problem: &mut HeistProblem, rooms: &[&str]| {
        let guard = &mut problem.world.as_mut().unwrap().guards[0];
        let visits = rooms.iter().map(|room| (*room).to_owned());
        guard.goal.as_mut().unwrap().visit_room_ids = visits.collect();
    };
    // The burglar is in the parlour at the start; twice the same is once.
    goal(
        &mut problem,
        &["parlour", "attic", "attic", "parlour", "attic"],
    );
    let text = pddl::write(&problem).unwrap();
    for part in [
        "(:domain heist-in-order)",
        "    place-0-on-list place-1-on-list place-2-on-list place-3-on-list - place-on-list\n",
        "    (reached aunt place-0-on-list)\n    (due place-0-on-list attic)\n",
        "    (due place-1-on-list parlour)\n    (followed-by place-1-on-list place-2-on-list)\n",
        "(:goal (and (reached aunt place-3-on-list) (visited aunt attic) (visited aunt parlour)))",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(pddl::domain(&problem), pddl::DOMAIN_IN_ORDER);
    let found = "(enter-as-due aunt ladder parlour attic place-0-on-list place-1-on-list)\n\
                 (enter aunt ladder attic parlour place-1-on-list)\n";
    let plan = moves::read(found, &problem).unwrap();
    let enter = step(HeistVerb::Enter, "ladder", "");
    assert_eq!(plan.steps, [enter.clone(), enter]);
    // Only what the burglar sees at the start: nothing is left of the list.
    goal(&mut problem, &["parlour", "parlour"]);
    assert_eq!(pddl::domain(&problem), pddl::DOMAIN);
    let guard = &mut problem.world.as_mut().unwrap().guards[0];
    guard.goal.as_mut().unwrap().any_order = true;
    goal(&mut problem, &["parlour", "attic"]);
    let text = pddl::write(&problem).unwrap();
    assert!(
        text.contains("(:goal (and (visited aunt attic) (visited aunt parlour)))"),
        "{text}"
    );
    // The burglar avoids nothing.
    assert!(text.contains("(connects ladder parlour attic)"), "{text}");
}

#[test]
fn the_domain_with_lists_is_the_other_one_with_lists() {
    let own: Vec<&str> = pddl::DOMAIN.lines().skip(3).collect();
    let listed = pddl::DOMAIN_IN_ORDER;
    let lacking = own.iter().filter(|line| !listed.contains(*line)).count();
    // Its name, its types, the end of the predicates, and who enters.
    assert!(lacking <= 6, "{lacking}");
    assert_eq!(listed.matches("(:action ").count(), 9);
    assert_eq!(listed.matches('(').count(), listed.matches(')').count());
}

/// What planners write: with costs, times and durations, in capitals or not.
const FOUND: &str = "\
; cost = 6 (unit cost)
(approach burglar porch start pot)
0.001: (PICK-UP BURGLAR LATCHKEY POT) [0.001]
2: (approach burglar porch pot front)  ; to the door
(unlock burglar front latchkey)

(open burglar front)
(enter burglar front porch parlour)
(operate burglar kettle)
";

#[test]
fn plans_of_planners_are_read() {
    let plan = moves::read(FOUND, &chalet()).unwrap();
    let steps = [
        step(HeistVerb::Approach, "pot", ""),
        step(HeistVerb::PickUp, "latchkey", ""),
        step(HeistVerb::Approach, "front", ""),
        step(HeistVerb::Unlock, "front", "latchkey"),
        step(HeistVerb::Open, "front", ""),
        step(HeistVerb::Enter, "front", ""),
        step(HeistVerb::Operate, "kettle", ""),
    ];
    assert_eq!(plan.steps, steps);
    let list = r#"[["approach", "pot"], ["pick-up", "latchkey"], ["approach", "front"],
        ["unlock", "front", "latchkey"], ["open", "front"], ["enter", "front"], ["operate", "kettle"]]"#;
    assert_eq!(moves::read_list(list).unwrap(), plan);
    assert!(moves::looks_like(FOUND) && !moves::is_list(FOUND));
    assert!(!moves::looks_like(r#"{"steps": []}"#) && !moves::looks_like("steps: []"));
    assert_eq!(
        moves::read("; nothing to do\n", &chalet()).unwrap(),
        HeistPlan::default()
    );
}

#[test]
fn steps_at_nothing_are_left_out() {
    let text = "(open burglar start)\n(close burglar start)\n(approach burglar porch start pot)";
    let plan = moves::read(text, &chalet()).unwrap();
    assert_eq!(plan.steps, [step(HeistVerb::Approach, "pot", "")]);
}

#[test]
fn mistakes_in_plans_are_told_by_their_lines() {
    for (line, part) in [
        ("approach burglar porch start pot", "in parentheses"),
        ("(approach burglar porch start pot", "in parentheses"),
        ("((open burglar pot))", "in parentheses"),
        ("()", "no action ``"),
        ("(jump burglar pot)", "no action `jump`"),
        ("(open burglar)", "takes 2 arguments, not 1"),
        ("(open aunt pot)", "done by aunt, not by burglar"),
        ("(open burglar pan)", "no `pan`"),
        ("(open burglar porch)", "nothing to stand at"),
        ("(approach burglar pot start pot)", "no room"),
        ("(pick-up burglar pot pot)", "no key and no artifact"),
        ("(unlock burglar front pot)", "no key and no artifact"),
        (
            "(enter burglar front porch attic)",
            "no door from `porch` to `attic`",
        ),
        ("(enter burglar trunk porch parlour)", "no door from"),
    ] {
        let text = format!("; a plan\n\n  {line}\n");
        let mistakes = moves::read(&text, &chalet()).unwrap_err();
        assert_eq!(mistakes[0].at, Some((3, 3)), "{line}");
        assert!(
            mistakes[0].message.contains(part),
            "{line}: {}",
            mistakes[0].message
        );
    }
    let many = "(jump)\n".repeat(1_000);
    assert_eq!(moves::read(&many, &chalet()).unwrap_err().len(), 20);
    for list in [
        r#"[["open"]]"#,
        r#"[["open", "a", "b"]]"#,
        r#"[["unlock", "a"]]"#,
        r#"[["jump", "a"]]"#,
        "[[1]]",
    ] {
        assert_eq!(moves::read_list(list).unwrap_err().len(), 1, "{list}");
    }
}

/// Ids that PDDL does not take, and some that are taken already.
fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "Hall", "hall", "hall-2", "start", "start-2", "not", "room", "42", "a b", "a;b",
            "a\nb", "(x)", "勇者", "\"", "_", "-", "BURGLAR", "Start", "n-42",
        ])
        .prop_map(String::from),
        ".{1,8}",
    ]
}

proptest! {
    /// With any ids, a problem in PDDL is balanced, its names are valid, and plans are read back
    /// with ids.
    #[test]
    fn names_go_out_and_come_back(ids in prop::collection::btree_set(id(), 6)) {
        let ids: Vec<String> = ids.into_iter().collect();
        let room = |id: &String| HeistRoom { id: id.clone(), ..HeistRoom::default() };
        let (rooms, rest) = ids.split_at(2);
        let world = HeistWorld {
            rooms: rooms.iter().map(room).collect(),
            doors: vec![HeistDoor {
                id: rest[0].clone(),
                a_room_id: rooms[0].clone(),
                b_room_id: rooms[1].clone(),
                key_ids: vec![rest[2].clone()],
                ..HeistDoor::default()
            }],
            containers: vec![HeistContainer {
                id: rest[1].clone(),
                room_id: rooms[1].clone(),
                item_ids: vec![rest[2].clone()],
                ..HeistContainer::default()
            }],
            key_ids: vec![rest[2].clone()],
            burglar: Some(HeistAgent {
                id: rest[3].clone(),
                room_id: rooms[0].clone(),
                goal: Some(HeistGoal { end_room_id: rooms[1].clone(), ..HeistGoal::default() }),
                ..HeistAgent::default()
            }),
            ..HeistWorld::default()
        };
        let problem = HeistProblem { world: Some(world), ..HeistProblem::default() };
        let text = pddl::write(&problem).unwrap();
        let code: String = text.lines().filter(|l| !l.starts_with(";;")).map(|l| format!("{l}\n")).collect();
        prop_assert_eq!(code.matches('(').count(), code.matches(')').count());
        let of_pddl = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "()-_: \n".contains(c);
        prop_assert!(code.chars().all(of_pddl), "{}", code);
        // The facts have the names: (near AGENT NOTHING), (connects DOOR FROM TO), (located ITEM
        // CONTAINER).
        let fact = |name: &str, n: usize| {
            let mut facts = code.lines().filter_map(|l| l.trim().strip_prefix(name));
            let fact = facts.nth(n).unwrap().trim_end_matches(')').to_owned();
            fact.split_whitespace().map(String::from).collect::<Vec<_>>()
        };
        let (near, door) = (fact("(near ", 0), fact("(connects ", 0));
        let item = fact("(fits ", 0);
        let container = fact("(located ", 2);
        let plan = format!(
            "(approach {agent} {from} {nothing} {door})\n(enter {agent} {door} {from} {to})\n\
             (approach {agent} {to} {door} {container})\n(pick-up {agent} {item} {container})\n",
            agent = near[0], nothing = near[1], door = door[0], from = door[1], to = door[2],
            container = container[0], item = item[0],
        );
        let plan = moves::read(&plan, &problem).unwrap();
        let expected = [
            step(HeistVerb::Approach, &rest[0], ""),
            step(HeistVerb::Enter, &rest[0], ""),
            step(HeistVerb::Approach, &rest[1], ""),
            step(HeistVerb::PickUp, &rest[2], ""),
        ];
        prop_assert_eq!(plan.steps, expected);
    }

    /// Nothing that a file can say makes a reader fail.
    #[test]
    fn anything_can_be_read(text in "([(\\[{;:\"a-z0-9 \\])}\n]{0,60}|\\PC{0,40})") {
        let problem = chalet();
        let _ = moves::read(&text, &problem);
        let _ = moves::read_list(&text);
        let _ = moves::looks_like(&text);
        let _ = crate::heist::read(&text, Format::Json);
        let _ = crate::heist::read(&format!("{{\"rooms\": [\"a\"], {text}"), Format::Json);
    }
}
