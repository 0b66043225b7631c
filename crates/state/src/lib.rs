//! Snapshot and restore of what an application persists: folders and SQLite files, under a live application.
