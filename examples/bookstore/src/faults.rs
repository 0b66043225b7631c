//! The faults that can be switched on, as one table: name, category, page, what a user would see.
//!
//! Each is a mistake such as a programmer makes, at one place of the shop, which asks
//! `shop.faulty(Fault::X)`.

use std::fmt;
use std::str::FromStr;

/// The part of an application that a fault is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultCategory {
    /// What is stored in, or read from, the database is wrong.
    DataStore,
    /// A rule of the business is computed wrongly.
    Logic,
    /// A form or one of its fields is wrong.
    Form,
    /// The page looks wrong.
    Appearance,
    /// A link is missing or leads astray.
    Link,
}

/// No such fault.
#[derive(Debug, thiserror::Error)]
#[error("unknown fault \"{0}\": the known faults are {known}", known = known_names())]
pub struct UnknownFault(String);

impl FaultCategory {
    /// Every category, in the table's order.
    pub const ALL: &'static [FaultCategory] = &[
        FaultCategory::DataStore,
        FaultCategory::Logic,
        FaultCategory::Form,
        FaultCategory::Appearance,
        FaultCategory::Link,
    ];

    /// The category's name.
    pub fn name(self) -> &'static str {
        match self {
            FaultCategory::DataStore => "data-store",
            FaultCategory::Logic => "logic",
            FaultCategory::Form => "form",
            FaultCategory::Appearance => "appearance",
            FaultCategory::Link => "link",
        }
    }
}

impl fmt::Display for FaultCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

macro_rules! faults {
    ($($variant:ident $name:literal $category:ident $page:literal $shows:literal)*) => {
        /// A fault that can be switched on by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fault { $(#[doc = $shows] $variant,)* }

        impl Fault {
            /// Every fault, by category.
            pub const ALL: &'static [Fault] = &[$(Fault::$variant),*];

            /// The name that switches it on.
            pub fn name(self) -> &'static str {
                match self { $(Fault::$variant => $name),* }
            }

            /// The part of the application it is in.
            pub fn category(self) -> FaultCategory {
                match self { $(Fault::$variant => FaultCategory::$category),* }
            }

            /// The page it is made on.
            pub fn page(self) -> &'static str {
                match self { $(Fault::$variant => $page),* }
            }

            /// What a user would see of it.
            pub fn shows(self) -> &'static str {
                match self { $(Fault::$variant => $shows),* }
            }
        }
    };
}

faults! {
    RatingNotSaved "rating-not-saved" DataStore "book" "The shopper is thanked for a rating, but it never appears."
    QuantityNotStored "quantity-not-stored" DataStore "cart" "A changed quantity is back at its old value."
    OrderLineLost "order-line-lost" DataStore "checkout" "An order of several books lacks its last one."
    OrderNotCommitted "order-not-committed" DataStore "checkout" "The confirmation is right, but the order turns out to be empty later."
    SearchIgnoresAuthor "search-ignores-author" DataStore "search" "Searching for an author finds nothing."
    AdvancedMatchesAny "advanced-matches-any" DataStore "advanced search" "Books that fit only one of the criteria are listed too."
    AddressNotRegistered "address-not-registered" DataStore "register" "The address given at registration is not on the account."
    EmailNotUpdated "email-not-updated" DataStore "account" "An edited e-mail address is said to be saved, but stays as it was."
    RemoveEmptiesCart "remove-empties-cart" DataStore "cart" "Removing one book removes them all."
    StockNotReduced "stock-not-reduced" DataStore "checkout" "The number of copies in stock does not fall after an order."
    DeliveryNotStored "delivery-not-stored" DataStore "checkout" "An order for express delivery is later a standard one."
    PriceEditNotStored "price-edit-not-stored" DataStore "admin book" "A price changed by an administrator stays as it was."

    TotalIgnoresQuantity "total-ignores-quantity" Logic "cart" "The cart's total counts each book once, however many copies."
    PasswordAnyCase "password-any-case" Logic "log in" "A password in the wrong case logs in all the same."
    PagingOffByOne "paging-off-by-one" Logic "search" "The second page of results lacks one book."
    DiscountTooEarly "discount-too-early" Logic "cart" "The discount for 100.00 is given from 60.00 on."
    AdminUnguarded "admin-unguarded" Logic "admin" "Any member who is logged in gets the administration."
    OrdersOfOthers "orders-of-others" Logic "order" "A member can look at the orders of another."
    AverageTruncated "average-truncated" Logic "book" "The average rating is a whole number, rounded down."
    DeliveryAlwaysCharged "delivery-always-charged" Logic "cart" "Delivery costs something where it should be free."
    MaxPriceExclusive "max-price-exclusive" Logic "advanced search" "A book of exactly the highest price is not found."
    PriceSortedAsText "price-sorted-as-text" Logic "advanced search" "Sorted by price, 10.00 comes before 9.00."
    OldPasswordUnchecked "old-password-unchecked" Logic "password" "The password can be changed without knowing the old one."
    CartCountsLines "cart-counts-lines" Logic "every page" "The header counts titles in the cart instead of copies."

    PhoneFieldMissing "phone-field-missing" Form "register" "There is no field for the telephone number."
    QuantityMisnamed "quantity-misnamed" Form "cart" "Changing a quantity complains that none was given."
    SearchFormPosts "search-form-posts" Form "every page" "The search box leads to an error page."
    CategoryOptionMissing "category-option-missing" Form "advanced search" "The last category cannot be chosen."
    RemoveWrongLine "remove-wrong-line" Form "cart" "Removing any book removes the first in the cart."
    CommentCutShort "comment-cut-short" Form "book" "No more than twelve letters fit the comment on a book."
    ExpressMissing "express-missing" Form "checkout" "Express delivery cannot be chosen."
    RatingReversed "rating-reversed" Form "book" "Five stars given count as one."
    AccountWrongAction "account-wrong-action" Form "account" "Saving the edited account leads to an error page."
    CountryNotKept "country-not-kept" Form "account" "The form offers the first country instead of the member's own."
    RatingTokenMissing "rating-token-missing" Form "book" "Sending a rating is refused."
    NewPasswordVisible "new-password-visible" Form "password" "The new password is readable while it is typed."

    CategoryHeadingMissing "category-heading-missing" Appearance "category" "The name of the category is not on its page."
    OrderColumnsSwapped "order-columns-swapped" Appearance "my orders" "Date and total stand under each other's headings."
    PriceWithoutZero "price-without-zero" Appearance "book" "12.50 is shown as 12.5."
    CartMisspelt "cart-misspelt" Appearance "cart" "The heading says \"Shoping cart\"."
    CoverMissing "cover-missing" Appearance "book" "The book has no picture of its cover."
    StockBadgeWrong "stock-badge-wrong" Appearance "book" "The availability is shown in the colour of sold-out books."
    HelpUnstyled "help-unstyled" Appearance "help" "The page has no colours and no layout."
    DateWrongForm "date-wrong-form" Appearance "every page" "The date reads 11/15/2026 rather than Sunday, 15 November 2026."
    StarsOneShort "stars-one-short" Appearance "listings" "Every rating shows one star too few."
    TitleEscapedTwice "title-escaped-twice" Appearance "search" "Titles with an ampersand show &amp; instead."
    WrongCurrency "wrong-currency" Appearance "order confirmation" "The total is in euros rather than dollars."
    ErrorsNameless "errors-nameless" Appearance "register" "Every complaint is just \"Invalid value\"."

    HomeCategoryWrong "home-category-wrong" Link "home" "Each category leads to the next one's books."
    ArrivalsDead "arrivals-dead" Link "home" "New arrivals lead to a page that is not there."
    NextPageLosesQuery "next-page-loses-query" Link "search" "The second page of results is of another search."
    NextPageStuck "next-page-stuck" Link "category" "\"Next\" leads to the same page again."
    AuthorLinkWrong "author-link-wrong" Link "book" "The author's name leads to a search for the title."
    CheckOutLinkMissing "check-out-link-missing" Link "cart" "There is no way from the cart to checking out."
    OrderLinkWrong "order-link-wrong" Link "my orders" "An order's number leads to another order."
    HelpLinkDead "help-link-dead" Link "every page" "The help link at the foot of pages leads nowhere."
    EditLinkWrong "edit-link-wrong" Link "account" "\"Edit\" leads to the change of password."
    LoginForgetsPage "login-forgets-page" Link "book" "After logging in to rate, the shopper is not back at the book."
    CrumbMissing "crumb-missing" Link "book" "The way back to the category is not on the page."
    MemberLinkWrong "member-link-wrong" Link "admin members" "\"Edit\" leads to the data of another member."
}

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let found = Fault::ALL.iter().copied().find(|fault| fault.name() == text);
        found.ok_or_else(|| UnknownFault(text.to_owned()))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

fn known_names() -> String {
    Fault::ALL.iter().map(|fault| fault.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_category_has_enough_faults_and_names_are_unique() {
        for &category in FaultCategory::ALL {
            let count = Fault::ALL.iter().filter(|fault| fault.category() == category).count();
            assert!(count >= 7, "{category} has {count}");
        }
        let names: BTreeSet<_> = Fault::ALL.iter().map(|fault| fault.name()).collect();
        assert_eq!(names.len(), Fault::ALL.len());
    }

    #[test]
    fn a_fault_is_found_by_its_name() {
        for &fault in Fault::ALL {
            assert_eq!(fault.name().parse::<Fault>().unwrap(), fault);
        }
        assert!("no-such".parse::<Fault>().unwrap_err().to_string().contains("rating-not-saved"));
    }
}
