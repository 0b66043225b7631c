//! Members and administrators.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::passwords::hash_password;
use super::statements::run;

/// Someone with an account.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) id: i64,
    pub(crate) username: String,
    pub(crate) salt: String,
    password: String,
    pub(crate) role: String,
    pub(crate) draft: MemberDraft,
    pub(crate) joined: String,
}

/// What members enter about themselves.
#[derive(Debug, Clone, Default)]
pub(crate) struct MemberDraft {
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) phone: String,
    pub(crate) address: String,
    pub(crate) country: String,
    /// `email`, `post` or `none`.
    pub(crate) contact: String,
    pub(crate) newsletter: bool,
}

const SELECT: &str = "SELECT id, username, salt, password, role, name, email, phone, address, country,
    contact, newsletter, joined FROM members ";

impl Member {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Member {
            id: row.get(0)?,
            username: row.get(1)?,
            salt: row.get(2)?,
            password: row.get(3)?,
            role: row.get(4)?,
            draft: MemberDraft {
                name: row.get(5)?,
                email: row.get(6)?,
                phone: row.get(7)?,
                address: row.get(8)?,
                country: row.get(9)?,
                contact: row.get(10)?,
                newsletter: row.get(11)?,
            },
            joined: row.get(12)?,
        })
    }

    pub(crate) fn find(db: &Connection, id: i64) -> rusqlite::Result<Option<Member>> {
        db.prepare_cached(&format!("{SELECT} WHERE id = ?1"))?.query_row([id], Member::read).optional()
    }

    pub(crate) fn named(db: &Connection, username: &str) -> rusqlite::Result<Option<Member>> {
        db.prepare_cached(&format!("{SELECT} WHERE username = ?1"))?
            .query_row([username], Member::read)
            .optional()
    }

    /// Everyone, by id.
    pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<Member>> {
        db.prepare_cached(&format!("{SELECT} ORDER BY id"))?.query_map([], Member::read)?.collect()
    }

    pub(crate) fn is_admin(&self) -> bool {
        self.role == "admin"
    }

    pub(crate) fn has_password(&self, password: &str) -> bool {
        hash_password(&self.salt, password) == self.password
    }

    /// The id that the next member will get, to derive a salt from.
    pub(crate) fn next_id(db: &Connection) -> rusqlite::Result<i64> {
        db.prepare_cached("SELECT ifnull(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'members'")?
            .query_row([], |row| row.get(0))
    }

    pub(crate) fn set_password(db: &Connection, id: i64, salt: &str, password: &str) -> rusqlite::Result<()> {
        run(
            db,
            "UPDATE members SET salt = ?2, password = ?3 WHERE id = ?1",
            params![id, salt, hash_password(salt, password)],
        )
    }

    pub(crate) fn set_role(db: &Connection, id: i64, role: &str) -> rusqlite::Result<()> {
        run(db, "UPDATE members SET role = ?2 WHERE id = ?1", params![id, role])
    }
}

impl MemberDraft {
    /// Adds a member, without a password as yet.
    pub(crate) fn add(&self, db: &Connection, username: &str, now: &str) -> rusqlite::Result<i64> {
        run(
            db,
            "INSERT INTO members (username, salt, password, name, email, phone, address, country, contact,
                newsletter, joined) VALUES (?1, '', '', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                username,
                self.name,
                self.email,
                self.phone,
                self.address,
                self.country,
                self.contact,
                self.newsletter,
                now
            ],
        )?;
        Ok(db.last_insert_rowid())
    }

    pub(crate) fn save(&self, db: &Connection, id: i64) -> rusqlite::Result<()> {
        run(
            db,
            "UPDATE members SET name = ?2, email = ?3, phone = ?4, address = ?5, country = ?6, contact = ?7,
                newsletter = ?8 WHERE id = ?1",
            params![
                id,
                self.name,
                self.email,
                self.phone,
                self.address,
                self.country,
                self.contact,
                self.newsletter
            ],
        )
    }
}
