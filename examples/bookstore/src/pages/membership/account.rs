//! A member's own data.

use maud::{Markup, html};

use super::{member_form, password};
use crate::faults::Fault;
use crate::pages::inputs::{summary, token};
use crate::pages::layout;
use crate::pages::wording::date;
use crate::release::Release;
use crate::store::MemberDraft;
use crate::web::{Outcome, Problems, Refusal, Reply, Visit};

/// The page on which members edit what we know of them.
struct EditPage {
    path: &'static str,
    form: &'static str,
    title: &'static str,
    /// With the password.
    with_password: bool,
}

impl EditPage {
    fn of(release: Release) -> EditPage {
        match release.has_profile_page() {
            true => EditPage {
                path: "/account/profile",
                form: "profile",
                title: "Edit my details",
                with_password: false,
            },
            false => EditPage {
                path: "/account/edit",
                form: "edit",
                title: "Edit my account",
                with_password: release.edits_password_with_account(),
            },
        }
    }
}

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?;
    let draft = &member.draft;
    let contact = member_form::CONTACTS.iter().find(|(value, _)| *value == draft.contact);
    let page = EditPage::of(visit.shop.release);
    let edit = if visit.shop.faulty(Fault::EditLinkWrong) { "/account/password" } else { page.path };
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
            @if !page.with_password { a href="/account/password" { "Change password" } " " }
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
    let new_password = EditPage::of(visit.shop.release).with_password && password::is_sent(visit);
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
    let page = EditPage::of(visit.shop.release);
    let action = if visit.shop.faulty(Fault::AccountWrongAction) { "/account" } else { page.path };
    let country = if visit.shop.faulty(Fault::CountryNotKept) { "" } else { &draft.country };
    Ok(layout::page(
        visit,
        page.title,
        html! {
            p.crumbs { a href="/account" { "My account" } " › Edit" }
            h1 { (page.title) }
            (summary(problems))
            form.boxed id=(page.form) method="post" action=(action) {
                (token(visit))
                (member_form::fields(draft, country, problems, true))
                @if page.with_password {
                    h3 { "Password" }
                    p { "Leave these empty to keep your password." }
                    (password::fields(visit, problems))
                }
                p.actions { button type="submit" { "Save" } " " a href="/account" { "Cancel" } }
            }
        },
    )?)
}
