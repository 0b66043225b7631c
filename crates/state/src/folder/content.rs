//! A file's bytes: into the snapshot store in chunks of 64 KiB, and back in place, so that the inode, and whoever
//! holds it open, stays.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{FileExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use crate::error::{Error, Result};
use crate::manifest::Content;
use crate::snapshot_store::{ChunkId, SnapshotStore, TreeWriter};

const CHUNK: usize = 64 * 1024;

/// Keeps a file's content; returns it with the size that was read.
pub(super) fn keep(path: &Path, store: &mut SnapshotStore) -> Result<(u64, Content)> {
    let mut file = open_to_read(path)?;
    let mut size = 0;
    let mut first = None;
    let mut tree: Option<TreeWriter> = None;
    let mut buffer = vec![0; CHUNK];
    loop {
        let filled = fill(&mut file, &mut buffer).map_err(Error::io("read", path))?;
        if filled == 0 {
            break;
        }
        size += filled as u64;
        let chunk = store.keep_chunk(&buffer[..filled])?;
        match (&mut tree, first) {
            (None, None) => first = Some(chunk),
            (None, Some(before)) => {
                let mut writer = TreeWriter::default();
                writer.push(store, before)?;
                writer.push(store, chunk)?;
                tree = Some(writer);
            }
            (Some(writer), _) => writer.push(store, chunk)?,
        }
        if filled < CHUNK {
            break;
        }
    }
    let content = match (tree, first) {
        (Some(writer), _) => Content::Tree(writer.finish(store)?),
        (None, Some(chunk)) => Content::Chunk(chunk),
        (None, None) => Content::Empty,
    };
    Ok((size, content))
}

/// The numbers of the chunks in which a file is not `content`, and its size.
pub(super) fn differing(
    path: &Path,
    store: &mut SnapshotStore,
    content: Content,
) -> Result<(Vec<usize>, u64)> {
    let chunks = chunks(store, content)?;
    let mut file = open_to_read(path)?;
    let mut buffer = vec![0; CHUNK];
    let mut size = 0;
    let mut differing = Vec::new();
    for (number, chunk) in chunks.iter().enumerate() {
        let filled = fill(&mut file, &mut buffer).map_err(Error::io("read", path))?;
        size += filled as u64;
        if filled == 0 || !store.is_chunk(*chunk, &buffer[..filled])? {
            differing.push(number);
        }
    }
    let length = file.metadata().map_err(Error::io("examine", path))?.len();
    Ok((differing, length.max(size)))
}

/// Makes a file's bytes be `content`, writing only what differs; returns the bytes written, or none if
/// nothing had to change.
pub(super) fn patch(
    path: &Path,
    store: &mut SnapshotStore,
    content: Content,
    size: u64,
) -> Result<Option<u64>> {
    let (numbers, length) = differing(path, store, content)?;
    if numbers.is_empty() && length == size {
        return Ok(None);
    }
    let Some(file) = open_to_write(path)? else {
        // A program that is being run cannot be written in place.
        fs::remove_file(path).map_err(Error::io("remove", path))?;
        return create(path, store, content).map(Some);
    };
    let chunks = chunks(store, content)?;
    let mut written = 0;
    for number in numbers {
        let bytes = store.chunk(chunks[number])?;
        file.write_all_at(&bytes, (number * CHUNK) as u64).map_err(Error::io("write", path))?;
        written += bytes.len() as u64;
    }
    file.set_len(size).map_err(Error::io("cut", path))?;
    Ok(Some(written))
}

/// Makes a file that is not there; returns the bytes written.
pub(super) fn create(path: &Path, store: &mut SnapshotStore, content: Content) -> Result<u64> {
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(Error::io("make", path))?;
    let mut written = 0;
    for chunk in chunks(store, content)? {
        let bytes = store.chunk(chunk)?;
        file.write_all_at(&bytes, written).map_err(Error::io("write", path))?;
        written += bytes.len() as u64;
    }
    Ok(written)
}

/// The bytes of a content.
pub(crate) fn bytes(store: &mut SnapshotStore, content: Content) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for chunk in chunks(store, content)? {
        bytes.extend(store.chunk(chunk)?);
    }
    Ok(bytes)
}

fn chunks(store: &mut SnapshotStore, content: Content) -> Result<Vec<ChunkId>> {
    match content {
        Content::Empty => Ok(Vec::new()),
        Content::Chunk(chunk) => Ok(vec![chunk]),
        Content::Tree(tree) => store.chunks(tree),
    }
}

/// What was a file a moment ago may be a link or a pipe by now: neither is followed nor waited for.
fn careful(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32)
}

fn open_to_read(path: &Path) -> Result<File> {
    careful(OpenOptions::new().read(true)).open(path).map_err(Error::io("read", path))
}

fn open_to_write(path: &Path) -> Result<Option<File>> {
    let mut options = OpenOptions::new();
    careful(options.write(true));
    match options.open(path) {
        Ok(file) => Ok(Some(file)),
        Err(source) if source.kind() == ErrorKind::ExecutableFileBusy => Ok(None),
        Err(source) if source.kind() == ErrorKind::PermissionDenied => {
            // Our own read-only file: its permissions are put back with its other attributes.
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(Error::io("write", path))?;
            options.open(path).map(Some).map_err(Error::io("write", path))
        }
        Err(source) => Err(Error::io("write", path)(source)),
    }
}

fn fill(file: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(source) if source.kind() == ErrorKind::Interrupted => {}
            Err(source) => return Err(source),
        }
    }
    Ok(filled)
}
