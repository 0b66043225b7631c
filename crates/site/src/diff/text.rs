//! What changed, for people: grouped by page, the most important first.

use std::fmt;

use crate::diff::site_diff::{
    LinkChange, LinkDiff, NodeChange, NodeDiff, ParameterChange, ParameterDiff, PropertyDiff, SharedLinkDiff,
    SiteDiff,
};
use crate::plain::{at_most, count};
use crate::site::{EdgeKind, NodeKind};

/// So much of an id or a text is shown.
const LONGEST: usize = 120;
/// So many links of a page, or choices of a field, are listed.
const LISTED: usize = 12;
/// So many pages that share a link are named.
const NAMED: usize = 4;

impl fmt::Display for SiteDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return writeln!(f, "no changes");
        }
        writeln!(f, "{}", summary(self))?;
        if let Some(home) = &self.home {
            let show = |id: &str| if id.is_empty() { "nowhere".to_owned() } else { shown(id) };
            writeln!(f, "\nusers begin at {}, began at {}", show(&home.new), show(&home.old))?;
        }
        for (users, what) in [(&self.users_came, "came"), (&self.users_went, "went")] {
            if !users.is_empty() {
                let names: Vec<String> = users.iter().map(|user| shown(user)).collect();
                writeln!(f, "\nkinds of users that {what}: {}", names.join(", "))?;
            }
        }
        for shared in &self.shared_links {
            writeln!(f, "\n{}", shared_text(shared))?;
        }
        for node in &self.nodes {
            writeln!(f)?;
            node_text(f, node)?;
        }
        Ok(())
    }
}

/// How much of what changed.
fn summary(diff: &SiteDiff) -> String {
    let mut parts = Vec::new();
    let mut add = |number: usize, thing: &str, what: &str| {
        if number > 0 {
            parts.push(format!("{} {what}", count(number, thing)));
        }
    };
    for (change, what) in [
        (NodeChange::Went, "went"),
        (NodeChange::Renamed, "renamed"),
        (NodeChange::Moved, "moved"),
        (NodeChange::Came, "came"),
        (NodeChange::Changed, "changed"),
    ] {
        for (kind, thing) in [(NodeKind::Form, "form"), (NodeKind::Page, "page")] {
            add(
                diff.nodes.iter().filter(|node| node.change == change && node.kind == kind).count(),
                thing,
                what,
            );
        }
    }
    let parameters = diff.nodes.iter().map(|node| node.parameters.len()).sum();
    add(parameters, "parameter", "came, went or changed");
    // The links of a page that came or went are a part of it.
    let own = |node: &&NodeDiff| !matches!(node.change, NodeChange::Came | NodeChange::Went);
    let links: usize = diff.nodes.iter().filter(own).map(|node| node.links.len()).sum();
    add(links, "link", "came, went or changed");
    add(diff.shared_links.len(), "link", "of many pages changed");
    if parts.is_empty() { "changes:".to_owned() } else { parts.join(", ") }
}

fn node_text(f: &mut fmt::Formatter<'_>, node: &NodeDiff) -> fmt::Result {
    let kind = if node.kind == NodeKind::Form { "form" } else { "page" };
    let id = |id: &Option<String>| shown(id.as_deref().unwrap_or_default());
    match node.change {
        NodeChange::Went => writeln!(f, "{kind} went: {}", id(&node.old))?,
        NodeChange::Came => writeln!(f, "{kind} came: {}", id(&node.new))?,
        NodeChange::Renamed => {
            writeln!(f, "{kind} renamed: {}", id(&node.new))?;
            let reasons: Vec<String> = node.reasons.iter().take(4).map(ToString::to_string).collect();
            let sure = node.confidence.map_or(String::new(), |sure| {
                format!(" ({:.0} % sure: {})", sure * 100.0, reasons.join(", "))
            });
            writeln!(f, "    was {}{sure}", id(&node.old))?;
        }
        NodeChange::Moved => writeln!(f, "{kind} moved: {}", id(&node.new))?,
        NodeChange::Changed => writeln!(f, "{kind} changed: {}", id(&node.new))?,
    }
    if !node.title.is_empty() && matches!(node.change, NodeChange::Came | NodeChange::Went) {
        writeln!(f, "    its title: {}", shown(&node.title))?;
    }
    if !node.seen_only_by.is_empty() {
        let map = if node.change == NodeChange::Went { "new" } else { "old" };
        writeln!(
            f,
            "    only {} saw it, and the {map} map was not made as such a user",
            listed(&node.seen_only_by)
        )?;
    }
    if let Some(reached) = &node.reached {
        let more = reached.pages.saturating_sub(reached.from.len());
        let verb = if node.change == NodeChange::Went { "was reached from" } else { "is reached from" };
        let by = if reached.label.is_empty() {
            String::new()
        } else {
            format!(", by “{}”", shown(&reached.label))
        };
        writeln!(f, "    {verb} {}{}{by}", listed(&reached.from), and_more(more))?;
    }
    if let Some(moved) = &node.moved {
        writeln!(f, "    is reached from {}, was from {}", listed(&moved.to), listed(&moved.from))?;
    }
    for property in &node.properties {
        writeln!(f, "    {}", property_text(property))?;
    }
    for parameter in &node.parameters {
        writeln!(f, "    {}", parameter_text(parameter))?;
    }
    if matches!(node.change, NodeChange::Came | NodeChange::Went) {
        if !node.links.is_empty() {
            writeln!(f, "    with {}", count(node.links.len(), "link"))?;
        }
        return Ok(());
    }
    for link in node.links.iter().take(LISTED) {
        writeln!(f, "    {}", link_text(link))?;
    }
    let more = node.links.len().saturating_sub(LISTED);
    if more > 0 {
        writeln!(f, "    and {} more", count(more, "link"))?;
    }
    Ok(())
}

fn property_text(change: &PropertyDiff) -> String {
    let (old, new) = (shown(&change.old), shown(&change.new));
    let nobody = |users: String| if users.is_empty() { "none of the known users".to_owned() } else { users };
    match change.property {
        "status" => format!("is answered with {new}, was with {old}"),
        "kind" => format!("is a {new}, was a {old}"),
        "dynamic" => format!("is {new}, was {old}"),
        "users" => format!("is there for {}, was for {}", nobody(new), nobody(old)),
        property => format!("{property} is “{new}”, was “{old}”"),
    }
}

fn parameter_text(change: &ParameterDiff) -> String {
    let thing = if change.is_field { "field" } else { "parameter" };
    let name = |name: &Option<String>| shown(name.as_deref().unwrap_or_default());
    let (old, new) = (name(&change.old), name(&change.new));
    let of_type =
        |control: &str| if control.is_empty() { String::new() } else { format!(" ({})", shown(control)) };
    let mut text = match change.change {
        ParameterChange::Came => return format!("{thing} {new}{} came", of_type(&change.new_type)),
        ParameterChange::Went => return format!("{thing} {old}{} went", of_type(&change.old_type)),
        ParameterChange::Renamed => format!("{thing} {old} is called {new}"),
        ParameterChange::Changed => format!("{thing} {new} changed"),
    };
    if change.old_type != change.new_type {
        text.push_str(&format!("; is {}, was {}", shown(&change.new_type), shown(&change.old_type)));
    }
    for (choices, what) in [(&change.choices_came, "offers"), (&change.choices_went, "no longer offers")] {
        if !choices.is_empty() {
            text.push_str(&format!(
                "; {what} {}{}",
                listed(choices),
                and_more(choices.len().saturating_sub(LISTED))
            ));
        }
    }
    text
}

/// A link, and what happened to it.
fn link_text(link: &LinkDiff) -> String {
    let name = |label: &Option<String>| match label.as_deref() {
        None | Some("") => String::new(),
        Some(label) => format!(" “{}”", shown(label)),
    };
    let to = |id: &Option<String>| shown(id.as_deref().unwrap_or_default());
    let kind = match link.kind {
        EdgeKind::Link => "link",
        EdgeKind::Submit => "button",
        EdgeKind::Redirect => "redirect",
        EdgeKind::Frame => "frame",
        EdgeKind::Script => "script's request",
    };
    match link.change {
        LinkChange::Came => format!("{kind}{} to {} came", name(&link.new_label), to(&link.new_to)),
        LinkChange::Went => format!("{kind}{} to {} went", name(&link.old_label), to(&link.old_to)),
        LinkChange::Renamed => {
            let none = |label: String| if label.is_empty() { " without a text".to_owned() } else { label };
            format!(
                "{kind} to {} is{}, was{}",
                to(&link.new_to),
                none(name(&link.new_label)),
                none(name(&link.old_label))
            )
        }
        LinkChange::LeadsElsewhere => {
            format!(
                "{kind}{} leads to {}, led to {}",
                name(&link.new_label),
                to(&link.new_to),
                to(&link.old_to)
            )
        }
        LinkChange::Moved => {
            format!(
                "{kind}{} to {} moved here from {}",
                name(&link.new_label),
                to(&link.new_to),
                to(&link.moved_from)
            )
        }
    }
}

fn shared_text(shared: &SharedLinkDiff) -> String {
    let more = shared.pages.len().saturating_sub(NAMED);
    format!(
        "on {}: {}\n    {}{}",
        count(shared.pages.len(), "page"),
        link_text(&shared.link),
        listed(&shared.pages[..shared.pages.len() - more]),
        and_more(more)
    )
}

fn listed(ids: &[String]) -> String {
    ids.iter().take(LISTED).map(|id| shown(id)).collect::<Vec<_>>().join(", ")
}

fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" and {more} more") }
}

fn shown(text: &str) -> String {
    at_most(text, LONGEST)
}
