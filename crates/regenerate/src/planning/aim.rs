//! Uses that are aimed at the rows that were defined: the request names a row, or the server knows one of the user, and with the
//! definition's row in its place the use meets what was defined.
//!
//! `POST /loans` of a member is about her loan and herself. Behind the definition of another loan it is sent with that loan's id, and
//! behind what was done to another member with that member's login. The page whose form it sends is asked for with that row, too, where its
//! address names the same one: `/tickets/3/` and then `/tickets/3/update/`.

use std::collections::HashMap;

use serde::Serialize;

use super::candidates::Candidate;
use super::context::{Known, known};
use super::sequence::StepPlace;
use crate::dynamics::{Dynamics, RequestPart, StepDynamics};

/// Another row than the recorded one, for a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Aim {
    /// The value that the suite's request had.
    pub from: String,
    /// The value of the row that was defined.
    pub to: String,
    /// The part of the request that has it; none where the server knows it of the user.
    pub part: Option<RequestPart>,
}

/// How a use gets at the definition's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Aiming<'d> {
    /// By a part of its own.
    Part(Aim),
    /// By what the server knows of the user in this variable.
    Variable(&'d str, Aim),
}

/// What sets a variable of the user's session to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setter {
    pub(super) place: StepPlace,
    /// Where no step sets that value: one that sets what a part of it says.
    pub(super) aim: Option<Aim>,
}

/// What sets the variables of the user's session.
#[derive(Default)]
pub(super) struct Setters<'d> {
    to_value: HashMap<(&'d str, &'d str), Vec<StepPlace>>,
    by_part: HashMap<&'d str, Vec<(StepPlace, &'d RequestPart, &'d str)>>,
}

impl<'d> Setters<'d> {
    pub(super) fn of(dynamics: &'d Dynamics) -> Self {
        let mut setters = Self::default();
        let mut steps: Vec<_> = dynamics.steps().filter(|(_, step)| step.usable).collect();
        // What needs the fewest pages comes first.
        steps.sort_by_key(|(place, step)| (step.pages.len(), *place));
        for ((session, number), step) in steps {
            let place = StepPlace { session, step: number };
            let before = known(&step.before);
            for (name, value) in known(&step.after) {
                if before.get(name) == Some(&value) {
                    continue;
                }
                let value = plain(value);
                setters.to_value.entry((name, value)).or_default().push(place);
                if let Some((part, _)) = step.parts.iter().find(|(_, sent)| sent == value) {
                    setters.by_part.entry(name).or_default().push((place, part, value));
                }
            }
        }
        setters
    }

    /// Of the steps that may, the best one that sets a variable to a value.
    pub(super) fn setter(&self, name: &str, value: &str, may: impl Fn(StepPlace) -> bool) -> Option<Setter> {
        let known = self.to_value.get(&(name, value)).into_iter().flatten();
        let known = known.copied().find(|place| may(*place)).map(|place| Setter { place, aim: None });
        known.or_else(|| {
            let any = self.by_part.get(name)?.iter().find(|(place, ..)| may(*place));
            any.map(|(place, part, from)| Setter {
                place: *place,
                aim: Some(Aim {
                    from: (*from).to_owned(),
                    to: value.to_owned(),
                    part: Some((*part).clone()),
                }),
            })
        })
    }

    /// Whether something sets a variable to a value.
    fn knows(&self, name: &str, value: &str) -> bool {
        self.to_value.contains_key(&(name, value)) || self.by_part.contains_key(name)
    }

    /// How a use gets at the row of a definition, where its own is another one: the first of the columns that they have in common whose
    /// value the request sends or the server knows.
    pub(super) fn aiming(&self, definer: &Candidate<'d>, user: &Candidate<'d>) -> Option<Aiming<'d>> {
        let after: Known<'_> = known(&definer.step.after);
        let before: Known<'d> = known(&user.step.before);
        let columns = definer.access.rows.0.iter();
        columns.filter_map(|(column, to)| Some((user.access.rows.0.get(column)?, to))).find_map(
            |(from, to)| {
                let aim = |part: Option<&RequestPart>| Aim {
                    from: from.clone(),
                    to: to.clone(),
                    part: part.cloned(),
                };
                if let Some((part, _)) = user.step.parts.iter().find(|(_, value)| value == from) {
                    return Some(Aiming::Part(aim(Some(part))));
                }
                let names = before.iter().filter(|(_, value)| plain(value) == from).map(|(name, _)| *name);
                let has = |name: &&str| {
                    after.get(name).is_some_and(|value| plain(value) == to) || self.knows(name, to)
                };
                names.into_iter().find(has).map(|name| Aiming::Variable(name, aim(None)))
            },
        )
    }
}

impl Aiming<'_> {
    pub(super) fn aim(&self) -> &Aim {
        match self {
            Self::Part(aim) | Self::Variable(_, aim) => aim,
        }
    }
}

impl Aim {
    /// The same for a page that the request needs first, where that names the same row: in its path, or by a parameter of the same name.
    pub(super) fn of_page(&self, page: &StepDynamics) -> Option<Self> {
        let own = self.part.as_ref()?;
        let names = |part: &RequestPart| matches!(part, RequestPart::Segment(_)) || part == own;
        let (part, _) = page.parts.iter().find(|(part, value)| *value == self.from && names(part))?;
        Some(Self { part: Some(part.clone()), ..self.clone() })
    }

    /// What a step would do that is aimed: its rows are others.
    pub(super) fn applied(&self, step: &StepDynamics) -> StepDynamics {
        let mut step = step.clone();
        let rows = step.accesses.iter_mut().flat_map(|access| access.rows.0.values_mut());
        for value in rows.filter(|value| **value == self.from) {
            value.clone_from(&self.to);
        }
        step
    }
}

/// A value as statements and requests have it: facts have texts in quotes.
pub(super) fn plain(value: &str) -> &str {
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value)
}
