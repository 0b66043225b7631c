//! The report's style and script, and the policy that lets these and no others do anything.

/// The style of reports.
pub(crate) const STYLE: &str = include_str!("style.css");
/// The report's only script.
pub(super) const SCRIPT: &str = include_str!("script.js");

/// What the report may do. Frames inherit it, so that the pages in them may not do more.
/// The hash is that of [`SCRIPT`].
pub(super) const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
     script-src 'sha256-x99Q7KWGYjT+bIUrub+EWlupAaIMsuXg2QMDhPKlPi0='; base-uri 'none'; form-action 'none'";

#[cfg(test)]
mod tests {
    use base64::Engine;

    use super::*;

    #[test]
    fn the_policy_names_the_script() {
        let digest = ring::digest::digest(&ring::digest::SHA256, SCRIPT.as_bytes());
        let hash = base64::engine::general_purpose::STANDARD.encode(digest);
        assert!(
            POLICY.contains(&format!("'sha256-{hash}'")),
            "the script changed: put {hash} into the policy"
        );
    }
}
