//! Which button of a form was clicked on, and which button of another version of the form that is.

use restage_html::{Button, Form};

use crate::likeness::without_numbers;

/// The button that was clicked on, by its place: the one that was sent.
pub(crate) fn clicked_button(form: &Form, pairs: &[(String, String)]) -> Option<usize> {
    let is_sent = |b: &Button| pairs.iter().any(|(name, value)| *name == b.name && *value == b.value);
    form.buttons.iter().position(|button| !button.name.is_empty() && !button.image && is_sent(button))
}

/// The live button that is the recorded one: by its name, value and text, then by two of these, then by its text alone;
/// and where all others are accounted for, the one that is left. None where it is gone.
pub fn live_button<'a>(recorded: &Form, live: &'a Form, at: usize) -> Option<&'a Button> {
    let found = same_button(recorded.buttons.get(at)?, live).or_else(|| {
        let alone = |list: Vec<usize>| if let [only] = list[..] { Some(only) } else { None };
        let known: Vec<Option<usize>> = recorded.buttons.iter().map(|b| same_button(b, live)).collect();
        let lost = alone((0..known.len()).filter(|n| known[*n].is_none()).collect())?;
        let new = alone((0..live.buttons.len()).filter(|n| !known.contains(&Some(*n))).collect())?;
        (lost == at).then_some(new)
    });
    found.map(|n| &live.buttons[n])
}

fn same_button(was: &Button, live: &Form) -> Option<usize> {
    let find = |is: &dyn Fn(&Button) -> bool| live.buttons.iter().position(is);
    let (name, value) = (|b: &Button| b.name == was.name, |b: &Button| b.value == was.value);
    let text = |b: &Button| !was.text.is_empty() && b.text == was.text;
    let like = without_numbers(&was.text);
    find(&|b| name(b) && value(b) && text(b))
        .or_else(|| find(&|b| name(b) && text(b)))
        .or_else(|| find(&|b| name(b) && value(b)))
        .or_else(|| find(&text))
        .or_else(|| find(&|b| name(b) && !like.is_empty() && without_numbers(&b.text) == like))
}

#[cfg(test)]
mod tests {
    use restage_html::Page;

    use super::*;

    fn clicked(was: &str, at: usize, is: &str) -> Option<String> {
        let form = |html: &str| Page::of(format!("<form>{html}</form>").as_bytes()).forms.remove(0);
        live_button(&form(was), &form(is), at).map(|button| format!("{}={}", button.name, button.value))
    }

    /// Catches: a click on one button is sent as a click on the first.
    #[test]
    fn a_button_is_another_only_where_all_others_are_known() {
        let was = "<input type=submit name=op value=Save><input type=submit name=op value=Delete>";
        assert_eq!(clicked(was, 1, was).as_deref(), Some("op=Delete"));
        assert_eq!(clicked(was, 1, "<input type=submit name=op value=Save>"), None);
        let renamed = "<input type=submit name=op value=Store><input type=submit name=op value=Delete>";
        assert_eq!(clicked(was, 0, renamed).as_deref(), Some("op=Store"));
        let both = "<input type=submit name=op value=Keep><input type=submit name=op value=Drop>";
        assert_eq!(clicked(was, 0, both), None);
        // The value has changed, what is written on it has not.
        let coded = "<button name=op value=7>Delete</button><button name=op value=8>Save</button>";
        let recoded = "<button name=op value=8>Delete</button><button name=op value=9>Save</button>";
        assert_eq!(clicked(coded, 1, recoded).as_deref(), Some("op=9"));
        assert_eq!(
            clicked("<button>Go</button>", 0, "<button name=b value=1>Run</button>").as_deref(),
            Some("b=1")
        );
    }
}
