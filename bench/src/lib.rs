//! What the programs of `bench/` share: `recorder`, `replay`, `jobs`, `databases`, `faults`, `oracles`, `oracle-speed` and `import`.
//!
//! Machines are noisy, so nothing here is an absolute claim: what is compared runs in turns, several
//! rounds in one go, and medians are divided by one another ([`Rounds`]).
//!
//! - `quiet`, `rounds`, `table`: when to measure, what was measured, and how it is shown;
//! - `program`: reading arguments and ending; `process`: a server as a child that is stopped whatever happens, and what it cost;
//!   `other_program`: one that ends by itself;
//! - `interrupt`: Ctrl-C ends a measurement and all it started;
//! - `pages`: the server behind the proxies; `wrk`, `nginx`, `recording`: the load and the proxies;
//! - `subject`: the bookstore in a project of its own, its shoppers recorded; `replays`: baselines and replays of
//!   it; `day`: on another day; `calibrated`: what varies from day to day; `state_rows`: what is in its database;
//! - `request`: what a replay sent, to be sent again; `timed`: a replay and where its time went; `bare`, `wget`: the same requests without restage;
//! - `access_log`: a large access log to import;
//! - `databases`: large databases on servers of our own;
//! - `judging`: two runs of the store → a comparison; `seen`, `sighting`: which comparators see a difference;
//! - `fault_tables`: the study of faults as Markdown;
//! - `oracles`: the study of oracles;
//! - `reduction`: the study of reduced suites; `generation`: that of generated ones; `regeneration`: that of regenerated ones;
//! - `traffic`: sessions as sets of keys, as many as one likes;
//! - `page_pairs`, `pair_file`: pages and edits of them, to compare; `perl`: the same by paper 2's tools;
//!   `large_pages`: pages larger than anyone serves; `spent`: the memory and the processor time a program took.
//!
//! Invariants: only loopback traffic, every server on a free port, every file in a temporary folder.

mod access_log;
mod bare;
mod calibrated;
mod databases;
mod day;
mod fault_tables;
mod generation;
mod interrupt;
mod judging;
mod large_pages;
mod nginx;
mod oracles;
mod other_program;
mod page_pairs;
mod pages;
mod pair_file;
mod perl;
mod process;
mod program;
mod quiet;
mod recording;
mod reduction;
mod regeneration;
mod replays;
mod request;
mod rounds;
mod seen;
mod sighting;
mod spent;
mod state_rows;
mod subject;
mod table;
mod timed;
mod traffic;
mod wget;
mod wrk;

pub use access_log::{LogLines, write_access_log};
pub use bare::{Answered, BareClient};
pub use calibrated::Calibrated;
pub use databases::{DatabaseSubject, MariaDbSubject, PostgresSubject, Way};
pub use day::Day;
pub use fault_tables::{FaultRow, FaultStudy, Judgement};
pub use generation::{
    Cover, Found, GeneratedSuiteRow, GenerationStudy, LlvmTools, ShopMap, Statements, SuiteWay, WalkedSuite,
};
pub use interrupt::{stop_on_interrupt, unless_stopped};
pub use judging::{Against, Baseline, TestResult, judge};
pub use large_pages::LargePage;
pub use nginx::{AccessLog, nginx};
pub use oracles::{
    BoxPlot, Case, CleanPairs, Counts, Group, Judging, OracleStudy, Ranked, Score, Shown, Spread, Trial,
    Truth, best_unions, wrongly,
};
pub use other_program::{OtherRun, run_other, run_other_ending};
pub use page_pairs::{Differing, PAIRS, PagePair, PagePairs};
pub use pages::{Distinct, serve};
pub use pair_file::{read_pairs, write_pairs};
pub use perl::{Compared, PerlRun, unordered_links};
pub use process::{Server, free_port};
pub use program::{aim_met, run_program};
pub use quiet::wait_for_quiet;
pub use recording::{Recording, Tally, restage_program};
pub use reduction::{
    FaultFinds, FaultShown, PageSet, ProjectRuns, ReducedSuite, ReductionStudy, Replayed, reduced_suites,
};
pub use regeneration::{
    CodeCounts, DrawnSuite, Found as CodeFound, Made, Outcome, RegeneratedSubject, RegenerationProject,
    RegenerationStudy, StartingSuite, Technique, count_code, draw_starting, regeneration_figures,
    wilcoxon_above,
};
pub use request::{Request, requests};
pub use rounds::Rounds;
pub use seen::{Seen, SeenStep, WATCHERS, seen};
pub use sighting::{SEERS, Sighting, sighting};
pub use spent::{children_time, peak_memory, peak_memory_of, processor_time};
pub use state_rows::{Rows, rows};
pub use subject::{Noise, Subject};
pub use table::Table;
pub use timed::{Timed, timed_replay};
pub use traffic::Traffic;
pub use wget::Wget;
pub use wrk::{Load, wrk};

/// What a measurement ends with when it cannot go on.
pub type Trouble = Box<dyn std::error::Error + Send + Sync>;
