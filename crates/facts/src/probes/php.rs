//! The probe for PHP: a folder of settings that PHP reads last (`PHP_INI_SCAN_DIR`), which has it run a file of ours
//! before every script.
//!
//! Which drivers of coverage are there is looked up in the usual folders of PHP, because PHP complains on the page of an
//! extension that is loaded twice or not there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::probes::environment::{common_root, extended, shared};
use crate::{Probe, ProbeSetting, Want};

pub(super) const PHP: Probe = Probe {
    name: "php",
    files: &[
        ("restage.ini", include_str!("../../probes/php/restage.ini")),
        ("enable-xdebug/xdebug.ini", include_str!("../../probes/php/enable-xdebug/xdebug.ini")),
        ("add-coverage-mode/xdebug.ini", include_str!("../../probes/php/add-coverage-mode/xdebug.ini")),
        ("enable-pcov/pcov.ini", include_str!("../../probes/php/enable-pcov/pcov.ini")),
        ("php", include_str!("../../probes/php/php")),
        ("router.php", include_str!("../../probes/php/router.php")),
        ("prepend.php", include_str!("../../probes/php/prepend.php")),
        ("entry.php", include_str!("../../probes/php/entry.php")),
        ("probe.php", include_str!("../../probes/php/probe.php")),
        ("place.php", include_str!("../../probes/php/place.php")),
        ("values.php", include_str!("../../probes/php/values.php")),
        ("errors.php", include_str!("../../probes/php/errors.php")),
        ("source_files.php", include_str!("../../probes/php/source_files.php")),
        ("rewriter.php", include_str!("../../probes/php/rewriter.php")),
        ("functions.php", include_str!("../../probes/php/functions.php")),
        ("sessions.php", include_str!("../../probes/php/sessions.php")),
        ("statements.php", include_str!("../../probes/php/statements.php")),
        ("pdo.php", include_str!("../../probes/php/pdo.php")),
        ("mysqli.php", include_str!("../../probes/php/mysqli.php")),
        ("sqlite3.php", include_str!("../../probes/php/sqlite3.php")),
        ("pgsql.php", include_str!("../../probes/php/pgsql.php")),
        ("coverage.php", include_str!("../../probes/php/coverage.php")),
        ("outline.php", include_str!("../../probes/php/outline.php")),
    ],
    environment,
};

fn environment(setting: &ProbeSetting) -> Vec<(String, String)> {
    let folder = &setting.folder;
    let branches = setting.want.contains(&Want::Branches);
    let lines = setting.want.contains(&Want::Lines);
    let (xdebug, pcov) = (Extension::find("xdebug"), Extension::find("pcov"));
    let uses_xdebug = xdebug != Extension::Missing && (branches || lines && pcov == Extension::Missing);
    let uses_pcov = pcov != Extension::Missing && lines && !uses_xdebug;

    // An empty part stands for the folder that PHP was built with.
    let mut scanned =
        vec![setting.inherited.get("PHP_INI_SCAN_DIR").cloned().unwrap_or_default(), folder.clone()];
    let mut variables = shared(setting);
    // The variable, where it is set, has the last word over all files.
    let modes = setting.inherited.get("XDEBUG_MODE").filter(|_| uses_xdebug);
    if let Some(modes) = modes {
        let is_off = matches!(modes.trim(), "" | "off");
        let modes = if is_off { "coverage".to_owned() } else { format!("{modes},coverage") };
        variables.push(("XDEBUG_MODE".into(), modes));
    }
    match xdebug {
        Extension::Installed if uses_xdebug => scanned.push(format!("{folder}/enable-xdebug")),
        Extension::Enabled if uses_xdebug && modes.is_none() => {
            scanned.push(format!("{folder}/add-coverage-mode"));
        }
        _ => {}
    }
    if uses_pcov && pcov == Extension::Installed {
        scanned.push(format!("{folder}/enable-pcov"));
    }
    variables.extend([
        ("PHP_INI_SCAN_DIR".into(), scanned.join(":")),
        ("RESTAGE_FACTS_PHP".into(), folder.clone()),
        ("RESTAGE_FACTS_PCOV".into(), if uses_pcov { "1" } else { "0" }.into()),
        ("RESTAGE_FACTS_PCOV_DIRECTORY".into(), common_root(&setting.roots)),
    ]);
    // Alone on it, the probe's folder would hide all programs.
    if setting.inherited.contains_key("PATH") {
        variables.push(("PATH".into(), extended(setting, "PATH", folder, ":")));
    }
    variables
}

/// What became of an extension on this machine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extension {
    Missing,
    /// Its file is there, and no setting loads it.
    Installed,
    Enabled,
}

impl Extension {
    fn find(name: &str) -> Self {
        let file = format!("{name}.so");
        // Debian's folders; those of PHP's own container images; those of a build from source.
        let libraries = [
            "/usr/lib/php",
            "/usr/local/lib/php/extensions",
            "/usr/lib64/php/modules",
            "/usr/lib/php/modules",
        ];
        let there = libraries
            .iter()
            .flat_map(|folder| with_inside(Path::new(folder)))
            .any(|folder| folder.join(&file).exists());
        let settings = ["/etc/php", "/usr/local/etc/php", "/etc/php.d", "/usr/local/lib"];
        let enabled = settings.iter().any(|folder| is_loaded_in(Path::new(folder), name, 3));
        match (there, enabled) {
            (_, true) => Self::Enabled,
            (true, false) => Self::Installed,
            (false, false) => Self::Missing,
        }
    }
}

/// A folder and those in it.
fn with_inside(folder: &Path) -> Vec<PathBuf> {
    let inside = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    std::iter::once(folder.to_owned()).chain(inside.filter(|path| path.is_dir())).collect()
}

/// Whether a file of settings loads the extension; what is available and not chosen is not read.
///
/// Debian has a folder of settings for each way to run PHP, and an extension can be enabled in some of them alone:
/// installing `php-cgi` enables there what was disabled for `php`. The folder of the command line has the say, since
/// loading an extension a second time is a line in a log, and not loading it is no coverage.
fn is_loaded_in(folder: &Path, name: &str, depth: usize) -> bool {
    let command_line = folder.join("cli");
    if command_line.is_dir() {
        return depth > 0 && is_loaded_in(&command_line, name, depth - 1);
    }
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            let chosen = path.file_name().is_some_and(|name| name != "mods-available");
            return depth > 0 && chosen && is_loaded_in(&path, name, depth - 1);
        }
        path.extension().is_some_and(|extension| extension == "ini")
            && fs::read(&path).is_ok_and(|text| loads(&String::from_utf8_lossy(&text), name))
    })
}

/// Whether settings have a line that loads the extension.
fn loads(settings: &str, name: &str) -> bool {
    settings.lines().filter_map(|line| line.split_once('=')).any(|(key, value)| {
        let value = value.split(';').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        let file = value.rsplit('/').next().unwrap_or_default();
        matches!(key.trim(), "extension" | "zend_extension") && file.trim_end_matches(".so") == name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_load_an_extension_are_known() {
        assert!(loads("; a comment\nzend_extension=xdebug.so\n", "xdebug"));
        assert!(loads("zend_extension = \"/usr/lib/php/x/xdebug.so\" ; on", "xdebug"));
        assert!(loads("extension=pcov", "pcov"));
        assert!(!loads(";zend_extension=xdebug.so\nxdebug.mode=off", "xdebug"));
    }

    #[test]
    fn what_is_enabled_for_another_way_to_run_php_is_not_enabled() {
        let settings = tempfile::tempdir().expect("a folder");
        let write = |file: &str| {
            let path = settings.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "zend_extension=xdebug.so\n").expect("written");
        };
        write("8.2/mods-available/xdebug.ini");
        fs::create_dir_all(settings.path().join("8.2/cli/conf.d")).expect("made");
        write("8.2/cgi/conf.d/20-xdebug.ini");
        assert!(!is_loaded_in(settings.path(), "xdebug", 3));
        write("8.2/cli/conf.d/20-xdebug.ini");
        assert!(is_loaded_in(settings.path(), "xdebug", 3));
    }

    #[test]
    fn what_the_app_sets_is_extended() {
        let setting = ProbeSetting {
            folder: "/probe".into(),
            inherited: [("PHP_INI_SCAN_DIR", "/own"), ("PATH", "/bin")]
                .map(|(k, v)| (k.into(), v.into()))
                .into(),
            ..ProbeSetting::default()
        };
        let variables = environment(&setting);
        let value =
            |name: &str| variables.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        assert_eq!(value("PHP_INI_SCAN_DIR"), Some("/own:/probe"));
        assert_eq!(value("PATH"), Some("/probe:/bin"));
    }
}
