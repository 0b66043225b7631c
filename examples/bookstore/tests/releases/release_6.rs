//! Release 6: more guidance, and a way to sign out on every page.

use crate::visitor::shop;

#[test]
fn one_signs_out_from_any_page() {
    let shop = shop(6);
    for page in ["/", "/book/9", "/orders", "/account/edit", "/admin/orders", "/no-such-page"] {
        let mut admin = shop.member("admin", "admin");
        admin
            .open(page)
            .submit("logout", &[])
            .is_at("/", 200)
            .sees("You are logged out")
            .sees_no("Logged in as");
    }
    let mut visitor = shop.visitor();
    visitor.has_form("logout", &[]);
    let mut member = shop.member("ada", "lovelace");
    assert_eq!(member.open("/").page.forms.iter().filter(|form| form.id == "logout").count(), 1);
}

#[test]
fn forms_have_instructions() {
    let shop = shop(6);
    let mut visitor = shop.member("ada", "lovelace");
    visitor.open("/register").sees("A user name has letters and digits only; a password has");
    visitor.open("/find").sees("leave empty what you do not know");
    visitor.open("/rate?book=9").sees("One star is the least");
    visitor.open("/cart").sees_no("Choose \"Change quantity\"").open("/book/9").submit("add", &[]);
    visitor.sees("Choose \"Change quantity\"").click("Change quantity").sees("Up to 99 copies");
    visitor.open("/checkout").sees("Nothing is ordered before you choose \"Place order\".");
    visitor.open("/help").click("How do I sign out?").sees("Choose \"Sign out\" on top of any page.");
}

#[test]
fn the_release_before_has_no_instructions() {
    let shop = crate::visitor::shop(5);
    let mut visitor = shop.visitor();
    visitor.open("/register").sees_no("letters and digits only").open("/help").sees_no("sign out");
}
