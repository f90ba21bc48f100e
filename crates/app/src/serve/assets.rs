//! The files of the page, part of the program.
//!
//! The page is written by hand: SVG for the board, plain ES modules, no framework and no build step. So `cargo build` needs nothing
//! but Rust, what the browser runs is what lies in `page/`, there is no chain of packages to trust or to keep alive, and the
//! board component we would otherwise bundle brings its own idea of the rules.

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

/// The file as an answer.
pub(super) fn answer(file: &File) -> Response {
    ([(header::CONTENT_TYPE, file.kind)], file.text).into_response()
}
