//! Which values took a secret's place: they look like secrets, and are none.

use crate::{Store, StoreError};

impl Store {
    /// Adds stand-ins by their hashes.
    pub fn add_stand_ins(&mut self, hashes: &[u64]) -> Result<(), StoreError> {
        if hashes.is_empty() {
            return Ok(());
        }
        let transaction = self.connection.transaction()?;
        for hash in hashes {
            transaction
                .prepare_cached("INSERT OR IGNORE INTO stand_in VALUES (?)")?
                .execute([hash.cast_signed()])?;
        }
        Ok(transaction.commit()?)
    }

    /// The hashes of all stand-ins.
    pub fn stand_ins(&self) -> Result<Vec<u64>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT hash FROM stand_in")?;
        let rows = statement.query_map([], |row| row.get::<_, i64>(0))?;
        Ok(rows.map(|row| row.map(i64::cast_unsigned)).collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a hash that SQLite's signed numbers change.
    #[test]
    fn every_hash_reads_back_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("restage.db")).unwrap();
        store.add_stand_ins(&[u64::MAX, 1]).unwrap();
        store.add_stand_ins(&[1, 0]).unwrap();
        let mut all = store.stand_ins().unwrap();
        all.sort_unstable();
        assert_eq!(all, [0, 1, u64::MAX]);
    }
}
