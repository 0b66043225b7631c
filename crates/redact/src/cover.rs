//! What others get to see of a replay: texts with stand-ins in place of secrets, also of those that the application drew for it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use restage_model::Headers;

use crate::cut_secrets::CutSecrets;
use crate::redactor::Redactor;

/// Covers texts that were taken from what a redactor has read. The same secret has the same stand-in in all of them, so that what
/// was equal stays equal, and what differed still differs.
#[derive(Debug)]
pub struct Cover {
    redactor: Mutex<Redactor>,
    cut: CutSecrets,
}

impl Cover {
    /// With what a redactor for showing has learnt.
    pub fn new(redactor: Redactor) -> Self {
        let cut = redactor.cut_secrets();
        Self { redactor: Mutex::new(redactor), cut }
    }

    /// A text without secrets; none where it has none.
    pub fn text(&self, text: &str) -> Option<String> {
        let cut = self.cut.cover(text);
        let covered = self.redactor().redact_text(cut.as_deref().unwrap_or(text));
        covered.or(cut)
    }

    /// Puts stand-ins in place of the secrets of a text.
    pub fn cover(&self, text: &mut String) {
        if let Some(covered) = self.text(text) {
            *text = covered;
        }
    }

    /// A response's body without secrets; none where it has none.
    pub fn body(&self, headers: &Headers, body: &[u8]) -> Option<Vec<u8>> {
        self.redactor().redact_body(headers, body)
    }

    /// Puts stand-ins in place of the secrets of an address.
    pub fn cover_address(&self, uri: &mut String) {
        let covered = self.redactor().redact_address(uri);
        if let Some(covered) = covered {
            *uri = covered;
        }
    }

    fn redactor(&self) -> MutexGuard<'_, Redactor> {
        self.redactor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use restage_model::Headers;

    use super::*;
    use crate::message::Texts;
    use crate::rules::Rules;
    use crate::stand_in::StandIns;

    const TOKEN: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbm4iLCJqdGkiOiI1YzhhYTIyMTE3In0.u4iszZ57GtpTVsH_FoXb-Tr3Z9jhrEIHs";

    /// Catches: a token that is covered where its name is, and shown where it is not; one that is covered differently in two
    /// places, so that equal pages differ.
    #[test]
    fn what_the_application_drew_is_covered_everywhere_alike() {
        let mut redactor = Redactor::showing(Rules::default(), StandIns::of_text("a key"));
        let page = "<input type=hidden name=csrf value=8f3ac1d2e4b5><p>key 8f3ac1d2e4b5</p>";
        redactor.redact_texts(&mut Texts {
            uri: &mut "/".to_owned(),
            headers: &mut [("authorization".to_owned(), format!("Bearer {TOKEN}"))].into_iter().collect(),
            body: &mut Vec::new(),
            response: Some((
                &mut [("set-cookie".to_owned(), "sid=3f9a8b7c6d5e4f30; Path=/".to_owned())]
                    .into_iter()
                    .collect(),
                &mut page.as_bytes().to_vec(),
            )),
        });
        let cover = Cover::new(redactor);
        for (secret, text) in [
            ("8f3ac1d2e4b5", "text \"key 8f3ac1d2e4b5\""),
            ("3f9a8b7c6d5e4f30", "cookie sid 3f9a8b7c6d5e4f30"),
            (TOKEN, &format!("held by {TOKEN}, who is ann")),
            (&TOKEN[..60], &format!("value {}…{}", &TOKEN[..60], &TOKEN[TOKEN.len() - 20..])),
            (&TOKEN[TOKEN.len() - 20..], &format!("value {}…{}", &TOKEN[..60], &TOKEN[TOKEN.len() - 20..])),
        ] {
            let covered = cover.text(text).unwrap();
            assert!(
                !covered.contains(secret) && covered.chars().count() == text.chars().count(),
                "{covered}"
            );
            assert_eq!(cover.text(text).unwrap(), covered);
            assert_eq!(cover.text(&covered), None, "a stand-in is covered again");
        }
        let html = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect::<Headers>();
        let covered = String::from_utf8(cover.body(&html, page.as_bytes()).unwrap()).unwrap();
        let shown = cover.text("8f3ac1d2e4b5").unwrap();
        assert_eq!(covered, page.replace("8f3ac1d2e4b5", &shown));
        assert_eq!(cover.text("key 17 of 20"), None);
    }
}
