//! What errors carry, and that they are documented.

use super::{DOMAIN, Refusal, read, too_large_instead_of_out_of_range};
use anytime::Path;
use http::HeaderMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path as Folder;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use wire::mistakes::{Code as Mistake, Mistakes};
use wire::planning::PLANNERS;

fn wrong() -> Mistakes {
    let mut wrong = Mistakes::default();
    wrong.add(
        &Path::root("options").field("threads"),
        Mistake::OutOfRange,
        "is 99",
    );
    wrong.add(&Path::root("problem"), Mistake::Required, "is required");
    wrong
}

fn over(retry_after: Duration) -> Refusal {
    Refusal::Runtime(runtime::Refusal::Quota {
        tenant: "arena".into(),
        what: "slots_max",
        retry_after,
    })
}

/// One of each, with the code that it has to have.
fn every_refusal() -> Vec<(Refusal, Code)> {
    [&of_calls()[..], &of_sessions()].concat()
}

fn of_sessions() -> [(Refusal, Code); 7] {
    [
        (Refusal::SessionUnknown("why".into()), Code::NotFound),
        (Refusal::SessionExists("why".into()), Code::AlreadyExists),
        (Refusal::SessionsFull, Code::ResourceExhausted),
        (Refusal::SessionMoved, Code::Unavailable),
        (
            Refusal::SessionsUnavailable("down".into()),
            Code::Unavailable,
        ),
        (Refusal::SequenceGap(1, 3), Code::FailedPrecondition),
        (Refusal::SequenceReused(1), Code::Aborted),
    ]
}

fn of_calls() -> [(Refusal, Code); 34] {
    let retry_after = Duration::from_millis(1_500);
    [
        (Refusal::Mistakes(wrong()), Code::InvalidArgument),
        (Refusal::Malformed("cut".into()), Code::InvalidArgument),
        (Refusal::Timeout, Code::InvalidArgument),
        (
            Refusal::Runtime(runtime::Refusal::Unsupported("skills".into())),
            Code::InvalidArgument,
        ),
        (Refusal::TooLarge("big".into()), Code::ResourceExhausted),
        (Refusal::Encoding("snappy".into()), Code::Unimplemented),
        (
            Refusal::Runtime(runtime::Refusal::Expired),
            Code::DeadlineExceeded,
        ),
        (
            Refusal::Runtime(runtime::Refusal::NoSlot { retry_after }),
            Code::Unavailable,
        ),
        (
            Refusal::Runtime(runtime::Refusal::QueueFull { retry_after }),
            Code::Unavailable,
        ),
        (
            Refusal::Runtime(runtime::Refusal::Draining),
            Code::Unavailable,
        ),
        (Refusal::NoExample("none".into()), Code::NotFound),
        (Refusal::Runtime(runtime::Refusal::Panicked), Code::Internal),
        (
            Refusal::Runtime(runtime::Refusal::SearchFailed),
            Code::Internal,
        ),
        (Refusal::CallerLost, Code::Internal),
        (Refusal::Host("why".into()), Code::PermissionDenied),
        (Refusal::Origin("why".into()), Code::PermissionDenied),
        (Refusal::Unkept, Code::Internal),
        (Refusal::NoCall("why".into()), Code::Unimplemented),
        (Refusal::Unwritable("why".into()), Code::Internal),
        (Refusal::NoToken, Code::Unauthenticated),
        (Refusal::Token("why".into()), Code::Unauthenticated),
        (Refusal::TokenExpired, Code::Unauthenticated),
        (Refusal::NoTenant("why".into()), Code::PermissionDenied),
        (Refusal::MethodDenied("why".into()), Code::PermissionDenied),
        (over(retry_after), Code::ResourceExhausted),
        (Refusal::MemoryFull, Code::Unavailable),
        (
            Refusal::Runtime(runtime::Refusal::SolveTooLarge("why".into())),
            Code::ResourceExhausted,
        ),
        (Refusal::ExamplesOff, Code::FailedPrecondition),
        (Refusal::JobsOff, Code::FailedPrecondition),
        (Refusal::JobExists("why".into()), Code::AlreadyExists),
        (Refusal::JobsFull, Code::ResourceExhausted),
        (Refusal::JobUnknown("why".into()), Code::NotFound),
        (Refusal::JobRunning("why".into()), Code::FailedPrecondition),
        (Refusal::JobsUnavailable("why".into()), Code::Unavailable),
    ]
}

#[test]
fn every_error_has_its_code_and_a_reason_of_ours() {
    for (refusal, code) in every_refusal() {
        let status = Status::from(refusal.clone());
        assert_eq!(status.code(), code, "{refusal:?}");
        assert!(!status.message().is_empty());
        let details = status.get_error_details();
        let info = details.error_info().unwrap();
        assert_eq!(
            (info.domain.as_str(), info.reason.as_str()),
            (DOMAIN, refusal.reason())
        );
    }
}

#[test]
fn whoever_should_come_back_is_told_when_in_both_ways() {
    for (refusal, code) in every_refusal() {
        let status = Status::from(refusal.clone());
        let delay = status
            .get_error_details()
            .retry_info()
            .and_then(|info| info.retry_delay);
        let pushback = status.metadata().get("grpc-retry-pushback-ms");
        let pushback = pushback.map(|value| value.to_str().unwrap().parse().unwrap());
        assert_eq!(delay, pushback.map(Duration::from_millis), "{refusal:?}");
        let comes_back = code == Code::Unavailable
            || matches!(refusal, Refusal::Runtime(runtime::Refusal::Quota { .. }));
        assert_eq!(delay.is_some(), comes_back, "{refusal:?}");
    }
}

#[test]
fn whoever_is_beyond_a_quota_is_told_which() {
    let status = Status::from(over(Duration::from_secs(1)));
    let details = status.get_error_details();
    let violations = &details.quota_failure().unwrap().violations;
    assert_eq!(violations.len(), 1);
    let quota = (&*violations[0].subject, &*violations[0].description);
    assert_eq!(quota, ("tenant:arena", "slots_max"));
}

#[test]
fn callers_who_are_refused_together_do_not_come_back_together() {
    let retry_after = Duration::from_secs(10);
    let delays = (0..200).map(|_| {
        let status = Status::from(Refusal::Runtime(runtime::Refusal::QueueFull {
            retry_after,
        }));
        let details = status.get_error_details();
        details.retry_info().and_then(|it| it.retry_delay).unwrap()
    });
    let mut delays: Vec<Duration> = delays.collect();
    delays.sort();
    delays.dedup();
    assert!(delays.len() > 150, "{} different ones", delays.len());
    assert!(delays[0] >= retry_after, "never too early");
    assert!(delays[delays.len() - 1] <= retry_after.mul_f64(1.5));
}

#[test]
fn mistakes_are_listed_with_field_and_reason() {
    let status = Status::from(Refusal::Mistakes(wrong()));
    let details = status.get_error_details();
    let listed = &details.bad_request().unwrap().field_violations;
    let listed: Vec<_> = listed
        .iter()
        .map(|v| (v.field.as_str(), v.reason.as_str()))
        .collect();
    assert_eq!(
        listed,
        [("options.threads", "OUT_OF_RANGE"), ("problem", "REQUIRED")]
    );
    assert!(
        status.message().contains("2 mistakes"),
        "{}",
        status.message()
    );
}

#[test]
fn tonics_own_size_errors_become_ours() {
    let error = |mut headers: HeaderMap| {
        too_large_instead_of_out_of_range(&mut headers);
        read(&headers)
    };
    for code in ["11", "8"] {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-status", code.parse().unwrap());
        headers.insert("grpc-message", "17%20MiB".parse().unwrap());
        let status = error(headers).unwrap();
        assert_eq!(
            (status.code(), status.message()),
            (Code::ResourceExhausted, "17 MiB")
        );
        let details = status.get_error_details();
        assert_eq!(details.error_info().unwrap().reason, "MESSAGE_TOO_LARGE");
    }
    let mut headers = HeaderMap::new();
    Status::from(Refusal::Runtime(runtime::Refusal::Draining))
        .add_header(&mut headers)
        .unwrap();
    assert_eq!(
        error(headers).map(|status| status.code()),
        Some(Code::Unavailable)
    );
    assert!(error(HeaderMap::new()).is_none());
}

/// Words in quotes that look like codes, in the sources that make them.
fn quoted_codes(source: &str) -> BTreeSet<&str> {
    let words = source.split('"').skip(1).step_by(2);
    let code =
        |word: &&str| word.len() > 3 && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    words.filter(code).collect()
}

/// Codes of the faults that planners of this server report, and `lexicon` for one of them: those
/// in sources that write any.
fn codes_of_faults() -> BTreeSet<String> {
    let planners = Folder::new(env!("CARGO_MANIFEST_DIR")).join("../../planners");
    let served = PLANNERS
        .iter()
        .chain(&["domain_learning", "../engines/lexicon"]);
    let mut folders: Vec<_> = served.map(|name| planners.join(name)).collect();
    let mut codes = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("tests") && !path.ends_with("benches") {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let source = fs::read_to_string(path).unwrap();
                if source.contains("fault!(") {
                    codes.extend(quoted_codes(&source).into_iter().map(str::to_owned));
                }
            }
        }
    }
    codes
}

/// Where reasons are put into words.
const EXPLANATIONS: &[&str] = &[
    include_str!("../../../wire/src/allocation/explanation.rs"),
    include_str!("../../../wire/src/allocation/certificate.rs"),
    include_str!("../../../wire/src/allocation/certificate/incompatibilities.rs"),
    include_str!("../../../wire/src/allocation/relaxation.rs"),
    include_str!("../../../wire/src/story/explain.rs"),
];
/// Where planners name the rules that plans break.
const VIOLATIONS: &[&str] = &[include_str!("../../../../planners/heist/src/rules.rs")];

#[test]
fn every_code_is_documented() {
    let text = include_str!("../../../../docs/reference/errors.md");
    let rows = text.lines().filter_map(|line| {
        let (anchor, code) = line.strip_prefix("| <a id=\"")?.split_once('"')?;
        Some((anchor, code.split('`').nth(1)?))
    });
    let rows: Vec<(&str, &str)> = rows.collect();
    let anchors: BTreeSet<&str> = rows.iter().map(|(anchor, _)| *anchor).collect();
    assert_eq!(anchors.len(), rows.len(), "an anchor is there twice");
    let documented: BTreeSet<&str> = rows.into_iter().map(|(_, code)| code).collect();
    let refusals = every_refusal();
    let refusals = refusals.iter().map(|(refusal, _)| refusal.reason());
    let mistakes = Mistake::ALL.map(Mistake::name);
    let codes = |sources: &[&'static str]| -> BTreeSet<&str> {
        let each = sources.iter().copied();
        each.flat_map(quoted_codes).collect()
    };
    let faults = codes_of_faults();
    let (explanations, violations) = (codes(EXPLANATIONS), codes(VIOLATIONS));
    let found = [faults.len(), explanations.len(), violations.len()];
    assert!(
        found > [100, 0, 0] && explanations.len() > 5 && violations.len() > 5,
        "{found:?}"
    );
    let emitted = refusals
        .chain(mistakes)
        .chain(explanations)
        .chain(violations)
        .chain(faults.iter().map(String::as_str));
    let emitted: BTreeSet<&str> = emitted.collect();
    let missing: Vec<_> = emitted.difference(&documented).collect();
    assert!(
        missing.is_empty(),
        "docs/reference/errors.md lacks {missing:?}"
    );
    let stale: Vec<_> = documented.difference(&emitted).collect();
    assert!(
        stale.is_empty(),
        "docs/reference/errors.md has {stale:?}, which no code reports"
    );
}
