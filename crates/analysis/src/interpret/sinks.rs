//! PHP's own functions and methods that get a statement, and where in their arguments it is.

/// Where a function has its statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sink {
    /// In this argument.
    At(usize),
    /// In the last of this many arguments: the connection before it may be left out.
    LastOf(usize),
    /// In whichever of the first two looks like it.
    Either,
    /// There is a table in this argument, and a statement is made of it that writes or not.
    Table(usize, bool),
}

const FUNCTIONS: &[(&str, Sink)] = &[
    ("mysql_query", Sink::At(0)),
    ("mysql_unbuffered_query", Sink::At(0)),
    ("mysql_db_query", Sink::At(1)),
    ("mysqli_query", Sink::At(1)),
    ("mysqli_real_query", Sink::At(1)),
    ("mysqli_multi_query", Sink::At(1)),
    ("mysqli_prepare", Sink::At(1)),
    ("mysqli_execute_query", Sink::At(1)),
    ("mysqli_stmt_prepare", Sink::At(1)),
    ("pg_query", Sink::LastOf(2)),
    ("pg_exec", Sink::LastOf(2)),
    ("pg_send_query", Sink::At(1)),
    ("pg_query_params", Sink::Either),
    ("pg_send_query_params", Sink::At(1)),
    ("pg_prepare", Sink::LastOf(3)),
    ("pg_send_prepare", Sink::At(2)),
    ("pg_insert", Sink::Table(1, true)),
    ("pg_update", Sink::Table(1, true)),
    ("pg_delete", Sink::Table(1, true)),
    ("pg_copy_from", Sink::Table(1, true)),
    ("pg_select", Sink::Table(1, false)),
    ("pg_copy_to", Sink::Table(1, false)),
    ("sqlite_query", Sink::Either),
    ("sqlite_exec", Sink::Either),
    ("sqlite_unbuffered_query", Sink::Either),
    ("sqlite_array_query", Sink::Either),
    ("sqlite_single_query", Sink::Either),
    ("sqlsrv_query", Sink::At(1)),
    ("sqlsrv_prepare", Sink::At(1)),
    ("mssql_query", Sink::At(0)),
    ("odbc_exec", Sink::At(1)),
    ("odbc_prepare", Sink::At(1)),
    ("oci_parse", Sink::At(1)),
    ("db2_exec", Sink::At(1)),
    ("db2_prepare", Sink::At(1)),
    ("ibase_query", Sink::Either),
    ("fbird_query", Sink::Either),
    ("sybase_query", Sink::At(0)),
];

const METHODS: &[(&str, Sink)] = &[
    ("query", Sink::At(0)),
    ("exec", Sink::At(0)),
    ("prepare", Sink::At(0)),
    ("real_query", Sink::At(0)),
    ("multi_query", Sink::At(0)),
    ("execute_query", Sink::At(0)),
    ("querysingle", Sink::At(0)),
    ("unbufferedquery", Sink::At(0)),
    ("arrayquery", Sink::At(0)),
    ("queryexec", Sink::At(0)),
];

pub(super) fn function(name: &str) -> Option<Sink> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, sink)| *sink)
}

pub(super) fn method(name: &str) -> Option<Sink> {
    METHODS.iter().find(|(known, _)| *known == name).map(|(_, sink)| *sink)
}
