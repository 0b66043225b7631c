//! A step of one run beside the same step of another: what differs around the page, and the page with its masks on,
//! for whatever oracle looks at it.

use restage_model::{Answer, Difference, Key, Masked, MaskedShare, Received, Step};

use crate::errors::new_errors;
use crate::flist::{PageFlow, flow_differences};
use crate::headers::header_differences_by_name;
use crate::judging::judge::{BodySource, JudgeError, Judged};
use crate::noise::apply::covered_differences;
use crate::noise::mask::{Mask, Masks};
use crate::noise::page::PageNoise;
use crate::noise::run::RunNoise;
use crate::page::document::Document;
use crate::page::masked_body::MaskedBody;

/// Two answers to a step, and what is found before any oracle looks.
pub(crate) struct Inspection<'a> {
    /// The step's key.
    pub(crate) key: Key,
    /// What varies on its page.
    pub(crate) page: &'a PageNoise,
    /// Whether it leads now here, now there: then only printed errors count.
    pub(crate) flow_varies: bool,
    /// Where it leads.
    pub(crate) flow: Vec<Difference>,
    /// Headers that do not vary by themselves.
    pub(crate) headers: Vec<Difference>,
    /// Headers that do.
    pub(crate) masked: Vec<Masked>,
    /// What the server prints of errors, wherever it leads.
    pub(crate) errors: Vec<Difference>,
    masks: Vec<&'a Mask>,
    /// The bodies, where the insides are to be compared: the flow is the same, and the bytes are not.
    bodies: Option<[(&'a Received, Vec<u8>); 2]>,
}

/// Two pages with their masks on.
#[derive(Default)]
pub(crate) struct Pages<'i> {
    /// The expected and the actual one; none where they are the same under the masks.
    pub(crate) read: Option<(Document<'i>, Document<'i>)>,
    /// What differs under the masks.
    pub(crate) masked: Vec<Masked>,
    /// How much of the expected page is under them.
    pub(crate) share: MaskedShare,
}

impl<'a> Inspection<'a> {
    pub(crate) fn of(
        judged: &Judged<'a>,
        bodies: &dyn BodySource,
        noise: &'a RunNoise,
        expected: &'a Step,
        actual: &'a Step,
    ) -> Result<Self, JudgeError> {
        let key = judged.key(expected);
        let page = noise.page(&key);
        let flow_varies = noise.flow_varies(expected.at);
        let flow = match flow_varies {
            true => Vec::new(),
            false => flow_differences(&PageFlow::of(expected), &PageFlow::of(actual)),
        };
        let known = judged.profile.map(|profile| profile.masks(&key)).unwrap_or_default();
        let session = judged.sessions.get(expected.at.session as usize).map_or("", String::as_str);
        let mut found = Self {
            key,
            page,
            flow_varies,
            flow,
            headers: Vec::new(),
            masked: Vec::new(),
            errors: Vec::new(),
            masks: known.into_iter().chain(&page.masks).filter(|mask| mask.is_of(session)).collect(),
            bodies: None,
        };
        let (Answer::Received(was), Answer::Received(is)) = (&expected.answer, &actual.answer) else {
            return Ok(found);
        };
        let same_flow = found.flow.is_empty() && !flow_varies;
        if same_flow && judged.oracle.headers {
            found.compare_headers(was, is);
        }
        if was.body.id != is.body.id {
            let read = |step: &Step, received: &Received| {
                bodies.bytes(&received.body).map_err(|source| JudgeError::Body { at: step.at, source })
            };
            let (was_bytes, is_bytes) = (read(expected, was)?, read(actual, is)?);
            // An error that the server prints is a fault wherever it shows, on a page of noise as on a page of its own.
            found.errors = new_errors(&was_bytes, &is_bytes);
            found.bodies = same_flow.then_some([(was, was_bytes), (is, is_bytes)]);
        }
        Ok(found)
    }

    fn compare_headers(&mut self, was: &Received, is: &Received) {
        for (name, difference) in header_differences_by_name(&was.headers, &is.headers) {
            if self.page.headers.contains(&name) {
                let Difference { was, is, .. } = difference;
                let (expected, actual) = (was.unwrap_or_default(), is.unwrap_or_default());
                self.masked.push(Masked { place: format!("header {name}"), expected, actual });
            } else {
                self.headers.push(difference);
            }
        }
    }

    /// Both pages, where their insides may differ.
    pub(crate) fn pages(&self) -> Option<Pages<'_>> {
        let [(was, was_bytes), (is, is_bytes)] = self.bodies.as_ref()?;
        let masks = Masks::of(self.masks.iter().copied());
        let expected = MaskedBody::of(&was.headers, was_bytes, &masks);
        let actual = MaskedBody::of(&is.headers, is_bytes, &masks);
        let masked = covered_differences(&masks, &expected.covered, &actual.covered);
        let share = expected.share;
        let (expected, actual) = expected.leveled(actual, &masks);
        let read = (!expected.is_same_as(&actual)).then(|| (expected.read(), actual.read()));
        Some(Pages { read, masked, share })
    }
}
