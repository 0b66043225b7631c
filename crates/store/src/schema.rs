//! The tables, and how an older file becomes a newer one.

/// Marks a SQLite file as a restage store: `rstg`.
pub(crate) const APPLICATION_ID: i64 = 0x7273_7467;

/// What makes a store of format `n` one of format `n + 1`; the file's format is its `user_version`.
/// A landed migration is never edited: a change of the schema is a new entry.
pub(crate) const MIGRATIONS: &[&str] = &[
    r"
CREATE TABLE body (
    id    INTEGER PRIMARY KEY,
    hash  BLOB NOT NULL UNIQUE,    -- BLAKE3 of the bytes
    size  INTEGER NOT NULL,        -- of the bytes
    codec INTEGER NOT NULL,        -- 0 as they are, 1 zstd
    data  BLOB NOT NULL
);
CREATE TABLE exchange (
    id               INTEGER PRIMARY KEY,
    at               INTEGER NOT NULL,   -- microseconds since 1970
    took             INTEGER NOT NULL,   -- microseconds
    client           TEXT NOT NULL,
    method           TEXT NOT NULL,
    uri              TEXT NOT NULL,
    headers          TEXT NOT NULL,      -- JSON: [[name, value], ...]
    body             INTEGER REFERENCES body,
    body_size        INTEGER NOT NULL,
    body_cut         INTEGER NOT NULL,
    status           INTEGER,            -- NULL: no response
    response_headers TEXT,
    response_body    INTEGER REFERENCES body,
    response_size    INTEGER NOT NULL,
    response_cut     INTEGER NOT NULL,
    error            TEXT
);
CREATE TABLE suite (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL,
    digest  BLOB NOT NULL,               -- of its sessions: the same content is the same suite
    created INTEGER NOT NULL,
    origin  TEXT NOT NULL,
    UNIQUE (name, digest)
);
CREATE TABLE suite_session (
    suite    INTEGER NOT NULL REFERENCES suite,
    ordinal  INTEGER NOT NULL,
    session  TEXT NOT NULL,              -- JSON
    PRIMARY KEY (suite, ordinal)
) WITHOUT ROWID;
CREATE TABLE run (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    kind     TEXT NOT NULL,
    suite    INTEGER NOT NULL REFERENCES suite,
    app      TEXT NOT NULL,
    policy   TEXT NOT NULL,
    started  INTEGER NOT NULL,
    finished INTEGER,
    state    TEXT NOT NULL,              -- JSON
    checked  INTEGER REFERENCES run      -- a baseline's check
);
CREATE TABLE run_session (
    run      INTEGER NOT NULL REFERENCES run,
    ordinal  INTEGER NOT NULL,
    session  TEXT NOT NULL,
    snapshot TEXT,
    PRIMARY KEY (run, ordinal)
) WITHOUT ROWID;
CREATE TABLE step (
    run              INTEGER NOT NULL REFERENCES run,
    session          INTEGER NOT NULL,
    ordinal          INTEGER NOT NULL,
    exchange         INTEGER NOT NULL REFERENCES exchange,
    method           TEXT NOT NULL,
    uri              TEXT NOT NULL,
    headers          TEXT NOT NULL,
    body             INTEGER REFERENCES body,
    body_size        INTEGER NOT NULL,
    status           INTEGER,            -- NULL: no response
    response_headers TEXT,
    response_body    INTEGER REFERENCES body,
    response_size    INTEGER NOT NULL,
    error            TEXT,
    substitutions    TEXT NOT NULL,      -- JSON
    stale            TEXT,
    took             INTEGER NOT NULL,
    PRIMARY KEY (run, session, ordinal)
) WITHOUT ROWID;
",
    r"
ALTER TABLE run_session ADD COLUMN after TEXT;                      -- the snapshot after it
ALTER TABLE run_session ADD COLUMN log INTEGER REFERENCES body;     -- what the app wrote meanwhile
ALTER TABLE run_session ADD COLUMN log_size INTEGER;                -- NULL: not known
ALTER TABLE run_session ADD COLUMN log_cut INTEGER;                 -- whether only its end was kept
",
    r"
ALTER TABLE run ADD COLUMN as_recorded INTEGER NOT NULL DEFAULT 0;  -- sent without live values
",
    r"
CREATE TABLE source (                    -- what was imported
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    format    TEXT NOT NULL,
    at        INTEGER NOT NULL,
    size      INTEGER,                   -- of the file as it was; NULL: not read to its end
    digest    BLOB,                      -- BLAKE3 of the file
    exchanges INTEGER NOT NULL DEFAULT 0 -- how many it added
);
CREATE TABLE header_set (                -- fields that many exchanges share
    id     INTEGER PRIMARY KEY,
    fields TEXT NOT NULL UNIQUE          -- JSON
);
-- An exchange's headers may begin with the number of a set: 17, or 17[[name, value], ...].
ALTER TABLE exchange ADD COLUMN source INTEGER REFERENCES source;     -- NULL: recorded
ALTER TABLE exchange ADD COLUMN digest INTEGER;                       -- of what an imported one is
CREATE UNIQUE INDEX exchange_imported ON exchange (at, digest) WHERE digest IS NOT NULL;
CREATE TABLE path_template (             -- learnt; only ever added to, and the first that matches counts
    id       INTEGER PRIMARY KEY,
    template TEXT NOT NULL UNIQUE
);
",
    r"
ALTER TABLE suite ADD COLUMN receipt TEXT;                          -- JSON: what the command that made it did
",
    r"
CREATE TABLE stand_in (hash INTEGER PRIMARY KEY);                   -- of each value that took a secret's place
",
    r"
-- Requests that nobody recorded: what they are, and a BLAKE3 of the request with that, so that each is stored once.
ALTER TABLE exchange ADD COLUMN origin TEXT;                        -- JSON; NULL: recorded
ALTER TABLE exchange ADD COLUMN made BLOB;                          -- NULL: recorded
CREATE UNIQUE INDEX exchange_made ON exchange (made) WHERE made IS NOT NULL;
",
    r"
CREATE TABLE judgement (                 -- two runs, compared
    id       INTEGER PRIMARY KEY,
    expected INTEGER NOT NULL REFERENCES run,
    actual   INTEGER NOT NULL REFERENCES run,
    digest   BLOB NOT NULL,              -- of the rules they were judged by, and of what is noise
    finished INTEGER                     -- NULL: not finished
);
CREATE INDEX judgement_runs ON judgement (expected, actual);
CREATE INDEX judgement_actual ON judgement (actual);
CREATE TABLE verdict (                   -- on a step, before anything is accepted or ignored
    judgement INTEGER NOT NULL REFERENCES judgement ON DELETE CASCADE,
    session   INTEGER NOT NULL,          -- its place in the expected run
    ordinal   INTEGER NOT NULL,
    detail    TEXT NOT NULL,             -- JSON
    PRIMARY KEY (judgement, session, ordinal)
) WITHOUT ROWID;
CREATE TABLE aftermath (                 -- on what a session left behind, likewise
    judgement INTEGER NOT NULL REFERENCES judgement ON DELETE CASCADE,
    session   INTEGER NOT NULL,
    detail    TEXT NOT NULL,             -- JSON
    PRIMARY KEY (judgement, session)
) WITHOUT ROWID;
",
    r"
CREATE TABLE page_parameter (            -- learnt: whose values lead to different pages; only ever added to
    id        INTEGER PRIMARY KEY,
    parameter TEXT NOT NULL UNIQUE       -- path?name
);
",
    r"
CREATE TABLE fidelity (                  -- how many steps of a run's session were answered as recorded
    run     INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    session INTEGER NOT NULL,            -- its place in the run
    detail  TEXT NOT NULL,               -- JSON
    PRIMARY KEY (run, session)
) WITHOUT ROWID;
",
    r"
CREATE TABLE map (                       -- of the application
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    created INTEGER NOT NULL,
    app     TEXT,                        -- the version that a spider saw; NULL: from sessions alone
    detail  TEXT NOT NULL                -- JSON
);
",
    r"
CREATE TABLE run_facts (                 -- the runs whose facts were asked for
    run    INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    report TEXT NOT NULL                 -- JSON
);
CREATE TABLE fact_file (                 -- files of applications
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE fact_content (              -- distinct sets of lines and branches, as bits; details and outlines, as JSON
    id    INTEGER PRIMARY KEY,
    hash  BLOB NOT NULL UNIQUE,          -- the first half of the BLAKE3 of the bytes
    size  INTEGER NOT NULL,              -- of the bytes
    codec INTEGER NOT NULL,              -- 0 as they are, 1 zstd
    data  BLOB NOT NULL
);
CREATE TABLE coverage (                  -- what ran in a step: many steps run the same
    id   INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE
);
-- What nothing refers to any more is looked for once a run is removed: references here would be looked for row by row.
CREATE TABLE coverage_part (
    coverage INTEGER NOT NULL,
    file     INTEGER NOT NULL,
    kind     INTEGER NOT NULL,           -- 0 lines, 1 functions, 2 branches
    bits     INTEGER NOT NULL,           -- fact_content
    PRIMARY KEY (coverage, file, kind)
) WITHOUT ROWID;
CREATE TABLE step_facts (
    run      INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    session  INTEGER NOT NULL,
    ordinal  INTEGER NOT NULL,
    coverage INTEGER,                    -- NULL: nothing that is known
    detail   INTEGER,                    -- fact_content: session, statements, errors, notes
    PRIMARY KEY (run, session, ordinal)
) WITHOUT ROWID;
CREATE TABLE run_outline (               -- what is in the files of a run's application
    run     INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    file    INTEGER NOT NULL,
    outline INTEGER NOT NULL,            -- fact_content
    PRIMARY KEY (run, file)
) WITHOUT ROWID;
",
    r"
ALTER TABLE run_session ADD COLUMN met TEXT;                        -- JSON: the sessions that it was replayed with; NULL: by itself
",
];
