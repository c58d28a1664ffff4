//! Authentication: tokens of a file, or JSON Web Tokens signed by keys of a file.
//!
//! Both come as `authorization: Bearer ...` and name the tenant. Health needs no token: balancers
//! and orchestrators have none. Without any such file all callers are the same, nameless tenant.

mod jwt;
mod signatures;
mod tokens;

use crate::config::Config;
use crate::metrics::Metrics;
use crate::status::Refusal;
use crate::tenant::{Tenant, Tenants};
use crate::watched::{Refresh, Watched};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use jwt::{Keys, Wanted};
use std::sync::Arc;
use tokens::Tokens;

/// What everybody may call.
const OPEN: &str = "/grpc.health.v1.Health/";
/// How tokens are sent.
const SCHEME: &str = "bearer";

/// Lets callers in, or not; clones share everything.
#[derive(Clone)]
pub(crate) struct Gate {
    tokens: Option<Watched<Tokens>>,
    keys: Option<Watched<Keys>>,
    tenants: Tenants,
}

impl Gate {
    /// Reads all files.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn open(config: &Config, metrics: &Metrics) -> Result<Self, String> {
        let tokens = config.tokens.path().map(|path| {
            let path = path.to_owned();
            let read = vec![path.clone()];
            Watched::open("tokens", read, metrics, move || tokens::read(&path))
        });
        let keys = config.jwks.path().map(|path| {
            let path = path.to_owned();
            let wanted = Wanted {
                issuer: config.jwt_issuer.clone(),
                audience: config.jwt_audience.clone(),
                tenant_claim: config.jwt_tenant_claim.clone(),
            };
            let read = vec![path.clone()];
            Watched::open("jwks", read, metrics, move || jwt::read(&path, &wanted))
        });
        Ok(Self {
            tokens: tokens.transpose()?,
            keys: keys.transpose()?,
            tenants: Tenants::open(config, metrics)?,
        })
    }

    /// Files that are read again when they change.
    pub(crate) fn files(&self) -> Vec<Arc<dyn Refresh>> {
        let tokens = self.tokens.clone().map(|it| Arc::new(it) as _);
        let keys = self.keys.clone().map(|it| Arc::new(it) as _);
        let tenants = self.tenants.file().map(|it| Arc::new(it) as _);
        tokens.into_iter().chain(keys).chain(tenants).collect()
    }

    /// All tenants.
    pub(crate) fn tenants(&self) -> &Tenants {
        &self.tenants
    }

    /// Lets a call in, and counts it against its tenant's quota.
    ///
    /// # Errors
    /// The token is unknown, or its tenant may not call this, or not now.
    pub(crate) fn admit(&self, path: &str, headers: &HeaderMap) -> Result<Tenant, Refusal> {
        if path.starts_with(OPEN) {
            return Ok(self.tenants.nobody());
        }
        let tenant = self.caller(headers)?;
        tenant.may_call(path)?;
        tenant.calls()?;
        Ok(tenant)
    }

    fn caller(&self, headers: &HeaderMap) -> Result<Tenant, Refusal> {
        if self.tokens.is_none() && self.keys.is_none() {
            return Ok(self.tenants.everybody());
        }
        let token = bearer(headers)?;
        let name = match (&self.tokens, &self.keys) {
            // What has three parts is signed.
            (_, Some(keys)) if token.matches('.').count() == 2 => keys.now().tenant(token)?,
            (Some(tokens), _) => tokens.now().tenant(token)?,
            (None, _) => return Err(Refusal::Token("it is no JSON Web Token".into())),
        };
        self.tenants.named(&name)
    }
}

/// The token of a call.
fn bearer(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let value = given.next().ok_or(Refusal::NoToken)?;
    // Of two it would not be clear which one a proxy has looked at.
    if given.next().is_some() {
        return Err(Refusal::Token("there are several".into()));
    }
    let text = value.to_str().unwrap_or_default();
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    if scheme.eq_ignore_ascii_case(SCHEME) && !token.trim().is_empty() {
        Ok(token.trim())
    } else {
        Err(Refusal::NoToken)
    }
}

#[cfg(test)]
mod tests;
