//! Checking out: the order form, placing the order, its confirmation.

use maud::{Markup, html};

use super::{cart, orders};
use crate::faults::Fault;
use crate::pages::guidance::{self, Topic};
use crate::pages::inputs::{lines as text_lines, radios, select, summary, tick, token};
use crate::pages::layout;
use crate::pages::wording::{amount, counted, money};
use crate::release::Release;
use crate::store::{CartLine, EXPRESS_POSTAGE, Flash, OrderDraft, OrderLine, run};
use crate::web::{Outcome, Problems, Refusal, Reply, Visit};

pub(crate) const PAYMENTS: [(&str, &str); 3] =
    [("card", "Credit card"), ("paypal", "PayPal"), ("invoice", "Invoice")];

/// The ways to deliver.
pub(crate) fn deliveries(release: Release) -> [(&'static str, String); 2] {
    let express = format!("Express, next day ({})", money(release, EXPRESS_POSTAGE));
    [("standard", "Standard, 3 to 5 days".to_owned()), ("express", express)]
}

pub(crate) fn form(visit: &mut Visit<'_>) -> Outcome {
    visit.member()?;
    let lines = cart::lines(visit)?;
    if lines.is_empty() {
        return visit.go("/cart", Flash::Bad("Put a book in your cart first.".to_owned()));
    }
    Ok(Reply::Page(page(visit, &lines, &Problems::default())?))
}

pub(crate) fn place(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?.id;
    let lines = cart::lines(visit)?;
    if lines.is_empty() {
        return visit.go("/cart", Flash::Bad("Put a book in your cart first.".to_owned()));
    }
    let mut problems = Problems::default();
    problems.expect_text(&visit.form, "address", "The address", 300);
    let (delivery, payment) = (visit.form.get("delivery"), visit.form.get("payment"));
    let offered = deliveries(visit.shop.release).iter().any(|(value, _)| *value == delivery);
    problems.expect(offered, "delivery", "Choose how to deliver.");
    let offered = PAYMENTS.iter().any(|(value, _)| *value == payment);
    problems.expect(offered, "payment", "Choose how to pay.");
    problems.expect(visit.form.has("terms"), "terms", "Please accept our terms.");
    if !problems.none() {
        return Ok(Reply::Invalid(page(visit, &lines, &problems)?));
    }
    let order = store_order(visit, member, &lines)?;
    CartLine::clear(visit.db, visit.session.id)?;
    Reply::to(format!("/orders/{order}/confirmation"))
}

fn store_order(visit: &Visit<'_>, member: i64, lines: &[CartLine]) -> Result<i64, Refusal> {
    let shop = visit.shop;
    let delivery = visit.form.get("delivery");
    let kept = if shop.faulty(Fault::DeliveryNotStored) { "standard" } else { delivery };
    let draft = OrderDraft {
        delivery: kept.to_owned(),
        payment: visit.form.get("payment").to_owned(),
        address: visit.form.text("address"),
        note: visit.form.text("note"),
    };
    let sums = cart::sums(shop, lines, delivery);
    let order = draft.add(visit.db, member, sums, &shop.clock.stamp())?;
    let stored = match lines.split_last() {
        Some((_, rest)) if shop.faulty(Fault::OrderLineLost) && !rest.is_empty() => rest,
        _ => lines,
    };
    run(visit.db, "SAVEPOINT order_lines", [])?;
    for line in stored {
        OrderLine::add(visit.db, order, line)?;
        if !shop.faulty(Fault::StockNotReduced) {
            OrderLine::take_from_stock(visit.db, line)?;
        }
    }
    if shop.faulty(Fault::OrderNotCommitted) {
        run(visit.db, "ROLLBACK TO order_lines", [])?;
    }
    run(visit.db, "RELEASE order_lines", [])?;
    Ok(order)
}

pub(crate) fn confirmation(visit: &mut Visit<'_>) -> Outcome {
    let order = orders::own(visit)?;
    let total = match visit.shop.faulty(Fault::WrongCurrency) {
        true => format!("€{}", amount(order.sums.total())),
        false => money(visit.shop.release, order.sums.total()),
    };
    let continued =
        if visit.shop.release.offers_to_continue() { "Continue shopping" } else { "Go on shopping" };
    let content = html! {
        h1 { "Thank you for your order" }
        p { "Your order has the number " b { (order.id) } " and comes to " b { (total) } "." }
        p { "It will be sent to:" }
        address { @for line in order.address.lines() { (line) br; } }
        p.actions {
            a.button href={ "/orders/" (order.id) } { "See the order" } " "
            a href="/" { (continued) }
        }
    };
    Ok(Reply::Page(layout::page(visit, "Order confirmed", content)?))
}

fn page(visit: &Visit<'_>, lines: &[CartLine], problems: &Problems) -> Result<Markup, Refusal> {
    let member = visit.member()?;
    let sent = &visit.form;
    let address = if sent.has("address") { sent.text("address") } else { member.draft.address.clone() };
    let deliveries = deliveries(visit.shop.release);
    let deliveries = match visit.shop.faulty(Fault::ExpressMissing) {
        true => &deliveries[..1],
        false => &deliveries,
    };
    let copies: i64 = lines.iter().map(|line| line.quantity).sum();
    Ok(layout::page(
        visit,
        "Check out",
        html! {
            h1 { "Check out" }
            (guidance::note(visit.shop.release, Topic::CheckingOut))
            p { (counted(copies, "copy").replace("copys", "copies")) " for " (member.draft.name) }
            (cart::sums_table(visit.shop.release, cart::sums(visit.shop, lines, "standard")))
            (summary(problems))
            form.boxed id="checkout" method="post" action="/checkout" {
                (token(visit))
                (text_lines("address", "Deliver to", &address, problems))
                (radios("delivery", "Delivery", deliveries, sent.given("delivery").unwrap_or("standard"), problems))
                (select("payment", "Payment", &PAYMENTS, sent.get("payment"), problems))
                (text_lines("note", "Anything we should know?", sent.get("note"), problems))
                (tick("terms", "I accept the terms of sale", sent.has("terms"), problems))
                p.actions { button type="submit" { "Place order" } " " a href="/cart" { "Back to the cart" } }
            }
        },
    )?)
}
