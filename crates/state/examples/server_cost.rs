//! What saving and restoring a database on a server costs: `server_cost mariadb URL [MEGABYTES [ROWS]]`.
//!
//! Fills the database with a table of that size (and eleven small ones), changes some rows between saves, and prints how
//! long saves and restores take. The database must be empty; it is left filled.

use std::error::Error;
use std::time::Instant;

use mysql::prelude::Queryable;
use restage_state::{DatabaseSpec, Depot, ServerKind, State, StateSpec};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, url, rest @ ..] = &arguments[..] else {
        return Err("usage: server_cost mariadb URL [MEGABYTES [ROWS]]".into());
    };
    if kind != "mariadb" {
        return Err(format!("{kind}: this example fills MariaDB alone").into());
    }
    let megabytes: u64 = rest.first().map_or(Ok(100), |text| text.parse())?;
    let rows: u64 = rest.get(1).map_or(Ok(10), |text| text.parse())?;
    let mut app = mysql::Conn::new(mysql::Opts::from_url(url)?)?;
    let count = fill(&mut app, megabytes)?;

    let folder = tempfile::tempdir()?;
    let spec = DatabaseSpec::new(ServerKind::Mariadb, url)?;
    let spec = StateSpec { databases: vec![spec], ..StateSpec::default() };
    let mut state = State::open(&spec, Depot::open(&folder.path().join("depot.db"))?)?;
    let report = timed("first save", || state.save("initial"))?;
    println!("{:>24} {} rows, {} bytes kept", "", report.examined_rows, report.stored_bytes);
    for turn in 0..3 {
        for row in 0..rows {
            let id = 1 + (row * 7919 + turn * 31) % count;
            app.query_drop(format!("UPDATE big SET name = 'changed {turn}' WHERE id = {id}"))?;
        }
        app.query_drop("INSERT INTO small_1 (v) VALUES ('new')")?;
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

fn fill(app: &mut mysql::Conn, megabytes: u64) -> Result<u64, Box<dyn Error>> {
    for table in 1..=11 {
        app.query_drop(format!(
            "CREATE TABLE small_{table} (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(50))"
        ))?;
        app.query_drop(format!(
            "INSERT INTO small_{table} (v) SELECT UUID() FROM information_schema.COLUMNS LIMIT 300"
        ))?;
    }
    app.query_drop("CREATE TABLE big (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(100), pad VARBINARY(1000), KEY (name))")?;
    app.query_drop("INSERT INTO big (name, pad) VALUES (UUID(), RANDOM_BYTES(900))")?;
    let wanted = megabytes * 1000;
    let mut count: u64 = 1;
    while count < wanted {
        let some = count.min(wanted - count).min(20_000);
        app.query_drop(format!(
            "INSERT INTO big (name, pad) SELECT UUID(), RANDOM_BYTES(900) FROM big LIMIT {some}"
        ))?;
        count += some;
    }
    Ok(count)
}
