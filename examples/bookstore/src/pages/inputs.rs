//! Form fields with their labels and complaints.

use maud::{Markup, html};

use crate::web::{Problems, Visit};

/// The hidden field that shows that a form is the shop's own.
pub(super) fn token(visit: &Visit<'_>) -> Markup {
    html! { input type="hidden" name="csrf" value=(visit.session.csrf); }
}

/// What is wrong with a field.
pub(super) fn complaint(problems: &Problems, name: &str) -> Markup {
    html! {
        @if let Some(text) = problems.of(name) { span.complaint { (text) } }
    }
}

/// A summary above a form that was not accepted.
pub(super) fn summary(problems: &Problems) -> Markup {
    html! {
        @if !problems.none() {
            p.flash.bad role="alert" {
                @match problems.count() {
                    1 => "One field needs your attention.",
                    count => { (count) " fields need your attention." }
                }
            }
        }
    }
}

/// A line of input of some type.
pub(super) fn line(kind: &str, name: &str, label: &str, value: &str, problems: &Problems) -> Markup {
    html! {
        p.field {
            label for=(name) { (label) }
            input type=(kind) id=(name) name=(name) value=(value);
            (complaint(problems, name))
        }
    }
}

/// A password, which is never sent back.
pub(super) fn password(name: &str, label: &str, problems: &Problems) -> Markup {
    html! {
        p.field {
            label for=(name) { (label) }
            input type="password" id=(name) name=(name) autocomplete="off";
            (complaint(problems, name))
        }
    }
}

/// Several lines of text.
pub(super) fn lines(name: &str, label: &str, value: &str, problems: &Problems) -> Markup {
    html! {
        p.field {
            label for=(name) { (label) }
            textarea id=(name) name=(name) rows="3" cols="40" { (value) }
            (complaint(problems, name))
        }
    }
}

/// A choice from a list of values and labels.
pub(super) fn select<V: AsRef<str>, L: AsRef<str>>(
    name: &str,
    label: &str,
    options: &[(V, L)],
    chosen: &str,
    problems: &Problems,
) -> Markup {
    html! {
        p.field {
            label for=(name) { (label) }
            select id=(name) name=(name) {
                @for (value, text) in options {
                    option value=(value.as_ref()) selected[value.as_ref() == chosen] { (text.as_ref()) }
                }
            }
            (complaint(problems, name))
        }
    }
}

/// A choice of one of a few, all in sight.
pub(super) fn radios<L: AsRef<str>>(
    name: &str,
    label: &str,
    options: &[(&str, L)],
    chosen: &str,
    problems: &Problems,
) -> Markup {
    html! {
        fieldset.field {
            legend { (label) }
            @for (value, text) in options {
                label.choice {
                    input type="radio" name=(name) value=(value) checked[*value == chosen];
                    " " (text.as_ref())
                }
            }
            (complaint(problems, name))
        }
    }
}

/// A box to tick.
pub(super) fn tick(name: &str, label: &str, ticked: bool, problems: &Problems) -> Markup {
    html! {
        p.field.tick {
            label.choice {
                input type="checkbox" name=(name) value="yes" checked[ticked];
                " " (label)
            }
            (complaint(problems, name))
        }
    }
}
