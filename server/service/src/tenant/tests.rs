//! What tenants may have, and that they are distinguished.

use super::book::Book;
use super::{TENANTS_MAX, Tenants, is_name, lock};
use crate::config::Config;
use crate::metrics::Metrics;
use crate::status::Refusal;
use runtime::Account as _;
use std::path::PathBuf;
use std::time::Duration;

/// A file that goes away with the test.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let name = format!("stratagem-tenants-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
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

fn tenants(file: &File, metrics: &Metrics) -> Tenants {
    let config = Config {
        tenants: file.0.to_str().unwrap().parse().unwrap(),
        ..Config::default()
    };
    Tenants::open(&config, metrics).unwrap()
}

#[test]
fn who_is_named_has_his_own_and_others_share_the_default() {
    let text =
        "[default]\nslots_max = 1\n[tenants.arena]\nweight = 2\nmethods = [\"a.B\", \"a.C/D\"]\n";
    let book = Book::parse(text).unwrap();
    assert_eq!(book.quota("other").slots_max, Some(1));
    let arena = book.quota("arena");
    assert_eq!((arena.slots_max, arena.weight), (None, Some(2.0)));
    for (path, allowed) in [
        ("/a.B/X", true),
        ("/a.C/D", true),
        ("/a.C/E", false),
        ("/a.BB/X", false),
    ] {
        assert_eq!(arena.allows(path), allowed, "{path}");
    }
    assert!(book.quota("other").allows("/any/thing"));
}

#[test]
fn quotas_that_make_no_sense_are_all_told() {
    let text = "[default]\nqueue_share = 2\n[tenants.\"a b\"]\n[tenants.arena]\nweight = -1\ncalls_per_second = nan\n";
    let complaint = Book::parse(text).unwrap_err();
    for word in [
        "default: queue_share is 2",
        "a b",
        "arena: weight is -1",
        "arena: calls_per_second",
    ] {
        assert!(complaint.contains(word), "{word}: {complaint}");
    }
    assert!(
        Book::parse("[tenants.arena]\nslotz = 1\n")
            .unwrap_err()
            .contains("slotz")
    );
}

#[test]
fn names_are_short_and_plain() {
    for good in ["a", "arena-eu.1", "A_B"] {
        assert!(is_name(good), "{good}");
    }
    for wrong in ["", "a b", "a/b", "ä", "a\n", &"x".repeat(64)] {
        assert!(!is_name(wrong), "{wrong}");
    }
}

#[test]
fn each_tenant_has_calls_and_seconds_of_his_own() {
    let text =
        "[default]\ncalls_per_second = 0.001\ncalls_burst = 2\nsolver_seconds_per_minute = 1\n";
    let (file, metrics) = (File::new("own", text), Metrics::new());
    let tenants = tenants(&file, &metrics);
    let (one, other) = (
        tenants.named("one").unwrap(),
        tenants.named("other").unwrap(),
    );
    assert_ne!(one.id(), other.id());
    assert_eq!(one.id(), tenants.named("one").unwrap().id());
    assert!(one.calls().is_ok() && one.calls().is_ok());
    let refusal = one.calls().unwrap_err();
    let Refusal::Runtime(runtime::Refusal::Quota {
        tenant,
        what,
        retry_after,
    }) = &refusal
    else {
        panic!("{refusal:?}");
    };
    assert_eq!((&**tenant, *what), ("one", "calls_per_second"));
    assert!(*retry_after > Duration::ZERO);
    assert!(other.calls().is_ok());
    assert!(one.may_search().is_ok());
    one.searched(Duration::from_secs(2));
    assert!(one.may_search().is_err());
    assert!(other.may_search().is_ok());
    let page = metrics.page();
    assert!(
        page.contains(
            "stratagem_tenant_refused_total{tenant=\"other\",quota=\"calls_per_second\"} 1"
        ),
        "{page}"
    );
}

#[test]
fn quotas_change_with_the_file() {
    use crate::watched::Refresh as _;
    let (file, metrics) = (
        File::new("change", "[tenants.a]\nslots_max = 1\n"),
        Metrics::new(),
    );
    let tenants = tenants(&file, &metrics);
    let tenant = tenants.named("a").unwrap();
    assert_eq!(tenant.quota().slots_max, Some(1));
    assert_eq!(tenant.label(), "a");
    std::fs::write(&file.0, "[tenants.b]\n").unwrap();
    tenants.file().unwrap().refresh(true);
    assert_eq!(tenant.quota().slots_max, None);
    assert_eq!(tenant.label(), "other");
    assert_eq!(tenants.everybody().label(), "none");
}

#[test]
fn a_crowd_of_new_names_gives_nobody_a_quota_back() {
    let text =
        "[default]\ncalls_per_second = 0.000001\n[tenants.arena]\ncalls_per_second = 0.000001\n";
    let file = File::new("crowd", text);
    let tenants = tenants(&file, &Metrics::new());
    let calls = |name: &str| tenants.named(name).unwrap().calls().is_ok();
    assert!(calls("arena") && calls("guest"));
    for number in 0..=2 * TENANTS_MAX {
        tenants.named(&format!("idle-{number}")).unwrap();
    }
    assert!(!calls("arena"), "named in the file");
    assert!(!calls("guest"), "has used its quota");
    // Of those who use theirs no more are remembered than there is room for.
    for number in 0..=TENANTS_MAX {
        assert!(calls(&format!("caller-{number}")));
    }
    assert!(lock(&tenants.0.known).len() <= TENANTS_MAX);
    assert!(!calls("arena"), "named in the file, whatever others call");
}
