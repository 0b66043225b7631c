//! The releases of the shop, as users walk through them: what each changed works, what it removed is
//! gone, and no link of any release leads nowhere.

// All of this crate is tests, functions without #[test] too.
#![allow(clippy::unwrap_used)]

mod crawl;
mod old_habits;
mod page;
mod release_1;
mod release_10;
mod release_2;
mod release_3;
mod release_4;
mod release_5;
mod release_6;
mod release_7;
mod release_8;
mod release_9;
mod visitor;
