//! Sessions: who a browser is, its token against forged forms, a message for the next page.

use rusqlite::{Connection, OptionalExtension, params};

use super::statements::run;
use crate::shop::Shop;

/// A browser's session.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) id: i64,
    /// The secret in the cookie.
    pub(crate) token: String,
    /// The secret in every form.
    pub(crate) csrf: String,
    pub(crate) member_id: Option<i64>,
    pub(crate) flash: Option<Flash>,
}

/// A message that is shown once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flash {
    Good(String),
    Bad(String),
}

impl Session {
    pub(crate) fn find(db: &Connection, token: &str) -> rusqlite::Result<Option<Session>> {
        db.prepare_cached("SELECT id, token, csrf, member_id, flash FROM sessions WHERE token = ?1")?
            .query_row([token], |row| {
                Ok(Session {
                    id: row.get(0)?,
                    token: row.get(1)?,
                    csrf: row.get(2)?,
                    member_id: row.get(3)?,
                    flash: row.get::<_, Option<String>>(4)?.map(|text| Flash::parse(&text)),
                })
            })
            .optional()
    }

    /// Starts a session; its secrets are derived from the id it gets.
    pub(crate) fn start(db: &Connection, shop: &Shop, member_id: Option<i64>) -> rusqlite::Result<Session> {
        let id = db
            .prepare_cached("SELECT ifnull(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'sessions'")?
            .query_row([], |row| row.get(0))?;
        let token = shop.chance.token("session", id);
        let csrf = shop.chance.token("csrf", id);
        run(
            db,
            "INSERT INTO sessions (id, token, csrf, member_id, started) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, token, csrf, member_id, shop.clock.stamp()],
        )?;
        Ok(Session { id, token, csrf, member_id, flash: None })
    }

    /// Puts a new session, of a member, in this one's place; the cart goes with it.
    pub(crate) fn renew(&self, db: &Connection, shop: &Shop, member_id: i64) -> rusqlite::Result<Session> {
        let renewed = Session::start(db, shop, Some(member_id))?;
        run(db, "UPDATE cart_lines SET session_id = ?2 WHERE session_id = ?1", [self.id, renewed.id])?;
        self.end(db)?;
        Ok(renewed)
    }

    pub(crate) fn end(&self, db: &Connection) -> rusqlite::Result<()> {
        run(db, "DELETE FROM sessions WHERE id = ?1", [self.id])
    }

    /// Leaves a message for the next page, or none.
    pub(crate) fn leave_flash(&self, db: &Connection, flash: Option<&Flash>) -> rusqlite::Result<()> {
        db.prepare_cached("UPDATE sessions SET flash = ?2 WHERE id = ?1")?
            .execute(params![self.id, flash.map(Flash::to_text)])
            .map(drop)
    }
}

impl Flash {
    fn to_text(&self) -> String {
        match self {
            Flash::Good(text) => format!("+{text}"),
            Flash::Bad(text) => format!("-{text}"),
        }
    }

    fn parse(text: &str) -> Flash {
        match text.strip_prefix('-') {
            Some(bad) => Flash::Bad(bad.to_owned()),
            None => Flash::Good(text.strip_prefix('+').unwrap_or(text).to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flash_survives_the_database() {
        for flash in [Flash::Good("-1 is fine".to_owned()), Flash::Bad("+".to_owned())] {
            assert_eq!(Flash::parse(&flash.to_text()), flash);
        }
    }
}
