//! Release 3: a cart that is less crowded.

use bookstore::Fault;

use crate::visitor::{Visitor, faulty_shop, shop};

fn with_two_books(visitor: &mut Visitor) -> &mut Visitor {
    visitor.open("/book/9").submit("add", &[("quantity", "2")]).open("/book/17").submit("add", &[])
}

#[test]
fn a_quantity_is_changed_on_its_own_page() {
    let shop = shop(3);
    let mut visitor = shop.visitor();
    with_two_books(&mut visitor).is_at("/cart", 200).has_form("quantity-of-9", &[]).has_form("remove-9", &[]);
    visitor
        .click("Change quantity")
        .sees("Northbound, Slowly")
        .has_form("change-line", &["csrf", "line", "quantity"]);
    visitor.press("change-line", "Change", &[("quantity", "lots")]).is_at("/cart/update", 422);
    visitor.sees("Enter a number of copies from 1 to 99.");
    visitor.press("change-line", "Change", &[("quantity", "5")]).is_at("/cart", 200);
    visitor.sees("Your cart is changed.").sees("Cart (6)").sees("$45.00");
}

#[test]
fn a_book_is_removed_on_its_own_page() {
    let shop = shop(3);
    let mut visitor = shop.visitor();
    with_two_books(&mut visitor).click("Change quantity").press("change-line", "Remove", &[]);
    visitor
        .is_at("/cart", 200)
        .sees("Northbound, Slowly is removed.")
        .sees("The Last Tenant")
        .sees("Cart (1)");
    visitor.click("Change quantity").click("Cancel").sees("Cart (1)");
}

#[test]
fn the_lines_of_others_are_not_to_be_changed() {
    let shop = shop(3);
    let (mut owner, mut other) = (shop.visitor(), shop.visitor());
    let edit = with_two_books(&mut owner).page.link("Change quantity").unwrap().to_owned();
    other.open(&edit).is_at(&edit, 404);
    let (token, line) = (other.token(), edit.rsplit('=').next().unwrap());
    let posted = [[("csrf", token.as_str()), ("remove", line)], [("csrf", &token), ("line", line)]];
    for fields in &posted {
        let fields: Vec<_> = fields.iter().copied().chain([("quantity", "7")]).collect();
        other.post("/cart/update", &fields).is_at("/cart/update", 404);
    }
    owner.open("/cart").sees("Cart (3)");
}

#[test]
fn removing_has_no_address_of_its_own_any_more() {
    let shop = shop(3);
    shop.visitor().finds_gone("/cart/remove").open("/cart/edit").is_at("/cart/edit", 404);
}

#[test]
fn the_faults_of_the_cart_are_still_there() {
    let misnamed = faulty_shop(3, &[Fault::QuantityMisnamed, Fault::RemoveEmptiesCart]);
    let mut visitor = misnamed.visitor();
    with_two_books(&mut visitor).click("Change quantity").press("change-line", "Change", &[("qty", "5")]);
    visitor.is_at("/cart/update", 422).press("change-line", "Remove", &[]).sees("Your cart is empty.");
    let wrong = faulty_shop(3, &[Fault::RemoveWrongLine, Fault::QuantityNotStored]);
    let mut visitor = wrong.visitor();
    with_two_books(&mut visitor).click("Change quantity").press(
        "change-line",
        "Change",
        &[("quantity", "5")],
    );
    visitor.sees("Your cart is changed.").sees("Cart (3)");
    let last = visitor.page.links.iter().rfind(|link| link.text == "Change quantity").unwrap().href.clone();
    visitor.open(&last).sees("The Last Tenant").press("change-line", "Remove", &[]);
    visitor.sees("Northbound, Slowly is removed.");
}
