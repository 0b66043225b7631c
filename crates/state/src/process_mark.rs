//! By what processes that restage starts are known, so that none goes on when the restage that started it was killed.

/// The variable of their environment that has the mark.
pub const PROCESS_MARK: &str = "RESTAGE_APP_MARK";

/// A mark for a process that this one starts: this one, and what it is.
pub fn process_mark(what: impl std::fmt::Display) -> String {
    let pid = std::process::id();
    format!("{pid}.{}-{what}", started(pid).unwrap_or_default())
}

/// Whether the restage that gave a mark has ended.
pub fn is_orphan(mark: &str) -> bool {
    let owner = mark.split('-').next().unwrap_or_default();
    let (pid, then) = owner.split_once('.').unwrap_or((owner, ""));
    let Ok(pid) = pid.parse::<u32>() else { return false };
    // Process ids are given again.
    started(pid).is_none_or(|now| then.parse().is_ok_and(|then: u64| then != now))
}

/// When a process was started, in the kernel's ticks; none where there is no such process, or where it has ended and only its
/// parent has not asked how.
pub(crate) fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The command's name is in parentheses, and may hold any character.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let started = fields.nth(18)?.parse().ok()?;
    (!matches!(state, "Z" | "X")).then_some(started)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: an app that goes on because another process was given the number of the restage that started it.
    #[test]
    fn an_orphan_is_known_by_its_owners_id_and_start() {
        let mark = process_mark(8080);
        assert!(mark.ends_with("-8080") && !is_orphan(&mark), "{mark}");
        let pid = std::process::id();
        assert!(is_orphan(&format!("{pid}.1-8080")) && is_orphan(&format!("{}.1-8080", u32::MAX)));
        assert!(!is_orphan("what-ever"));
    }
}
