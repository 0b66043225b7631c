//! Where a database is: a URL, and the name a snapshot knows it by.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Which protocol a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ServerKind {
    /// PostgreSQL.
    Postgres,
    /// MariaDB, MySQL.
    Mariadb,
}

impl ServerKind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            ServerKind::Postgres => "PostgreSQL",
            ServerKind::Mariadb => "MariaDB",
        }
    }

    fn schemes(self) -> &'static [&'static str] {
        match self {
            ServerKind::Postgres => &["postgres", "postgresql"],
            ServerKind::Mariadb => &["mysql", "mariadb"],
        }
    }
}

/// One database on a server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseSpec {
    /// Which protocol.
    pub kind: ServerKind,
    /// `mysql://user:password@127.0.0.1:3306/shop`, `postgres://user:password@127.0.0.1/shop`.
    pub url: String,
    /// What snapshots call it: a copy of it can be restored from the same snapshots.
    pub label: String,
}

impl DatabaseSpec {
    /// A database by its URL, called by its name.
    pub fn new(kind: ServerKind, url: &str) -> Result<Self> {
        let spec = Self { kind, url: url.to_owned(), label: String::new() };
        let bad = |what: &str| Error::DatabaseUrl {
            database: spec.shown(),
            what: what.to_owned(),
            scheme: kind.schemes()[0],
        };
        let scheme = url.split_once("://").map(|(scheme, _)| scheme);
        if !scheme.is_some_and(|scheme| kind.schemes().contains(&scheme)) {
            return Err(bad("it does not begin as one does"));
        }
        let label = spec.name().to_owned();
        if label.is_empty() {
            return Err(bad("it names no database"));
        }
        Ok(Self { label, ..spec })
    }

    /// The database's name on its server.
    pub fn name(&self) -> &str {
        let (start, end) = self.name_at();
        &self.url[start..end]
    }

    /// The same under another name on the same server; snapshots know it by the same label.
    pub fn named(&self, name: &str) -> Self {
        let (start, end) = self.name_at();
        Self { url: format!("{}{name}{}", &self.url[..start], &self.url[end..]), ..self.clone() }
    }

    /// Removes this database, which is a copy of restage's own; whether there was one.
    pub fn remove_copy(&self) -> Result<bool> {
        super::part::remove_copy(self)
    }

    /// The address without its password.
    pub fn shown(&self) -> String {
        let (scheme, rest) = self.url.split_once("://").unwrap_or(("", &self.url));
        let rest = match rest.split_once('@') {
            Some((user, rest)) => format!("{}@{rest}", user.split(':').next().unwrap_or("")),
            None => rest.to_owned(),
        };
        let rest = rest.split('?').next().unwrap_or("");
        format!("{scheme}://{rest}")
    }

    fn name_at(&self) -> (usize, usize) {
        let end = self.url.find('?').unwrap_or(self.url.len());
        let host = self.url.find("://").map_or(0, |at| at + 3);
        // A password may hold a slash only where it is percent-encoded.
        let start = self.url[host..end].find('/').map_or(end, |at| host + at + 1);
        (start, end)
    }
}

/// No password in a log.
impl std::fmt::Debug for DatabaseSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} as {}", self.shown(), self.label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart_and_its_password_never_shown() {
        let spec =
            DatabaseSpec::new(ServerKind::Mariadb, "mysql://shop:s3cret@127.0.0.1:3306/shop?x=1").unwrap();
        assert_eq!((spec.name(), spec.label.as_str()), ("shop", "shop"));
        assert_eq!(spec.shown(), "mysql://shop@127.0.0.1:3306/shop");
        let copy = spec.named("shop_2");
        assert_eq!(copy.url, "mysql://shop:s3cret@127.0.0.1:3306/shop_2?x=1");
        assert_eq!((copy.name(), copy.label.as_str()), ("shop_2", "shop"));
        for bad in ["shop", "postgres://u:pw@h/shop", "mysql://u:pw@h", "mysql://u:pw@h/"] {
            let said = DatabaseSpec::new(ServerKind::Mariadb, bad).unwrap_err().to_string();
            assert!(said.contains("hint:") && !said.contains("pw"), "{said}");
        }
    }
}
