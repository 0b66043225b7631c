//! What a report says with stand-ins in place of secrets, for a report that is written for others.
//!
//! Every text that comes from a run is covered as it is read, before anything is compared, cut or counted: the same secret has
//! the same stand-in wherever it stands, so that pages are aligned and marked as they would be.

use restage_facts::StepFacts;
use restage_judge::Comparison;
use restage_model::{
    Aftermath, Answer, Change, Difference, Fidelity, Key, Masked, Run, RunState, Step, Verdict,
};
use restage_redact::Cover;

use crate::{ReportSession, ReportStep};

/// Something of a report whose texts can be covered.
pub(crate) trait Covered {
    /// Puts stand-ins in place of its secrets.
    fn cover(&mut self, cover: &Cover);
}

impl Covered for ReportSession {
    fn cover(&mut self, cover: &Cover) {
        cover.cover(&mut self.name);
        self.steps.cover(cover);
        self.aftermath.cover(cover);
    }
}

/// What is shown of it. What differs is shown as a sentence; the data behind it go to JSON alone, which is not covered.
impl Covered for Fidelity {
    fn cover(&mut self, cover: &Cover) {
        for session in &mut self.sessions {
            cover.cover(&mut session.name);
            if let Some(left) = &mut session.left_at {
                cover.cover_address(&mut left.path);
                cover.cover(&mut left.says);
            }
            if let Some(cause) = &mut session.cause {
                cover.cover(&mut cause.explanation);
                cover.cover(&mut cause.remedy);
                cause.began_at.iter_mut().for_each(|began| cover.cover_address(&mut began.path));
            }
        }
    }
}

impl Covered for ReportStep {
    fn cover(&mut self, cover: &Cover) {
        self.verdict.cover(cover);
        self.expected.cover(cover);
        self.actual.cover(cover);
        for (_, value) in &mut self.sent {
            cover.cover(value);
        }
        for facts in [&mut self.server.expected, &mut self.server.actual].into_iter().flatten() {
            facts.cover(cover);
        }
    }
}

/// What is shown of it.
impl Covered for StepFacts {
    fn cover(&mut self, cover: &Cover) {
        for statement in &mut self.sql {
            cover.cover(&mut statement.text);
            statement.error.iter_mut().for_each(|why| cover.cover(why));
        }
        self.errors.iter_mut().for_each(|error| cover.cover(&mut error.message));
    }
}

impl Covered for Step {
    fn cover(&mut self, cover: &Cover) {
        cover.cover_address(&mut self.sent.uri);
        self.origin.words_mut().for_each(|word| cover.cover(word));
        for substitution in &mut self.substitutions {
            let texts = [&mut substitution.target, &mut substitution.source, &mut substitution.why];
            texts.into_iter().for_each(|text| cover.cover(text));
            for value in [&mut substitution.recorded, &mut substitution.live] {
                cover.cover(value);
            }
        }
        self.stale.iter_mut().for_each(|why| cover.cover(why));
        if let Answer::Failed(why) = &mut self.answer {
            cover.cover(why);
        }
    }
}

impl Covered for Verdict {
    fn cover(&mut self, cover: &Cover) {
        cover.cover(&mut self.session);
        self.key.cover(cover);
        self.differences.cover(cover);
        self.accepted.cover(cover);
        self.ignored.cover(cover);
        self.masked.cover(cover);
        self.stale.iter_mut().for_each(|why| cover.cover(why));
        self.old_wording.iter_mut().for_each(|old| cover.cover(&mut old.sentence));
    }
}

impl Covered for Aftermath {
    fn cover(&mut self, cover: &Cover) {
        cover.cover(&mut self.session);
        self.differences.cover(cover);
        self.accepted.cover(cover);
        self.ignored.cover(cover);
        self.masked.cover(cover);
    }
}

impl Covered for Difference {
    fn cover(&mut self, cover: &Cover) {
        Difference::cover(self, &mut |text| cover.text(text));
    }
}

impl Covered for Masked {
    fn cover(&mut self, cover: &Cover) {
        for text in [&mut self.place, &mut self.expected, &mut self.actual] {
            cover.cover(text);
        }
    }
}

impl Covered for Key {
    fn cover(&mut self, cover: &Cover) {
        if let Some(covered) = cover.text(self.as_str()) {
            *self = Key::shown_as(covered);
        }
    }
}

/// Its id stays: it is what `restage accept` is told, and says nothing of the texts.
impl Covered for Change {
    fn cover(&mut self, cover: &Cover) {
        Covered::cover(&mut self.difference, cover);
        self.keys.cover(cover);
    }
}

impl Covered for Comparison {
    fn cover(&mut self, cover: &Cover) {
        self.changes.cover(cover);
        for settled in self.accepted.iter_mut().chain(&mut self.ignored) {
            settled.change.cover(cover);
            cover.cover(&mut settled.why);
        }
        self.unused.rules.iter_mut().for_each(|rule| cover.cover(rule));
    }
}

impl Covered for Run {
    fn cover(&mut self, cover: &Cover) {
        if let RunState::Broken(why) = &mut self.state {
            cover.cover(why);
        }
    }
}

impl<T: Covered> Covered for Vec<T> {
    fn cover(&mut self, cover: &Cover) {
        self.iter_mut().for_each(|one| one.cover(cover));
    }
}

impl<T: Covered> Covered for Option<T> {
    fn cover(&mut self, cover: &Cover) {
        self.iter_mut().for_each(|one| one.cover(cover));
    }
}
