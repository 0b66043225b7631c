//! Which address is which page.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{RawPathParams, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};

use super::assets;
use super::visit::{Asked, Page};
use crate::pages::books::{book, browse};
use crate::pages::buying::{cart, checkout, orders};
use crate::pages::finding::search;
use crate::pages::membership::{account, login, register};
use crate::pages::{admin, home, info, method_not_allowed, not_found};
use crate::shop::Shop;

const LARGEST_FORM: usize = 64 * 1024;

type Routes = Router<Arc<Shop>>;
type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// All pages of the shop.
pub(crate) fn routes(shop: Arc<Shop>) -> Router {
    Router::new()
        .merge(shopping())
        .merge(membership())
        .merge(administration())
        .route("/static/{name}", get(assets::file))
        .route("/favicon.ico", get(assets::favicon))
        .fallback(answering(not_found))
        .method_not_allowed_fallback(answering(method_not_allowed))
        .with_state(shop)
}

fn shopping() -> Routes {
    Router::new()
        .route("/", shown(home::show))
        .route("/about", shown(info::about))
        .route("/help", shown(info::help))
        .route("/category/{id}", shown(browse::show))
        .route("/search", shown(search::by_keyword))
        .route("/search/advanced", shown(search::advanced))
        .route("/book/{id}", shown(book::show))
        .route("/book/{id}/rate", sent(book::rate))
        .route("/cart", shown(cart::show))
        .route("/cart/add", sent(cart::add))
        .route("/cart/update", sent(cart::update))
        .route("/cart/remove", sent(cart::remove))
        .route("/checkout", both(checkout::form, checkout::place))
}

fn membership() -> Routes {
    Router::new()
        .route("/register", both(register::form, register::send))
        .route("/login", both(login::form, login::send))
        .route("/logout", sent(login::log_out))
        .route("/account", shown(account::show))
        .route("/account/edit", both(account::edit, account::save))
        .route("/account/password", both(account::password, account::change_password))
        .route("/orders", shown(orders::list))
        .route("/orders/{id}", shown(orders::show))
        .route("/orders/{id}/confirmation", shown(checkout::confirmation))
}

fn administration() -> Routes {
    Router::new()
        .route("/admin", shown(admin::dashboard::show))
        .route("/admin/members", shown(admin::members::list))
        .route("/admin/members/{id}", both(admin::members::edit, admin::members::save))
        .route("/admin/books", shown(admin::books::list))
        .route("/admin/books/new", both(admin::books::new, admin::books::add))
        .route("/admin/books/{id}", both(admin::books::edit, admin::books::save))
        .route("/admin/books/{id}/delete", sent(admin::books::delete))
        .route("/admin/categories", both(admin::categories::list, admin::categories::add))
        .route("/admin/categories/{id}/rename", sent(admin::categories::rename))
        .route("/admin/orders", shown(admin::orders::list))
        .route("/admin/orders/{id}/status", sent(admin::orders::set_status))
}

fn shown(page: Page) -> MethodRouter<Arc<Shop>> {
    get(answering(page))
}

fn sent(page: Page) -> MethodRouter<Arc<Shop>> {
    post(answering(page))
}

fn both(form: Page, send: Page) -> MethodRouter<Arc<Shop>> {
    get(answering(form)).post(answering(send))
}

/// An axum handler that answers with a page.
fn answering(
    page: Page,
) -> impl Fn(State<Arc<Shop>>, RawPathParams, Request) -> Answer + Clone + Send + Sync + 'static {
    move |State(shop), params, request| Box::pin(answer(shop, page, params, request))
}

async fn answer(shop: Arc<Shop>, page: Page, params: RawPathParams, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LARGEST_FORM).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let asked = Asked {
        method: head.method,
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        id: params.iter().find(|(name, _)| *name == "id").and_then(|(_, value)| value.parse().ok()),
        cookies: head
            .headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .collect::<Vec<_>>()
            .join("; "),
        body: body.to_vec(),
    };
    // A page is made sooner than another thread would be woken to make it.
    std::panic::catch_unwind(AssertUnwindSafe(|| asked.answer(&shop, page)))
        .unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}
