//! The administration's first page.

use maud::html;

use super::books::running_low;
use super::guard::admins_only;
use super::menu::{self, Place, Section};
use crate::pages::wording::{date, money};
use crate::store::{Book, Category, Member, Order};
use crate::web::{Outcome, Reply, Visit};

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let orders = Order::all(visit.db, None)?;
    let waiting = orders.iter().filter(|order| order.status == "received").count();
    let taken: i64 =
        orders.iter().filter(|order| order.status != "cancelled").map(|order| order.sums.total()).sum();
    let content = html! {
        ul.figures {
            li { b { (Book::all(visit.db)?.len()) } " books" }
            li { b { (Category::all(visit.db)?.len()) } " categories" }
            li { b { (Member::all(visit.db)?.len()) } " members" }
            li { b { (orders.len()) } " orders" }
            li { b { (waiting) } " waiting" }
            li { b { (money(visit.shop.release, taken)) } " taken" }
        }
        h2 { "Latest orders" }
        ul {
            @for order in orders.iter().take(5) {
                li { "No. " (order.id) ", " (order.member) ", " (date(&order.placed)) ", " (order.status) }
            }
        }
        @if !visit.shop.release.groups_admin_menu() { (running_low(visit)?) }
    };
    let place = Place::new(Section::Overview, "/");
    Ok(Reply::Page(menu::page(visit, &place, "Administration", content)?))
}
