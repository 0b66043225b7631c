//! The files that pages refer to, built into the program.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::release::Release;
use crate::shop::Shop;

const STYLE: &str = include_str!("../../assets/style.css");
/// What releases added to the stylesheet, and the first that has it.
const ADDED_STYLES: [(Release, &str); 5] = [
    (Release::R2, include_str!("../../assets/member-box.css")),
    (Release::R6, include_str!("../../assets/guidance.css")),
    (Release::R7, include_str!("../../assets/admin-menu.css")),
    (Release::R7, include_str!("../../assets/titles.css")),
    (Release::R8, include_str!("../../assets/home-search.css")),
];
const LOGO: &str = include_str!("../../assets/logo.svg");
const FAVICON: &str = include_str!("../../assets/favicon.svg");
const COVER: &str = include_str!("../../assets/cover.svg");

/// The colours of the covers, one a category, over and over.
const TONES: [&str; 6] = ["#7b2d43", "#2f3e5c", "#2f6b4f", "#8a5a1f", "#3d4f91", "#b2532f"];

/// `/static/{name}`
pub(super) async fn file(State(shop): State<Arc<Shop>>, Path(name): Path<String>) -> Response {
    match name.as_str() {
        "style.css" => asset("text/css; charset=utf-8", style(shop.release)),
        "logo.svg" => asset("image/svg+xml", LOGO),
        "favicon.svg" => asset("image/svg+xml", FAVICON),
        other => match cover(other) {
            Some(svg) => asset("image/svg+xml", svg),
            None => StatusCode::NOT_FOUND.into_response(),
        },
    }
}

/// `/favicon.ico`, which browsers ask for whatever the page says.
pub(super) async fn favicon() -> Response {
    asset("image/svg+xml", FAVICON)
}

/// The stylesheet of a release.
fn style(release: Release) -> String {
    let added = ADDED_STYLES.iter().filter(|(first, _)| release >= *first).map(|(_, style)| *style);
    std::iter::once(STYLE).chain(added).collect()
}

/// `cover-N.svg`: the cover of books of tone N.
fn cover(name: &str) -> Option<String> {
    let tone: usize = name.strip_prefix("cover-")?.strip_suffix(".svg")?.parse().ok()?;
    let colour = TONES.get(tone.checked_sub(1)?)?;
    Some(COVER.replace("{tone}", colour))
}

fn asset(kind: &'static str, content: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400")),
    ];
    (headers, content).into_response()
}
