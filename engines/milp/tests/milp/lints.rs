//! The lints of this crate are those of the workspace, but for one.

use std::fs;
use std::path::Path;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The lines of a table of a manifest, without comments.
fn table(manifest: &str, name: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(FOLDER).join(manifest)).unwrap();
    let lines = text.lines().skip_while(|line| *line != name).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

#[test]
fn only_unsafe_code_has_other_lints_than_in_the_workspace() {
    let house = table("../../Cargo.toml", "[workspace.lints.clippy]");
    assert!(house.len() > 10, "{house:?}");
    assert_eq!(table("Cargo.toml", "[lints.clippy]"), house);

    let is_unsafe = |line: &String| line.starts_with("unsafe_");
    let house = table("../../Cargo.toml", "[workspace.lints.rust]").into_iter();
    let (_, house) = house.partition::<Vec<_>, _>(is_unsafe);
    let own = table("Cargo.toml", "[lints.rust]").into_iter();
    let (own, shared) = own.partition::<Vec<_>, _>(is_unsafe);
    assert_eq!(shared, house);
    let wanted = [
        "unsafe_code = \"deny\"",
        "unsafe_op_in_unsafe_fn = \"deny\"",
    ];
    assert_eq!(own, wanted);
}

#[test]
fn one_file_lifts_the_ban_on_unsafe_code() {
    let lifted: Vec<String> = fs::read_dir(Path::new(FOLDER).join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let text = fs::read_to_string(path).unwrap();
            text.lines().any(|line| line.contains("unsafe {"))
        })
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(lifted, ["ffi.rs"]);
}
