//! People who look around without an account.

use super::{CATEGORIES, Shopper, Step, TITLES, author, title};

pub(super) fn browses(shopper: &mut Shopper<'_, '_>) -> Step {
    let (category, book) = shopper.category_and_book();
    let path = format!("/category/{}", category + 1);
    shopper.browser.open("/")?;
    shopper.browser.click_or_open(CATEGORIES[category], &path)?;
    shopper.browser.click_or_open(title(book), &format!("/book/{book}"))?;
    shopper.browser.click_or_open(CATEGORIES[category], &path)?;
    shopper.browser.click("Next")?;
    shopper.browser.click("Previous")?;
    shopper.browser.open("/")?;
    let newest = newest_title();
    shopper.browser.click(newest)?;
    Ok(())
}

pub(super) fn searches(shopper: &mut Shopper<'_, '_>) -> Step {
    let book = shopper.any_book();
    shopper.browser.open("/")?;
    shopper.browser.submit("search", &[("q", "the")])?;
    shopper.browser.click("Next")?;
    let word = shopper.one_of(&["salt", "&", "slow"]);
    shopper.browser.submit("search", &[("q", word)])?;
    let surname = author(book).rsplit(' ').next().unwrap_or_default().to_lowercase();
    shopper.browser.submit("search", &[("q", &surname)])?;
    shopper.browser.click_or_open(title(book), &format!("/book/{book}"))?;
    shopper.browser.click(author(book))?;
    Ok(())
}

pub(super) fn searches_advanced(shopper: &mut Shopper<'_, '_>) -> Step {
    let category = shopper.rng.usize(..CATEGORIES.len());
    let book = category as i64 * 10 + shopper.rng.i64(1..=10);
    let cents = TITLES[book as usize - 1].2;
    let price = format!("{}.{:02}", cents / 100, cents % 100);
    shopper.browser.open("/")?;
    shopper.browser.click("Advanced search")?;
    let wishes =
        [("category", CATEGORIES[category]), ("max", price.as_str()), ("sort", "Price, highest first")];
    shopper.browser.submit("advanced", &wishes)?;
    let cheap =
        [("title", "a"), ("category", "Any category"), ("max", "15"), ("sort", "Price, lowest first")];
    shopper.browser.submit("advanced", &cheap)?;
    shopper.browser.click("Next")?;
    shopper.browser.click("Clear")?;
    let wrong = [("min", "cheap"), ("details", "on")];
    shopper.browser.submit("advanced", &wrong)?;
    let by_author =
        [("min", ""), ("author", author(book)), ("show", "Only books in stock"), ("sort", "Newest first")];
    shopper.browser.submit("advanced", &by_author)?;
    shopper.browser.click_or_open(title(book), &format!("/book/{book}"))
}

pub(super) fn reads_help(shopper: &mut Shopper<'_, '_>) -> Step {
    let (_, book) = shopper.category_and_book();
    shopper.browser.open("/help")?;
    shopper.browser.click("About us")?;
    shopper.browser.click("Help")?;
    shopper.browser.click("cart")?;
    shopper.browser.open(&format!("/book/{book}"))?;
    shopper.browser.submit("add", &[("quantity", "2"), ("gift", "on")])?;
    shopper.browser.submit(&format!("quantity-of-{book}"), &[("quantity", "lots")])?;
    shopper.browser.submit(&format!("remove-{book}"), &[])?;
    Ok(())
}

/// The book published last of those the shop has from the first day.
fn newest_title() -> &'static str {
    TITLES.iter().max_by_key(|book| book.3).map_or("", |book| book.0)
}
