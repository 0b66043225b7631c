//! A member's own data.

use maud::{Markup, html};

use super::{member_form, password};
use crate::faults::Fault;
use crate::pages::inputs::{summary, token};
use crate::pages::layout;
use crate::pages::wording::date;
use crate::store::MemberDraft;
use crate::web::{Outcome, Problems, Refusal, Reply, Visit};

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?;
    let draft = &member.draft;
    let contact = member_form::CONTACTS.iter().find(|(value, _)| *value == draft.contact);
    let edit = if visit.shop.faulty(Fault::EditLinkWrong) { "/account/password" } else { "/account/edit" };
    let content = html! {
        h1 { "My account" }
        dl.facts {
            dt { "User name" } dd { (member.username) }
            dt { "Name" } dd { (draft.name) }
            dt { "E-mail" } dd { (draft.email) }
            dt { "Telephone" } dd { (draft.phone) }
            dt { "Address" } dd { @for line in draft.address.lines() { (line) br; } }
            dt { "Country" } dd { (draft.country) }
            dt { "We may write" } dd { (contact.map_or("", |(_, label)| label)) }
            dt { "Newsletter" } dd { @if draft.newsletter { "yes" } @else { "no" } }
            dt { "Member since" } dd { (date(&member.joined)) }
        }
        p.actions {
            a.button href=(edit) { "Edit" } " "
            @if !visit.shop.release.edits_password_with_account() {
                a href="/account/password" { "Change password" } " "
            }
            a href="/orders" { "My orders" }
        }
    };
    Ok(Reply::Page(layout::page(visit, "My account", content)?))
}

pub(crate) fn edit(visit: &mut Visit<'_>) -> Outcome {
    let draft = visit.member()?.draft.clone();
    Ok(Reply::Page(edit_page(visit, &draft, &Problems::default())?))
}

pub(crate) fn save(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?;
    let mut draft = member_form::read(&visit.form);
    let mut problems = Problems::default();
    member_form::check(&visit.form, &mut problems);
    let new_password = visit.shop.release.edits_password_with_account() && password::is_sent(visit);
    if new_password {
        password::check(visit, member, &mut problems);
    }
    if !problems.none() {
        return Ok(Reply::Invalid(edit_page(visit, &draft, &problems)?));
    }
    if visit.shop.faulty(Fault::EmailNotUpdated) {
        draft.email = member.draft.email.clone();
    }
    draft.save(visit.db, member.id)?;
    if !new_password {
        return visit.go_well("/account", "Your data are saved.");
    }
    password::change(visit, member)?;
    visit.go_well("/account", "Your data and your new password are saved.")
}

fn edit_page(visit: &Visit<'_>, draft: &MemberDraft, problems: &Problems) -> Result<Markup, Refusal> {
    let action = match visit.shop.faulty(Fault::AccountWrongAction) {
        true => "/account",
        false => "/account/edit",
    };
    let country = if visit.shop.faulty(Fault::CountryNotKept) { "" } else { &draft.country };
    Ok(layout::page(
        visit,
        "Edit my account",
        html! {
            p.crumbs { a href="/account" { "My account" } " › Edit" }
            h1 { "Edit my account" }
            (summary(problems))
            form.boxed id="edit" method="post" action=(action) {
                (token(visit))
                (member_form::fields(draft, country, problems, true))
                @if visit.shop.release.edits_password_with_account() {
                    h3 { "Password" }
                    p { "Leave these empty to keep your password." }
                    (password::fields(visit, problems))
                }
                p.actions { button type="submit" { "Save" } " " a href="/account" { "Cancel" } }
            }
        },
    )?)
}
