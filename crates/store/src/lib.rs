//! The SQLite store: schema, migrations, content-addressed compressed bodies.
