//! How a command becomes a process: through the shell, and where a copy of the application needs it, with folders of
//! its own in the place of the application's.
//!
//! A private mount namespace does that: the process and its children see the copy's folders at the paths they know,
//! nobody else does, and all is gone with the last of them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use restage_state::StateCopy;

use crate::placeholders::filled;

/// The command, the folder to run it in, what may be dropped before; then what is mounted, and over what.
const IN_PRIVATE: &str = r#"
command=$1 dir=$2 drop=$3
shift 3
while [ $# -gt 0 ]; do
    mount --bind "$1" "$2" || exit 125
    shift 2
done
cd "$dir" || exit 125
# $drop is a command of several words, or none.
exec $drop /bin/sh -c "$command"
"#;

/// Which copy of the application is started, and what it has in the place of what.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Which copy, and where its state is.
    pub copy: StateCopy,
    /// What is mounted, and over what.
    pub mounts: Vec<(PathBuf, PathBuf)>,
}

impl Launch {
    /// The process for a command.
    pub(crate) fn process(&self, command: &str, dir: &Path) -> Command {
        if self.mounts.is_empty() {
            let mut process = Command::new("/bin/sh");
            process.arg("-c").arg(command).current_dir(dir);
            return process;
        }
        let mut process = Command::new("unshare");
        process.args(["--mount", "--propagation", "private"]);
        let mut drop = "";
        if !rustix::process::geteuid().is_root() {
            // To mount takes rights that a user has in a namespace of their own; the app gets none of them.
            process.args(["--user", "--map-current-user", "--keep-caps"]);
            drop = "setpriv --inh-caps=-all --ambient-caps=-all";
        }
        process.args(["--", "/bin/sh", "-c", IN_PRIVATE, "restage", command]).arg(dir).arg(drop);
        process.args(self.mounts.iter().flat_map(|(what, over)| [what.as_os_str(), over.as_os_str()]));
        process.current_dir(dir);
        process
    }

    /// A text of the app's settings with its placeholders filled in.
    pub(crate) fn fill(&self, text: &str, port: u16, database: Option<&str>) -> String {
        filled(text, port, &self.copy, database)
    }
}

/// Whether this system lets this user have private mounts; tried in a folder where something may be made.
pub(crate) fn private_mounts_work(scratch: &Path) -> bool {
    let (what, over) = (scratch.join("what"), scratch.join("over"));
    let made = [&what, &over].iter().all(|folder| std::fs::create_dir_all(folder).is_ok());
    let launch = Launch { mounts: vec![(what.clone(), over.clone())], ..Launch::default() };
    let mut process = launch.process("true", scratch);
    let quiet = process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let works =
        made && OsStr::new(quiet.get_program()) == "unshare" && quiet.status().is_ok_and(|s| s.success());
    let _ = (std::fs::remove_dir(&what), std::fs::remove_dir(&over));
    works
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a copy that writes into the application's own folder.
    #[test]
    fn a_process_sees_its_own_folder_at_the_known_path() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["data", "copy"] {
            std::fs::create_dir(at(name)).unwrap();
        }
        if !private_mounts_work(folder.path()) {
            return;
        }
        let launch = Launch { mounts: vec![(at("copy"), at("data"))], ..Launch::default() };
        let status = launch.process("pwd; echo here > file", &at("data")).status().unwrap();
        assert!(status.success());
        assert!(!at("data/file").exists());
        assert_eq!(std::fs::read_to_string(at("copy/file")).unwrap(), "here\n");
    }
}
