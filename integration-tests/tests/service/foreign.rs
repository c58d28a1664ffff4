//! A client in another language that knows nothing but the address: Python, through reflection.

use std::path::{Path, PathBuf};
use std::process::Command;
use stratagem_integration_tests::Server;

/// Python with grpcio: that of `STRATAGEM_PYTHON`, else the one that `./test` installs.
fn python(root: &Path) -> PathBuf {
    let installed = root.join(".tools/venv/bin/python");
    let given = std::env::var_os("STRATAGEM_PYTHON").map(PathBuf::from);
    let python = given.unwrap_or(installed);
    let modules = "import grpc_health, grpc_reflection, grpc_status";
    let check = Command::new(&python).args(["-c", modules]).output();
    let there = check.as_ref().is_ok_and(|output| output.status.success());
    assert!(
        there,
        "{} is no Python with grpcio, grpcio-reflection, grpcio-health-checking and grpcio-status: \
         run ./test, which installs one, or name one in STRATAGEM_PYTHON ({check:?})",
        python.display()
    );
    python
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn python_finds_its_way_through_reflection_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let server = Server::start(&[]).await;
    let script = root.join("integration-tests/python/foreign_client.py");
    let mut command = Command::new(python(root));
    command.arg(script).arg(server.address.to_string());
    let output = tokio::task::spawn_blocking(move || command.output())
        .await
        .unwrap()
        .unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    let done: Vec<_> = stdout.lines().collect();
    let wanted = [
        "health",
        "unary",
        "stream",
        "verify",
        "mistakes",
        "deadline",
        "cancel",
        "temporal",
        "narrative",
        "patrol",
        "puzzle",
    ];
    assert_eq!(done, wanted.map(|step| format!("ok {step}")), "{stderr}");
}
