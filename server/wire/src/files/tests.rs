//! Files are read, written, and refused.

use super::*;

const MAP: &str = "time: 4\n\n######\n#G..3#\n######\n";

fn import(content: &str, change: impl FnOnce(&mut pb::ImportProblemRequest)) -> Vec<String> {
    let mut request = pb::ImportProblemRequest {
        content: content.into(),
        ..pb::ImportProblemRequest::default()
    };
    change(&mut request);
    match ImportProblem::read(request) {
        Ok(read) => vec![read.format],
        Err(wrong) => lines(wrong),
    }
}

fn lines(wrong: Mistakes) -> Vec<String> {
    let list = wrong.into_list().into_iter();
    list.map(|it| format!("{} {}: {}", it.field, it.code.name(), it.description))
        .collect()
}

#[test]
fn the_format_is_recognised_or_named() {
    assert_eq!(import(MAP, |_| ()), ["tiles"]);
    assert_eq!(
        import("title: a\n", |it| it.planner = "crew".into()),
        ["yaml"]
    );
    let [wrong] = &import(MAP, |it| it.format = "solomon".into())[..] else {
        panic!("one mistake");
    };
    let expected = "content SYNTAX: line 3, column 1: expected VEHICLE, got `######`";
    assert_eq!(wrong, expected);
    let wrong = import(MAP, |it| {
        it.format = "tile".into();
        it.planner = "bakery".into();
    });
    assert!(wrong[0].starts_with("format UNKNOWN: is \"tile\", which is no format: json"));
    assert_eq!(
        wrong[1],
        "planner UNKNOWN: is \"bakery\", which is no planner"
    );
}

#[test]
fn options_count_for_their_formats_only() {
    let options = |rooms, agent_count| {
        Some(pb::ImportOptions {
            rooms,
            agent_count,
            ..pb::ImportOptions::default()
        })
    };
    assert_eq!(
        import(MAP, |it| it.options = options(true, None)),
        ["tiles"]
    );
    assert_eq!(
        import(MAP, |it| it.options = options(false, Some(3))),
        [
            "options.agent_count CONTRADICTION: counts for solomon and vrplib only, and this is tiles"
        ]
    );
    assert_eq!(
        import(MAP, |it| it.options = options(false, Some(0)))[0]
            .split(':')
            .next(),
        Some("options.agent_count OUT_OF_RANGE")
    );
}

#[test]
fn every_mistake_of_a_text_has_its_line() {
    let wrong = import("time: 4\npause: x\n\n####\n#Gq#\n####\n", |it| {
        it.format = "tiles".into();
    });
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert!(
        wrong[0].starts_with("content SYNTAX: line 2, column 1: "),
        "{wrong:?}"
    );
    assert!(
        wrong[1].starts_with("content SYNTAX: line 5, column 3: "),
        "{wrong:?}"
    );
}

#[test]
fn what_is_exported_is_imported_again() {
    let problem = ImportProblem::read(pb::ImportProblemRequest {
        content: MAP.into(),
        ..pb::ImportProblemRequest::default()
    });
    let problem = problem.expect("a map").problem;
    for format in ["json", "yaml", "tiles", "literature"] {
        let request = pb::ExportProblemRequest {
            problem: problem.clone(),
            format: format.into(),
        };
        let written = ExportProblem::read(request).expect(format);
        let answer = ExportProblem::answer(written, &Pulse::unbounded());
        let answer = answer.expect("no mistake").expect("it was wanted");
        assert_eq!(answer.files.len(), 1);
        let again = ImportProblem::read(pb::ImportProblemRequest {
            content: answer.files[0].content.clone(),
            planner: "patrol".into(),
            ..pb::ImportProblemRequest::default()
        });
        let again = again.expect(format);
        assert_eq!(again.format, format);
        // Papers call vertices by their numbers.
        assert_eq!(again.problem == problem, format != "literature", "{format}");
    }
    let request = pb::ExportProblemRequest {
        problem,
        format: "solomon".into(),
    };
    let wrong = lines(ExportProblem::read(request).unwrap_err());
    let expected = "problem CONTRADICTION: the format solomon is for problems of allocation only";
    assert_eq!(wrong, [expected]);
}

#[test]
fn contents_with_too_many_elements_are_refused_before_they_are_read() {
    let objects = format!("\u{feff}[{}]", "{},".repeat(200_001));
    let lines = "- id: a\n".repeat(200_001);
    for (content, what) in [(objects, "objects"), (lines, "elements")] {
        let expected = format!("content TOO_MANY: has 200001 {what}, at most 200000 are allowed");
        assert_eq!(import(&content, |_| ()), [expected]);
    }
}
