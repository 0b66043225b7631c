//! Release 9: a way back on administrators' pages, browsing on a page of its own.

use bookstore::Fault;

use crate::visitor::{faulty_shop, shop};

#[test]
fn every_page_of_the_administration_leads_back() {
    let shop = shop(9);
    let mut admin = shop.member("admin", "admin");
    let ways = [
        ("/admin", "/"),
        ("/admin/books", "/admin"),
        ("/admin/books/new", "/admin/books"),
        ("/admin/books/9", "/admin/books"),
        ("/admin/books/9/delete", "/admin/books/9"),
        ("/admin/categories", "/admin"),
        ("/admin/members", "/admin"),
        ("/admin/members/2", "/admin/members"),
        ("/admin/orders", "/admin"),
    ];
    for (page, above) in ways {
        admin.open(page).has_link("Back to the list", false).has_link("Cancel", false);
        admin.click("Back").is_at(above, 200);
    }
    admin
        .open("/admin/members/2")
        .submit("member", &[("email", "?")])
        .click("Back")
        .is_at("/admin/members", 200);
}

#[test]
fn one_browses_from_any_page() {
    let shop = shop(9);
    let mut visitor = shop.visitor();
    visitor.has_link("Mystery", false).sees("New arrivals").click("Browse").is_at("/browse", 200);
    visitor
        .sees("Mystery (14)")
        .click("Mystery")
        .is_at("/category/2", 200)
        .sees("14 books, best rated first");
    visitor.click("Next").is_at("/category/2?page=2", 200);
    visitor.open("/book/9").click("Fiction").is_at("/category/1", 200);
    visitor.open("/cart").click("Browse").is_at("/browse", 200).click("Home").is_at("/", 200);
}

#[test]
fn the_fault_of_the_categories_has_moved_with_them() {
    let shop = faulty_shop(9, &[Fault::HomeCategoryWrong]);
    shop.visitor().click("Browse").click("Mystery").is_at("/category/3", 200);
}
