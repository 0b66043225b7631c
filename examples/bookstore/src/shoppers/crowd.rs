//! What the shoppers of one drive know: the accounts they have, and a supply of words and people.

use crate::store::MEMBERS;

/// A user name and its password.
#[derive(Debug, Clone)]
pub(super) struct Account {
    pub(super) username: String,
    pub(super) password: String,
}

/// Who has registered in this drive so far.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    pub(super) accounts: Vec<Account>,
}

/// Someone about to register.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) account: Account,
    pub(super) name: String,
    pub(super) email: String,
    pub(super) phone: String,
    pub(super) address: String,
    pub(super) country: &'static str,
}

const FIRST: [&str; 10] = ["Nora", "Felix", "Maya", "Otto", "Clara", "Hugo", "Lena", "Ivan", "Rosa", "Sean"];
const LAST: [&str; 10] =
    ["O'Brien", "Fischer", "Patel", "Moreau", "Walsh", "Kim", "Novak", "Silva", "Berg", "Adeyemi"];
const STREETS: [&str; 5] = ["Mill Lane", "Station Road", "Harbour Street", "Elm Avenue", "Castle Hill"];
const COUNTRIES: [&str; 4] = ["Ireland", "Germany", "France", "United States"];

/// What shoppers say of books.
pub(super) const COMMENTS: [&str; 5] = [
    "A joy from the first page to the last, and I have lent it to everyone I know.",
    "Good, but the second half drags & the index is missing.",
    "Not what I expected.\nStill, worth the price.",
    "My book club argued for hours <in a good way>.",
    "Arrived quickly; the story itself is slow and lovely.",
];

impl Account {
    pub(super) fn new(username: &str, password: &str) -> Account {
        Account { username: username.to_owned(), password: password.to_owned() }
    }

    pub(super) fn admin() -> Account {
        Account::new(MEMBERS[0].0, MEMBERS[0].1)
    }
}

impl Crowd {
    /// One of the members whom the shop has from the first day.
    pub(super) fn regular(rng: &mut fastrand::Rng) -> Account {
        let (username, password, ..) = MEMBERS[rng.usize(1..MEMBERS.len())];
        Account::new(username, password)
    }

    /// Someone who registered in this drive, or else a regular.
    pub(super) fn newcomer(&self, rng: &mut fastrand::Rng) -> Account {
        match self.accounts.is_empty() {
            true => Crowd::regular(rng),
            false => self.accounts[rng.usize(..self.accounts.len())].clone(),
        }
    }

    /// Remembers that an account has a new password.
    pub(super) fn changed(&mut self, account: &Account) {
        for known in self.accounts.iter_mut().filter(|known| known.username == account.username) {
            known.password = account.password.clone();
        }
    }
}

impl Person {
    pub(super) fn invent(rng: &mut fastrand::Rng) -> Person {
        let (first, last) = (FIRST[rng.usize(..FIRST.len())], LAST[rng.usize(..LAST.len())]);
        let username = format!("{}{}", first.to_lowercase(), rng.u32(100..10_000));
        Person {
            email: format!("{username}@example.net"),
            account: Account { password: format!("pw-{}", rng.u32(100_000..1_000_000)), username },
            name: format!("{first} {last}"),
            phone: format!("+353 1 {}", rng.u32(100_0000..1000_0000)),
            address: format!("{} {}\nDublin D0{}", rng.u32(1..200), STREETS[rng.usize(..5)], rng.u32(1..9)),
            country: COUNTRIES[rng.usize(..COUNTRIES.len())],
        }
    }
}
