//! Settings: flags before variables before the file before the defaults; what is unknown is an
//! error.

use std::path::{Path, PathBuf};
use std::process::Output;
use stratagem_integration_tests::{Process, Server};

/// A run of the server program that ends by itself.
fn run(flags: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Process::command();
    command.args(flags).envs(variables.iter().copied());
    command.output().expect("the server starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text is UTF-8")
}

/// A file that is gone with the test.
struct Settings(PathBuf);

impl Settings {
    fn new(name: &str, text: &str) -> Self {
        let name = format!("stratagem-{}-{name}.toml", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).expect("the temporary folder can be written");
        Self(path)
    }

    fn path(&self) -> &str {
        Path::to_str(&self.0).expect("temporary folders have plain names")
    }
}

impl Drop for Settings {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The value of a setting in what `--print-config` prints.
fn printed(output: &Output, key: &str) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = text(&output.stdout);
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{key} = ")));
    line.unwrap_or_else(|| panic!("no {key} in {text}"))
        .trim_matches('"')
        .to_owned()
}

#[test]
fn flags_go_before_variables_before_the_file_before_defaults() {
    let file = Settings::new(
        "layers",
        "slots = 3\nqueue_max = 30\nbudget_default = \"3s\"\n",
    );
    let flags = ["--print-config", "--config", file.path(), "--slots", "1"];
    let variables = [("STRATAGEM_SLOTS", "2"), ("STRATAGEM_QUEUE_MAX", "20")];
    let output = run(&flags, &variables);
    assert_eq!(printed(&output, "slots"), "1");
    assert_eq!(printed(&output, "queue_max"), "20");
    assert_eq!(printed(&output, "budget_default"), "3s");
    assert_eq!(printed(&output, "stream_budget_default"), "10s");
}

#[test]
fn a_flag_that_says_what_the_default_says_still_goes_first() {
    let output = run(
        &["--print-config", "--queue-max", "256"],
        &[("STRATAGEM_QUEUE_MAX", "20")],
    );
    assert_eq!(printed(&output, "queue_max"), "256");
}

#[test]
fn a_variable_can_name_the_file() {
    let file = Settings::new("named", "slots = 3\n");
    let output = run(&["--print-config"], &[("STRATAGEM_CONFIG", file.path())]);
    assert_eq!(printed(&output, "slots"), "3");
}

#[test]
fn what_is_printed_can_be_read_again() {
    let first = run(
        &["--print-config", "--slots", "7", "--budget-default", "50ms"],
        &[],
    );
    let file = Settings::new("again", &text(&first.stdout));
    let second = run(&["--print-config", "--config", file.path()], &[]);
    assert_eq!(text(&first.stdout), text(&second.stdout));
    assert_eq!(printed(&second, "slots"), "7");
}

#[test]
fn secrets_are_printed_masked() {
    let output = run(
        &["--print-config", "--jobs", "tls://ann:s3cret@nats:4222"],
        &[],
    );
    assert_eq!(printed(&output, "jobs"), "tls://ann:***@nats:4222");
    let wrong = run(&["--check-config"], &[("STRATAGEM_JOBS_REPLICAS", "9")]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

#[test]
fn good_settings_check_out() {
    let file = Settings::new("good", "slots = 2\n");
    let output = run(&["--check-config", "--config", file.path()], &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn settings_that_are_unknown_or_senseless_are_errors_that_name_them() {
    let unknown = Settings::new("unknown", "slots = 2\nslotz = 3\n");
    let wrong = Settings::new("wrong", "budget_default = \"soon\"\n");
    let broken = Settings::new("broken", "slots = = 2\n");
    type Case<'c> = (&'c [&'c str], &'c [(&'c str, &'c str)], &'c str);
    let cases: [Case; 9] = [
        (&["--config", unknown.path()], &[], "slotz"),
        (&["--config", wrong.path()], &[], "soon"),
        (&["--config", broken.path()], &[], "line 1"),
        (
            &["--config", "/nowhere/at/all.toml"],
            &[],
            "/nowhere/at/all.toml",
        ),
        (&[], &[("STRATAGEM_SLOTZ", "2")], "STRATAGEM_SLOTZ"),
        (&[], &[("STRATAGEM_SLOTS", "many")], "STRATAGEM_SLOTS"),
        (&["--slotz", "2"], &[], "--slotz"),
        (&["--slots", "5000"], &[], "slots is 5000"),
        (&["--budget-default", "2h"], &[], "budget_default"),
    ];
    for (flags, variables, named) in cases {
        // With and without being asked to check: a server does not start with settings that it does
        // not understand.
        for extra in [&["--check-config"][..], &[]] {
            let output = run(&[flags, extra].concat(), variables);
            assert_eq!(
                output.status.code(),
                Some(2),
                "{flags:?} {variables:?}: {output:?}"
            );
            let stderr = text(&output.stderr);
            assert!(stderr.contains(named), "{named} is not in: {stderr}");
            assert_eq!(text(&output.stdout), "", "mistakes are no data");
        }
    }
}

#[test]
fn settings_of_the_client_do_not_bother_the_server() {
    let client = ["ADDRESS", "TLS", "CA", "CERT", "KEY", "DOMAIN"];
    let client = client.map(|name| (format!("STRATAGEM_{name}"), "x"));
    let variables: Vec<_> = client
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    let output = run(&["--check-config"], &variables);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn all_senseless_settings_are_told_at_once() {
    let output = run(
        &["--check-config", "--slots", "5000", "--queue-max", "200000"],
        &[],
    );
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("slots is 5000") && stderr.contains("queue_max is 200000"),
        "{stderr}"
    );
}

#[tokio::test]
async fn an_address_that_is_taken_is_told() {
    let server = Server::start(&[]).await;
    let address = server.address.to_string();
    let output = run(&["--listen", &address, "--metrics-listen", "off"], &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let output = text(&output.stderr) + &text(&output.stdout);
    assert!(output.contains(&address), "{output}");
}

#[test]
fn variables_that_kubernetes_injects_are_ignored_with_a_warning() {
    let injected = [
        ("STRATAGEM_PORT", "tcp://10.0.0.1:50051"),
        ("STRATAGEM_SERVICE_HOST", "10.0.0.1"),
        ("STRATAGEM_PORT_50051_TCP_ADDR", "10.0.0.1"),
    ];
    let flags = [
        "--listen",
        "127.0.0.1:0",
        "--metrics-listen",
        "10.255.255.255:1",
    ];
    // It ends by itself: the address for metrics is none of this machine.
    let output = run(&flags, &injected);
    let log = text(&output.stderr);
    for (name, _) in injected {
        let warned = log
            .lines()
            .any(|line| line.contains(name) && line.contains("WARN"));
        assert!(warned, "{name}: {log}");
    }
    let wrong = run(&["--check-config"], &[("STRATAGEM_PORT", "50051")]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}
