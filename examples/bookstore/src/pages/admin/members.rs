//! Members, for administrators.

use maud::{Markup, html};

use super::guard::admins_only;
use super::menu::{self, Place, Section};
use crate::faults::Fault;
use crate::pages::inputs::{radios, summary, token};
use crate::pages::membership::member_form;
use crate::pages::wording::date;
use crate::store::{Member, MemberDraft};
use crate::web::{Outcome, Problems, Refusal, Reply, Visit};

const ROLES: [(&str, &str); 2] = [("member", "Member"), ("admin", "Administrator")];

pub(crate) fn list(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let members = Member::all(visit.db)?;
    let shifted = i64::from(visit.shop.faulty(Fault::MemberLinkWrong));
    let content = html! {
        table {
            thead { tr { th { "User name" } th { "Name" } th { "E-mail" } th { "Role" } th { "Since" } th {} } }
            tbody {
                @for member in &members {
                    tr {
                        td { (member.username) }
                        td { (member.draft.name) }
                        td { (member.draft.email) }
                        td { (member.role) }
                        td { (date(&member.joined)) }
                        td {
                            a id={ "edit-" (member.username) }
                                href={ "/admin/members/" (member.id - shifted) } { "Edit" }
                        }
                    }
                }
            }
        }
    };
    let place = Place::new(Section::Customers, "/admin");
    Ok(Reply::Page(menu::page(visit, &place, "Members", content)?))
}

pub(crate) fn edit(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let member = asked(visit)?;
    Ok(Reply::Page(page(visit, &member, &member.draft, &member.role, &Problems::default())?))
}

pub(crate) fn save(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let member = asked(visit)?;
    let draft = member_form::read(&visit.form);
    let role = visit.form.get("role");
    let mut problems = Problems::default();
    member_form::check(&visit.form, &mut problems);
    problems.expect(ROLES.iter().any(|(value, _)| *value == role), "role", "Choose a role.");
    let locks_self_out = Some(member.id) == visit.session.member_id && role != "admin";
    problems.expect(!locks_self_out, "role", "You cannot take the role from yourself.");
    if !problems.none() {
        return Ok(Reply::Invalid(page(visit, &member, &draft, role, &problems)?));
    }
    draft.save(visit.db, member.id)?;
    Member::set_role(visit.db, member.id, role)?;
    visit.go_well("/admin/members", format!("{} is saved.", member.username))
}

fn asked(visit: &Visit<'_>) -> Result<Member, Refusal> {
    Member::find(visit.db, visit.id()?)?.ok_or(Refusal::NotFound)
}

fn page(
    visit: &Visit<'_>,
    member: &Member,
    draft: &MemberDraft,
    role: &str,
    problems: &Problems,
) -> rusqlite::Result<Markup> {
    menu::page(
        visit,
        &Place::new(Section::Customers, "/admin/members"),
        &format!("Member {}", member.username),
        html! {
            (summary(problems))
            form.boxed id="member" method="post" action={ "/admin/members/" (member.id) } {
                (token(visit))
                (member_form::fields(draft, &draft.country, problems, true))
                (radios("role", "Role", &ROLES, role, problems))
                p.actions {
                    button type="submit" { "Save" }
                    @if !visit.shop.release.has_back_buttons() { " " a href="/admin/members" { "Cancel" } }
                }
            }
        },
    )
}
