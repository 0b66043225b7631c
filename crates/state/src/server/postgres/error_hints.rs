//! What is said of a refusal, beside what the server says.

use postgres::{Config, NoTls, SimpleQueryMessage};

/// Who is in the way, asked over a connection of its own: this one's transaction has failed.
pub(super) fn who_holds_locks(config: &Config) -> String {
    let sql = "SELECT a.pid, a.application_name, a.state, left(a.query, 100) FROM pg_stat_activity a \
        WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.application_name <> 'restage' \
        AND EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.granted AND l.relation >= 16384) LIMIT 3";
    let rows = config.connect(NoTls).and_then(|mut client| client.simple_query(sql));
    let holders: Vec<String> = rows
        .unwrap_or_default()
        .iter()
        .filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        })
        .map(|row| {
            let get = |at| row.get(at).unwrap_or("");
            format!("process {} `{}` ({}: {})", get(0), get(1), get(2), get(3))
        })
        .collect();
    if holders.is_empty() {
        return "let the application finish its open transaction, or stop it".to_owned();
    }
    format!("locks are held by {}: let it finish, or stop it", holders.join(", "))
}

/// An error with all that it comes from.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut said = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        said = format!("{said}: {inner}");
        source = inner.source();
    }
    said
}
