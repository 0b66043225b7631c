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

impl Release {
    /// The first release.
    pub const R1: Release = Release(1);
    /// Fewer steps to log in.
    pub const R2: Release = Release(2);
    /// The quantity of a book in the cart is changed on a page of its own.
    pub const R3: Release = Release(3);

    /// The newest release.
    pub const LATEST: Release = Release::R3;

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
