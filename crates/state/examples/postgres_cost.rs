//! What saving and restoring a PostgreSQL database costs: `postgres_cost URL [MEGABYTES [ROWS]]`.
//!
//! Fills the database with a table of that size (and thirty small ones that refer to it), changes some rows between saves,
//! and prints how long saves and restores take. The database must be empty; it is left filled.

use std::error::Error;
use std::time::Instant;

use restage_state::{DatabaseSpec, Depot, ServerKind, State, StateSpec};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, rest @ ..] = &arguments[..] else {
        return Err("usage: postgres_cost URL [MEGABYTES [ROWS]]".into());
    };
    let megabytes: u64 = rest.first().map_or(Ok(100), |text| text.parse())?;
    let rows: u64 = rest.get(1).map_or(Ok(10), |text| text.parse())?;
    let mut app = postgres::Client::connect(url, postgres::NoTls)?;
    let count = megabytes * 1000;
    app.batch_execute(&format!(
        "CREATE TABLE big (id serial PRIMARY KEY, name text, pad bytea); CREATE INDEX ON big (name);
         INSERT INTO big (name, pad) SELECT 'row ' || n, decode(repeat(md5(n::text), 28), 'hex') FROM generate_series(1, {count}) n"
    ))?;
    for table in 1..=30 {
        app.batch_execute(&format!(
            "CREATE TABLE small_{table} (id serial PRIMARY KEY, v text DEFAULT 'x', big int REFERENCES big ON DELETE CASCADE);
             CREATE INDEX ON small_{table} (big); INSERT INTO small_{table} (big) SELECT n FROM generate_series(1, 300) n"
        ))?;
    }
    let folder = tempfile::tempdir()?;
    let spec = DatabaseSpec::new(ServerKind::Postgres, url)?;
    let spec = StateSpec { databases: vec![spec], ..StateSpec::default() };
    let mut state = State::open(&spec, Depot::open(&folder.path().join("depot.db"))?)?;
    let report = timed("first save", || state.save("initial"))?;
    println!("{:>24} {} rows, {} bytes kept", "", report.examined_rows, report.stored_bytes);
    for turn in 0..3 {
        let begun = Instant::now();
        for row in 0..rows {
            let id = 1 + (row * 7919 + turn * 31) % count;
            app.batch_execute(&format!("UPDATE big SET name = 'changed {turn}' WHERE id = {id}"))?;
        }
        app.batch_execute("INSERT INTO small_1 (v, big) VALUES ('new', 5)")?;
        println!("{:>24} {:9.2} ms", "the session's writes", begun.elapsed().as_secs_f64() * 1e3);
        timed("save", || state.save(&format!("turn {turn}")))?;
        timed("save, nothing changed", || state.save(&format!("again {turn}")))?;
        timed("restore", || state.restore("initial"))?;
        timed("restore, nothing changed", || state.restore("initial"))?;
        timed("restore the later one", || state.restore(&format!("turn {turn}")))?;
    }
    timed("end of the watching", || {
        drop(state);
        Ok(())
    })
}

fn timed<T>(what: &str, work: impl FnOnce() -> restage_state::Result<T>) -> Result<T, Box<dyn Error>> {
    let begun = Instant::now();
    let done = work()?;
    println!("{what:>24} {:9.2} ms", begun.elapsed().as_secs_f64() * 1e3);
    Ok(done)
}
