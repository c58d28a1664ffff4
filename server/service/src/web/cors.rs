//! Which pages may call.

use crate::config::WebAccess;
use http::Method;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use std::time::Duration;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// How long a browser may keep in mind that it may call.
const MEMORY: Duration = Duration::from_secs(3_600);

/// Headers by which browsers let pages from elsewhere call; `None`: they may not.
pub(crate) fn pages(access: &WebAccess) -> Option<CorsLayer> {
    let origins = match access {
        WebAccess::Off | WebAccess::SameOrigin => return None,
        WebAccess::Any => AllowOrigin::any(),
        WebAccess::Origins(origins) => {
            let values = origins.iter().map(|origin| HeaderValue::from_str(origin));
            AllowOrigin::list(values.filter_map(Result::ok))
        }
    };
    let named = HeaderName::from_static;
    Some(
        CorsLayer::new()
            .allow_origin(origins)
            .allow_methods([Method::POST])
            .allow_headers([
                AUTHORIZATION,
                CONTENT_TYPE,
                named("connect-timeout-ms"),
                named("grpc-timeout"),
                named("traceparent"),
                named("tracestate"),
                named("x-grpc-web"),
                named("x-request-id"),
                named("x-session-id"),
                named("x-user-agent"),
            ])
            .expose_headers([
                RETRY_AFTER,
                named("grpc-message"),
                named("grpc-status"),
                named("grpc-status-details-bin"),
                named("x-request-id"),
                named("x-trace-id"),
            ])
            .max_age(MEMORY),
    )
}
