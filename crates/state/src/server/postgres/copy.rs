//! COPY, in both directions.

use std::io::Write;

use postgres::Client;

use super::copy_text::Line;
use crate::error::Result;

/// Gives bytes to be written.
pub(super) type Fill<'a> = dyn FnMut(&mut dyn FnMut(&[u8]) -> std::io::Result<()>) -> Result<()> + 'a;

/// Reads a COPY; outside is what the server said, inside what the reader of the lines did.
pub(super) fn read_copy(
    client: &mut Client,
    sql: &str,
    each: &mut dyn FnMut(Line<'_>) -> Result<()>,
) -> std::io::Result<Result<()>> {
    let reader = client.copy_out(sql).map_err(std::io::Error::other)?;
    let mut broken = None;
    let done = Line::each(reader, &mut broken, each);
    broken.map_or(Ok(done), Err)
}

/// Writes a COPY; outside is what the server said, inside what the giver of the rows did.
pub(super) fn write_copy(
    client: &mut Client,
    sql: &str,
    fill: &mut Fill<'_>,
) -> std::io::Result<Result<u64>> {
    let mut writer = client.copy_in(sql).map_err(std::io::Error::other)?;
    let mut broken = None;
    let filled = fill(&mut |bytes| {
        writer.write_all(bytes).map_err(|error| {
            let kind = error.kind();
            broken = Some(error);
            kind.into()
        })
    });
    match (broken, filled) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Ok(Err(error)),
        (None, Ok(())) => writer.finish().map(Ok).map_err(std::io::Error::other),
    }
}
