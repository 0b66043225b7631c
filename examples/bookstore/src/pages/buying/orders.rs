//! A member's orders.

use maud::html;

use super::cart::sums_table;
use super::checkout::{PAYMENTS, deliveries};
use crate::faults::Fault;
use crate::pages::layout;
use crate::pages::wording::{date, money};
use crate::store::{Order, OrderLine};
use crate::web::{Outcome, Refusal, Reply, Visit};

pub(crate) fn list(visit: &mut Visit<'_>) -> Outcome {
    let orders = Order::of_member(visit.db, visit.member()?.id)?;
    let release = visit.shop.release;
    let swapped = visit.shop.faulty(Fault::OrderColumnsSwapped);
    let shifted = i64::from(visit.shop.faulty(Fault::OrderLinkWrong));
    let content = html! {
        h1 { "My orders" }
        @if orders.is_empty() {
            p { "You have not ordered anything yet." }
        } @else {
            table {
                thead { tr { th { "Order" } th { "Date" } th { "Copies" } th { "Total" } th { "Status" } } }
                tbody {
                    @for order in &orders {
                        @let cells = (date(&order.placed), money(release, order.sums.total()));
                        @let (second, fourth) = if swapped { (cells.1, cells.0) } else { cells };
                        tr {
                            td { a href={ "/orders/" (order.id - shifted) } { "No. " (order.id) } }
                            td { (second) }
                            td.number { (order.copies) }
                            td.number { (fourth) }
                            td { span class={ "status " (order.status) } { (order.status) } }
                        }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(layout::page(visit, "My orders", content)?))
}

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    let order = own(visit)?;
    let lines = OrderLine::of_order(visit.db, order.id)?;
    let title = format!("Order no. {}", order.id);
    let release = visit.shop.release;
    let content = html! {
        p.crumbs { a href="/orders" { "My orders" } " › " (title) }
        h1 { (title) }
        dl.facts {
            dt { "Placed" } dd { (date(&order.placed)) " at " (order.placed.get(11..16).unwrap_or_default()) }
            dt { "Status" } dd { span class={ "status " (order.status) } { (order.status) } }
            dt { "Delivery" } dd { (label(&deliveries(release), &order.delivery)) }
            dt { "Payment" } dd { (label(&PAYMENTS, &order.payment)) }
            dt { "Deliver to" } dd { @for line in order.address.lines() { (line) br; } }
            @if !order.note.is_empty() { dt { "Note" } dd { (order.note) } }
        }
        table {
            thead { tr { th { "Book" } th { "Price" } th { "Copies" } th { "Sum" } } }
            tbody {
                @for line in &lines {
                    tr {
                        td { a href={ "/book/" (line.book_id) } { (line.title) } @if line.gift { " (gift)" } }
                        td.number { (money(release, line.price)) }
                        td.number { (line.quantity) }
                        td.number { (money(release, line.price * line.quantity)) }
                    }
                }
            }
        }
        (sums_table(release, order.sums))
    };
    Ok(Reply::Page(layout::page(visit, &title, content)?))
}

/// The order that the path names, which must be the member's own (or asked for by an administrator).
pub(crate) fn own(visit: &Visit<'_>) -> Result<Order, Refusal> {
    let member = visit.member()?;
    let order = Order::find(visit.db, visit.id()?)?.ok_or(Refusal::NotFound)?;
    let allowed =
        order.member_id == member.id || member.is_admin() || visit.shop.faulty(Fault::OrdersOfOthers);
    if allowed { Ok(order) } else { Err(Refusal::Forbidden("This order is somebody else's.")) }
}

fn label<L: AsRef<str>>(options: &[(&str, L)], value: &str) -> String {
    let known = options.iter().find(|(known, _)| *known == value);
    known.map_or(value, |(_, label)| label.as_ref()).to_owned()
}
