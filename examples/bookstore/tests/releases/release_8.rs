//! Release 8: searching on author and title from the home page, a currency, one account each.

use bookstore::Fault;

use crate::visitor::{faulty_shop, shop};

#[test]
fn the_home_page_searches_on_author_and_title() {
    let shop = shop(8);
    let mut visitor = shop.visitor();
    visitor.has_form("search", &[]).has_form("find-books", &["csrf", "author", "title"]);
    visitor.submit("find-books", &[("author", "marlowe")]).sees("3 books found").sees("The Ninth Bell");
    visitor.has_form("search", &["csrf", "words"]).open("/");
    visitor.submit("find-books", &[("author", "marlowe"), ("title", "bell")]).sees("1 book found");
    visitor.open("/").submit("find-books", &[]).sees("or whatever else you know");
    visitor.sees_no("found").open("/").click("More options").is_at("/find", 200);
}

#[test]
fn amounts_name_their_currency() {
    let shop = shop(8);
    let mut visitor = shop.member("ada", "lovelace");
    visitor.sees("Free delivery for orders of US$50.00 and more, 5% off from US$100.00.");
    visitor.open("/help").sees("US$3.95; free from US$50.00").open("/book/2").sees("US$13.00");
    visitor.submit("add", &[]).sees("US$16.95").click("Check out").sees("Express, next day (US$9.50)");
    visitor.submit("checkout", &[("delivery", "express"), ("terms", "on")]).sees("comes to US$22.50");
    visitor.click("See the order").sees("Express, next day (US$9.50)").open("/orders").sees("US$22.50");
    shop.member("admin", "admin").open("/admin/orders").sees("US$22.50");
}

#[test]
fn a_member_does_not_register_again() {
    let shop = shop(8);
    let mut member = shop.member("ada", "lovelace");
    member.open("/register").is_at("/account", 200).sees("You are a member already.");
    let token = member.token();
    member.post("/register", &[("csrf", &token), ("username", "ada2")]).is_at("/account", 200);
    member.submit("logout", &[]).click("Register").is_at("/register", 200);
    let wishes = [
        ("username", "nora17"),
        ("password", "secret"),
        ("repeated", "secret"),
        ("name", "Nora Walsh"),
        ("email", "nora@example.net"),
        ("country", "Ireland"),
        ("terms", "on"),
    ];
    member.submit("register", &wishes).is_at("/account", 200).sees("You are now a member.");
}

#[test]
fn the_faults_of_the_search_box_and_of_the_currency_are_still_there() {
    let shop = faulty_shop(8, &[Fault::SearchFormPosts, Fault::WrongCurrency]);
    let mut visitor = shop.member("ada", "lovelace");
    visitor.submit("find-books", &[("author", "marlowe")]).is_at("/find", 405);
    visitor.open("/book/2").submit("add", &[]).click("Check out").submit("checkout", &[("terms", "on")]);
    visitor.sees("comes to €16.95").sees_no("US");
}
