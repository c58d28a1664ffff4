//! Levels of Sokoban in files of others, and playing and comparing them.

mod slc;

use formats::levels::{
    Level, SIDE_MAX, Set, Style, compress, expand, looks_like, read, template, write,
};
use proptest::prelude::*;

const TWO: &str = "\
Collection: Small ones
Author: Ada

; first
#####
#@$.#
#####
Author: Bob
Comment:
not hard
at all
Comment-End:
Solution:
R

second
  ####
###  #
#  * #
# $+ #
######
";

fn mistakes(text: &str) -> Vec<String> {
    read(text)
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn titles_authors_comments_and_solutions_go_with_their_boards() {
    let set = read(TWO).unwrap();
    assert_eq!(
        (set.title.as_str(), set.author.as_str()),
        ("Small ones", "Ada")
    );
    let [first, second] = &set.levels[..] else {
        panic!("{set:?}")
    };
    assert_eq!(first.title, "first");
    assert_eq!(first.author, "Bob");
    assert_eq!(first.comment, "not hard\nat all");
    assert_eq!(first.solution, "R");
    assert_eq!(first.line, 5);
    assert_eq!((second.title.as_str(), second.line), ("second", 17));
    assert_eq!(second.rows[0], "  ####");
    assert_eq!(second.solution, "");
}

/// In some files titles stand below boards, in others above; lines with `::` are for nobody.
#[test]
fn titles_may_stand_below_boards_or_above() {
    let below =
        "####\n#@$.#\n####\nTitle: a\n\n####\n#@$.#\n####\nTitle: b\nSolution (1 push)\nR\n";
    let above = ":: from nowhere\nTitle: a\n####\n#@$.#\n####\n\nTitle: b\n####\n#@$.#\n####\n";
    for text in [below, above] {
        let titles: Vec<String> = read(text)
            .unwrap()
            .levels
            .into_iter()
            .map(|l| l.title)
            .collect();
        assert_eq!(titles, ["a", "b"], "{text}");
    }
}

#[test]
fn runs_and_rows_in_one_line_are_boards_like_others() {
    let plain = read("#######\n#@$ --.#\n#######\n").unwrap().levels[0]
        .rows
        .clone();
    for text in ["7#|#@$ 2-.#|7#", "7#\n#@$ 2-.#\n7#", "7#|#@$ --.#\n7#"] {
        assert_eq!(read(text).unwrap().levels[0].rows, plain, "{text}");
    }
    let solved = read("5#|#@$.#|5#\nSolution: 2rR\n").unwrap();
    assert_eq!(solved.levels[0].solution, "rrR");
}

#[test]
fn what_is_written_is_read_again() {
    let set = read(TWO).unwrap();
    let bare = |set: &Set| -> Vec<(String, Vec<String>)> {
        let levels = set.levels.iter();
        levels
            .map(|level| {
                (
                    level.title.clone(),
                    level.rows.iter().map(|r| r.replace('-', " ")).collect(),
                )
            })
            .collect()
    };
    for style in [Style::Xsb, Style::Sok, Style::Rle] {
        let text = write(&set, style);
        assert!(looks_like(&text), "{text}");
        let again = read(&text).unwrap();
        assert_eq!(bare(&again), bare(&set), "{text}");
        if style == Style::Sok {
            let about = |level: &Level| {
                (
                    level.author.clone(),
                    level.comment.clone(),
                    level.solution.clone(),
                )
            };
            assert_eq!(
                again.levels.iter().map(about).collect::<Vec<_>>(),
                set.levels.iter().map(about).collect::<Vec<_>>()
            );
            assert_eq!(again.author, "Ada");
        }
    }
}

#[test]
fn each_mistake_is_told_with_its_place() {
    let text = "#####\n#@x.#\n#@$ #\n#####\n\n####\n#$*#\n####\n";
    let wrong = mistakes(text);
    assert_eq!(wrong.len(), 4, "{wrong:?}");
    assert!(
        wrong[0].starts_with("`x` is none of # (wall)") && wrong[0].ends_with("at line 2 column 3")
    );
    assert_eq!(wrong[1], "a second player at line 3 column 2");
    assert_eq!(
        wrong[2],
        "a board without a player (@ or +) at line 6 column 1"
    );
    assert_eq!(
        wrong[3],
        "boxes and goals in different numbers: 2 and 1 at line 6 column 1"
    );
    assert_eq!(
        mistakes("####\n#@.#\n####\n"),
        ["a board without boxes ($ or *) at line 1 column 1"]
    );
    assert!(mistakes("nothing\n")[0].starts_with("no board found"));
    let wrong = mistakes("####\n#@$.\n####\nSolution:\nRxR\n");
    assert!(
        wrong[0].starts_with("a solution has letters") && wrong[0].ends_with("line 5 column 2"),
        "{wrong:?}"
    );
    assert!(mistakes("Solution: r\n")[0].starts_with("a solution before the first board"));
}

#[test]
fn boards_out_of_all_proportion_are_refused() {
    let wide = format!("{}\n#@$.#\n", "#".repeat(SIDE_MAX + 1));
    assert_eq!(
        mistakes(&wide),
        ["more than 64 columns at line 1 column 65"]
    );
    let high = format!("#@$.#\n{}", "####\n".repeat(SIDE_MAX));
    assert_eq!(mistakes(&high), ["more than 64 rows at line 65 column 1"]);
    let bomb = "999999999999999999999999#|#@$.#";
    assert!(
        mistakes(bomb)[0].starts_with("a run to beyond 64"),
        "{:?}",
        mistakes(bomb)
    );
    assert!(mistakes("####5\n#@$.#")[0].starts_with("digits at the end"));
    assert!(mistakes("####3|\n#@$.#")[0].starts_with("digits before a |"));
}

#[test]
fn templates_have_question_marks_and_nothing_else_new() {
    let rows = template("; a room\n\n?####\n#? @#\n#####\n\n").unwrap();
    assert_eq!(rows, ["?####", "#? @#", "#####"]);
    let wrong = template("##\n#x#\n").unwrap_err();
    assert_eq!(wrong[0].at, Some((2, 2)));
    assert!(template("\n\n").is_err());
    assert!(template(&"#\n".repeat(65)).is_err());
}

#[test]
fn other_texts_do_not_look_like_levels() {
    for text in [
        "# a comment\ntasks: []\n",
        "{}",
        "####\n####\n",
        "time: 8\n\n###\n#G#\n###\n",
    ] {
        assert!(!looks_like(text), "{text}");
    }
}

fn hostile() -> impl Strategy<Value = String> {
    let lines = prop::sample::select(vec![
        "#####",
        "#@$.#",
        "#  *+",
        "9999#",
        "|",
        "5#|#@$.#|5#",
        "Title: x",
        "Author:",
        "Comment:",
        "Comment-End:",
        "Solution",
        "Solution: RRuu",
        "lurdLURD",
        ":: x",
        "; y",
        "",
        "\u{feff}",
        "#ß#",
        "0#",
        "-",
        "Set: z",
        "\t#\t",
    ]);
    let noise = "\\PC{0,20}";
    let line = prop_oneof![4 => lines.prop_map(String::from), 1 => noise];
    prop::collection::vec(line, 0..30).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_fail(text in hostile()) {
        let _ = (looks_like(&text), template(&text));
        match read(&text) {
            // What can be read can be written and read again.
            Ok(set) => for style in [Style::Xsb, Style::Sok, Style::Rle] {
                let again = read(&write(&set, style));
                prop_assert_eq!(again.map(|set| set.levels.len()), Ok(set.levels.len()));
            },
            Err(mistakes) => prop_assert!((1..=100).contains(&mistakes.len())),
        }
    }

    #[test]
    fn runs_are_what_they_were(text in "[#$.@*+ -]{0,64}") {
        prop_assert_eq!(expand(&compress(&text), 64), Ok(vec![text]));
    }
}

#[test]
fn what_the_player_cannot_reach_is_decoration() {
    // A box beyond the walls, a box on a goal within them, and a goal.
    let rows = "########\n#@ $ . #  $\n########\n#*#  .\n###\n";
    let set = read(rows).unwrap();
    assert_eq!(set.levels[0].rows.len(), 5);
    // Within reach they still have to be as many.
    let wrong = mistakes("########\n#@ $ . #\n# $    #\n########\n");
    assert!(
        wrong[0].starts_with("boxes and goals in different numbers: 2 and 1"),
        "{wrong:?}"
    );
    let wrong = mistakes("#####\n#@ .#\n#####\n# $ #\n#####\n");
    assert!(wrong[0].starts_with("a board without boxes"), "{wrong:?}");
}

#[test]
fn as_many_boxes_are_read_as_are_solved() {
    let pairs = format!("#{}@#", "$.".repeat(30));
    let wall = "#".repeat(62);
    let text = format!(
        "{wall}\n{pairs}\n{pairs2}\n{wall}\n",
        pairs2 = pairs.replace('@', " ")
    );
    let set = read(&text).unwrap();
    let boxes = set.levels[0].rows.concat().matches('$').count();
    assert_eq!(boxes, 60);
}
