//! Release 5: books are rated from their own page; searching and editing one's account are one page each.

use bookstore::Fault;

use crate::visitor::{Visitor, faulty_shop, shop};

fn books_listed(visitor: &Visitor) -> usize {
    visitor.page.links.iter().filter(|link| link.href.starts_with("/book/")).count()
}

#[test]
fn the_page_of_a_book_leads_to_rating_it() {
    let shop = shop(5);
    let mut visitor = shop.member("ada", "lovelace");
    visitor.has_link("Rate a book", false).open("/book/9").click("Rate this book").is_at("/rate?book=9", 200);
    visitor.has_form("rate", &["csrf", "book", "stars", "comment"]);
    visitor
        .submit("rate", &[("comment", "No stars yet")])
        .is_at("/rate", 422)
        .sees("Choose a number of stars.");
    visitor.submit("rate", &[("stars", "2")]).is_at("/book/9", 200).sees("★★☆☆☆ Ada Lovelace");
    visitor.open("/rate").is_at("/", 200).sees("Open the page of a book to rate it.");
    visitor.open("/rate?book=999").is_at("/rate?book=999", 404);
}

#[test]
fn strangers_log_in_and_are_led_on_to_rating() {
    let shop = shop(5);
    let mut visitor = shop.visitor();
    visitor.open("/book/9").click("Log in to rate this book");
    visitor.submit("login", &[("username", "ada"), ("password", "lovelace")]).is_at("/rate?book=9", 200);
}

#[test]
fn there_is_one_search_and_it_shows_five_books_a_page() {
    let shop = shop(5);
    let mut visitor = shop.visitor();
    visitor.submit("search", &[("words", "marlowe")]).sees("3 books found").sees("The Ninth Bell");
    visitor.submit("search", &[("words", "the")]);
    assert_eq!(books_listed(&visitor), 5);
    visitor.click("Next");
    assert_eq!(books_listed(&visitor), 5);
    visitor.click("Previous").click("More options").is_at("/find", 200).sees_no("found");
    let fields =
        ["csrf", "words", "title", "author", "category", "price_from", "price_to", "show", "sort", "details"];
    visitor.has_form("find", &fields);
    visitor
        .submit("find", &[("price_from", "cheap")])
        .sees("Enter an amount such as 12.50.")
        .sees_no("found");
    let wishes = [("price_from", ""), ("price_to", "26"), ("category", "Computing"), ("sort", "price")];
    visitor.submit("find", &wishes).sees("2 books found").sees("Proofs over Breakfast");
    visitor.submit("find", &[("words", "nobody")]).sees("0 books found").click("Clear").is_at("/find", 200);
    // What the parameters were called until now is ignored.
    visitor.open("/find?q=marlowe").sees_no("found").open("/find?words=marlowe&max=1").sees("3 books found");
}

#[test]
fn the_author_of_a_book_is_searched_for() {
    let shop = shop(5);
    shop.visitor().open("/book/11").click("Edith Marlowe").sees("3 books found");
}

#[test]
fn the_password_is_changed_with_the_account() {
    let shop = shop(5);
    let mut visitor = shop.member("ada", "lovelace");
    visitor.open("/account").has_link("Change password", false).click("Edit");
    let data = ["csrf", "name", "email", "phone", "address", "country", "contact", "newsletter"];
    visitor.has_form("edit", &[&data[..], &["old", "password", "repeated"]].concat());
    visitor.submit("edit", &[("phone", "+44 1")]).is_at("/account", 200).sees("Your data are saved.");
    let wrong = [("old", "byron"), ("password", "short"), ("repeated", "other"), ("phone", "+44 2")];
    visitor.click("Edit").submit("edit", &wrong).is_at("/account/edit", 422);
    visitor
        .sees("This is not your password.")
        .sees("A password has at least 6 letters.")
        .open("/account")
        .sees_no("+44 2");
    let right = [("old", "lovelace"), ("password", "countess"), ("repeated", "countess")];
    visitor.click("Edit").submit("edit", &right).sees("Your data and your new password are saved.");
    visitor.open("/").submit("logout", &[]);
    visitor.submit("login", &[("username", "ada"), ("password", "countess")]).sees("Logged in as ada");
}

#[test]
fn the_pages_that_were_merged_are_gone() {
    let shop = shop(5);
    let mut visitor = shop.member("ada", "lovelace");
    visitor.finds_gone("/search").finds_gone("/search/advanced").finds_gone("/account/password");
}

#[test]
fn the_faults_of_both_searches_are_in_the_one() {
    let faults = [Fault::TitleEscapedTwice, Fault::SearchIgnoresAuthor, Fault::NextPageLosesQuery];
    let shop = faulty_shop(5, &faults);
    let mut visitor = shop.visitor();
    visitor.submit("search", &[("words", "marlowe")]).sees("0 books found");
    visitor.submit("search", &[("words", "salt")]).sees("Salt &amp; Iron");
    visitor.submit("search", &[("words", "the")]).click("Next").is_at("/find?words=a&page=2", 200);
    let shop = crate::visitor::faulty_shop(
        5,
        &[Fault::AdvancedMatchesAny, Fault::PagingOffByOne, Fault::OldPasswordUnchecked],
    );
    let mut visitor = shop.member("ada", "lovelace");
    visitor.open("/find").submit("find", &[("title", "salt"), ("author", "marlowe")]).sees("5 books found");
    visitor.submit("search", &[("words", "the")]).click("Next");
    assert_eq!(books_listed(&visitor), 4);
    visitor.open("/account/edit").submit("edit", &[("password", "countess"), ("repeated", "countess")]);
    visitor.sees("your new password");
}
