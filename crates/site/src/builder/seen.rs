//! One request and its answer, whoever sent it.

use restage_browser::LoadedPage;

use crate::site::SeenBy;

/// One request and its answer.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Who was logged in.
    pub user: &'a str,
    /// Who saw it.
    pub by: SeenBy,
    /// Whether it was found by trying what sessions' scripts and users sent, and not by links and forms alone.
    pub tried: bool,
    /// The node that it led to.
    pub node: &'a str,
    /// The address that was asked for: path and query.
    pub uri: &'a str,
    /// The status of the answer.
    pub status: u16,
    /// Where the answer sends the browser, on this site: path and query.
    pub redirect: Option<&'a str>,
    /// The answer, where it is a page, or what else leads somewhere.
    pub page: Option<&'a LoadedPage>,
    /// The headings of the page.
    pub headings: &'a [String],
    /// The forms that had been sent before, since the user began.
    pub after: &'a [String],
    /// A number that is the same where what a user reads is the same.
    pub digest: u64,
    /// Whether the answer says that it is a file: it was changed at a known time, and sets no cookie.
    pub is_file: bool,
}
