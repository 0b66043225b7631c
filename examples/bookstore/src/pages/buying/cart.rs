//! The shopping cart.

use maud::{Markup, html};

use super::cart_line;
use crate::faults::Fault;
use crate::pages::guidance::{self, Topic};
use crate::pages::inputs::token;
use crate::pages::layout;
use crate::pages::wording::money;
use crate::release::Release;
use crate::shop::Shop;
use crate::store::{Book, CartLine, Flash, Sums, Tariff};
use crate::web::{Outcome, Refusal, Reply, Visit};

const MOST: i64 = 99;

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    let lines = lines(visit)?;
    let heading = if visit.shop.faulty(Fault::CartMisspelt) { "Shoping cart" } else { "Shopping cart" };
    let content = html! {
        h1 { (heading) }
        @if lines.is_empty() {
            p { "Your cart is empty. Have a look at our " a href="/" { "new arrivals" } "." }
        } @else {
            (guidance::note(visit.shop.release, Topic::Cart))
            table.cart {
                thead { tr { th { "Book" } th { "Price" } th { "Copies" } th { "Sum" } th {} } }
                tbody { @for line in &lines { (row(visit, line, &lines)) } }
            }
            (sums_table(visit.shop.release, sums(visit.shop, &lines, "standard")))
            @if !visit.shop.faulty(Fault::CheckOutLinkMissing) {
                p.actions { a.button href="/checkout" { "Check out" } }
            }
        }
        @if visit.shop.release.offers_to_continue() {
            p.actions { a.button href="/" { "Continue shopping" } }
        }
    };
    Ok(Reply::Page(layout::page(visit, "Shopping cart", content)?))
}

pub(crate) fn add(visit: &mut Visit<'_>) -> Outcome {
    let id = visit.form.number("book").ok_or(Refusal::NotFound)?;
    let book = Book::find(visit.db, id)?.ok_or(Refusal::NotFound)?;
    let Some(quantity) = quantity_sent(visit) else {
        return visit
            .go(format!("/book/{id}"), Flash::Bad("Enter a number of copies from 1 to 99.".to_owned()));
    };
    CartLine::add(visit.db, (visit.session.id, id), quantity, visit.form.has("gift"))?;
    visit.go_well("/cart", format!("{} is in your cart.", book.title))
}

pub(crate) fn update(visit: &mut Visit<'_>) -> Outcome {
    let line = line_sent(visit)?;
    match quantity_sent(visit) {
        Some(quantity) => change_quantity(visit, line, quantity),
        None => visit.go("/cart", Flash::Bad("Enter a number of copies from 1 to 99.".to_owned())),
    }
}

pub(crate) fn remove(visit: &mut Visit<'_>) -> Outcome {
    let line = line_sent(visit)?;
    remove_line(visit, line)
}

/// The lines of the visitor's cart, with the prices at which books are sold.
pub(super) fn lines(visit: &Visit<'_>) -> rusqlite::Result<Vec<CartLine>> {
    let mut lines = CartLine::of_session(visit.db, visit.session.id)?;
    for line in &mut lines {
        line.price = visit.shop.release.selling_price(line.price);
    }
    Ok(lines)
}

/// Changes a line, which must be of the visitor's cart.
pub(super) fn change_quantity(visit: &Visit<'_>, line: i64, quantity: i64) -> Outcome {
    own_title(visit, line)?;
    if !visit.shop.faulty(Fault::QuantityNotStored) {
        CartLine::set_quantity(visit.db, line, quantity)?;
    }
    visit.go_well("/cart", "Your cart is changed.")
}

/// Removes a line, which must be of the visitor's cart.
pub(super) fn remove_line(visit: &Visit<'_>, line: i64) -> Outcome {
    let title = own_title(visit, line)?;
    match visit.shop.faulty(Fault::RemoveEmptiesCart) {
        true => CartLine::clear(visit.db, visit.session.id)?,
        false => CartLine::remove(visit.db, line)?,
    }
    visit.go_well("/cart", format!("{title} is removed."))
}

/// What the lines of a cart cost.
pub(crate) fn sums(shop: &Shop, lines: &[CartLine], delivery: &str) -> Sums {
    let mut tariff = Tariff::default();
    if shop.faulty(Fault::DiscountTooEarly) {
        tariff.discount_from = 6_000;
    }
    tariff.free_postage = !shop.faulty(Fault::DeliveryAlwaysCharged);
    tariff.count_copies = !shop.faulty(Fault::TotalIgnoresQuantity);
    let priced: Vec<(i64, i64)> = lines.iter().map(|line| (line.price, line.quantity)).collect();
    Sums::by(tariff, &priced, delivery)
}

/// The sums below a list of books.
pub(crate) fn sums_table(release: Release, sums: Sums) -> Markup {
    html! {
        table.sums {
            tr { th { "Books" } td { (money(release, sums.goods)) } }
            @if sums.discount > 0 { tr { th { "Discount of 5%" } td { "-" (money(release, sums.discount)) } } }
            tr { th { "Delivery" } td { @if sums.postage == 0 { "free" } @else { (money(release, sums.postage)) } } }
            tr.total { th { "Total" } td { (money(release, sums.total())) } }
        }
    }
}

fn row(visit: &Visit<'_>, line: &CartLine, lines: &[CartLine]) -> Markup {
    let release = visit.shop.release;
    let apart = release.edits_cart_apart();
    html! {
        tr {
            td {
                a href={ "/book/" (line.book_id) } { (line.title) } br;
                small { (line.author) @if line.gift { ", gift wrapped" } }
            }
            td.number { (money(release, line.price)) }
            @if apart { td.number { (line.quantity) } } @else { td { (quantity_form(visit, line)) } }
            td.number { (money(release, line.price * line.quantity)) }
            td {
                @if apart {
                    a id={ "change-" (line.book_id) } href=(cart_line::address(line)) { "Change quantity" }
                } @else {
                    (remove_form(visit, line_to_remove(visit.shop, line, lines), line.book_id))
                }
            }
        }
    }
}

/// Release 1 and 2: the quantity is changed in the list.
fn quantity_form(visit: &Visit<'_>, line: &CartLine) -> Markup {
    html! {
        form.inline id={ "quantity-of-" (line.book_id) } method="post" action="/cart/update" {
            (token(visit))
            input type="hidden" name="line" value=(line.id);
            input type="number" name=(quantity_name(visit.shop)) value=(line.quantity) min="1" max="99"
                aria-label="Copies";
            button.small type="submit" { "Change" }
        }
    }
}

fn remove_form(visit: &Visit<'_>, removed: &CartLine, book: i64) -> Markup {
    html! {
        form.inline id={ "remove-" (book) } method="post" action="/cart/remove" {
            (token(visit))
            input type="hidden" name="line" value=(removed.id);
            button.small.plain type="submit" { "Remove" }
        }
    }
}

/// The name of the field for a quantity.
pub(super) fn quantity_name(shop: &Shop) -> &'static str {
    if shop.faulty(Fault::QuantityMisnamed) { "qty" } else { "quantity" }
}

/// The line that a line's button to remove it names.
pub(super) fn line_to_remove<'a>(shop: &Shop, line: &'a CartLine, lines: &'a [CartLine]) -> &'a CartLine {
    match shop.faulty(Fault::RemoveWrongLine) {
        true => lines.first().unwrap_or(line),
        false => line,
    }
}

pub(super) fn quantity_sent(visit: &Visit<'_>) -> Option<i64> {
    visit.form.number("quantity").filter(|quantity| (1..=MOST).contains(quantity))
}

/// The title of a line of the visitor's cart.
fn own_title(visit: &Visit<'_>, line: i64) -> Result<String, Refusal> {
    CartLine::title(visit.db, visit.session.id, line)?.ok_or(Refusal::NotFound)
}

/// The line that a form names, which must be of the visitor's cart.
fn line_sent(visit: &Visit<'_>) -> Result<i64, Refusal> {
    let line = visit.form.number("line").ok_or(Refusal::NotFound)?;
    own_title(visit, line)?;
    Ok(line)
}
