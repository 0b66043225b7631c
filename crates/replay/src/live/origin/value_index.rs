//! The values of one response by what they are and by where they stand.
//!
//! A place is named the same way on the recorded and on the live response: `meta csrf-token`, `$.items[].id`. Several
//! values may stand in places of one name, as in a list; what tells them apart is what stands beside them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use restage_browser::without_numbers;

use super::value::{Looks, noun, says_id};

/// More values than this on one page are not looked at: memory stays bounded, whatever a page holds.
const MOST: usize = 50_000;

/// What of a value was sent: cookies go into headers decoded, without quotes, or without their signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// All of it, as it stands.
    Whole,
    /// Its percent signs decoded.
    Decoded,
    /// Without the quotes around it.
    Unquoted,
    /// What stands before this character.
    Before(char),
}

impl Variant {
    /// This variant of another value.
    pub(crate) fn of(self, value: &str) -> Option<String> {
        match self {
            Self::Whole => Some(value.to_owned()),
            Self::Decoded => {
                let text = percent_encoding::percent_decode_str(value).decode_utf8().ok()?;
                Some(text.into_owned())
            }
            Self::Unquoted => Some(value.strip_prefix('"')?.strip_suffix('"')?.to_owned()),
            Self::Before(end) => Some(value.split_once(end)?.0.to_owned()),
        }
    }

    /// The variants of a value that a script may send.
    pub(crate) fn all(value: &str) -> Vec<(Self, String)> {
        let mut all = vec![(Self::Whole, value.to_owned())];
        for variant in
            [Self::Decoded, Self::Unquoted, Self::Before('|'), Self::Before('.'), Self::Before(':')]
        {
            if let Some(text) = variant.of(value)
                && Looks::of(&text) == Some(Looks::Token)
                && all.iter().all(|(_, known)| *known != text)
            {
                all.push((variant, text));
            }
        }
        all
    }

    /// In words, for those who ask why.
    pub(crate) fn told(self) -> &'static str {
        match self {
            Self::Whole => "",
            Self::Decoded => ", percent-decoded",
            Self::Unquoted => ", without its quotes",
            Self::Before(_) => ", without its signature",
        }
    }
}

/// One value of a response.
#[derive(Clone, Debug)]
pub(crate) struct HeldValue {
    /// Where it stands, in the words that are shown: `meta csrf-token`.
    pub(crate) place: String,
    /// What stands beside it and tells it from others in such places: a link's text, a title.
    pub(crate) label: String,
    /// The name it goes by there: a key, a parameter, a field.
    pub(crate) name: String,
    /// What the place is about, where its name does not say: the keys around it.
    pub(crate) around: Vec<String>,
    /// The value.
    pub(crate) value: String,
    /// What of it was found.
    pub(crate) variant: Variant,
    /// The cookie it was set as.
    pub(crate) cookie: bool,
    /// Whether the server sent the browser there.
    pub(crate) redirect: bool,
    /// Whether it is a piece of an address' path.
    pub(crate) in_path: bool,
    /// Whether it is handed to a function.
    pub(crate) call: bool,
    /// The words that are handed over with it.
    pub(crate) sent_with: Vec<String>,
    /// Whether a click runs what it stands in.
    pub(crate) clicked: bool,
    /// Whether its label is the text of the row that it stands in.
    pub(crate) in_row: bool,
}

impl HeldValue {
    /// A value at a place, under a name.
    pub(crate) fn new(place: String, name: &str, value: &str) -> Self {
        Self {
            place,
            label: String::new(),
            name: name.to_owned(),
            around: Vec::new(),
            value: value.to_owned(),
            variant: Variant::Whole,
            cookie: false,
            redirect: false,
            in_path: false,
            call: false,
            sent_with: Vec::new(),
            clicked: false,
            in_row: false,
        }
    }

    /// Whether this is about the thing that `nouns` speak of. `own` is the noun of the request's name for it: empty
    /// where that says nothing.
    pub(crate) fn is_about(&self, own: &str, nouns: &[String]) -> bool {
        let mine = noun(&self.name);
        match (mine.is_empty(), own.is_empty()) {
            (false, false) => mine == own,
            // `{"likes": 17}` is no id of what is liked.
            (false, true) => (self.in_path || says_id(&self.name)) && nouns.contains(&mine),
            (true, false) => self.around.iter().any(|n| n == own),
            (true, true) => self.around.iter().any(|n| nouns.contains(n)),
        }
    }

    /// Whether its place says that it is an id: a piece of a path, an argument, a name like `post_id`, or that of one thing, `post`.
    /// `posts` may be their number.
    pub(crate) fn says_id(&self) -> bool {
        self.in_path
            || self.call
            || says_id(&self.name)
            || !self.name.ends_with('s') && !noun(&self.name).is_empty()
    }
}

/// The values of one response.
#[derive(Debug, Default)]
pub(crate) struct ValueIndex {
    held: Vec<HeldValue>,
    by_value: HashMap<String, Vec<u32>>,
    by_place: HashMap<String, Vec<u32>>,
}

impl ValueIndex {
    /// Adds a value, where it is of a kind that requests send back.
    pub(crate) fn add(&mut self, held: HeldValue) {
        if self.held.len() >= MOST || Looks::of(&held.value).is_none() {
            return;
        }
        let at = self.held.len() as u32;
        self.by_value.entry(held.value.clone()).or_default().push(at);
        self.by_place.entry(held.place.clone()).or_default().push(at);
        self.held.push(held);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    /// Names those added from `from` on, which have no label yet, after what stands beside them.
    pub(crate) fn label_from(&mut self, from: usize, label: &str) {
        for held in &mut self.held[from..] {
            if held.label.is_empty() {
                label.clone_into(&mut held.label);
            }
        }
    }

    /// Notes what was handed over together with some.
    pub(crate) fn were_sent_with(&mut self, held: &[usize], words: &[String]) {
        for at in held {
            if let Some(held) = self.held.get_mut(*at) {
                words.clone_into(&mut held.sent_with);
            }
        }
    }

    /// Says of those added from `from` on that a click runs what they stand in.
    pub(crate) fn are_clicked(&mut self, from: usize) {
        self.held[from..].iter_mut().for_each(|held| held.clicked = true);
    }

    /// Names one after the text of its row.
    pub(crate) fn stands_in_row(&mut self, at: usize, text: String) {
        if let Some(held) = self.held.get_mut(at) {
            held.in_row = !text.is_empty();
            held.label = text;
        }
    }

    /// Where one that was added stands, and its value.
    pub(crate) fn get(&self, at: usize) -> Option<(&str, &str)> {
        self.held.get(at).map(|held| (held.place.as_str(), held.value.as_str()))
    }

    /// Says of all what they are about.
    pub(crate) fn are_about(&mut self, nouns: &[String]) {
        for held in &mut self.held {
            held.around.extend_from_slice(nouns);
        }
    }

    /// Makes an address findable by the request line that it leads to.
    pub(crate) fn resolve_addresses(&mut self, uri: impl Fn(&str) -> Option<String>) {
        for (at, held) in self.held.iter_mut().enumerate() {
            if Looks::of(&held.value) == Some(Looks::Address)
                && let Some(uri) = uri(&held.value)
                && uri != held.value
            {
                self.by_value.entry(uri.clone()).or_default().push(at as u32);
                held.value = uri;
            }
        }
    }

    /// Those that hold a value.
    pub(crate) fn of_value<'a>(&'a self, value: &str) -> impl Iterator<Item = &'a HeldValue> + use<'a> {
        self.by_value.get(value).into_iter().flatten().map(|at| &self.held[*at as usize])
    }

    fn at_place<'a>(&'a self, place: &str) -> Vec<&'a HeldValue> {
        self.by_place.get(place).into_iter().flatten().map(|at| &self.held[*at as usize]).collect()
    }

    /// What the live response has where this one has `held`, and why it is thought to be that.
    pub(crate) fn counterpart(&self, held: &HeldValue, live: &Self) -> Option<(String, String)> {
        let (before, now) = (self.at_place(&held.place), live.at_place(&held.place));
        if now.is_empty() {
            return None;
        }
        let one = |list: &[&HeldValue]| !list.is_empty() && list.iter().all(|h| h.value == list[0].value);
        let nth = |before: &[&HeldValue], now: &[&HeldValue]| {
            let place = before.iter().position(|h| std::ptr::eq(*h, held))?;
            (before.len() == now.len()).then(|| (place, now[place].value.clone()))
        };
        if !held.label.is_empty() {
            let alike = |list: &[&'_ HeldValue]| -> Vec<usize> {
                (0..list.len()).filter(|at| list[*at].label == held.label).collect()
            };
            let like = without_numbers(&held.label);
            let nearly = |list: &[&'_ HeldValue]| -> Vec<usize> {
                (0..list.len()).filter(|at| without_numbers(&list[*at].label) == like).collect()
            };
            let (mut b, mut n) = (alike(&before), alike(&now));
            // A row's text has a date, a price or the id itself in it.
            if held.in_row && n.is_empty() {
                (b, n) = (nearly(&before), nearly(&now));
            }
            let b: Vec<&HeldValue> = b.into_iter().map(|at| before[at]).collect();
            let n: Vec<&HeldValue> = n.into_iter().map(|at| now[at]).collect();
            if one(&b) && one(&n) {
                return Some((n[0].value.clone(), format!("it stands beside \"{}\"", shown(&held.label))));
            }
            // Beside the same text, the same id is meant.
            let counted = Looks::of(&held.value) == Some(Looks::Id);
            if counted && n.iter().any(|h| h.value == held.value) {
                let why = format!("it is still there, beside \"{}\"", shown(&held.label));
                return Some((held.value.clone(), why));
            }
            if let Some((place, value)) = nth(&b, &n) {
                return Some((value, format!("number {} beside \"{}\"", place + 1, shown(&held.label))));
            }
        }
        if one(&before) && one(&now) {
            return Some((now[0].value.clone(), "the only value in that place".to_owned()));
        }
        let still = now.iter().any(|h| h.value == held.value);
        let same_values = || {
            let sorted = |list: &[&'_ HeldValue]| {
                let mut values: Vec<String> = list.iter().map(|h| h.value.clone()).collect();
                values.sort_unstable();
                values
            };
            sorted(&before) == sorted(&now)
        };
        // A list of ids that moved on by one holds most of them still: what counts is that all are there.
        let counted = Looks::of(&held.value) == Some(Looks::Id);
        if still && (!counted || same_values()) {
            return Some((held.value.clone(), "it is still there".to_owned()));
        }
        // An id beside a name is that name's: where the name is not there, another in its place is another thing. A row
        // has no name where no row has the text that it had.
        let unnamed_rows = || {
            let texts = |list: &[&'_ HeldValue]| -> HashSet<String> {
                list.iter().map(|h| without_numbers(&h.label)).collect()
            };
            texts(&before).is_disjoint(&texts(&now))
        };
        let nameless = if held.in_row { unnamed_rows() } else { held.label.is_empty() || !counted };
        if nameless && let Some((place, value)) = nth(&before, &now) {
            let count = now.len();
            return Some((value, format!("number {} of {count} in such places", place + 1)));
        }
        still.then(|| (held.value.clone(), "it is still there".to_owned()))
    }
}

/// A label, cut where it is a long text.
fn shown(label: &str) -> Cow<'_, str> {
    match label.char_indices().nth(60) {
        Some((end, _)) => Cow::Owned(format!("{}…", &label[..end])),
        None => Cow::Borrowed(label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(list: &[(&str, &str)]) -> ValueIndex {
        let mut index = ValueIndex::default();
        for (label, value) in list {
            index
                .add(HeldValue { label: (*label).to_owned(), ..HeldValue::new("p".to_owned(), "id", value) });
        }
        index
    }

    fn counterpart(was: &[(&str, &str)], is: &[(&str, &str)], value: &str) -> Option<String> {
        let (was, is) = (index(was), index(is));
        let held = was.of_value(value).next().unwrap();
        was.counterpart(held, &is).map(|(value, _)| value)
    }

    /// Catches: of a list that moved on by one, or is in another order, the neighbour is taken.
    #[test]
    fn of_many_in_such_places_the_right_one_is_taken() {
        let list = [("A", "5"), ("B", "6")];
        assert_eq!(counterpart(&list, &[("A", "6"), ("B", "7")], "6").as_deref(), Some("7"));
        assert_eq!(counterpart(&list, &[("B", "9"), ("A", "8"), ("C", "7")], "6").as_deref(), Some("9"));
        let plain = [("", "5"), ("", "6")];
        assert_eq!(counterpart(&plain, &[("", "6"), ("", "5")], "6").as_deref(), Some("6"), "another order");
        assert_eq!(counterpart(&plain, &[("", "6"), ("", "7")], "6").as_deref(), Some("7"), "moved on");
        assert_eq!(counterpart(&plain, &[("", "7"), ("", "8"), ("", "9")], "6"), None, "nobody knows which");
        assert_eq!(counterpart(&[("", "5"), ("", "5")], &[("", "7")], "5").as_deref(), Some("7"));
        // Random recommendations, and an address that the user typed.
        assert_eq!(counterpart(&list, &[("C", "8"), ("D", "9")], "6"), None, "another book");
    }

    #[test]
    fn variants_of_a_cookie_are_made_of_the_live_one_in_the_same_way() {
        let all = Variant::all("eyJpdiI6IjEyMyJ9%3D");
        assert_eq!(all[1], (Variant::Decoded, "eyJpdiI6IjEyMyJ9=".to_owned()));
        assert_eq!(Variant::Unquoted.of("\"ab12\"").as_deref(), Some("ab12"));
        assert_eq!(Variant::all("0a1b2c3d4e|5f6a7b8c9d")[1].1, "0a1b2c3d4e");
    }
}
