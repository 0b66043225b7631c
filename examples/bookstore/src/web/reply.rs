//! What a page answers.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::Markup;

/// What a page comes to: a reply, or a refusal to give one.
pub(crate) type Outcome = Result<Reply, Refusal>;

/// An answer to the browser.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A page.
    Page(Markup),
    /// The form again, with complaints.
    Invalid(Markup),
    /// Go there (post/redirect/get).
    SeeOther(String),
}

/// Why the page asked for is not shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("there is no such page")]
    NotFound,
    #[error("{0}")]
    Forbidden(&'static str),
    #[error("this page cannot be asked for in this way")]
    WrongMethod,
    #[error("one has to log in first")]
    LogInFirst,
    #[error("the database failed: {0}")]
    Database(#[from] rusqlite::Error),
}

impl Refusal {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Refusal::NotFound => StatusCode::NOT_FOUND,
            Refusal::Forbidden(_) => StatusCode::FORBIDDEN,
            Refusal::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::LogInFirst => StatusCode::SEE_OTHER,
            Refusal::Database(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl Reply {
    pub(crate) fn to(location: impl Into<String>) -> Outcome {
        Ok(Reply::SeeOther(location.into()))
    }
}

/// A page as a response that no cache keeps.
pub(super) fn page(status: StatusCode, markup: Markup) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, markup.into_string()).into_response()
}

/// A redirect as a response.
pub(super) fn see_other(location: &str) -> Response {
    match HeaderValue::from_str(location) {
        Ok(value) => (StatusCode::SEE_OTHER, [(header::LOCATION, value)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}
