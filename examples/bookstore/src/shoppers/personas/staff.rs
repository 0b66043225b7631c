//! Administrators.

use super::super::crowd::Account;
use super::super::page::FieldKind;
use super::{CATEGORIES, Shopper, Step};

const SUBJECTS: [&str; 8] =
    ["Poetry", "Travel", "Music", "Drama", "Gardening", "Philosophy", "Comics", "Languages"];

pub(super) fn keeps_books(shopper: &mut Shopper<'_, '_>) -> Step {
    let book = shopper.any_book();
    let price = format!("{}.{:02}", shopper.rng.u32(8..30), shopper.rng.u32(1..10) * 5);
    let category = CATEGORIES[shopper.rng.usize(..CATEGORIES.len())];
    let subject = shopper.one_of(&SUBJECTS);
    shopper.browser.open("/login")?;
    shopper.enter(&Account::admin())?;
    shopper.browser.click("Administration")?;
    shopper.browser.click("Books")?;
    shopper.browser.click("Next")?;
    shopper.browser.open(&format!("/admin/books/{book}"))?;
    shopper.browser.submit("book", &[("price", &price), ("stock", "25")])?;
    shopper.browser.click("Back to the list")?;
    shopper.browser.click("Add a book")?;
    let heading = format!("{subject} for Beginners & Others");
    shopper.browser.submit("book", &[("title", &heading), ("price", "much")])?;
    let wishes = [
        ("title", heading.as_str()),
        ("author", "Quentin Ames"),
        ("category", category),
        ("price", "17.5"),
        ("pages", "210"),
        ("stock", "5"),
        ("published", "2025-09-30"),
        ("blurb", "All one needs to begin.\nNothing more."),
    ];
    shopper.browser.submit("book", &wishes)?;
    shopper.browser.submit("delete", &[])?;
    shopper.log_out()
}

pub(super) fn keeps_categories(shopper: &mut Shopper<'_, '_>) -> Step {
    let subject = shopper.one_of(&SUBJECTS);
    let renamed = format!("{subject} & more");
    shopper.browser.open("/login")?;
    shopper.enter(&Account::admin())?;
    shopper.browser.click("Administration")?;
    shopper.browser.click("Categories")?;
    shopper.browser.submit("new-category", &[("name", "")])?;
    shopper.browser.submit("new-category", &[("name", subject)])?;
    let called = |kind: &FieldKind| matches!(kind, FieldKind::Text { value, .. } if value == subject);
    shopper.browser.submit_form(
        |form| form.id.starts_with("rename-") && form.fields.iter().any(|field| called(&field.kind)),
        &[("name", &renamed)],
    )?;
    shopper.browser.click("Home").map(drop)
}

pub(super) fn keeps_orders(shopper: &mut Shopper<'_, '_>) -> Step {
    let order = shopper.rng.u32(5..=8);
    let status = shopper.one_of(&["packed", "sent", "delivered"]);
    let (member, country) =
        (shopper.one_of(&["edsger", "emmy", "barbara"]), shopper.one_of(&["France", "India"]));
    shopper.browser.open("/login")?;
    shopper.enter(&Account::admin())?;
    shopper.browser.click("Administration")?;
    shopper.browser.click("Orders")?;
    shopper.browser.submit(&format!("status-of-{order}"), &[("status", status)])?;
    shopper.browser.submit("filter", &[("status", status)])?;
    shopper.browser.click("Members")?;
    shopper.browser.click_id(&format!("edit-{member}"))?;
    shopper.browser.submit("member", &[("country", country), ("contact", "Not at all"), ("email", "?")])?;
    let email = format!("{member}@example.com");
    shopper.browser.submit("member", &[("email", &email)])?;
    shopper.log_out()
}
