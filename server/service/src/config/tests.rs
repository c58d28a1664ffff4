//! Flags over environment over file over defaults, and what is said about nonsense.

use super::{Action, Config, ConfigError, LogFormat, MetricsListen, Span, Switch, WebAccess, load};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A file that goes away with the test.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = format!("stratagem-config-{}-{name}.toml", std::process::id());
        let path = std::env::temp_dir().join(path);
        std::fs::write(&path, text).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // What is left in a folder for such things does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn loaded(flags: &[&str], variables: &[(&str, &str)]) -> Result<Action, ConfigError> {
    let flags = ["stratagem-server"].iter().chain(flags);
    let pair = |(name, value): &(&str, &str)| (OsString::from(name), OsString::from(value));
    load(flags.map(OsString::from), variables.iter().map(pair))
}

fn settings(flags: &[&str], variables: &[(&str, &str)]) -> Config {
    match loaded(flags, variables) {
        Ok(Action::Serve(config)) => *config,
        other => panic!("{other:?}"),
    }
}

fn complaint(flags: &[&str], variables: &[(&str, &str)]) -> String {
    loaded(flags, variables)
        .expect_err("it is nonsense")
        .to_string()
}

#[test]
fn without_anything_said_the_defaults_hold() {
    assert_eq!(settings(&[], &[]), Config::default());
    assert_eq!(Config::default().check(), Vec::<String>::new());
}

#[test]
fn flags_go_before_variables_before_the_file_before_the_defaults() {
    let file = File::new("layers", "queue_max = 1\nslots = 1\nlog = \"debug\"\n");
    let path = file.0.to_str().unwrap();
    let variables = [
        ("STRATAGEM_CONFIG", path),
        ("STRATAGEM_QUEUE_MAX", "2"),
        ("STRATAGEM_SLOTS", "2"),
    ];
    let config = settings(&["--queue-max", "3"], &variables);
    let wanted = Config {
        queue_max: 3,
        slots: 2,
        log: "debug".into(),
        ..Config::default()
    };
    assert_eq!(config, wanted);
}

#[test]
fn a_flag_that_says_the_default_goes_before_a_variable_too() {
    let config = settings(&["--queue-max", "256"], &[("STRATAGEM_QUEUE_MAX", "2")]);
    assert_eq!(config.queue_max, 256);
}

#[test]
fn the_flag_goes_before_the_variable_that_names_the_file() {
    let (one, other) = (
        File::new("one", "slots = 1"),
        File::new("other", "slots = 2"),
    );
    let flags = ["--config", one.0.to_str().unwrap()];
    let config = settings(&flags, &[("STRATAGEM_CONFIG", other.0.to_str().unwrap())]);
    assert_eq!(config.slots, 1);
}

/// Settings of which none is the default.
fn strange() -> Config {
    Config {
        listen: ([127, 0, 0, 2], 1).into(),
        metrics_listen: MetricsListen(None),
        web: "https://play.example,http://localhost:8080"
            .parse()
            .unwrap(),
        playground: Switch::On,
        slots: 3,
        queue_max: 4,
        queue_bytes_max: 5,
        budget_default: Span::from_millis(6),
        stream_budget_default: Span::from_millis(7_000),
        budget_max: Span::from_millis(480_000),
        // Has to be there.
        books: env!("CARGO_MANIFEST_DIR").parse().unwrap(),
        jobs: "/var/lib/jobs".parse().unwrap(),
        jobs_credentials: "/run/jobs.creds".parse().unwrap(),
        jobs_ca: "/run/ca.pem".parse().unwrap(),
        jobs_cert: "/run/cert.pem".parse().unwrap(),
        jobs_key: "/run/key.pem".parse().unwrap(),
        jobs_replicas: 3,
        jobs_monitor: "http://a:8222,b:8222".parse().unwrap(),
        jobs_backup: "/var/backups/jobs".parse().unwrap(),
        jobs_backup_interval: Span::from_millis(60_000),
        job_lease: Span::from_millis(7_000),
        jobs_max: 18,
        job_slots: 19,
        job_budget_default: Span::from_millis(20),
        job_budget_max: Span::from_millis(21_000),
        memory_max: 9_000_000_000,
        solve_memory_max: 90_000_000,
        nodes_max: 9_000,
        request_bytes_max: 10_000,
        response_bytes_max: 11_000,
        cache_bytes_max: 12,
        heartbeat_interval: Span::from_millis(13_000),
        connection_streams_max: 14,
        header_list_bytes_max: 15_000,
        keepalive_interval: Span::from_millis(16_000),
        keepalive_timeout: Span::from_millis(17_000),
        otlp_endpoint: "https://collector:4317".parse().unwrap(),
        otlp_ca: "/run/otlp.pem".parse().unwrap(),
        trace_ratio: "0.05".parse().unwrap(),
        service_name: "planner".into(),
        lame_duck: Span::from_millis(0),
        drain_timeout: Span::from_millis(3_600_000),
        log: "warn".into(),
        log_format: LogFormat::Text,
        ..guarded()
    }
}

/// Strange settings of connections and callers.
fn guarded() -> Config {
    Config {
        tls_cert: "/tls/cert.pem".parse().unwrap(),
        tls_key: "/tls/key.pem".parse().unwrap(),
        tls_client_ca: "/tls/ca.pem".parse().unwrap(),
        tokens: "/tokens.toml".parse().unwrap(),
        jwks: "/jwks.json".parse().unwrap(),
        jwt_issuer: "login".into(),
        jwt_audience: "stratagem".into(),
        jwt_tenant_claim: "studio".into(),
        tenants: "/tenants.toml".parse().unwrap(),
        reflection: Switch::Off,
        examples: Switch::Off,
        reload_interval: Span::from_millis(22_000),
        connections_max: 23,
        connection_age: Span::from_millis(24_000),
        connection_age_grace: Span::from_millis(25_000),
        handshake_timeout: Span::from_millis(26_000),
        header_timeout: Span::from_millis(27_000),
        send_timeout: Span::from_millis(28_000),
        inflight_bytes_max: 29_000_000,
        ..Config::default()
    }
}

#[test]
fn every_setting_has_a_flag_a_variable_and_a_key_that_read_what_is_printed() {
    let strange = strange();
    let printed = toml::to_string(&strange).unwrap();
    let file = File::new("printed", &printed);
    assert_eq!(
        settings(&["--config", file.0.to_str().unwrap()], &[]),
        strange
    );
    let table: toml::Table = printed.parse().unwrap();
    let plain = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let variables: Vec<(String, String)> = table
        .iter()
        .map(|(key, value)| (format!("STRATAGEM_{}", key.to_uppercase()), plain(value)))
        .collect();
    let variables: Vec<_> = variables
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    assert_eq!(settings(&[], &variables), strange);
    let flags: Vec<String> = table
        .iter()
        .map(|(key, value)| format!("--{}={}", key.replace('_', "-"), plain(value)))
        .collect();
    let flags: Vec<_> = flags.iter().map(String::as_str).collect();
    assert_eq!(settings(&flags, &[]), strange);
}

#[test]
fn the_variables_of_opentelemetry_are_settings_that_ours_go_before() {
    let variables = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://all:4317"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://traces:4317"),
        ("OTEL_SERVICE_NAME", "planner"),
        ("OTEL_SOMETHING_ELSE", "of no matter"),
    ];
    let config = settings(&[], &variables);
    assert_eq!(config.otlp_endpoint.url(), Some("http://traces:4317"));
    assert_eq!(config.service_name, "planner");
    let off = ("STRATAGEM_OTLP_ENDPOINT", "off");
    let config = settings(&[], &[variables[0], off]);
    assert_eq!(config.otlp_endpoint.url(), None);
    let wrong = complaint(&[], &[("OTEL_EXPORTER_OTLP_ENDPOINT", "collector")]);
    assert!(wrong.contains("OTEL_EXPORTER_OTLP_ENDPOINT"), "{wrong}");
}

#[test]
fn unknown_names_are_errors_in_every_layer() {
    let flag = complaint(&["--quue-max", "1"], &[]);
    assert!(flag.contains("--quue-max"), "{flag}");
    let variable = complaint(&[], &[("STRATAGEM_QUUE_MAX", "1")]);
    assert!(variable.contains("STRATAGEM_QUUE_MAX"), "{variable}");
    assert!(
        variable.contains("STRATAGEM_QUEUE_MAX"),
        "it says which there are: {variable}"
    );
    let file = File::new("unknown", "slots = 1\nquue_max = 1\n");
    let key = complaint(&["--config", file.0.to_str().unwrap()], &[]);
    assert!(key.contains("quue_max") && key.contains("line 2"), "{key}");
}

#[test]
fn values_that_cannot_be_read_are_errors_that_name_them() {
    let flag = complaint(&["--budget-default", "soon"], &[]);
    assert!(
        flag.contains("--budget-default") && flag.contains("250ms"),
        "{flag}"
    );
    let variable = complaint(&[], &[("STRATAGEM_SLOTS", "many")]);
    assert!(
        variable.contains("STRATAGEM_SLOTS") && variable.contains("many"),
        "{variable}"
    );
    let file = File::new("value", "slots = \"many\"\n");
    let key = complaint(&["--config", file.0.to_str().unwrap()], &[]);
    assert!(key.contains("line 1"), "{key}");
    let missing = complaint(&["--config", "/nowhere/at/all.toml"], &[]);
    assert!(missing.contains("/nowhere/at/all.toml"), "{missing}");
}

#[test]
fn settings_that_make_no_sense_are_all_told() {
    let flags = [
        "--slots=9999",
        "--budget-default=20min",
        "--log=stratagem=shout",
        "--lame-duck=25h",
    ];
    let message = complaint(&flags, &[]);
    for word in [
        "slots is 9999",
        "budget_default is 20min",
        "log is",
        "lame_duck is 25h",
    ] {
        assert!(message.contains(word), "{word}: {message}");
    }
}

#[test]
fn certificates_and_keys_are_needed_together() {
    let half = complaint(&["--tls-cert=/cert.pem"], &[]);
    assert!(half.contains("tls_cert and tls_key"), "{half}");
    let keys = complaint(&["--jwks=/jwks.json", "--jwt-issuer=login"], &[]);
    assert!(keys.contains("jwt_audience is empty"), "{keys}");
    let other = complaint(&["--tls-client-ca=/ca.pem"], &[]);
    assert!(other.contains("tls_client_ca needs"), "{other}");
}

#[test]
fn variables_of_others_are_passed_over() {
    let variables = [
        ("STRATAGEM_ADDRESS", "http://localhost:1"),
        ("PATH", "/bin"),
        ("RUST_LOG", "x"),
    ];
    assert_eq!(settings(&[], &variables), Config::default());
}

#[test]
fn settings_can_be_checked_and_printed() {
    assert_eq!(loaded(&["--check-config"], &[]).unwrap(), Action::Check);
    let Action::Print(config) = loaded(&["--print-config", "--slots=7"], &[]).unwrap() else {
        panic!("nothing is printed");
    };
    assert_eq!(config.slots, 7);
    assert!(loaded(&["--check-config", "--slots=9999"], &[]).is_err());
}

#[test]
fn spans_read_what_they_write() {
    for (text, millis) in [
        ("0ms", 0),
        ("250ms", 250),
        ("15s", 15_000),
        ("10min", 600_000),
        ("24h", 86_400_000),
    ] {
        let span: Span = text.parse().unwrap();
        assert_eq!(span.get(), Duration::from_millis(millis), "{text}");
        assert_eq!(span.to_string(), text);
    }
    assert_eq!(Span::from_millis(1_500).to_string(), "1500ms");
    for (text, millis) in [
        ("5", 5_000),
        ("1.5s", 1_500),
        ("1 s", 1_000),
        ("2m", 120_000),
        ("1h 30min", 5_400_000),
    ] {
        assert_eq!(text.parse(), Ok(Span::from_millis(millis)), "{text}");
    }
    for text in [
        "",
        "ms",
        "5u",
        "-1s",
        "1us",
        "1e3s",
        "99999999999999999999s",
        "999999999999999999h",
    ] {
        assert!(text.parse::<Span>().is_err(), "{text}");
    }
}

#[test]
fn origins_are_schemes_and_hosts() {
    for good in [
        "off",
        "same-origin",
        "*",
        "https://a.example",
        "http://localhost:1,https://b",
    ] {
        let access: WebAccess = good.parse().unwrap();
        assert_eq!(access.to_string(), good);
    }
    for wrong in [
        "",
        "on",
        "a.example",
        "https://a/",
        "https://a/b",
        "ftp://a",
        "https://a?b",
        "https://me@a",
        "*,https://a",
    ] {
        assert!(wrong.parse::<WebAccess>().is_err(), "{wrong}");
    }
}
