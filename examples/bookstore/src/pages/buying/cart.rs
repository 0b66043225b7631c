//! The shopping cart.

use maud::{Markup, html};

use crate::faults::Fault;
use crate::pages::inputs::token;
use crate::pages::layout;
use crate::pages::wording::money;
use crate::shop::Shop;
use crate::store::{Book, CartLine, Flash, Sums, Tariff};
use crate::web::{Outcome, Refusal, Reply, Visit};

const MOST: i64 = 99;

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    let lines = CartLine::of_session(visit.db, visit.session.id)?;
    let heading = if visit.shop.faulty(Fault::CartMisspelt) { "Shoping cart" } else { "Shopping cart" };
    let content = html! {
        h1 { (heading) }
        @if lines.is_empty() {
            p { "Your cart is empty. Have a look at our " a href="/" { "new arrivals" } "." }
        } @else {
            table.cart {
                thead { tr { th { "Book" } th { "Price" } th { "Copies" } th { "Sum" } th {} } }
                tbody { @for line in &lines { (row(visit, line, &lines)) } }
            }
            (sums_table(sums(visit.shop, &lines, "standard")))
            @if !visit.shop.faulty(Fault::CheckOutLinkMissing) {
                p.actions { a.button href="/checkout" { "Check out" } }
            }
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
    let (line, _) = line_sent(visit)?;
    let Some(quantity) = quantity_sent(visit) else {
        return visit.go("/cart", Flash::Bad("Enter a number of copies from 1 to 99.".to_owned()));
    };
    if !visit.shop.faulty(Fault::QuantityNotStored) {
        CartLine::set_quantity(visit.db, line, quantity)?;
    }
    visit.go_well("/cart", "Your cart is changed.")
}

pub(crate) fn remove(visit: &mut Visit<'_>) -> Outcome {
    let (line, title) = line_sent(visit)?;
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
pub(crate) fn sums_table(sums: Sums) -> Markup {
    html! {
        table.sums {
            tr { th { "Books" } td { (money(sums.goods)) } }
            @if sums.discount > 0 { tr { th { "Discount of 5%" } td { "-" (money(sums.discount)) } } }
            tr { th { "Delivery" } td { @if sums.postage == 0 { "free" } @else { (money(sums.postage)) } } }
            tr.total { th { "Total" } td { (money(sums.total())) } }
        }
    }
}

fn row(visit: &Visit<'_>, line: &CartLine, lines: &[CartLine]) -> Markup {
    let quantity = if visit.shop.faulty(Fault::QuantityMisnamed) { "qty" } else { "quantity" };
    let removed = match visit.shop.faulty(Fault::RemoveWrongLine) {
        true => lines.first().unwrap_or(line),
        false => line,
    };
    html! {
        tr {
            td {
                a href={ "/book/" (line.book_id) } { (line.title) } br;
                small { (line.author) @if line.gift { ", gift wrapped" } }
            }
            td.number { (money(line.price)) }
            td {
                form.inline id={ "quantity-of-" (line.book_id) } method="post" action="/cart/update" {
                    (token(visit))
                    input type="hidden" name="line" value=(line.id);
                    input type="number" name=(quantity) value=(line.quantity) min="1" max="99"
                        aria-label="Copies";
                    button.small type="submit" { "Change" }
                }
            }
            td.number { (money(line.price * line.quantity)) }
            td {
                form.inline id={ "remove-" (line.book_id) } method="post" action="/cart/remove" {
                    (token(visit))
                    input type="hidden" name="line" value=(removed.id);
                    button.small.plain type="submit" { "Remove" }
                }
            }
        }
    }
}

fn quantity_sent(visit: &Visit<'_>) -> Option<i64> {
    visit.form.number("quantity").filter(|quantity| (1..=MOST).contains(quantity))
}

/// The line that a form names, which must be of this session's cart.
fn line_sent(visit: &Visit<'_>) -> Result<(i64, String), Refusal> {
    let line = visit.form.number("line").ok_or(Refusal::NotFound)?;
    let title = CartLine::title(visit.db, visit.session.id, line)?.ok_or(Refusal::NotFound)?;
    Ok((line, title))
}
