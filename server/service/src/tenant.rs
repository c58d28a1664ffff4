//! Tenants: whom calls, searches, answers and jobs belong to, and how much of everything each may
//! have.
//!
//! Quotas come from a file that is read again when it changes. What is used is counted by each
//! server for itself: behind a balancer with three servers a tenant has three times as much.

mod book;
mod bucket;
#[cfg(test)]
mod tests;

use crate::config::Config;
use crate::metrics::Metrics;
use crate::status::Refusal;
use crate::watched::Watched;
use book::Book;
pub(crate) use book::Quota;
use bucket::Bucket;
use runtime::Account as _;
use runtime::admission::Share;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Longest name, in bytes.
const NAME_BYTES_MAX: usize = 63;
/// Tenants that are remembered. Beyond, see [`All::forget`].
const TENANTS_MAX: usize = 10_000;
/// In metrics, of tenants that no file names: so that tokens cannot make up new numbers.
const OTHERS: &str = "other";
/// In metrics, of callers without a name.
const UNNAMED: &str = "none";
/// Over which time solver-seconds are counted.
const MINUTE_S: f64 = 60.0;

/// Whether a tenant can be called so.
pub(crate) fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=NAME_BYTES_MAX).contains(&text.len()) && text.bytes().all(allowed)
}

/// All tenants; clones share them.
#[derive(Clone)]
pub(crate) struct Tenants(Arc<All>);

struct All {
    book: Option<Watched<Book>>,
    known: Mutex<BTreeMap<String, Arc<Account>>>,
    everybody: Arc<Account>,
    nobody: Arc<Account>,
    next: AtomicU64,
    metrics: Metrics,
}

/// Whose a call is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Caller {
    /// The server has neither `tokens` nor `jwks`: all callers are one, who owns everything.
    Everybody,
    /// A caller of a method that needs no token, on a server where others do: owns nothing.
    Nobody,
    /// A tenant.
    Named(String),
}

/// What a tenant has used.
struct Account {
    id: u64,
    caller: Caller,
    calls: Mutex<Bucket>,
    seconds: Mutex<Bucket>,
}

impl Account {
    fn new(id: u64, caller: Caller) -> Arc<Self> {
        let now = Instant::now();
        Arc::new(Self {
            id,
            caller,
            calls: Mutex::new(Bucket::full(now)),
            seconds: Mutex::new(Bucket::full(now)),
        })
    }

    /// Whether it has used what has not come back yet.
    fn owes(&self, now: Instant, quota: &Quota) -> bool {
        let owes = |bucket: &Mutex<Bucket>, rate: Option<f64>| {
            rate.is_some_and(|rate| !lock(bucket).is_full(now, rate))
        };
        let seconds = quota.solver_seconds_per_minute;
        owes(&self.calls, quota.calls_per_second)
            || owes(&self.seconds, seconds.map(|most| most / MINUTE_S))
    }
}

impl All {
    /// Makes room. Tenants that are busy or in the file stay. Among the others, those with their
    /// full quota go first, so that a crowd of new names does not restore used quotas; only a crowd
    /// that uses quotas makes us forget more.
    fn forget(&self, known: &mut BTreeMap<String, Arc<Account>>) {
        let book = self.book.as_ref().map(Watched::now);
        let book = book.as_deref();
        let stays = |name: &str, account: &Arc<Account>| {
            Arc::strong_count(account) > 1 || book.is_some_and(|book| book.names(name))
        };
        let now = Instant::now();
        let owes = |name: &str, account: &Account| {
            book.is_some_and(|book| account.owes(now, &book.quota(name)))
        };
        known.retain(|name, account| stays(name, account) || owes(name, account));
        // All are looked at each time: not worth it for a few.
        if known.len() > TENANTS_MAX / 2 {
            known.retain(|name, account| stays(name, account));
        }
    }
}

/// One tenant; clones are the same one.
#[derive(Clone)]
pub(crate) struct Tenant {
    account: Arc<Account>,
    all: Tenants,
}

impl std::fmt::Debug for Tenant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Tenant").field(&self.account.caller).finish()
    }
}

impl Tenants {
    /// Reads the file of quotas, if there is one.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn open(config: &Config, metrics: &Metrics) -> Result<Self, String> {
        let book = config.tenants.path().map(|path| {
            let path = path.to_owned();
            let read = vec![path.clone()];
            Watched::open("tenants", read, metrics, move || book::read(&path))
        });
        Ok(Self::new(book.transpose()?, metrics.clone()))
    }

    fn new(book: Option<Watched<Book>>, metrics: Metrics) -> Self {
        Self(Arc::new(All {
            book,
            known: Mutex::default(),
            everybody: Account::new(0, Caller::Everybody),
            nobody: Account::new(1, Caller::Nobody),
            next: AtomicU64::new(2),
            metrics,
        }))
    }

    /// The file, if there is one.
    pub(crate) fn file(&self) -> Option<Watched<Book>> {
        self.0.book.clone()
    }

    /// All callers of a server that wants no tokens.
    pub(crate) fn everybody(&self) -> Tenant {
        self.tenant(&self.0.everybody)
    }

    /// A caller of what needs no token.
    pub(crate) fn nobody(&self) -> Tenant {
        self.tenant(&self.0.nobody)
    }

    /// A tenant by name.
    ///
    /// # Errors
    /// The name is empty, or the file says that only those in it may call, and this one is not.
    pub(crate) fn named(&self, name: &str) -> Result<Tenant, Refusal> {
        if name.is_empty() {
            return Err(Refusal::CallerLost);
        }
        let book = self.0.book.as_ref().map(Watched::now);
        if book.is_some_and(|book| !book.takes(name)) {
            let why = format!("tenant {name} is not served here");
            return Err(Refusal::NoTenant(why));
        }
        let mut known = lock(&self.0.known);
        if let Some(account) = known.get(name) {
            return Ok(self.tenant(account));
        }
        if known.len() >= TENANTS_MAX {
            self.0.forget(&mut known);
        }
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        let account = Account::new(id, Caller::Named(name.into()));
        known.insert(name.into(), Arc::clone(&account));
        Ok(self.tenant(&account))
    }

    /// Its part of slots that others want, too.
    pub(crate) fn weight(&self, name: &str) -> f64 {
        let book = self.0.book.as_ref().map(Watched::now);
        let weight = book.and_then(|book| book.quota(name).weight);
        weight.unwrap_or(1.0)
    }

    fn tenant(&self, account: &Arc<Account>) -> Tenant {
        Tenant {
            account: Arc::clone(account),
            all: self.clone(),
        }
    }
}

impl Tenant {
    /// Distinguishes tenants.
    pub(crate) fn id(&self) -> u64 {
        self.account.id
    }

    /// Whose its calls are.
    pub(crate) fn caller(&self) -> &Caller {
        &self.account.caller
    }

    /// Its name; empty without one.
    pub(crate) fn name(&self) -> &str {
        match &self.account.caller {
            Caller::Named(name) => name,
            Caller::Everybody | Caller::Nobody => "",
        }
    }

    /// Its name in metrics.
    pub(crate) fn label(&self) -> String {
        let book = self.all.0.book.as_ref().map(Watched::now);
        match self.name() {
            "" => UNNAMED.into(),
            name if book.is_some_and(|book| book.names(name)) => name.into(),
            _ => OTHERS.into(),
        }
    }

    /// What it may have now.
    pub(crate) fn quota(&self) -> Quota {
        let book = self.all.0.book.as_ref().map(Watched::now);
        book.map_or_else(Quota::default, |book| book.quota(self.name()))
    }

    /// Whether it may call the method of this path.
    ///
    /// # Errors
    /// It may not.
    pub(crate) fn may_call(&self, path: &str) -> Result<(), Refusal> {
        if self.quota().allows(path) {
            Ok(())
        } else {
            Err(Refusal::MethodDenied(format!(
                "tenant {} may not call {}",
                self.name(),
                path.trim_start_matches('/')
            )))
        }
    }

    /// Counts a call.
    ///
    /// # Errors
    /// There were too many of late.
    pub(crate) fn calls(&self) -> Result<(), Refusal> {
        let quota = self.quota();
        let Some(rate) = quota.calls_per_second else {
            return Ok(());
        };
        let burst = quota.calls_burst.unwrap_or_else(|| rate.max(1.0));
        let taken = lock(&self.account.calls).take(Instant::now(), rate, burst);
        taken.map_err(|after| self.over("calls_per_second", after).into())
    }

    /// The same for the runtime.
    pub(crate) fn payer(&self) -> runtime::Tenant {
        Arc::new(self.clone())
    }
}

impl runtime::Account for Tenant {
    fn share(&self) -> Share {
        let quota = self.quota();
        Share {
            tenant: self.id(),
            weight: quota.weight.unwrap_or(Share::ALL.weight),
            slots_max: quota.slots_max.unwrap_or(Share::ALL.slots_max),
            queue: quota.queue_share.unwrap_or(Share::ALL.queue),
        }
    }

    fn label(&self) -> String {
        Tenant::label(self)
    }

    /// Whether it may search: what searches have cost is known at their end only, so that the last
    /// one may go beyond.
    fn may_search(&self) -> Result<(), runtime::Refusal> {
        let Some(most) = self.quota().solver_seconds_per_minute else {
            return Ok(());
        };
        let mut seconds = lock(&self.account.seconds);
        let allowed = seconds.is_positive(Instant::now(), most / MINUTE_S, most);
        drop(seconds);
        allowed.map_err(|after| self.over("solver_seconds_per_minute", after))
    }

    /// A search has ended that took so much of all its slots together.
    fn searched(&self, took: Duration) {
        let took = took.as_secs_f64();
        if let Some(most) = self.quota().solver_seconds_per_minute {
            lock(&self.account.seconds).spend(Instant::now(), most / MINUTE_S, most, took);
        }
        self.all.0.metrics.tenant_searched(self.label(), took);
    }

    /// It is beyond what it may have of this.
    fn over(&self, what: &'static str, retry_after: Duration) -> runtime::Refusal {
        self.all.0.metrics.tenant_refused(self.label(), what);
        runtime::Refusal::Quota {
            tenant: self.name().into(),
            what,
            retry_after,
        }
    }
}

#[cfg(test)]
impl Tenant {
    /// Everybody, of no server.
    pub(crate) fn alone() -> Self {
        Tenants::new(None, Metrics::new()).everybody()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while it is held; if something did, the numbers would still be whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
