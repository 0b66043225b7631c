//! People who mistype, and people who look where they should not.

use super::super::crowd::Account;
use super::{Shopper, Step};

pub(super) fn mistypes(shopper: &mut Shopper<'_, '_>) -> Step {
    shopper.browser.open("/login")?;
    shopper.browser.submit("login", &[])?;
    shopper.enter(&Account::new("ada", "byron"))?;
    shopper.enter(&Account::new("ada", "LOVELACE"))?;
    shopper.browser.submit("search", &[("q", "xylophone")])?;
    shopper.browser.submit("search", &[("q", " ")])?;
    let missing = shopper.rng.u32(900..999);
    shopper.browser.open(&format!("/book/{missing}"))?;
    shopper.browser.click("Back to the shop").map(drop)
}

pub(super) fn strays(shopper: &mut Shopper<'_, '_>) -> Step {
    shopper.browser.open("/admin")?;
    shopper.enter(&Account::new("grace", "hopper"))?;
    shopper.browser.open("/orders")?;
    shopper.browser.click_first("No. ")?;
    // The first order is Ada's.
    shopper.browser.open("/orders/1")?;
    shopper.browser.open("/orders/1/confirmation")?;
    shopper.browser.open("/checkout")?;
    shopper.browser.open("/category/none")?;
    shopper.browser.open("/cart/add")?;
    shopper.log_out()
}
