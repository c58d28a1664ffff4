//! Collections of levels in XML.

use super::{TWO, mistakes};
use formats::levels::{Level, SIDE_MAX, Set, looks_like, read};
use proptest::prelude::*;

const SLC: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">
<SokobanLevels>
  <Title>Small &amp; easy</Title>
  <Description>Two of them.</Description>
  <Email></Email>
  <LevelCollection Copyright="Ada" MaxWidth="6" MaxHeight="5">
    <Level Id="first" Width="5" Height="3">
      <L>#####</L>
      <L>#@$.#</L>
      <L>#####</L>
    </Level>
    <!-- with a hole in it -->
    <Level Id="second" Width="6" Height="5" Copyright="Bob">
      <L>  ####</L>
      <L>###  #</L>
      <L>#  *<![CDATA[ #]]></L>
      <L># $+ #</L>
      <L>######</L>
    </Level>
  </LevelCollection>
</SokobanLevels>
"#;

#[test]
fn levels_in_xml_are_those_of_other_formats() {
    assert!(looks_like(SLC) && !looks_like("<html></html>"));
    let set = read(SLC).unwrap();
    assert_eq!((&*set.title, &*set.author), ("Small & easy", "Ada"));
    let other = read(TWO).unwrap();
    let boards = |set: &Set| -> Vec<Vec<String>> {
        set.levels.iter().map(|level| level.rows.clone()).collect()
    };
    assert_eq!(boards(&set), boards(&other));
    let said = |level: &Level| (level.title.clone(), level.author.clone(), level.line);
    assert_eq!(said(&set.levels[0]), ("first".into(), String::new(), 9));
    assert_eq!(said(&set.levels[1]), ("second".into(), "Bob".into(), 15));
}

#[test]
fn hostile_xml_is_refused_with_its_line() {
    let level = |rows: &str| {
        format!(
            "<SokobanLevels>\n<LevelCollection>\n<Level>\n{rows}</Level></LevelCollection></SokobanLevels>"
        )
    };
    let bomb = "<!DOCTYPE a [\n<!ENTITY b \"bbbbbbbb\">\n<!ENTITY c \"&b;&b;&b;&b;\">]>\n<SokobanLevels>&c;</SokobanLevels>";
    for (text, wanted) in [
        (
            bomb.to_owned(),
            "entities cannot be defined in files of levels at line 2 column 1",
        ),
        (
            "<html>\n</html>".into(),
            "the document is `html`, not `SokobanLevels` at line 1",
        ),
        ("<SokobanLevels>\n<Title>\n".into(), "no well-formed XML: "),
        ("<SokobanLevels/>".into(), "no level found"),
        (
            level(""),
            "a level without rows (elements `L`) at line 3 column 1",
        ),
        (
            level("<L>####</L>\n<L>#@x#</L>\n"),
            "`x` is none of # (wall)",
        ),
        (
            level("<L>#@$#</L>\n"),
            "boxes and goals in different numbers: 1 and 0 at line 4",
        ),
        (level("<L>&nothing;</L>\n"), "no well-formed XML: "),
        (
            level(&format!("<L>#@$.{}</L>\n", "#".repeat(SIDE_MAX))),
            "more than 64 columns at line 4",
        ),
        (
            level(&"<L>#@$.#</L>\n".repeat(SIDE_MAX + 1)),
            "more than 64 rows at line 68",
        ),
    ] {
        let wrong = mistakes(&text);
        assert!(
            wrong.iter().any(|one| one.starts_with(wanted)),
            "{wanted}: {wrong:?}"
        );
        assert!(
            wrong.iter().all(|one| one.contains(" at line ")),
            "{wrong:?}"
        );
    }
}

#[test]
fn documents_that_are_too_deep_or_too_large_are_refused() {
    let deep = "<a>".repeat(200_000);
    assert!(read(&deep).is_err());
    let wide = format!(
        "<SokobanLevels>{}</SokobanLevels>",
        "<a/>".repeat(1_000_000)
    );
    assert!(read(&wide).is_err());
    let many = "<Level><L>#@$.#</L></Level>".repeat(20_001);
    let wrong = mistakes(&format!(
        "<SokobanLevels><LevelCollection>{many}</LevelCollection></SokobanLevels>"
    ));
    assert!(wrong[0].starts_with("more than 20000 levels"), "{wrong:?}");
}

fn hostile_xml() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "<SokobanLevels>",
        "</SokobanLevels>",
        "<LevelCollection Copyright='&lt;'>",
        "</LevelCollection>",
        "<Level Id='x'>",
        "</Level>",
        "<L>#####</L>",
        "<L>#@$.#</L>",
        "<L/>",
        "<L>",
        "</L>",
        "<!-- x -->",
        "<![CDATA[#@$.#]]>",
        "<!DOCTYPE SokobanLevels [",
        "]>",
        "&amp;",
        "&#x24;",
        "\n",
        "\u{feff}",
        "ß",
    ]);
    prop::collection::vec(parts, 0..25)
        .prop_map(|parts| format!("<SokobanLevels>{}", parts.concat()))
}

proptest! {
    #[test]
    fn no_xml_makes_the_reader_fail(text in hostile_xml()) {
        let _ = looks_like(&text);
        match read(&text) {
            Ok(set) => prop_assert!(!set.levels.is_empty()),
            Err(mistakes) => prop_assert!((1..=100).contains(&mistakes.len())),
        }
    }
}
