//! Release 2: fewer steps to log in.

use bookstore::Fault;

use crate::visitor::{faulty_shop, shop};

#[test]
fn one_logs_in_on_the_home_page_and_finds_ones_own_pages_there() {
    let shop = shop(2);
    let mut visitor = shop.visitor();
    visitor.has_form("login", &["csrf", "next", "username", "password"]).has_link("Register", true);
    visitor.submit("login", &[("username", "ada"), ("password", "lovelace")]);
    visitor.is_at("/", 200).sees("Welcome, Ada Lovelace.").sees("Hello, Ada Lovelace").has_form("login", &[]);
    visitor.click("My account").sees("ada@example.org").has_form("logout", &[]);
    visitor.open("/").click("My orders").sees("No. ");
    visitor
        .open("/")
        .submit("logout", &[])
        .sees("You are logged out")
        .has_form("login", &["csrf", "next", "username", "password"]);
    shop.member("admin", "admin").click("Administration").is_at("/admin", 200);
}

#[test]
fn a_wrong_password_is_said_in_the_box_and_the_way_back_is_kept() {
    let shop = shop(2);
    let mut visitor = shop.visitor();
    visitor.open("/book/9").click("Log in").is_at("/?next=%2Fbook%2F9", 200);
    visitor.submit("login", &[("username", "ada"), ("password", "byron")]);
    visitor.is_at("/", 422).sees("User name or password is wrong.").sees("New arrivals");
    visitor.submit("login", &[("username", ""), ("password", "")]);
    visitor.is_at("/", 422).sees("The user name is required.").sees("The password is required.");
    visitor.submit("login", &[("username", "ada"), ("password", "lovelace")]).is_at("/book/9", 200);
    visitor.sees("Logged in as ada").has_link("Log in", false);
}

#[test]
fn pages_for_members_lead_to_the_box_and_back() {
    let shop = shop(2);
    let mut visitor = shop.visitor();
    visitor.open("/orders/1").is_at("/?next=%2Forders%2F1", 200).sees("Please log in first.");
    visitor.submit("login", &[("username", "ada"), ("password", "lovelace")]).is_at("/orders/1", 200);
    let mut visitor = shop.visitor();
    visitor.open("/register").click("Log in").is_at("/", 200);
    visitor.open("/book/9").click("Log in to rate this book").is_at("/?next=%2Fbook%2F9", 200);
}

#[test]
fn the_page_to_log_in_is_gone() {
    let shop = shop(2);
    shop.visitor().has_link("My orders", false).finds_gone("/login");
}

#[test]
fn the_faults_of_logging_in_are_still_there() {
    let shop = faulty_shop(2, &[Fault::PasswordAnyCase, Fault::LoginForgetsPage]);
    let mut visitor = shop.visitor();
    visitor.open("/book/9").click("Log in to rate this book").is_at("/", 200);
    visitor.submit("login", &[("username", "ada"), ("password", "LOVELACE")]).sees("Logged in as ada");
}
