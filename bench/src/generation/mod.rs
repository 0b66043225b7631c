//! The study of generated suites: paper 5's tables 3 to 5.
//!
//! - `way`: how a suite is made: recorded, by a criterion, by the paper's own heuristic;
//! - `shop_map`: the bookstore's map, and sequences over it walked on the bookstore;
//! - `cover`: what sequences and sessions cover of the map, all users together;
//! - `statements`: how much of the bookstore's code a replay runs;
//! - `report`: the tables.

mod cover;
mod report;
mod shop_map;
mod statements;
mod way;

pub use cover::Cover;
pub use report::{Found, GeneratedSuiteRow, GenerationStudy};
pub use shop_map::{ShopMap, WalkedSuite};
pub use statements::{LlvmTools, Statements};
pub use way::SuiteWay;
