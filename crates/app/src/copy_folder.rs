//! Copying a folder: files, links and folders, with their permissions, owners and times.

use std::fs::{self, DirBuilder, File, FileTimes, Metadata};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown, lchown, symlink};
use std::path::Path;

/// Copies what is in a folder into another that is there, but for what is to be skipped; an error where there are more
/// bytes than `room`.
pub(crate) fn copy_tree(from: &Path, to: &Path, skip: &dyn Fn(&Path) -> bool, room: &mut u64) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if skip(&source) {
            continue;
        }
        // What goes while it is copied, as temporary files do, need not be copied.
        let Ok(metadata) = fs::symlink_metadata(&source) else { continue };
        if metadata.is_dir() {
            make_like(&target, &metadata)?;
            copy_tree(&source, &target, skip, room)?;
        } else if metadata.is_symlink() {
            symlink(fs::read_link(&source)?, &target)?;
            // Only root may give files away; then they stay with whoever copies.
            let _ = lchown(&target, Some(metadata.uid()), Some(metadata.gid()));
        } else if metadata.is_file() {
            *room = room.checked_sub(metadata.len()).ok_or_else(|| Error::other("it is too large"))?;
            match fs::copy(&source, &target) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                copied => copied?,
            };
            let _ = chown(&target, Some(metadata.uid()), Some(metadata.gid()));
            // Applications show and compare the times of their files.
            let times =
                FileTimes::new().set_modified(metadata.modified()?).set_accessed(metadata.accessed()?);
            File::open(&target)?.set_times(times)?;
        }
    }
    Ok(())
}

/// Makes a folder with the attributes of another.
pub(crate) fn make_like(path: &Path, metadata: &Metadata) -> Result<()> {
    let mode = metadata.permissions().mode() & 0o7777;
    // Its owner must be able to fill it.
    DirBuilder::new().recursive(true).mode(mode | 0o700).create(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o700))?;
    let _ = chown(path, Some(metadata.uid()), Some(metadata.gid()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a copy without the scripts' right to be run, with other times, or with what was to be left out.
    #[test]
    fn a_copy_is_like_the_original_and_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("bin")).unwrap();
        fs::create_dir_all(from.join(".git/objects")).unwrap();
        fs::create_dir(&to).unwrap();
        fs::write(from.join("bin/run"), "#!/bin/sh").unwrap();
        fs::set_permissions(from.join("bin/run"), fs::Permissions::from_mode(0o555)).unwrap();
        symlink("bin/run", from.join("link")).unwrap();
        let skip = |path: &Path| path.ends_with(".git");
        copy_tree(&from, &to, &skip, &mut 100).unwrap();
        let (was, is) =
            (fs::metadata(from.join("bin/run")).unwrap(), fs::metadata(to.join("bin/run")).unwrap());
        assert_eq!((was.mode(), was.modified().unwrap()), (is.mode(), is.modified().unwrap()));
        assert_eq!(fs::read_link(to.join("link")).unwrap(), Path::new("bin/run"));
        assert!(!to.join(".git").exists());
        let error = copy_tree(&from, &folder.path().join("to"), &skip, &mut 3);
        assert!(error.is_err());
    }
}
