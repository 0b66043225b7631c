//! What should come of a step.

use restage_site::link_node;

use super::session_search::Search;
use crate::intent::{Expected, Trouble, Verdict, judge};
use crate::live::LiveStep;
use crate::seen_answer::SeenAnswer;

impl Search<'_, '_, '_> {
    /// What is thought of the answer to a step, given by its place in the old session.
    pub(super) fn verdict(&self, at: usize, live: &LiveStep) -> Verdict {
        if let Some(why) = &live.failed
            && self.session.steps[at].expected().status != 0
        {
            return Verdict::bad(Trouble::NoAnswer(why.clone()));
        }
        let own = live.planned.of == Some(at);
        let fields = own.then(|| live.planned.fields.clone()).filter(|fields| !fields.is_empty());
        self.verdict_of(at, &live.answer, &live.node, live.target.as_deref(), fields)
    }

    /// What is thought of a page that is there already, as the answer to a step.
    pub(super) fn verdict_of(
        &self,
        at: usize,
        answer: &SeenAnswer,
        node: &str,
        target: Option<&str>,
        fields: Option<std::collections::BTreeSet<String>>,
    ) -> Verdict {
        let (context, step) = (self.context, &self.session.steps[at]);
        let old_target = step.expected().redirect.as_ref().map(|uri| link_node(context.rules, uri));
        let is_place = |node: &str| self.is_place(at, node);
        let is_target =
            |node: &str| old_target.as_ref().is_some_and(|old| context.sameness(old, node).is_some());
        let logged_in_there = old_target.as_ref().is_some_and(|old| context.is_login_page(old));
        let may_log_in = logged_in_there || self.logs_out(at);
        let is_login = |node: &str| !may_log_in && context.is_login_page(node);
        let form = fields.map(|fields| {
            let old = step.form(&self.session.steps).map(crate::ways::visible_names);
            (old.unwrap_or_else(|| step.names()), fields)
        });
        let followed = self.session.follower(at).map(|later| self.session.steps[later].expected());
        let expected = Expected {
            answer: step.expected(),
            followed,
            is_place: &is_place,
            is_target: &is_target,
            is_login: &is_login,
            logs_out: self.logs_out(at),
            form,
            weights: &context.weights,
        };
        judge(&expected, answer, node, target)
    }

    /// Whether a node is where a step should lead.
    fn is_place(&self, at: usize, node: &str) -> bool {
        self.context.sameness(&self.session.steps[at].node, node).is_some()
    }

    /// The old nodes at one of which the user should be after a step: where it led, or where its answer sent the browser.
    pub(super) fn destinations(&self, at: usize) -> Vec<String> {
        let step = &self.session.steps[at];
        match &step.expected().redirect {
            Some(uri) => vec![link_node(self.context.rules, uri)],
            None if step.is_get() => vec![step.node.clone()],
            None => Vec::new(),
        }
    }
}
