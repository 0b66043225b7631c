//! Categories, for administrators.

use maud::{Markup, html};

use super::guard::admins_only;
use super::menu::{self, Place, Section};
use crate::pages::inputs::{line, token};
use crate::store::{Category, Flash};
use crate::web::{Outcome, Problems, Refusal, Reply, Visit};

pub(crate) fn list(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    Ok(Reply::Page(page(visit, &Problems::default())?))
}

pub(crate) fn add(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let name = visit.form.get("name");
    let mut problems = Problems::default();
    problems.expect_text(&visit.form, "name", "The name", 40);
    problems.expect(!Category::is_taken(visit.db, name, 0)?, "name", "There is such a category already.");
    if !problems.none() {
        return Ok(Reply::Invalid(page(visit, &problems)?));
    }
    Category::add(visit.db, name)?;
    visit.go_well("/admin/categories", format!("{name} is added."))
}

pub(crate) fn rename(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let id = visit.id()?;
    let old = Category::name_of(visit.db, id)?.ok_or(Refusal::NotFound)?;
    let name = visit.form.get("name");
    if name.is_empty() || Category::is_taken(visit.db, name, id)? {
        return visit.go("/admin/categories", Flash::Bad(format!("{old} needs a name of its own.")));
    }
    Category::rename(visit.db, id, name)?;
    visit.go_well("/admin/categories", format!("{old} is now called {name}."))
}

fn page(visit: &Visit<'_>, problems: &Problems) -> rusqlite::Result<Markup> {
    let categories = Category::all(visit.db)?;
    menu::page(
        visit,
        &Place::new(Section::Catalogue, "/admin"),
        "Categories",
        html! {
            table {
                thead { tr { th { "No." } th { "Name" } th { "Books" } } }
                tbody {
                    @for category in &categories {
                        tr {
                            td.number { (category.id) }
                            td {
                                form.inline id={ "rename-" (category.id) } method="post"
                                    action={ "/admin/categories/" (category.id) "/rename" } {
                                    (token(visit))
                                    input type="text" name="name" value=(category.name) aria-label="Name";
                                    button.small type="submit" { "Rename" }
                                }
                            }
                            td.number { (category.books) }
                        }
                    }
                }
            }
            h2 { "Add a category" }
            form.boxed id="new-category" method="post" action="/admin/categories" {
                (token(visit))
                (line("text", "name", "Name", visit.form.get("name"), problems))
                p.actions { button type="submit" { "Add" } }
            }
        },
    )
}
