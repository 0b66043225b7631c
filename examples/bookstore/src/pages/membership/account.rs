//! A member's own data, and password.

use maud::{Markup, html};

use super::{member_form, register};
use crate::faults::Fault;
use crate::pages::inputs::{complaint, password as secret_field, summary, token};
use crate::pages::layout;
use crate::pages::wording::date;
use crate::store::{Member, MemberDraft};
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
            a href="/account/password" { "Change password" } " "
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
    if !problems.none() {
        return Ok(Reply::Invalid(edit_page(visit, &draft, &problems)?));
    }
    if visit.shop.faulty(Fault::EmailNotUpdated) {
        draft.email = member.draft.email.clone();
    }
    draft.save(visit.db, member.id)?;
    visit.go_well("/account", "Your data are saved.")
}

pub(crate) fn password(visit: &mut Visit<'_>) -> Outcome {
    visit.member()?;
    Ok(Reply::Page(password_page(visit, &Problems::default())?))
}

pub(crate) fn change_password(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?;
    let mut problems = Problems::default();
    let known = member.has_password(visit.form.raw("old")) || visit.shop.faulty(Fault::OldPasswordUnchecked);
    problems.expect(known, "old", "This is not your password.");
    register::check_password(visit, &mut problems);
    if !problems.none() {
        return Ok(Reply::Invalid(password_page(visit, &problems)?));
    }
    let salt = visit.shop.chance.token("salt", member.id);
    Member::set_password(visit.db, member.id, &salt, visit.form.raw("password"))?;
    visit.go_well("/account", "Your password is changed.")
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
                p.actions { button type="submit" { "Save" } " " a href="/account" { "Cancel" } }
            }
        },
    )?)
}

fn password_page(visit: &Visit<'_>, problems: &Problems) -> Result<Markup, Refusal> {
    let kind = if visit.shop.faulty(Fault::NewPasswordVisible) { "text" } else { "password" };
    Ok(layout::page(
        visit,
        "Change password",
        html! {
            p.crumbs { a href="/account" { "My account" } " › Change password" }
            h1 { "Change password" }
            (summary(problems))
            form.boxed id="change-password" method="post" action="/account/password" {
                (token(visit))
                (secret_field("old", "Present password", problems))
                p.field {
                    label for="password" { "New password" }
                    input type=(kind) id="password" name="password" autocomplete="off";
                    (complaint(problems, "password"))
                }
                (secret_field("repeated", "New password again", problems))
                p.actions { button type="submit" { "Change password" } }
            }
        },
    )?)
}
