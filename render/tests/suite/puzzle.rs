//! Pictures of levels of Sokoban.

mod any;

use stratagem_proto::v1::{PuzzleFeatures, PuzzleLevel, PuzzlePlan, PuzzleProblem};
use stratagem_render::puzzle::{Heading, Marked, Picture, Pixels, Sheet, pixels};
use stratagem_render::text::TextOptions;

fn svg(sheet: &Sheet) -> String {
    sheet.scene(&[]).svg()
}

fn animated_svg(sheet: &Sheet) -> String {
    sheet.scene(&[]).animated_svg()
}

fn text(sheet: &Sheet, options: &TextOptions) -> String {
    sheet.scene(&[]).text(options)
}

const UNICODE: TextOptions = TextOptions {
    width: 76,
    ascii: false,
    colour: false,
};
const ASCII: TextOptions = TextOptions {
    ascii: true,
    ..UNICODE
};

fn golden(name: &str, text: &str) {
    crate::golden::check("puzzle", name, text);
}

fn rows(text: &[&str]) -> Vec<String> {
    text.iter().map(|row| (*row).to_owned()).collect()
}

fn level(rung: i32, board: &[&str], solution: &str) -> PuzzleLevel {
    let pushes = solution.chars().filter(char::is_ascii_uppercase).count();
    PuzzleLevel {
        rung,
        rows: rows(board),
        solution: solution.into(),
        value: Some(1.5 + f64::from(rung)),
        features: Some(PuzzleFeatures {
            boxes: 2,
            pushes: pushes as i32,
            moves: solution.len() as i32,
            box_changes: 1,
            effort: Some(12),
            ..PuzzleFeatures::default()
        }),
    }
}

/// A corridor, and a room in a thick wall.
fn plan() -> PuzzlePlan {
    let corridor = level(0, &["#######", "#@$ .##", "#######"], "RR");
    let room = level(
        1,
        &[
            "#########",
            "#########",
            "###   ###",
            "##.$ @###",
            "###.$ ###",
            "#########",
            "#########",
        ],
        "lLrrdL",
    );
    PuzzlePlan {
        levels: vec![corridor, room],
    }
}

fn problem() -> PuzzleProblem {
    PuzzleProblem {
        title: "Two rooms <&>".into(),
        level_count: Some(2),
        ..PuzzleProblem::default()
    }
}

fn sheet() -> Sheet {
    Sheet::of_plan(&problem(), Some(&plan()))
}

#[test]
fn levels_stand_side_by_side_with_what_is_known_of_them() {
    golden("rooms.txt", &text(&sheet(), &UNICODE));
    golden("rooms-ascii.txt", &text(&sheet(), &ASCII));
}

#[test]
fn levels_that_do_not_fit_stand_below_each_other() {
    let narrow = TextOptions {
        width: 40,
        ..UNICODE
    };
    let wide = text(&sheet(), &UNICODE).lines().count();
    let long = text(&sheet(), &narrow);
    assert!(long.lines().count() > wide);
    assert!(
        long.lines().all(|line| line.chars().count() <= 40),
        "{long}"
    );
}

#[test]
fn levels_are_drawn_as_svg() {
    golden("rooms.svg", &svg(&sheet()));
}

#[test]
fn solutions_play_in_svg() {
    golden("rooms-moving.svg", &animated_svg(&sheet()));
}

#[test]
fn a_page_has_it_all() {
    golden("rooms.html", &sheet().scene(&plan().levels).html());
}

/// Each key time belongs to a value, and they rise from 0 to 1: a browser plays nothing else.
#[test]
fn times_of_solutions_that_play_are_as_browsers_want_them() {
    let picture = animated_svg(&sheet());
    let mut animations = 0;
    for part in picture.split("<animate").skip(1) {
        let attribute = |name: &str| {
            let rest = part.split_once(&format!("{name}=\"")).unwrap().1;
            rest.split_once('"').unwrap().0.to_owned()
        };
        let values = attribute("values").split(';').count();
        let times: Vec<f64> = attribute("keyTimes")
            .split(';')
            .map(|time| time.parse().unwrap())
            .collect();
        assert_eq!(times.len(), values);
        assert!(times.is_sorted() && times[0] == 0.0, "{times:?}");
        let is_discrete = part.contains("discrete");
        assert!(is_discrete || times[times.len() - 1] == 1.0, "{times:?}");
        animations += 1;
    }
    assert!(animations >= 5, "{animations}");
}

#[test]
fn a_step_that_cannot_be_made_ends_what_is_played() {
    let wall = Sheet {
        pictures: vec![Picture {
            rows: rows(&["#####", "#@$.#", "#####"]),
            solution: "uuRR".into(),
            ..Picture::default()
        }],
        ..Sheet::default()
    };
    assert!(!animated_svg(&wall).contains("<animate"));
}

#[test]
fn without_a_plan_the_template_is_drawn() {
    let problem = PuzzleProblem {
        template_rows: rows(&["####", "#?@#", "####"]),
        ..PuzzleProblem::default()
    };
    let drawn = text(&Sheet::of_plan(&problem, None), &ASCII);
    assert!(drawn.contains("# @#"), "{drawn}");
}

#[test]
fn pixels_show_walls_boxes_and_paper() {
    let picture = pixels(&sheet());
    assert_eq!(picture.rgb.len(), 3 * picture.width * picture.height);
    let colours: std::collections::BTreeSet<&[u8]> = picture.rgb.chunks(3).collect();
    // Paper, floor, wall, its top, goal, box and its edge, player, letters: no box is on a goal.
    assert_eq!(colours.len(), 9);
}

#[test]
fn names_and_notes_are_written_below_levels_in_pixels() {
    let named = |name: &str, notes: &[&str]| {
        let pictures = vec![Picture {
            name: name.into(),
            notes: notes.iter().map(|note| (*note).to_owned()).collect(),
            rows: rows(&["#####", "#@$.#", "#####"]),
            ..Picture::default()
        }];
        pixels(&Sheet {
            pictures,
            ..Sheet::default()
        })
    };
    let plain = named("", &[]);
    let dark = |picture: &Pixels| {
        let below = picture.rgb.chunks(3 * picture.width).skip(plain.height);
        below
            .map(|row| {
                row.chunks(3)
                    .filter(|colour| *colour == [51, 51, 51])
                    .count()
            })
            .sum::<usize>()
    };
    let one = named("7", &[]);
    assert!(one.height > plain.height && one.width == plain.width);
    // Seven dark pixels, each of two by two; one row of them is where the margin was.
    assert_eq!(dark(&named("7", &["3 pushes"])) % 4, 0);
    assert!(dark(&named("7", &["3 pushes"])) > dark(&one));
    // However long a name is, it does not make the picture wider than its level.
    assert_eq!(named(&"x".repeat(500), &[]).width, plain.width);
}

/// As many levels as a set may have, as large as a level may be.
#[test]
fn large_sets_make_pictures_of_a_bearable_size() {
    let side = 64;
    let mut board = vec!["#".repeat(side)];
    board.extend((0..side - 2).map(|_| format!("#{}#", " ".repeat(side - 2))));
    board.push("#".repeat(side));
    board[1].replace_range(1..4, "@$.");
    let pictures = vec![
        Picture {
            rows: board,
            solution: "R".into(),
            ..Picture::default()
        };
        50
    ];
    let sheet = Sheet {
        pictures,
        ..Sheet::default()
    };
    assert!(svg(&sheet).len() < 8_000_000);
    assert!(sheet.scene(&[]).html().len() < 16_000_000);
}

#[test]
fn a_marked_push_is_an_arrow() {
    let towards = |heading: Heading, marked: Option<(usize, usize)>| Sheet {
        pictures: vec![Picture {
            rows: rows(&["#####", "#@$.#", "#####"]),
            marked: marked.map(|(row, column)| Marked {
                row,
                column,
                heading,
            }),
            ..Picture::default()
        }],
        ..Sheet::default()
    };
    let of = |marked| towards(Heading::Right, marked);
    let plain = svg(&of(None));
    assert_eq!(plain.matches("heavy marked").count(), 0);
    // Along the line, in tiles.
    let arrow = |heading| {
        let picture = svg(&towards(heading, Some((1, 2))));
        let line = picture.lines().find(|line| line.contains("heavy marked"));
        let points = line.unwrap().split("points=\"").nth(1).unwrap();
        let points = points.split('"').next().unwrap().split([' ', ',']);
        let points: Vec<f64> = points.map(|it| it.parse().unwrap()).collect();
        [points[2] - points[0], points[3] - points[1]]
    };
    let [right, level] = arrow(Heading::Right);
    assert!(right > 0.0 && level == 0.0, "{right} {level}");
    assert_eq!(arrow(Heading::Left), [-right, 0.0]);
    assert_eq!(arrow(Heading::Down), [0.0, right]);
    assert_eq!(arrow(Heading::Up), [0.0, -right]);
    // A mark outside the board is left out.
    assert_eq!(svg(&of(Some((9, 9)))), plain);
    let wide = TextOptions {
        ascii: false,
        ..ASCII
    };
    assert!(text(&of(Some((1, 2))), &wide).contains("[→"));
    assert!(!text(&of(None), &wide).contains('→'));
}

#[test]
fn a_marked_push_is_an_arrow_in_pixels() {
    let of = |heading: Option<Heading>, row: usize, column: usize| {
        pixels(&Sheet {
            pictures: vec![Picture {
                rows: rows(&["#####", "#   #", "# $.#", "#  @#", "#####"]),
                marked: heading.map(|heading| Marked {
                    row,
                    column,
                    heading,
                }),
                ..Picture::default()
            }],
            ..Sheet::default()
        })
    };
    let plain = of(None, 2, 2);
    // Cells of 40 pixels after a margin of 12; the middle of the box, and that of the next cell.
    let middle = |row: usize, column: usize| (12 + 40 * column + 20, 12 + 40 * row + 20);
    let headings = [
        (Heading::Left, (2, 1)),
        (Heading::Right, (2, 3)),
        (Heading::Up, (1, 2)),
        (Heading::Down, (3, 2)),
    ];
    for (heading, (row, column)) in headings {
        let marked = of(Some(heading), 2, 2);
        assert_eq!(marked.rgb.len(), plain.rgb.len());
        let places = marked.rgb.chunks(3).zip(plain.rgb.chunks(3)).enumerate();
        let changed: Vec<(usize, usize)> = places
            .filter(|(_, (marked, plain))| marked != plain)
            .map(|(place, _)| (place % plain.width, place / plain.width))
            .collect();
        let (box_at, next) = (middle(2, 2), middle(row, column));
        // From the one to the other, and broader where it ends than where it begins.
        let near = |at: (usize, usize)| {
            let near = changed
                .iter()
                .filter(|(x, y)| x.abs_diff(at.0) + y.abs_diff(at.1) < 14);
            near.count()
        };
        assert!(near(box_at) > 20, "{heading:?}");
        assert!(near(next) > near(box_at), "{heading:?}");
        let (wide, tall) = (box_at.0.min(next.0), box_at.1.min(next.1));
        let inside = |(x, y): &(usize, usize)| {
            let across = wide.saturating_sub(13)..=box_at.0.max(next.0) + 13;
            let down = tall.saturating_sub(13)..=box_at.1.max(next.1) + 13;
            across.contains(x) && down.contains(y)
        };
        assert!(changed.iter().all(inside), "{heading:?}");
    }
    // A mark outside the board is left out.
    assert_eq!(of(Some(Heading::Up), 9, 9), plain);
}
