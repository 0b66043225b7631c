//! One line of the cart on a page of its own (from release 3 on): to change its quantity, or to remove it.

use maud::{Markup, html};

use super::cart;
use crate::pages::guidance::{self, Topic};
use crate::pages::inputs::{complaint, summary, token};
use crate::pages::layout;
use crate::store::CartLine;
use crate::web::{Outcome, Problems, Refusal, Reply, Visit};

pub(crate) fn form(visit: &mut Visit<'_>) -> Outcome {
    let line = visit.query.number("line").ok_or(Refusal::NotFound)?;
    Ok(Reply::Page(page(visit, line, &Problems::default())?))
}

/// The form has two buttons: one changes the quantity, the other names the line to be removed.
pub(crate) fn send(visit: &mut Visit<'_>) -> Outcome {
    if let Some(line) = visit.form.number("remove") {
        return cart::remove_line(visit, line);
    }
    let line = visit.form.number("line").ok_or(Refusal::NotFound)?;
    match cart::quantity_sent(visit) {
        Some(quantity) => cart::change_quantity(visit, line, quantity),
        None => {
            let mut problems = Problems::default();
            problems.expect(false, "quantity", "Enter a number of copies from 1 to 99.");
            Ok(Reply::Invalid(page(visit, line, &problems)?))
        }
    }
}

/// The address of a line's page.
pub(super) fn address(line: &CartLine) -> String {
    format!("/cart/edit?line={}", line.id)
}

fn page(visit: &Visit<'_>, line: i64, problems: &Problems) -> Result<Markup, Refusal> {
    let lines = cart::lines(visit)?;
    let line = lines.iter().find(|known| known.id == line).ok_or(Refusal::NotFound)?;
    let name = cart::quantity_name(visit.shop);
    let removed = cart::line_to_remove(visit.shop, line, &lines);
    Ok(layout::page(
        visit,
        "Change quantity",
        html! {
            p.crumbs { a href="/cart" { "Shopping cart" } " › " (line.title) }
            h1 { "Change quantity" }
            (guidance::note(visit.shop.release, Topic::Quantity))
            (summary(problems))
            form.boxed id="change-line" method="post" action="/cart/update" {
                h3 { (line.title) }
                (token(visit))
                input type="hidden" name="line" value=(line.id);
                p.field {
                    label for="quantity" { "Copies" }
                    input type="number" id="quantity" name=(name) value=(line.quantity) min="1" max="99";
                    (complaint(problems, "quantity"))
                }
                p.actions {
                    button type="submit" { "Change" } " "
                    button.plain type="submit" name="remove" value=(removed.id) { "Remove" } " "
                    a href="/cart" { "Cancel" }
                }
            }
        },
    )?)
}
