//! Nothing that a message can say makes a picture fail.

use crate::ESCAPE;
use proptest::prelude::*;
use stratagem_proto::v1::{PuzzleFeatures, PuzzleLevel, PuzzlePlan, PuzzleProblem};
use stratagem_render::puzzle::{Sheet, pixels};
use stratagem_render::text::TextOptions;

fn row() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(b"#  .$*@+-?".to_vec()), 0..12)
            .prop_map(|row| String::from_utf8_lossy(&row).into_owned()),
        prop::sample::select(vec!["", "<script>", "\u{1b}[2J", "ß∞\u{0}"]).prop_map(String::from),
    ]
}

fn level() -> impl Strategy<Value = PuzzleLevel> {
    let rows = prop::collection::vec(row(), 0..8);
    let features = (any::<i32>(), any::<f64>(), any::<Option<i32>>());
    let value = prop::option::of(any::<f64>());
    (any::<i32>(), rows, "[lurdLURDx<]{0,30}", value, features).prop_map(
        |(rung, rows, solution, value, (count, real, effort))| PuzzleLevel {
            rung,
            rows,
            solution,
            value,
            features: Some(PuzzleFeatures {
                boxes: count,
                pushes: count,
                moves: count,
                blocks: real,
                effort,
                ..PuzzleFeatures::default()
            }),
        },
    )
}

proptest! {
    #[test]
    fn any_levels_can_be_drawn(
        levels in prop::collection::vec(level(), 0..4),
        title in row(),
        with_plan: bool,
        ascii: bool,
        width in 0_usize..200,
    ) {
        let problem = PuzzleProblem {
            title,
            template_rows: levels.first().map(|level| level.rows.clone()).unwrap_or_default(),
            ..PuzzleProblem::default()
        };
        let plan = PuzzlePlan { levels };
        let sheet = Sheet::of_plan(&problem, with_plan.then_some(&plan));
        let shown = sheet.scene(&[]).text(&TextOptions { width, ascii, colour: false });
        prop_assert!(!shown.contains(ESCAPE));
        let scene = sheet.scene(&plan.levels);
        for picture in [scene.svg(), scene.animated_svg(), scene.html()] {
            prop_assert!(!picture.contains(ESCAPE) && picture.matches("<script").count() <= 1);
            prop_assert!(!picture.contains("NaN") && !picture.contains("inf"));
        }
        let pixels = pixels(&sheet);
        prop_assert_eq!(pixels.rgb.len(), 3 * pixels.width * pixels.height);
    }
}
