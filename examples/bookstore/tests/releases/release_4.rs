//! Release 4: shopping goes on from the cart, prices are rounded up, books are rated on a fresh page.

use bookstore::Fault;

use crate::visitor::{faulty_shop, shop};

#[test]
fn shopping_goes_on_from_the_cart() {
    let shop = shop(4);
    let mut visitor = shop.member("ada", "lovelace");
    visitor.open("/cart").click("Continue shopping").is_at("/", 200);
    visitor.open("/book/9").submit("add", &[]).click("Continue shopping").is_at("/", 200);
    visitor.open("/cart").click("Check out").submit("checkout", &[("terms", "on")]);
    visitor.sees("Thank you for your order").click("Continue shopping").is_at("/", 200);
}

#[test]
fn prices_are_rounded_up_wherever_books_are_sold() {
    let shop = shop(4);
    let mut visitor = shop.member("ada", "lovelace");
    // Salt & Iron is 12.95 in the books.
    visitor.open("/search?q=salt").sees("$13.00").sees_no("$12.95").open("/book/2").sees("$13.00");
    visitor.submit("add", &[("quantity", "2")]).sees("$26.00").sees("$29.95");
    visitor.click("Check out").submit("checkout", &[("terms", "on")]).sees("$29.95");
    visitor.click("See the order").sees("$13.00").sees("$26.00");
    let mut admin = shop.member("admin", "admin");
    admin.open("/admin/books/2");
    let price = admin.page.form("book").unwrap().filled(&[]);
    assert!(price.contains(&("price".to_owned(), "12.95".to_owned())), "{price:?}");
}

#[test]
fn a_search_by_price_goes_by_the_price_shown() {
    let shop = shop(4);
    let mut visitor = shop.visitor();
    let salt = [("title", "Salt &"), ("min", "13"), ("max", "13")];
    visitor.open("/search/advanced").submit("advanced", &salt).sees("1 book found");
    visitor.submit("advanced", &[("min", ""), ("max", "12.99")]).sees("0 books found");
}

#[test]
fn a_book_is_rated_on_the_page_for_it() {
    let shop = shop(4);
    let mut visitor = shop.member("ada", "lovelace");
    visitor.open("/book/9").has_form("rate", &[]).open("/").click("Rate a book");
    visitor.is_at("/rate", 200).has_form("rate", &["csrf", "book", "stars", "comment"]);
    visitor.submit("rate", &[("comment", "No stars yet")]).is_at("/rate", 422);
    visitor.sees("Choose a book.").sees("Choose a number of stars.").sees("No stars yet");
    visitor.submit("rate", &[("book", "Northbound, Slowly, Tomas Lindqvist"), ("stars", "4")]);
    visitor.is_at("/book/9", 200).sees("Thank you for rating Northbound, Slowly.").sees("★★★★☆ Ada Lovelace");
}

#[test]
fn strangers_log_in_to_rate_and_the_old_address_is_gone() {
    let shop = shop(4);
    let mut visitor = shop.visitor();
    visitor
        .open("/book/9")
        .has_link("Log in to rate this book", false)
        .open("/rate")
        .is_at("/?next=%2Frate", 200);
    visitor.submit("login", &[("username", "ada"), ("password", "lovelace")]).is_at("/rate", 200);
    visitor.finds_gone("/book/9/rate");
}

#[test]
fn the_faults_of_rating_are_still_there() {
    let refused = faulty_shop(4, &[Fault::RatingTokenMissing]);
    let wished = [("book", "9"), ("stars", "4")];
    refused.member("ada", "lovelace").open("/rate").submit("rate", &wished).is_at("/rate", 403);
    let lost = faulty_shop(4, &[Fault::RatingNotSaved, Fault::PriceWithoutZero]);
    lost.member("ada", "lovelace").open("/rate").submit("rate", &wished).sees_no("Ada Lovelace,").sees("$9 ");
}
