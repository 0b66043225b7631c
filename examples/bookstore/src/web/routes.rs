//! Which address is which page, in which releases.

use std::ops::RangeBounds;
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
use crate::pages::books::{book, browse, rating_page};
use crate::pages::buying::{cart, cart_line, checkout, orders};
use crate::pages::finding::{criteria, search};
use crate::pages::membership::{account, login, password, register};
use crate::pages::{admin, home, info, method_not_allowed, not_found};
use crate::release::Release;
use crate::shop::Shop;

const R2: Release = Release::R2;
const R3: Release = Release::R3;
const R4: Release = Release::R4;
const R5: Release = Release::R5;
const R7: Release = Release::R7;
const R9: Release = Release::R9;
const R10: Release = Release::R10;

const LARGEST_FORM: usize = 64 * 1024;

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// The pages of one release.
struct Pages {
    release: Release,
    router: Router<Arc<Shop>>,
}

impl Pages {
    /// Adds a page, if the release is one of those that have it.
    fn page(
        mut self,
        releases: impl RangeBounds<Release>,
        address: &str,
        page: MethodRouter<Arc<Shop>>,
    ) -> Pages {
        if releases.contains(&self.release) {
            self.router = self.router.route(address, page);
        }
        self
    }
}

/// All pages of the shop.
pub(crate) fn routes(shop: Arc<Shop>) -> Router {
    let pages = Pages { release: shop.release, router: Router::new() };
    administration(membership(shopping(pages)))
        .router
        .route("/static/{name}", get(assets::file))
        .route("/favicon.ico", get(assets::favicon))
        .fallback(answering(not_found))
        .method_not_allowed_fallback(answering(method_not_allowed))
        .with_state(shop)
}

fn shopping(pages: Pages) -> Pages {
    pages
        .page(..R2, "/", shown(home::show))
        .page(R2.., "/", both(home::show, login::send))
        .page(.., "/about", shown(info::about))
        .page(.., "/help", shown(info::help))
        .page(R9.., "/browse", shown(browse::index))
        .page(.., "/category/{id}", shown(browse::show))
        .page(..R5, "/search", shown(search::by_keyword))
        .page(..R5, "/search/advanced", shown(criteria::advanced))
        .page(R5.., "/find", shown(criteria::find))
        .page(.., "/book/{id}", shown(book::show))
        .page(..R4, "/book/{id}/rate", sent(book::rate))
        .page(R4..R5, "/rate", both(rating_page::list, rating_page::send_from_list))
        .page(R5.., "/rate", both(rating_page::form, rating_page::send))
        .page(.., "/cart", shown(cart::show))
        .page(.., "/cart/add", sent(cart::add))
        .page(R3.., "/cart/edit", shown(cart_line::form))
        .page(..R3, "/cart/update", sent(cart::update))
        .page(R3.., "/cart/update", sent(cart_line::send))
        .page(..R3, "/cart/remove", sent(cart::remove))
        .page(.., "/checkout", both(checkout::form, checkout::place))
}

fn membership(pages: Pages) -> Pages {
    pages
        .page(.., "/register", both(register::form, register::send))
        .page(..R2, "/login", both(login::form, login::send))
        .page(.., "/logout", sent(login::log_out))
        .page(.., "/account", shown(account::show))
        .page(..R10, "/account/edit", both(account::edit, account::save))
        .page(R10.., "/account/profile", both(account::edit, account::save))
        .page(..R5, "/account/password", both(password::form, password::send))
        .page(R10.., "/account/password", both(password::form, password::send))
        .page(.., "/orders", shown(orders::list))
        .page(.., "/orders/{id}", shown(orders::show))
        .page(.., "/orders/{id}/confirmation", shown(checkout::confirmation))
}

fn administration(pages: Pages) -> Pages {
    pages
        .page(.., "/admin", shown(admin::dashboard::show))
        .page(.., "/admin/members", shown(admin::members::list))
        .page(.., "/admin/members/{id}", both(admin::members::edit, admin::members::save))
        .page(.., "/admin/books", shown(admin::books::list))
        .page(.., "/admin/books/new", both(admin::books::new, admin::books::add))
        .page(.., "/admin/books/{id}", both(admin::books::edit, admin::books::save))
        .page(..R7, "/admin/books/{id}/delete", sent(admin::books::delete))
        .page(R7.., "/admin/books/{id}/delete", both(admin::books::confirm_delete, admin::books::delete))
        .page(.., "/admin/categories", both(admin::categories::list, admin::categories::add))
        .page(.., "/admin/categories/{id}/rename", sent(admin::categories::rename))
        .page(.., "/admin/orders", shown(admin::orders::list))
        .page(.., "/admin/orders/{id}/status", sent(admin::orders::set_status))
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
