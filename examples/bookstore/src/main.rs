//! The bookstore as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    bookstore::main_with_args(std::env::args_os())
}
