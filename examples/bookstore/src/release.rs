//! Which release of the shop is served: pages ask `shop.release >= Release::R1`.

use std::str::FromStr;

/// A release of the shop. Later releases compare greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release(u32);

/// No such release.
#[derive(Debug, thiserror::Error)]
#[error("unknown release \"{0}\": the known releases are {known}", known = Release::known())]
pub struct UnknownRelease(String);

impl Release {
    /// The first release.
    pub const R1: Release = Release(1);

    /// Every release, oldest first.
    pub const ALL: &'static [Release] = &[Release::R1];

    /// The number by which the command line knows it.
    pub fn number(self) -> u32 {
        self.0
    }

    fn known() -> String {
        Release::ALL.iter().map(|release| release.0.to_string()).collect::<Vec<_>>().join(", ")
    }
}

impl FromStr for Release {
    type Err = UnknownRelease;

    fn from_str(text: &str) -> Result<Self, UnknownRelease> {
        let number: Option<u32> = text.parse().ok();
        Release::ALL
            .iter()
            .copied()
            .find(|release| Some(release.0) == number)
            .ok_or_else(|| UnknownRelease(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_release_names_the_known_ones() {
        assert_eq!("1".parse::<Release>().unwrap(), Release::R1);
        let error = "9".parse::<Release>().unwrap_err().to_string();
        assert_eq!(error, "unknown release \"9\": the known releases are 1");
    }
}
