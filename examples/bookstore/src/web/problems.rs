//! What is wrong with a form that was sent, field by field.

use super::Fields;

/// The complaints about a form.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<(&'static str, String)>);

impl Problems {
    /// Complains of the field, unless `fine`.
    pub(crate) fn expect(&mut self, fine: bool, field: &'static str, complaint: &str) {
        if !fine && self.of(field).is_none() {
            self.0.push((field, complaint.to_owned()));
        }
    }

    /// Complains if the field is empty or longer than `longest` letters.
    pub(crate) fn expect_text(&mut self, fields: &Fields, field: &'static str, label: &str, longest: usize) {
        let length = fields.get(field).chars().count();
        self.expect(length > 0, field, &format!("{label} is required."));
        self.expect(length <= longest, field, &format!("{label} may have at most {longest} letters."));
    }

    pub(crate) fn of(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == field).map(|(_, complaint)| complaint.as_str())
    }

    pub(crate) fn none(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// All complaints, each replaced by the same words.
    pub(crate) fn blurred(self, complaint: &str) -> Problems {
        Problems(self.0.into_iter().map(|(field, _)| (field, complaint.to_owned())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_complaint_of_a_field_stays() {
        let mut problems = Problems::default();
        problems.expect_text(&Fields::default(), "name", "Name", 3);
        problems.expect(false, "name", "Other");
        assert_eq!((problems.of("name"), problems.count()), (Some("Name is required."), 1));
    }
}
