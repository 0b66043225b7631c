//! Release 10: a link to one's account on every page, the password apart from the other data.

use bookstore::Fault;

use crate::visitor::{faulty_shop, shop};

#[test]
fn every_page_leads_to_ones_account() {
    let shop = shop(10);
    let mut admin = shop.member("admin", "admin");
    for page in ["/", "/book/9", "/browse", "/find", "/cart", "/orders", "/admin/orders", "/no-such-page"] {
        let links = |link: &&crate::page::Link| link.text == "My account";
        assert_eq!(admin.open(page).page.links.iter().filter(links).count(), 1, "{page}");
        admin.click("My account").is_at("/account", 200);
    }
    shop.visitor().has_link("My account", false);
}

#[test]
fn details_and_password_are_changed_apart() {
    let shop = shop(10);
    let mut visitor = shop.member("ada", "lovelace");
    visitor.click("My account").click("Edit").is_at("/account/profile", 200);
    let fields = ["csrf", "name", "email", "phone", "address", "country", "contact", "newsletter"];
    visitor
        .has_form("profile", &fields)
        .submit("profile", &[("email", "nowhere")])
        .is_at("/account/profile", 422);
    visitor.submit("profile", &[("email", "ada@example.net")]).is_at("/account", 200).sees("ada@example.net");
    visitor.click("Change password").has_form("change-password", &["csrf", "old", "password", "repeated"]);
    let wrong = [("old", "byron"), ("password", "countess"), ("repeated", "countess")];
    visitor
        .submit("change-password", &wrong)
        .is_at("/account/password", 422)
        .sees("This is not your password.");
    let right = [("old", "lovelace"), ("password", "countess"), ("repeated", "countess")];
    visitor.submit("change-password", &right).is_at("/account", 200).sees("Your password is changed.");
    visitor.submit("logout", &[]).submit("login", &[("username", "ada"), ("password", "countess")]);
    visitor.sees("Logged in as ada");
}

#[test]
fn the_details_form_takes_no_password() {
    let shop = shop(10);
    let mut visitor = shop.member("ada", "lovelace");
    let sent = visitor.open("/account/profile").page.form("profile").unwrap().filled(&[]);
    let secret = [("old", "lovelace"), ("password", "countess"), ("repeated", "countess")];
    let pairs = sent.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(secret);
    visitor.post("/account/profile", &pairs.collect::<Vec<_>>()).is_at("/account", 200);
    visitor.submit("logout", &[]).submit("login", &[("username", "ada"), ("password", "lovelace")]);
    visitor.sees("Logged in as ada");
}

#[test]
fn the_page_for_both_is_gone() {
    let shop = shop(10);
    shop.member("ada", "lovelace").finds_gone("/account/edit");
}

#[test]
fn the_faults_of_the_account_are_still_there() {
    let shop = faulty_shop(10, &[Fault::EditLinkWrong, Fault::EmailNotUpdated, Fault::CountryNotKept]);
    let mut visitor = shop.member("ada", "lovelace");
    visitor.click("My account").click("Edit").is_at("/account/password", 200).open("/account/profile");
    visitor.submit("profile", &[("email", "ada@example.net")]).sees("Your data are saved.");
    visitor.sees("ada@example.org").sees("Australia");
    let shop = faulty_shop(10, &[Fault::AccountWrongAction]);
    shop.member("ada", "lovelace").open("/account/profile").submit("profile", &[]).is_at("/account", 405);
}
