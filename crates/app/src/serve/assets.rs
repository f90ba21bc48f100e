//! The files of the page, part of the program.
//!
//! The page is written by hand: SVG for the board, plain ES modules, no framework and no build step. So `cargo build` needs nothing
//! but Rust, what the browser runs is what lies in `page/`, there is no chain of packages to trust or to keep alive, and the
//! board component we would otherwise bundle brings its own idea of the rules.

use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};

/// A file of the page.
pub(super) struct File {
    pub(super) path: &'static str,
    kind: &'static str,
    text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! file {
    ($path:literal, $kind:ident, $name:literal) => {
        File { path: $path, kind: $kind, text: include_str!(concat!("page/", $name)) }
    };
}

pub(super) static FILES: [File; 14] = [
    file!("/", HTML, "index.html"),
    file!("/icon.svg", SVG, "icon.svg"),
    file!("/style.css", CSS, "style.css"),
    file!("/parts.css", CSS, "parts.css"),
    file!("/main.js", SCRIPT, "main.js"),
    file!("/socket.js", SCRIPT, "socket.js"),
    file!("/board.js", SCRIPT, "board.js"),
    file!("/input.js", SCRIPT, "input.js"),
    file!("/pieces.js", SCRIPT, "pieces.js"),
    file!("/lines.js", SCRIPT, "lines.js"),
    file!("/graph.js", SCRIPT, "graph.js"),
    file!("/moves.js", SCRIPT, "moves.js"),
    file!("/forms.js", SCRIPT, "forms.js"),
    file!("/promotion.js", SCRIPT, "promotion.js"),
];

/// Nothing from elsewhere is loaded, nothing written into the page can run, and no other page may put ours into a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The file as an answer. Browsers keep none of it, so a new version of the program never meets an old page.
pub(super) fn answer(file: &File) -> Response {
    let headers: [(HeaderName, &str); 6] = [
        (header::CONTENT_TYPE, file.kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    (headers, file.text).into_response()
}
