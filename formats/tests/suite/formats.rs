//! JSON and YAML: the same messages both ways, and hostile input with the place of its mistake.

use formats::{Format, json, read, top_keys, yaml};
use proptest::prelude::*;
use stratagem_proto::EXAMPLES;
use stratagem_proto::v1::{
    AllocationPlan, AllocationProblem, AllocationTask, AllocationWindow, ExampleSummary,
};
use stratagem_render::time::from_micros;

fn examples() -> impl Iterator<Item = (&'static str, AllocationProblem)> {
    let allocation = EXAMPLES.iter().filter(|e| e.planner == "allocation");
    allocation.map(|e| (e.name, json::read(e.json).unwrap()))
}

#[test]
fn examples_survive_json_and_yaml() {
    for (name, problem) in examples() {
        let text = json::write(&problem).unwrap();
        assert_eq!(json::read(&text).as_ref(), Ok(&problem), "{name}");
        let text = yaml::write(&problem).unwrap();
        assert_eq!(yaml::read(&text).as_ref(), Ok(&problem), "{name}");
        let line = json::line(&problem).unwrap();
        assert!(!line.contains('\n'));
        assert_eq!(json::read(&line).as_ref(), Ok(&problem), "{name}");
    }
}

#[test]
fn examples_in_the_repository_are_written_as_we_write() {
    for example in EXAMPLES.iter().filter(|e| e.planner == "allocation") {
        let problem: AllocationProblem = json::read(example.json).unwrap();
        assert_eq!(
            json::write(&problem).unwrap(),
            example.json,
            "{}",
            example.name
        );
    }
}

#[test]
fn written_is_what_people_would_write() {
    let task = AllocationTask {
        id: "light \"the\" beacon".into(),
        service_duration: Some(from_micros(12_500_000)),
        windows: vec![AllocationWindow {
            open_offset: Some(from_micros(0)),
            close_offset: Some(from_micros(60_000_000)),
        }],
        demands: vec![3, 9_007_199_254_740_993],
        drop_penalty: Some(2.0),
        ..AllocationTask::default()
    };
    let problem = AllocationProblem {
        title: "Beacon".into(),
        tasks: vec![task],
        ..AllocationProblem::default()
    };
    let json = r#"{
  "title": "Beacon",
  "tasks": [
    {
      "id": "light \"the\" beacon",
      "service_duration": "12.500s",
      "windows": [{ "open_offset": "0s", "close_offset": "60s" }],
      "demands": [3, 9007199254740993],
      "drop_penalty": 2
    }
  ]
}
"#;
    assert_eq!(json::write(&problem).unwrap(), json);
    let yaml = r#"title: Beacon
tasks:
- id: light "the" beacon
  service_duration: 12.500s
  windows: [{open_offset: 0s, close_offset: 60s}]
  demands: [3, 9007199254740993]
  drop_penalty: 2
"#;
    assert_eq!(yaml::write(&problem).unwrap(), yaml);
}

#[test]
fn both_spellings_of_names_and_numbers_are_read() {
    let canonical = r#"{"tasks": [{"id": "a", "serviceDuration": "1.5s", "demands": ["7"]}]}"#;
    let ours = r#"{"tasks": [{"id": "a", "service_duration": "1.500s", "demands": [7]}]}"#;
    let yaml = "tasks:\n- id: a\n  service_duration: 1.5s\n  demands: [7]\n";
    let expected: AllocationProblem = json::read(ours).unwrap();
    assert_eq!(json::read(canonical), Ok(expected.clone()));
    assert_eq!(yaml::read(yaml), Ok(expected.clone()));
    // JSON is YAML.
    assert_eq!(yaml::read(ours), Ok(expected));
}

#[test]
fn mistakes_in_json_have_a_place() {
    for (text, message) in [
        ("", "EOF while parsing a value at line 1 column 1"),
        (
            "{\n \"x\": 1}",
            "unrecognized field name 'x' at line 2 column 4",
        ),
        (
            "{\"tasks\": [{\"id\": 3}]}",
            "tasks[0].id: invalid type: integer `3`, expected a string at line 1 column 19",
        ),
        (
            "{\"title\": \"a\",\n\"title\": \"b\"}",
            "the key `title` is there twice at line 2 column 7",
        ),
        (
            "{\"title\": \"a\"} x",
            "trailing characters at line 1 column 16",
        ),
        (
            "{\"tasks\": [{\"drop_penalty\": \"lots\"}]}",
            "tasks[0].drop_penalty: invalid float literal at line 1 column 34",
        ),
    ] {
        let mistake = json::read::<AllocationProblem>(text).unwrap_err();
        assert_eq!(mistake.to_string(), message, "{text}");
    }
}

#[test]
fn durations_are_strings_with_a_unit() {
    for value in ["\"12\"", "12", "\"twelve s\"", "\"1e99s\"", "\"12 moons\""] {
        let text = format!("{{\"tasks\": [{{\"service_duration\": {value}}}]}}");
        assert!(json::read::<AllocationProblem>(&text).is_err(), "{value}");
    }
}

#[test]
fn mistakes_in_yaml_have_a_place() {
    for (text, message) in [
        ("titel: b\n", "unrecognized field name 'titel'"),
        (
            "tasks:\n- id: b\n  windws: []\n",
            "tasks[0]: unrecognized field name 'windws' at line 2 column 3",
        ),
        (
            "title: a\ntitle: b\n",
            "the key `title` is there twice at line 2 column 1",
        ),
        (
            "tasks:\n- id: [a]\n",
            "tasks[0].id: expected string scalar at line 2 column 7",
        ),
        (
            "title: a\n---\ntitle: b\n",
            "a single document is wanted at line 2 column 1",
        ),
        (
            "tasks:\n- drop_penalty: lots\n",
            "tasks[0].drop_penalty: invalid float literal at line 2 column 17",
        ),
    ] {
        let mistake = yaml::read::<AllocationProblem>(text).unwrap_err();
        assert_eq!(mistake.to_string(), message, "{text}");
    }
}

#[test]
fn bombs_are_defused() {
    let deep = "[".repeat(100_000);
    assert!(json::read::<AllocationProblem>(&deep).is_err());
    assert!(yaml::read::<AllocationProblem>(&deep).is_err());
    let mut laughs = String::from("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for i in 1..9 {
        let before = format!("*a{}, ", i - 1).repeat(8);
        laughs += &format!("a{i}: &a{i} [{}]\n", before.trim_end_matches(", "));
    }
    assert!(yaml::read::<AllocationProblem>(&laughs).is_err());
    assert!(top_keys(&laughs, Format::Yaml).is_empty());
}

#[test]
fn formats_are_known_by_name_and_by_content() {
    let of_name = |name: &str| Format::of_name(name.as_ref());
    assert_eq!(of_name("a/raid.JSON"), Some(Format::Json));
    assert_eq!(of_name("raid.yml"), Some(Format::Yaml));
    assert_eq!(of_name("C101.txt"), Some(Format::Solomon));
    for name in ["j301_1.sm", "c154_3.MM", "PSP1.SCH"] {
        assert_eq!(of_name(name), Some(Format::Psplib), "{name}");
    }
    assert_eq!(of_name("raid"), None);
    assert_eq!(Format::of_text(" \n{\"a\": 1}"), Format::Json);
    assert_eq!(Format::of_text("title: x\n"), Format::Yaml);
    assert_eq!(
        Format::of_text("x\r\nVehicle\r\nn\r\nCUSTOMER\r\n"),
        Format::Solomon
    );
}

#[test]
fn top_keys_tell_messages_apart() {
    assert_eq!(
        top_keys("{\"plan\": {}, \"report\": {}}", Format::Json),
        ["plan", "report"]
    );
    assert_eq!(top_keys("routes: []\n", Format::Yaml), ["routes"]);
    assert!(top_keys("[1]", Format::Json).is_empty());
}

/// Texts that YAML readers like to misunderstand, and any others.
fn odd_text() -> impl Strategy<Value = String> {
    let odd = [
        "no",
        "1e3",
        "~",
        "0x1F",
        "- a",
        "a: b",
        "#x",
        "'",
        "\"",
        " x ",
        "1:30",
        "=",
        "<<",
        "",
        "null",
        "2026-01-01",
        "|",
        "> x",
        "%a",
        "@a",
        "a\nb\n",
        "\u{85}",
        "\u{feff}x",
    ];
    let odd = prop::sample::select(odd.to_vec()).prop_map(str::to_owned);
    prop_oneof![odd, ".{0,30}", "\\PC{0,120}"]
}

proptest! {
    /// Whatever people call things, it survives both formats.
    #[test]
    fn any_text_survives(name in odd_text(), title in odd_text()) {
        let summary = ExampleSummary { name, title, ..ExampleSummary::default() };
        prop_assert_eq!(json::read(&json::write(&summary).unwrap()), Ok(summary.clone()));
        prop_assert_eq!(json::read(&json::line(&summary).unwrap()), Ok(summary.clone()));
        prop_assert_eq!(yaml::read(&yaml::write(&summary).unwrap()), Ok(summary));
    }

    /// Any penalty is read as it was, to the last bit.
    #[test]
    fn any_number_survives(penalty in any::<f64>().prop_filter("JSON's", |f| f.is_finite())) {
        let task = AllocationTask { drop_penalty: Some(penalty), ..AllocationTask::default() };
        let problem = AllocationProblem { tasks: vec![task], ..AllocationProblem::default() };
        prop_assert_eq!(json::read(&json::write(&problem).unwrap()), Ok(problem.clone()));
        prop_assert_eq!(yaml::read(&yaml::write(&problem).unwrap()), Ok(problem));
    }

    /// Whatever comes in, the readers answer.
    #[test]
    fn readers_never_panic(text in "\\PC{0,200}") {
        for format in [Format::Json, Format::Yaml, Format::Solomon] {
            let _ = read::<AllocationProblem>(&text, format);
            let _ = top_keys(&text, format);
        }
    }

    /// The same for a valid document with a letter changed and its end cut off.
    #[test]
    fn readers_never_panic_on_near_misses(
        at in 0_usize..2_000,
        with in any::<char>(),
        cut in 0_usize..2_000,
    ) {
        let good = EXAMPLES.last().unwrap().json;
        let mut letters: Vec<char> = good.chars().collect();
        letters.truncate(letters.len().saturating_sub(cut));
        if let Some(letter) = letters.get_mut(at) {
            *letter = with;
        }
        let text: String = letters.into_iter().collect();
        let _ = json::read::<AllocationProblem>(&text);
        let _ = yaml::read::<AllocationPlan>(&text);
        let _ = yaml::read::<AllocationProblem>(&text);
    }
}
