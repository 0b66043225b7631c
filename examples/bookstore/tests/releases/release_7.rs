//! Release 7: the administrators' menus are restructured, titles are larger.

use crate::visitor::shop;

#[test]
fn each_section_of_the_administration_has_its_own_menu() {
    let shop = shop(7);
    let mut admin = shop.member("admin", "admin");
    admin.click("Administration");
    for link in ["Books", "Add a book", "Categories", "Members", "Orders"] {
        admin.has_link(link, true);
    }
    admin
        .sees_no("Running low")
        .click("Books")
        .sees("Running low")
        .has_link("Orders", false)
        .has_link("Members", false);
    admin.click("Categories").has_link("Books", true).has_link("Orders", false);
    admin.click("Overview").is_at("/admin", 200).click("Orders").has_link("Books", false).click("Members");
    admin.is_at("/admin/members", 200).has_link("Categories", false).has_link("Orders", true);
    admin.click("Edit").has_link("Members", true).has_link("Books", false);
}

#[test]
fn a_book_is_deleted_only_after_a_page_that_asks() {
    let shop = shop(7);
    let mut admin = shop.member("admin", "admin");
    admin.open("/admin").click("Add a book");
    let wishes = [
        ("title", "Drama for Beginners"),
        ("author", "Quentin Ames"),
        ("price", "17.5"),
        ("pages", "210"),
        ("stock", "5"),
        ("published", "2025-09-30"),
    ];
    admin.submit("book", &wishes).sees("Drama for Beginners is added.").has_form("delete", &[]);
    admin.click("Delete this book").sees("from the shop?").click("Keep it").is_at("/admin/books/85", 200);
    admin.click("Delete this book").is_at("/admin/books/85/delete", 200).submit("delete", &[]);
    admin.is_at("/admin/books", 200).sees("Drama for Beginners is deleted.");
    admin.open("/admin/books/85/delete").is_at("/admin/books/85/delete", 404);
}

#[test]
fn only_administrators_are_asked() {
    let shop = shop(7);
    shop.member("ada", "lovelace").open("/admin/books/9/delete").is_at("/admin/books/9/delete", 403);
    shop.visitor().open("/admin/books/9/delete").is_at("/?next=%2Fadmin%2Fbooks%2F9%2Fdelete", 200);
    shop.visitor().open("/book/9").sees("Northbound, Slowly");
}

#[test]
fn titles_are_larger() {
    let (before, after) = (shop(6), shop(7));
    before.visitor().open("/static/style.css").sees_no("ol.books h2");
    after.visitor().open("/static/style.css").sees("ol.books h2").sees("section.member").sees(".guidance");
    crate::visitor::shop(1).visitor().open("/static/style.css").sees_no("section.member");
}
