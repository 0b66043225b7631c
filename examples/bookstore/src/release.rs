//! The releases of the shop, and what each changed.
//!
//! Pages compare no numbers. They ask the release what it is like (`release.has_member_box()`), and the
//! answers are all here, in the order in which the changes came. Which addresses a release has is the
//! table in `web/routes.rs`.

use std::str::FromStr;

/// A release of the shop. Later releases compare greater, and have all that earlier ones changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release(u32);

/// No such release.
#[derive(Debug, thiserror::Error)]
#[error("there is no release \"{0}\"\n  hint: the releases are {first} to {last}", first = Release::R1.0, last = Release::LATEST.0)]
pub struct UnknownRelease(String);

/// Where the form to rate a book is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RatingForm {
    /// On the book's own page.
    OnBook,
    /// On a page of its own that lists all books.
    ListsBooks,
    /// On a page of its own, of one book, that the book's page links to.
    LinkedFromBook,
}

impl Release {
    /// The first release.
    pub const R1: Release = Release(1);
    /// Fewer steps to log in.
    pub const R2: Release = Release(2);
    /// The quantity of a book in the cart is changed on a page of its own.
    pub const R3: Release = Release(3);
    /// Books are rated on a page of their own; prices are round.
    pub const R4: Release = Release(4);
    /// Books are rated from their page; there is one search.
    pub const R5: Release = Release(5);
    /// More guidance, and a way to sign out on every page.
    pub const R6: Release = Release(6);
    /// Administrators have a menu for the catalogue and one for customers.
    pub const R7: Release = Release(7);
    /// The home page searches on author and title; prices name their currency.
    pub const R8: Release = Release(8);
    /// Administrators have a button to go back; the categories have a page of their own.
    pub const R9: Release = Release(9);
    /// Every page links to one's account; the password is changed apart from the other data.
    pub const R10: Release = Release(10);

    /// The newest release.
    pub const LATEST: Release = Release::R10;

    /// Every release, oldest first.
    pub fn all() -> impl Iterator<Item = Release> {
        (Release::R1.0..=Release::LATEST.0).map(Release)
    }

    /// The number by which the command line knows it.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Release 2: fewer steps to log in.
impl Release {
    /// The form to log in, and the links for members, are in a box on the home page. Before, the form
    /// had a page of its own and the links were in the header.
    pub(crate) fn has_member_box(self) -> bool {
        self >= Release::R2
    }
}

/// Release 3: a cart that is less crowded.
impl Release {
    /// The cart only shows; a line is changed or removed on a page of its own.
    pub(crate) fn edits_cart_apart(self) -> bool {
        self >= Release::R3
    }
}

/// Release 4: shopping goes on from the cart, prices are rounded up, books are rated on a fresh page.
impl Release {
    /// The cart has a button to go on shopping.
    pub(crate) fn offers_to_continue(self) -> bool {
        self >= Release::R4
    }

    /// The price at which a book is sold, in cents: rounded up to whole dollars.
    pub(crate) fn selling_price(self, cents: i64) -> i64 {
        let whole = self.whole_price();
        (cents + whole - 1).div_euclid(whole) * whole
    }

    /// The lowest price of a book that is sold for no less than `cents`.
    pub(crate) fn lowest_price_sold_from(self, cents: i64) -> i64 {
        self.selling_price(cents) - self.whole_price() + 1
    }

    /// The highest price of a book that is sold for no more than `cents`.
    pub(crate) fn highest_price_sold_up_to(self, cents: i64) -> i64 {
        cents.div_euclid(self.whole_price()) * self.whole_price()
    }

    /// What every selling price is a multiple of.
    fn whole_price(self) -> i64 {
        if self >= Release::R4 { 100 } else { 1 }
    }

    /// Where books are rated.
    pub(crate) fn rating_form(self) -> RatingForm {
        match self {
            _ if self < Release::R4 => RatingForm::OnBook,
            Release::R4 => RatingForm::ListsBooks,
            _ => RatingForm::LinkedFromBook,
        }
    }
}

/// Release 5: books are rated from their own page, searching and editing one's account are one page each.
impl Release {
    /// There is one search, `/find`, instead of one by keyword and an advanced one.
    pub(crate) fn has_one_search(self) -> bool {
        self >= Release::R5
    }

    /// How many books a page of search results shows.
    pub(crate) fn results_per_page(self) -> usize {
        if self >= Release::R5 { 5 } else { 8 }
    }

    /// The form to edit one's account has the password, too; release 10 separates them again.
    pub(crate) fn edits_password_with_account(self) -> bool {
        (Release::R5..Release::R10).contains(&self)
    }
}

/// Release 6: more guidance, and a way to sign out on every page.
impl Release {
    /// Forms have instructions, and the help page more answers.
    pub(crate) fn gives_guidance(self) -> bool {
        self >= Release::R6
    }

    /// The button to sign out is in the header, rather than in the box on the home page.
    pub(crate) fn signs_out_everywhere(self) -> bool {
        self >= Release::R6
    }
}

/// Release 7: the administrators' menus are restructured, titles are larger.
impl Release {
    /// The administration has two sections, catalogue and customers, each with a menu of its own; only the
    /// first page leads to both. What runs low is listed with the books.
    pub(crate) fn groups_admin_menu(self) -> bool {
        self >= Release::R7
    }

    /// A book is deleted only after a page that asks.
    pub(crate) fn confirms_deletion(self) -> bool {
        self >= Release::R7
    }

    /// The titles of books are headings of the second rank in lists, and larger everywhere.
    pub(crate) fn has_large_titles(self) -> bool {
        self >= Release::R7
    }
}

/// Release 8: searching on author and title, a currency, one account each.
impl Release {
    /// The home page has a search on author and title, in place of the search box in its header.
    pub(crate) fn searches_on_home(self) -> bool {
        self >= Release::R8
    }

    /// Amounts say whose dollars they are.
    pub(crate) fn names_currency(self) -> bool {
        self >= Release::R8
    }

    /// Whoever is logged in cannot register again.
    pub(crate) fn refuses_second_registration(self) -> bool {
        self >= Release::R8
    }
}

/// Release 9: a way back on administrators' pages, browsing on a page of its own.
impl Release {
    /// Every page of the administration has a button to the page above it.
    pub(crate) fn has_back_buttons(self) -> bool {
        self >= Release::R9
    }

    /// The categories are on a page that all others link to, rather than on the home page.
    pub(crate) fn has_browse_page(self) -> bool {
        self >= Release::R9
    }
}

/// Release 10: a link to one's account on every page, the password apart from the other data.
impl Release {
    /// The link to one's account is in the header, rather than in the box on the home page.
    pub(crate) fn links_account_everywhere(self) -> bool {
        self >= Release::R10
    }

    /// One's details and one's password have a page each, in place of the one for both.
    pub(crate) fn has_profile_page(self) -> bool {
        self >= Release::R10
    }
}

impl FromStr for Release {
    type Err = UnknownRelease;

    fn from_str(text: &str) -> Result<Self, UnknownRelease> {
        let number: Option<u32> = text.parse().ok();
        Release::all()
            .find(|release| Some(release.0) == number)
            .ok_or_else(|| UnknownRelease(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_by_price_finds_what_is_sold_at_that_price() {
        for release in Release::all() {
            for (price, asked) in (880..1120).flat_map(|price| (890..1110).map(move |asked| (price, asked))) {
                let sold = release.selling_price(price);
                assert_eq!(price >= release.lowest_price_sold_from(asked), sold >= asked);
                assert_eq!(price <= release.highest_price_sold_up_to(asked), sold <= asked);
            }
        }
        assert_eq!((Release::R3.selling_price(1295), Release::R4.selling_price(1295)), (1295, 1300));
    }

    #[test]
    fn every_release_is_known_by_its_number_and_no_other_is() {
        for release in Release::all() {
            assert_eq!(release.number().to_string().parse::<Release>().unwrap(), release);
        }
        for text in ["0", "11", "-1", "two", ""] {
            let error = text.parse::<Release>().unwrap_err().to_string();
            assert!(error.contains("hint: the releases are 1 to "), "{error}");
        }
    }
}
