//! Servers by name: stored, chosen, and sent no secrets of others.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::command_line::{Run, run_in, start_in};
use stratagem_integration_tests::pki::{Authority, Folder, NAME, Pair};

const TOKEN: &str = "a-token-that-is-long-enough";
/// Exit code of invalid usage.
const USAGE: i32 = 2;

/// The CLI of a user whose settings are in a folder of the test.
struct User {
    folder: Folder,
}

impl User {
    fn new() -> Self {
        Self {
            folder: Folder::new(),
        }
    }

    fn home(&self) -> String {
        self.folder.path("home")
    }

    fn file(&self) -> String {
        self.folder.path("home/stratagem/contexts.toml")
    }

    fn run_with(&self, variables: &[(&str, &str)], line: &str, input: &str) -> Run {
        let home = self.home();
        let variables = [variables, &[("XDG_CONFIG_HOME", &*home)]].concat();
        let words: Vec<_> = line.split_whitespace().collect();
        run_in(&variables, &words, input)
    }

    fn run(&self, line: &str) -> Run {
        self.run_with(&[], line, "")
    }
}

/// A server that serves those with the token alone, and its address.
async fn guarded(folder: &Folder) -> Server {
    let text = format!("[[token]]\ntenant = \"arena\"\ntoken = \"{TOKEN}\"\n");
    let file = folder.write("tokens.toml", &text);
    Server::start(&["--tokens", &file]).await
}

#[tokio::test]
async fn a_chosen_server_is_asked_with_its_token_which_is_never_shown() {
    let user = User::new();
    let server = guarded(&user.folder).await;
    let url = server.url();
    let add = format!("context add arena --address {url} --token-stdin --use");
    let added = user.run_with(&[], &add, TOKEN).with_code(0);
    user.run("server limits").with_code(0);
    let mode = fs::metadata(user.file()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(fs::read_to_string(user.file()).unwrap().contains(TOKEN));
    let lists = [
        "context list",
        "context list -o json",
        "context list -o ndjson",
    ];
    let shows = [
        "context show",
        "context show arena -o yaml",
        "context show -o json",
    ];
    for line in lists.into_iter().chain(shows) {
        let run = user.run(line).with_code(0);
        assert!(
            run.stdout.contains("arena") && run.stdout.contains(&url),
            "{line}"
        );
        assert!(!format!("{run:?}").contains(TOKEN), "{line}");
    }
    assert!(!format!("{added:?}").contains(TOKEN));
    let shown = user.run("context show -o json").json();
    assert_eq!(
        (&shown["token"], &shown["current"]),
        (&"***".into(), &true.into())
    );
    // Unauthenticated: 20 + 16.
    user.run_with(
        &[("STRATAGEM_TOKEN", "another-token-of-nobody")],
        "server limits",
        "",
    )
    .with_code(36);
    user.run("context use --none").with_code(0);
    user.run(&format!("server limits --address {url}"))
        .with_code(36);
    user.run("server limits --context arena").with_code(0);
    user.run_with(&[("STRATAGEM_CONTEXT", "arena")], "server limits", "")
        .with_code(0);
}

#[tokio::test]
async fn a_token_goes_to_its_own_server_alone() {
    let user = User::new();
    let (server, nobody) = (guarded(&user.folder).await, "http://127.0.0.1:1");
    let url = server.url();
    let add = format!("context add arena --address {nobody} --token {TOKEN} --use");
    user.run(&add).with_code(0);
    // With the token it would be answered.
    let elsewhere = format!("server limits --address {url}");
    user.run(&elsewhere).with_code(36);
    user.run_with(&[("STRATAGEM_ADDRESS", &url)], "server limits", "")
        .with_code(36);
    user.run_with(&[("STRATAGEM_CONTEXT", "arena")], &elsewhere, "")
        .with_code(36);
    user.run(&format!("{elsewhere} --context arena"))
        .with_code(0);
    // An option is nearer than a variable: nobody is there.
    user.run_with(
        &[("STRATAGEM_ADDRESS", &url)],
        "server limits --context arena",
        "",
    )
    .with_code(34);
    user.run_with(
        &[("STRATAGEM_ADDRESS", &url)],
        "server limits --context=",
        "",
    )
    .with_code(36);
    // That of a variable is another server's.
    user.run(&format!("context add plain --address {url}"))
        .with_code(0);
    let variable = &[("STRATAGEM_TOKEN", TOKEN)];
    user.run_with(variable, "server limits --context plain", "")
        .with_code(36);
    user.run_with(
        &[variable[0], ("STRATAGEM_CONTEXT", "plain")],
        "server limits",
        "",
    )
    .with_code(0);
    user.run(&format!("server limits --context plain --token {TOKEN}"))
        .with_code(0);
}

#[tokio::test]
async fn certificates_are_found_from_everywhere() {
    let user = User::new();
    let (authority, folder) = (Authority::new(), &user.folder);
    let write = |name: &str, pair: &Pair| {
        let cert = folder.write(&format!("{name}.pem"), &pair.cert);
        (cert, folder.write(&format!("{name}.key"), &pair.key))
    };
    let ca = folder.write("ca.pem", &authority.pem());
    let (cert, key) = write("server", &authority.sign(NAME));
    let (our_cert, our_key) = write("client", &authority.sign("us.test"));
    let tls = [
        "--tls-cert",
        &cert,
        "--tls-key",
        &key,
        "--tls-client-ca",
        &ca,
    ];
    let server = Server::start(&tls).await;
    let url = format!("https://{}", server.address);
    let add = format!("context add sealed --address {url} --domain {NAME} --ca {ca}");
    user.run(&format!("{add} --cert {our_cert}"))
        .with_code(USAGE);
    user.run(&format!("{add} --cert {our_cert} --key {our_key}"))
        .with_code(0);
    user.run("server limits --context sealed").with_code(0);
    user.run("context rm sealed").with_code(0);
    let gone = user.run("server limits --context sealed").with_code(USAGE);
    assert!(
        gone.stderr.contains("there is no context `sealed`"),
        "{gone:?}"
    );
}

#[test]
fn what_makes_no_sense_is_told_and_changes_nothing() {
    let user = User::new();
    user.run("context list").with_code(0);
    for line in [
        "context add a",
        "context add a/b --address http://h:1",
        "context add a --address ftp://h:1",
        "context add a --address https://h:1 --ca /nowhere/ca.pem",
        "context add a --address http://h:1 --token-file /nowhere/token",
        "context use a",
        "context remove a",
        "context show",
        "context show a",
        "server info --context a",
    ] {
        user.run(line).with_code(USAGE);
    }
    assert!(!fs::exists(user.file()).unwrap(), "nothing was kept");
    user.run("context add a --address http://h:1 --use")
        .with_code(0);
    user.run("context add a --address http://h:2")
        .with_code(USAGE);
    user.run("context add a --address http://h:3 --replace")
        .with_code(0);
    assert_eq!(
        user.run("context show a -o json").json()["address"],
        "http://h:3"
    );
    user.run("context remove a").with_code(0);
    assert_eq!(
        user.run("context list -o json").json(),
        serde_json::json!([])
    );
    user.run("context show").with_code(USAGE);
}

#[test]
fn a_broken_file_is_told_with_its_line_and_without_its_secrets() {
    let user = User::new();
    user.run("context add a --address http://h:1 --token tttt --use")
        .with_code(0);
    let broken = format!(
        "{}\ntoken = \"{TOKEN}\" oops\n",
        fs::read_to_string(user.file()).unwrap()
    );
    fs::write(user.file(), &broken).unwrap();
    for line in [
        "context list",
        "server info",
        "context add b --address http://h:1",
    ] {
        let run = user.run(line).with_code(USAGE);
        assert!(run.stderr.contains("contexts.toml: line "), "{run:?}");
        assert!(!run.stderr.contains(TOKEN), "{run:?}");
    }
    assert_eq!(
        fs::read_to_string(user.file()).unwrap(),
        broken,
        "left as it is"
    );
    // What needs no server needs no contexts.
    user.run("example ls --offline").with_code(0);
}

#[test]
fn commands_at_once_all_count_and_readers_see_a_whole_file() {
    let user = User::new();
    let home = user.home();
    let variables = [("XDG_CONFIG_HOME", &*home)];
    let adding: Vec<_> = (0..8)
        .map(|number| {
            let name = format!("c{number}");
            start_in(
                &variables,
                &["context", "add", &name, "--address", "http://h:1"],
            )
        })
        .collect();
    for running in adding {
        user.run("context list").with_code(0);
        running.finish().with_code(0);
    }
    let all = user.run("context list -o json").json();
    assert_eq!(all.as_array().unwrap().len(), 8, "{all}");
    // Neither half of a file nor what it is made of is left.
    let files = fs::read_dir(format!("{home}/stratagem")).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["contexts.lock", "contexts.toml"]);
}
