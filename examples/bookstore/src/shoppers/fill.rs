//! Filling in a form as a person does: by labels, within what the form allows.

use super::page::{FieldKind, Form};

/// What a shopper does with a form: a field's name, and what to type, choose (by label) or tick
/// (`on`, `off`).
pub(super) type Wishes<'a> = &'a [(&'a str, &'a str)];

/// The pairs that the form sends. A wish for a field or a choice that is not there is given up.
pub(super) fn fill(form: &Form, wishes: Wishes<'_>) -> Vec<(String, String)> {
    let mut sent = Vec::new();
    for field in &form.fields {
        let wish = wishes.iter().find(|(name, _)| *name == field.name).map(|(_, wish)| *wish);
        let value = match &field.kind {
            FieldKind::Hidden(value) => Some(value.clone()),
            FieldKind::Text { value, longest } => Some(typed(wish.unwrap_or(value), *longest)),
            FieldKind::Radio { value, label, checked } => {
                let chosen = wish.filter(|wish| is_offered(form, &field.name, wish));
                let taken = chosen.map_or(*checked, |wish| label.starts_with(wish));
                taken.then(|| value.clone())
            }
            FieldKind::Tick { value, checked } => {
                wish.map_or(*checked, |wish| wish == "on").then(|| value.clone())
            }
            FieldKind::Select(options) => {
                let wished = wish.and_then(|wish| options.iter().find(|option| option.label == wish));
                let shown = options.iter().find(|option| option.selected).or(options.first());
                wished.or(shown).map(|option| option.value.clone())
            }
        };
        sent.extend(value.map(|value| (field.name.clone(), value)));
    }
    sent
}

/// Browsers take no more letters than the field allows, and send line ends as CR LF.
fn typed(text: &str, longest: Option<usize>) -> String {
    let text: String = text.chars().take(longest.unwrap_or(usize::MAX)).collect();
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

fn is_offered(form: &Form, name: &str, wish: &str) -> bool {
    form.fields.iter().any(|field| {
        field.name == name && matches!(&field.kind, FieldKind::Radio { label, .. } if label.starts_with(wish))
    })
}

#[cfg(test)]
mod tests {
    use super::super::page::read_page;
    use super::*;

    fn sent(html: &str, wishes: Wishes<'_>) -> String {
        let pairs = fill(&read_page(html).forms[0], wishes);
        pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    }

    #[test]
    fn choices_are_made_by_label_and_absent_ones_given_up() {
        let html = "<form><label><input type=radio name=d value=s checked> Standard</label>
            <label><input type=radio name=d value=e> Express</label>
            <select name=p><option value=c>Card</option><option value=i>Invoice</option></select>
            <input type=checkbox name=t value=yes><input name=n value=old maxlength=3></form>";
        assert_eq!(sent(html, &[]), "d=s&p=c&n=old");
        let wishes = [("d", "Express"), ("p", "Invoice"), ("t", "on"), ("n", "longer"), ("x", "y")];
        assert_eq!(sent(html, &wishes), "d=e&p=i&t=yes&n=lon");
        assert_eq!(sent(html, &[("d", "Drone"), ("p", "Gold")]), "d=s&p=c&n=old");
    }
}
