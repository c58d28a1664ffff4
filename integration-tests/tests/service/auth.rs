//! Who may call, by gRPC, gRPC-Web and JSON, and what is never shown.

use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::pki::Folder;
use stratagem_integration_tests::tokens::Issuer;
use stratagem_integration_tests::{Process, Server, command_line, plain, raw};
use tonic::Code;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_types::StatusExt as _;

const INFO: &str = "/stratagem.v1.ServerService/GetServerInfo";
const TOKEN: &str = "a-token-that-is-long-enough";

/// A file with one token.
fn tokens(folder: &Folder, tenant: &str, token: &str) -> String {
    let text = format!("[[token]]\ntenant = \"{tenant}\"\ntoken = \"{token}\"\n");
    folder.write("tokens.toml", &text)
}

/// The code and the reason of an answer to an empty message.
async fn outcome(server: &Server, path: &str, token: Option<&str>) -> (Code, Option<String>) {
    let bearer = token.map(|token| format!("Bearer {token}"));
    let headers: Vec<_> = bearer.iter().map(|it| ("authorization", &**it)).collect();
    let call = raw::call(server.address, path, &headers, raw::frame(b""));
    let answer = wait_for("an answer", call).await.unwrap();
    let status = answer.status();
    let details = status.get_error_details();
    let reason = details.error_info().map(|info| info.reason.clone());
    (status.code(), reason)
}

fn refused(reason: &str) -> (Code, Option<String>) {
    (Code::Unauthenticated, Some(reason.into()))
}

const WELCOME: (Code, Option<String>) = (Code::Ok, None);

#[tokio::test]
async fn only_who_has_a_token_is_answered_and_health_tells_everybody() {
    let folder = Folder::new();
    let file = tokens(&folder, "arena", TOKEN);
    let server = Process::start(&["--tokens", &file]).await;
    assert_eq!(outcome(&server, INFO, Some(TOKEN)).await, WELCOME);
    assert_eq!(outcome(&server, INFO, None).await, refused("TOKEN_MISSING"));
    let wrong = outcome(&server, INFO, Some("a-token-that-is-wrong")).await;
    assert_eq!(wrong, refused("TOKEN_INVALID"));
    let reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    let closed = outcome(&server, reflection, None).await;
    assert_eq!(closed, refused("TOKEN_MISSING"));
    let mut health = HealthClient::new(server.channel().await);
    health.check(HealthCheckRequest::default()).await.unwrap();
    assert!(!server.log().contains(TOKEN));
}

#[tokio::test]
async fn json_and_grpc_web_are_asked_as_well() {
    let folder = Folder::new();
    let file = tokens(&folder, "arena", TOKEN);
    let server = Server::start(&["--tokens", &file]).await;
    let bearer = format!("Bearer {TOKEN}");
    let good = plain::post(server.address, INFO, &[("authorization", &bearer)], "{}").await;
    assert_eq!(good.status, 200, "{good:?}");
    // Before anything is read: it would be a mistake as well.
    let none = plain::post(server.address, INFO, &[], "no JSON").await;
    assert_eq!(
        (none.status, none.json()["reason"].as_str()),
        (401, Some("TOKEN_MISSING"))
    );
    let web = [
        ("content-type", "application/grpc-web+proto"),
        ("x-grpc-web", "1"),
    ];
    let call = |headers: Vec<(&'static str, String)>| {
        let address = server.address;
        async move {
            let headers: Vec<_> = headers.iter().map(|it| (it.0, &*it.1)).collect();
            let body = raw::frame(b"");
            plain::request(address, "POST", INFO, &headers, &body).await
        }
    };
    let web: Vec<_> = web.iter().map(|it| (it.0, it.1.to_owned())).collect();
    let refused = call(web.clone()).await;
    assert_eq!(refused.header("grpc-status"), Some("16"), "{refused:?}");
    let welcome = call([web, vec![("authorization", bearer)]].concat()).await;
    let body = String::from_utf8_lossy(&welcome.body);
    assert!(body.contains("grpc-status:0"), "{body}");
}

#[tokio::test]
async fn signed_tokens_are_checked_and_keys_change_while_it_runs() {
    let folder = Folder::new();
    let (old, new) = (Issuer::new(), Issuer::new());
    let file = folder.write("jwks.json", &old.jwks());
    let flags = [
        "--jwks",
        &file,
        "--jwt-issuer",
        "login",
        "--jwt-audience",
        "stratagem",
    ];
    let server = Server::start(&flags).await;
    let by_old = old.token("arena", 600);
    assert_eq!(outcome(&server, INFO, Some(&by_old)).await, WELCOME);
    let over = outcome(&server, INFO, Some(&old.token("arena", -60))).await;
    assert_eq!(over, refused("TOKEN_EXPIRED"));
    let stranger = outcome(&server, INFO, Some(&new.token("arena", 600))).await;
    assert_eq!(stranger, refused("TOKEN_INVALID"));
    let nobody = outcome(&server, INFO, Some(&old.token("", 600))).await;
    assert_eq!(
        nobody,
        (Code::PermissionDenied, Some("TENANT_UNKNOWN".into()))
    );
    folder.write("jwks.json", &new.jwks());
    server.reload();
    eventually("the new key is in force", async || {
        let answer = outcome(&server, INFO, Some(&new.token("arena", 600))).await;
        (answer == WELCOME).then_some(())
    })
    .await;
    assert_eq!(
        outcome(&server, INFO, Some(&by_old)).await,
        refused("TOKEN_INVALID")
    );
}

#[tokio::test]
async fn the_command_line_says_who_it_is_in_three_ways() {
    let folder = Folder::new();
    let file = tokens(&folder, "arena", TOKEN);
    let own = folder.write("own", &format!("{TOKEN}\n"));
    let server = Server::start(&["--tokens", &file]).await;
    let url = server.url();
    let line = ["server", "info", "--address", &url];
    let run = |more: &[&str]| command_line::run(&[&line[..], more].concat());
    run(&["--token", TOKEN]).with_code(0);
    run(&["--token-file", &own]).with_code(0);
    // 64 and UNAUTHENTICATED.
    let refused = run(&[]).with_code(36);
    assert!(refused.stderr.contains("token"), "{refused:?}");
    let mut command = command_line::without_settings(std::process::Command::new(
        stratagem_integration_tests::binaries::cli(),
    ));
    let by_variable = command.args(line).env("STRATAGEM_TOKEN", TOKEN).output();
    assert_eq!(by_variable.unwrap().status.code(), Some(0));
}

#[tokio::test]
async fn reflection_and_examples_can_be_off() {
    let server = Server::start(&["--reflection", "off", "--examples", "off"]).await;
    let reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    assert_eq!(
        outcome(&server, reflection, None).await.0,
        Code::Unimplemented
    );
    let examples = "/stratagem.v1.ServerService/ListExamples";
    let off = (Code::FailedPrecondition, Some("EXAMPLES_OFF".into()));
    assert_eq!(outcome(&server, examples, None).await, off);
    assert_eq!(outcome(&server, INFO, None).await, WELCOME);
}

#[test]
fn what_is_printed_holds_no_secret() {
    let folder = Folder::new();
    let file = tokens(&folder, "arena", TOKEN);
    let mut command = Process::command();
    let output = command.args(["--print-config", "--tokens", &file]).output();
    let output = output.expect("the server starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(&file) && !text.contains(TOKEN), "{text}");
    // An invalid file is reported without its content.
    tokens(&folder, "not a name", TOKEN);
    let mut command = Process::command();
    command.args(["--listen", "127.0.0.1:0", "--metrics-listen", "off"]);
    let output = command.args(["--tokens", &file]).output();
    let output = output.expect("the server starts");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("token 1") && !errors.contains(TOKEN),
        "{errors}"
    );
}
