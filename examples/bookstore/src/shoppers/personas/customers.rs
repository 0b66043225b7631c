//! People with an account: they register, buy, rate, and keep their data.

use super::super::crowd::{Account, COMMENTS, Crowd, Person};
use super::{Shopper, Step, title};

pub(super) fn registers(shopper: &mut Shopper<'_, '_>) -> Step {
    let person = Person::invent(&mut shopper.rng);
    let account = person.account;
    shopper.browser.open("/")?;
    shopper.browser.click("Register")?;
    shopper.browser.submit("register", &[])?;
    let mut wishes = vec![
        ("username", account.username.as_str()),
        ("password", "short"),
        ("repeated", "shor"),
        ("name", &person.name),
        ("email", &person.email),
        ("phone", &person.phone),
        ("address", &person.address),
        ("country", person.country),
        ("contact", "By post"),
        ("newsletter", "on"),
        ("terms", "on"),
    ];
    shopper.browser.submit("register", &wishes)?;
    wishes[1].1 = &account.password;
    wishes[2].1 = &account.password;
    shopper.browser.submit("register", &wishes)?;
    shopper.browser.click("My orders")?;
    shopper.log_out()?;
    shopper.crowd.accounts.push(account);
    Ok(())
}

pub(super) fn buys(shopper: &mut Shopper<'_, '_>) -> Step {
    let account = Crowd::regular(&mut shopper.rng);
    let (first, second) = (shopper.rng.i64(1..=30), shopper.rng.i64(31..=59));
    let copies = shopper.rng.u32(2..5).to_string();
    shopper.browser.open("/")?;
    shopper.log_in(&account)?;
    shopper.find_book(first)?;
    shopper.browser.submit("add", &[])?;
    shopper.browser.submit(&format!("quantity-of-{first}"), &[("quantity", &copies)])?;
    shopper.find_book(second)?;
    shopper.browser.submit("add", &[("gift", "on")])?;
    shopper.browser.click("Check out")?;
    shopper
        .browser
        .submit("checkout", &[("delivery", "Express"), ("payment", "Invoice"), ("terms", "on")])?;
    shopper.browser.click("See the order")?;
    shopper.browser.click(title(first))?;
    shopper.log_out()
}

pub(super) fn buys_much(shopper: &mut Shopper<'_, '_>) -> Step {
    let account = Crowd::regular(&mut shopper.rng);
    let start = shopper.rng.i64(1..=40);
    shopper.browser.open(&format!("/book/{start}"))?;
    shopper.log_in(&account)?;
    // Some seventy dollars' worth at first: free delivery, but no discount yet.
    for (book, copies) in [(start, "2"), (start + 3, "1"), (start + 7, "1")] {
        shopper.browser.open(&format!("/book/{book}"))?;
        shopper.browser.submit("add", &[("quantity", copies)])?;
    }
    shopper.browser.submit(&format!("remove-{}", start + 3), &[])?;
    shopper.browser.submit(&format!("quantity-of-{start}"), &[("quantity", "8")])?;
    shopper.browser.click("Check out")?;
    shopper.browser.submit("checkout", &[("address", ""), ("note", "Leave it with the neighbour.")])?;
    let wishes = [("address", "7 Quiet Close\nBookham BK9 9ZZ"), ("payment", "PayPal"), ("terms", "on")];
    shopper.browser.submit("checkout", &wishes)?;
    shopper.browser.click("My orders").map(drop)
}

pub(super) fn rates(shopper: &mut Shopper<'_, '_>) -> Step {
    let account = Crowd::regular(&mut shopper.rng);
    let (_, book) = shopper.category_and_book();
    let comment = shopper.one_of(&COMMENTS);
    let stars = shopper.one_of(&["1 star", "2 stars", "4 stars", "5 stars"]);
    shopper.browser.open(&format!("/book/{book}"))?;
    shopper.browser.click("Log in to rate this book")?;
    shopper.enter(&account)?;
    shopper.browser.open(&format!("/book/{book}"))?;
    shopper.browser.submit("rate", &[("comment", "No stars yet")])?;
    shopper.browser.submit("rate", &[("stars", stars), ("comment", comment)])?;
    shopper.browser.open("/")
}

pub(super) fn edits_account(shopper: &mut Shopper<'_, '_>) -> Step {
    let mut account = shopper.crowd.newcomer(&mut shopper.rng);
    let email = format!("{}.{}@example.com", account.username, shopper.rng.u32(10..99));
    let fresh = format!("new-{}", shopper.rng.u32(100_000..1_000_000));
    shopper.browser.open("/login")?;
    shopper.enter(&account)?;
    shopper.browser.click("My account")?;
    shopper.browser.click("Edit")?;
    shopper.browser.submit("edit", &[("email", "nowhere"), ("phone", "call me")])?;
    let wishes = [("email", email.as_str()), ("phone", "+49 30 901820"), ("newsletter", "off")];
    shopper.browser.submit("edit", &wishes)?;
    shopper.browser.click("Change password")?;
    let wrong = [("old", "guessed"), ("password", fresh.as_str()), ("repeated", fresh.as_str())];
    shopper.browser.submit("change-password", &wrong)?;
    let right = [("old", account.password.as_str()), ("password", &fresh), ("repeated", &fresh)];
    // A member of the first day keeps the password, for those who come later.
    if shopper.crowd.accounts.iter().any(|known| known.username == account.username) {
        shopper.browser.submit("change-password", &right)?;
        account = Account::new(&account.username, &fresh);
        shopper.crowd.changed(&account);
    }
    shopper.log_out()?;
    shopper.log_in(&account)
}

pub(super) fn comes_back(shopper: &mut Shopper<'_, '_>) -> Step {
    let account = shopper.crowd.newcomer(&mut shopper.rng);
    let (kept, removed) = (shopper.rng.i64(1..=30), shopper.rng.i64(31..=59));
    shopper.browser.open("/login")?;
    shopper.enter(&account)?;
    shopper.browser.click("My account")?;
    for book in [kept, removed] {
        shopper.browser.open(&format!("/book/{book}"))?;
        shopper.browser.submit("add", &[])?;
    }
    shopper.browser.submit(&format!("remove-{removed}"), &[])?;
    shopper.browser.click("Check out")?;
    shopper.browser.submit("checkout", &[("terms", "on")])?;
    shopper.browser.click("My orders")?;
    shopper.browser.click_first("No. ").map(drop)
}

pub(super) fn orders_before_login(shopper: &mut Shopper<'_, '_>) -> Step {
    let account = Crowd::regular(&mut shopper.rng);
    let book = shopper.any_book();
    shopper.browser.open("/")?;
    shopper.find_book(book)?;
    shopper.browser.submit("add", &[("quantity", "3")])?;
    shopper.browser.click("Check out")?;
    shopper.enter(&account)?;
    shopper
        .browser
        .submit("checkout", &[("delivery", "Standard"), ("payment", "Credit card"), ("terms", "on")])?;
    shopper.browser.click("Go on shopping").map(drop)
}
