//! Where the programs under test are. They are built on first use, with the profile of the caller.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Names a folder with programs that are built already; nothing is built then.
const FOLDER_VARIABLE: &str = "STRATAGEM_BIN_DIR";

/// The server.
#[must_use]
pub fn server() -> PathBuf {
    program("stratagem-server")
}

/// The command line.
#[must_use]
pub fn cli() -> PathBuf {
    program("stratagem")
}

fn program(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let given = || env::var_os(FOLDER_VARIABLE).map(PathBuf::from);
    let folder = FOLDER.get_or_init(|| given().unwrap_or_else(build));
    let path = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "{} is not there", path.display());
    path
}

/// Builds both programs into the folder that this program came from.
///
/// Cargo builds the binaries of a package for the tests of that package only, hence a build of our
/// own. Under `cargo test` and nextest the build lock is free by now; a build with nothing to do
/// takes a fraction of a second.
fn build() -> PathBuf {
    let this = env::current_exe().expect("a running program has a path");
    // <target>/<profile>/deps/<test>-<hash>
    let folder = this
        .ancestors()
        .nth(2)
        .expect("tests lie in deps")
        .to_owned();
    let target = folder.parent().expect("profiles lie in a target folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        // Benches share this folder with releases; what is built for them already is used again.
        Some("release") if env::args().any(|argument| argument == "--bench") => "bench",
        Some(name) => name,
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    // Cargo describes this package to this program. Build scripts below (ring's) look at the same
    // names, and would make everything that needs them again.
    for (name, _) in env::vars_os() {
        let described = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CRATE_"];
        if described
            .iter()
            .any(|start| name.to_string_lossy().starts_with(start))
        {
            cargo.env_remove(name);
        }
    }
    let status = cargo
        .args(["build", "--quiet", "--bins", "--profile", profile])
        .args(["-p", "stratagem-server", "-p", "stratagem-cli"])
        // All but the solver HiGHS, whose C++ takes minutes.
        .args([
            "--features",
            "stratagem-server/nats stratagem-server/otlp stratagem-server/zstd",
        ])
        .arg("--target-dir")
        .arg(target)
        .current_dir(root.expect("the workspace is above"))
        .status()
        .expect("cargo is there: it started this test");
    assert!(status.success(), "the programs under test do not build");
    folder
}
