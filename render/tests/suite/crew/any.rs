//! Nothing that a message can say makes a picture fail.

use super::{plan, problem};
use crate::ESCAPE;
use proptest::prelude::*;
use stratagem_render::crew::{Drawn, choices, scene};
use stratagem_render::text::TextOptions;

fn svg(problem: &stratagem_proto::v1::CrewProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).svg()
}

fn page(problem: &stratagem_proto::v1::CrewProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).html()
}

fn text(
    problem: &stratagem_proto::v1::CrewProblem,
    drawn: Drawn<'_>,
    options: &TextOptions,
) -> String {
    scene(problem, drawn).text(options)
}

fn id() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "b",
        "h",
        "k",
        "p1",
        "t1",
        "勇者",
        "<<",
        "\u{1b}[2J",
        "",
    ])
    .prop_map(String::from)
}

pub(crate) fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-3.0..3.0, Just(f64::NAN), Just(f64::INFINITY), any::<f64>()]
}

proptest! {
    #[test]
    fn ids_and_numbers_may_be_anything(
        ids in prop::collection::vec(id(), 12),
        numbers in prop::collection::vec(number(), 6),
    ) {
        let (mut problem, mut plan) = (problem(), plan());
        let mut next = ids.into_iter().cycle();
        let mut any = || next.next().unwrap_or_default();
        let mut numbers = numbers.into_iter().cycle();
        let mut number = || numbers.next().unwrap_or_default();
        problem.title = any();
        for node in &mut problem.nodes {
            (node.label, node.x, node.y) = (any(), Some(number()), Some(number()));
        }
        for arc in &mut problem.arcs {
            (arc.from_node_id, arc.to_node_id, arc.carry_damage) = (any(), any(), number());
        }
        for player in &mut problem.players {
            (player.label, player.node_id) = (any(), any());
        }
        let fronts = plan.events.iter_mut().flat_map(|e| &mut e.fronts);
        for point in fronts.flat_map(|f| &mut f.points) {
            point.worst_damage = number();
            for role in &mut point.roles {
                (role.player_id, role.tool_id) = (any(), any());
                role.carry_node_ids = vec![any(), any()];
            }
        }
        let options = TextOptions { width: 40, ascii: true, colour: false };
        for choice in choices(&plan) {
            let drawn = Drawn { plan: Some(&plan), choice: Some(choice) };
            prop_assert!(!text(&problem, drawn, &options).contains(ESCAPE));
        }
        let drawn = Drawn { plan: Some(&plan), choice: None };
        for picture in [svg(&problem, drawn), page(&problem, drawn)] {
            prop_assert!(!picture.contains(ESCAPE));
            prop_assert!(!picture.contains("\"NaN") && !picture.contains("<<"));
        }
    }
}
