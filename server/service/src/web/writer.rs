//! Reading and writing JSON for a tenant, off the threads of the network.

use crate::status::Refusal;
use crate::tenant::Tenant;
use runtime::work::{Desk, Piece, Stage};

/// Reads and writes; clones are the same.
#[derive(Clone)]
pub(super) struct Writer {
    desk: Desk,
    tenant: Tenant,
}

impl Writer {
    /// For a tenant.
    pub(super) fn new(desk: &Desk, tenant: &Tenant) -> Self {
        Self {
            desk: desk.clone(),
            tenant: tenant.clone(),
        }
    }

    /// Works on a message of this number of bytes.
    ///
    /// # Errors
    /// The work panicked.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        size: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let piece = Piece {
            method: "json",
            stage: Stage::Json,
            size,
            tenant: self.tenant.payer(),
            due: None,
            until: None,
        };
        Ok(self.desk.run(piece, work).await?)
    }
}
