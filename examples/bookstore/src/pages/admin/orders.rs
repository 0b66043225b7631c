//! Orders, for administrators.

use maud::html;

use super::guard::admins_only;
use super::menu::{self, Place, Section};
use crate::pages::inputs::{select, token};
use crate::pages::wording::{date, money};
use crate::store::{Order, STATUSES};
use crate::web::{Outcome, Problems, Refusal, Reply, Visit};

pub(crate) fn list(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let status = visit.query.given("status").filter(|status| STATUSES.contains(status));
    let orders = Order::all(visit.db, status)?;
    let filters: Vec<(&str, &str)> =
        std::iter::once(("", "all")).chain(STATUSES.iter().map(|name| (*name, *name))).collect();
    let content = html! {
        form.inline id="filter" method="get" action="/admin/orders" {
            (token(visit))
            (select("status", "Show", &filters, status.unwrap_or_default(), &Problems::default()))
            button.small type="submit" { "Show" }
        }
        table {
            thead { tr { th { "No." } th { "Date" } th { "Member" } th { "Total" } th { "Status" } } }
            tbody {
                @for order in &orders {
                    tr {
                        td { a href={ "/orders/" (order.id) } { (order.id) } }
                        td { (date(&order.placed)) }
                        td { (order.member) }
                        td.number { (money(visit.shop.release, order.sums.total())) }
                        td {
                            form.inline id={ "status-of-" (order.id) } method="post"
                                action={ "/admin/orders/" (order.id) "/status" } {
                                (token(visit))
                                select name="status" aria-label="Status" {
                                    @for name in STATUSES {
                                        option value=(name) selected[name == order.status] { (name) }
                                    }
                                }
                                button.small type="submit" { "Set" }
                            }
                        }
                    }
                }
            }
        }
    };
    let place = Place::new(Section::Customers, "/admin");
    Ok(Reply::Page(menu::page(visit, &place, "Orders", content)?))
}

pub(crate) fn set_status(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let order = Order::find(visit.db, visit.id()?)?.ok_or(Refusal::NotFound)?;
    let status = visit.form.get("status");
    if !STATUSES.contains(&status) {
        return Err(Refusal::NotFound);
    }
    Order::set_status(visit.db, order.id, status)?;
    visit.go_well("/admin/orders", format!("Order no. {} is now {status}.", order.id))
}
