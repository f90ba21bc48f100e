//! The files of the page, built into the program.
//!
//! The page is written by hand: SVG for the board, plain ES modules, no framework and no build step. So `cargo build`
//! needs only Rust, the browser runs exactly what is in `page/`, and there is no chain of packages to trust or
//! maintain. A board component would also bring its own implementation of the rules.

use axum::http::header;
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

pub(super) static FILES: [File; 29] = [
    file!("/", HTML, "index.html"),
    file!("/icon.svg", SVG, "icon.svg"),
    file!("/style.css", CSS, "style.css"),
    file!("/parts.css", CSS, "parts.css"),
    file!("/panels.css", CSS, "panels.css"),
    file!("/board.js", SCRIPT, "board.js"),
    file!("/clocks.js", SCRIPT, "clocks.js"),
    file!("/editor.js", SCRIPT, "editor.js"),
    file!("/explorer.js", SCRIPT, "explorer.js"),
    file!("/files.js", SCRIPT, "files.js"),
    file!("/forms.js", SCRIPT, "forms.js"),
    file!("/graph.js", SCRIPT, "graph.js"),
    file!("/input.js", SCRIPT, "input.js"),
    file!("/keep.js", SCRIPT, "keep.js"),
    file!("/learn.js", SCRIPT, "learn.js"),
    file!("/lines.js", SCRIPT, "lines.js"),
    file!("/look.js", SCRIPT, "look.js"),
    file!("/main.js", SCRIPT, "main.js"),
    file!("/moves.js", SCRIPT, "moves.js"),
    file!("/notes.js", SCRIPT, "notes.js"),
    file!("/over.js", SCRIPT, "over.js"),
    file!("/pgnfile.js", SCRIPT, "pgnfile.js"),
    file!("/pieces.js", SCRIPT, "pieces.js"),
    file!("/promotion.js", SCRIPT, "promotion.js"),
    file!("/review.js", SCRIPT, "review.js"),
    file!("/socket.js", SCRIPT, "socket.js"),
    file!("/state.js", SCRIPT, "state.js"),
    file!("/tabs.js", SCRIPT, "tabs.js"),
    file!("/why.js", SCRIPT, "why.js"),
];

/// The file as a response.
pub(super) fn answer(file: &File) -> Response {
    ([(header::CONTENT_TYPE, file.kind)], file.text).into_response()
}
