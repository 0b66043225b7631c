//! The fields about a person, which registering, the account and the administration share.

use maud::{Markup, html};

use crate::pages::inputs::{line, lines, radios, select, tick};
use crate::store::{COUNTRIES, MemberDraft};
use crate::web::{Fields, Problems};

pub(crate) const CONTACTS: [(&str, &str); 3] =
    [("email", "By e-mail"), ("post", "By post"), ("none", "Not at all")];

/// What a form says of a person.
pub(crate) fn read(form: &Fields) -> MemberDraft {
    MemberDraft {
        name: form.get("name").to_owned(),
        email: form.get("email").to_owned(),
        phone: form.get("phone").to_owned(),
        address: form.text("address"),
        country: form.get("country").to_owned(),
        contact: form.get("contact").to_owned(),
        newsletter: form.has("newsletter"),
    }
}

/// Complains of what is not as it must be.
pub(crate) fn check(form: &Fields, problems: &mut Problems) {
    problems.expect_text(form, "name", "The name", 60);
    problems.expect_text(form, "email", "The e-mail address", 80);
    let email = form.get("email");
    let like_email =
        email.split_once('@').is_some_and(|(local, host)| !local.is_empty() && host.contains('.'));
    problems.expect(like_email, "email", "This is not an e-mail address.");
    let phone = form.get("phone");
    let like_phone = phone.chars().all(|letter| letter.is_ascii_digit() || "+-() ".contains(letter));
    problems.expect(like_phone, "phone", "Use digits, spaces and + only.");
    problems.expect(form.get("address").chars().count() <= 300, "address", "The address is too long.");
    problems.expect(COUNTRIES.contains(&form.get("country")), "country", "Choose a country.");
    let known = CONTACTS.iter().any(|(value, _)| *value == form.get("contact"));
    problems.expect(known, "contact", "Choose how we may write to you.");
}

/// The fields, filled in.
pub(crate) fn fields(draft: &MemberDraft, country: &str, problems: &Problems, with_phone: bool) -> Markup {
    let countries: Vec<(&str, &str)> = COUNTRIES.iter().map(|name| (*name, *name)).collect();
    html! {
        (line("text", "name", "Full name", &draft.name, problems))
        (line("email", "email", "E-mail", &draft.email, problems))
        @if with_phone { (line("tel", "phone", "Telephone", &draft.phone, problems)) }
        (lines("address", "Address", &draft.address, problems))
        (select("country", "Country", &countries, country, problems))
        (radios("contact", "May we write to you?", &CONTACTS, &draft.contact, problems))
        (tick("newsletter", "Send me the newsletter", draft.newsletter, problems))
    }
}
