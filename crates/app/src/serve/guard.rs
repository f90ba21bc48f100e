//! Keeps other websites away from the engine, and sets the security headers of our own pages.
//!
//! A page from anywhere may open a WebSocket to this machine: the browser allows it and only sends the page's origin
//! (`Origin`). And a website can point its own name at 127.0.0.1 ("DNS rebinding"), which makes its pages look like
//! ours. So the name in the request (`Host`) must be one that no stranger can own: a numeric address, `localhost`, or a
//! name the user gave; and a page must come from the very host it calls.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::House;

/// Lets a request through, or rejects it with a reason.
pub(super) async fn check(State(house): State<Arc<House>>, request: Request, next: Next) -> Response {
    match judge(request.headers(), &house.names) {
        Ok(()) => next.run(request).await,
        Err(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
    }
}

/// Loads nothing from elsewhere, runs nothing written into the page, and lets no other page put ours into a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Adds the security headers to every response, including rejections. Browsers cache nothing, so a new version of the
/// program never meets an old page.
pub(super) async fn protect(mut response: Response) -> Response {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn judge(headers: &HeaderMap, names: &[String]) -> Result<(), String> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).unwrap_or_default();
    let Ok(authority) = host.parse::<Authority>() else {
        return Err("The request does not say which host it is for.\n".into());
    };
    if !is_known(authority.host(), names) {
        return Err(format!(
            "This server does not answer to the name \"{}\". If the name is yours, start it with --name.\n",
            authority.host()
        ));
    }
    // Programs other than browsers send no origin; browsers always do when they open a WebSocket.
    let Some(origin) = text(header::ORIGIN) else { return Ok(()) };
    let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    if from.is_some_and(|from| from.eq_ignore_ascii_case(host)) {
        return Ok(());
    }
    Err("Pages from elsewhere may not use this engine.\n".into())
}

fn is_known(host: &str, names: &[String]) -> bool {
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    bare.parse::<IpAddr>().is_ok()
        || bare.eq_ignore_ascii_case("localhost")
        || names.iter().any(|name| name.eq_ignore_ascii_case(bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(host: Option<&str>, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        if let Some(host) = host {
            headers.insert(header::HOST, host.parse().expect("a header"));
        }
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().expect("a header"));
        }
        judge(&headers, &["my.box".to_owned()]).is_ok()
    }

    #[test]
    fn only_names_that_nobody_else_can_own() {
        for host in ["127.0.0.1:8064", "localhost:8064", "LOCALHOST", "[::1]:8064", "192.168.1.7:80", "My.Box:8064"] {
            assert!(judged(Some(host), None), "{host}");
        }
        for host in ["evil.example:8064", "127.0.0.1.evil.example", "localhost.evil.example", "", "a b", "[::1"] {
            assert!(!judged(Some(host), None), "{host}");
        }
        assert!(!judged(None, None));
    }

    #[test]
    fn only_pages_from_here() {
        let host = Some("127.0.0.1:8064");
        for origin in ["http://127.0.0.1:8064", "https://127.0.0.1:8064"] {
            assert!(judged(host, Some(origin)), "{origin}");
        }
        for origin in [
            "http://evil.example",
            "http://127.0.0.1",
            "http://127.0.0.1:8065",
            "http://localhost:8064",
            "null",
            "",
            "127.0.0.1:8064",
            "file://127.0.0.1:8064",
        ] {
            assert!(!judged(host, Some(origin)), "{origin}");
        }
    }
}
