//! Files of what is drawn.

use std::path::Path;
use std::{env, fs};

/// Compares with a file of a folder of the tests; writes it where `GOLDEN` is set. Of pages the
/// pictures are left out: they are files of their own, and so is the script of all pages. Files
/// that end in `.page.html` have all.
///
/// # Panics
/// If they differ.
pub(crate) fn check(folder: &str, name: &str, text: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let mut text = text.to_owned();
    if name.ends_with(".html") && !name.ends_with(".page.html") {
        while let Some((before, rest)) = text.split_once("<svg ") {
            let (_, after) = rest.split_once("</svg>").expect("pictures end");
            text = format!("{before}(picture){after}");
        }
        let (before, rest) = text
            .split_once("<style>")
            .expect("pages have rules of style");
        let (_, after) = rest.split_once("</style>").expect("rules end");
        text = format!("{before}{after}");
        if let Some((before, rest)) = text.split_once("<script>") {
            let (script, after) = rest.split_once("</script>").expect("scripts end");
            compare(&root.join("golden"), "page.js", script);
            text = format!("{before}(script){after}");
        }
    }
    compare(&root.join(folder).join("golden"), name, &text);
}

fn compare(folder: &Path, name: &str, text: &str) {
    if env::var_os("GOLDEN").is_some() {
        fs::create_dir_all(folder).expect("a folder");
        fs::write(folder.join(name), text).expect("a file");
    }
    let expected = fs::read_to_string(folder.join(name)).expect("a golden file");
    assert_eq!(text, expected, "{name}");
}
