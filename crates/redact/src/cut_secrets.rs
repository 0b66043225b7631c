//! Secrets of which a text shows no more than the beginning or the end: long values are told with their middle left out.

use crate::known_secrets::KnownSecrets;

/// What stands for the part that is left out.
const LEFT_OUT: char = '…';
/// A shorter piece tells nobody anything.
const SHORTEST_PIECE: usize = 8;

/// Known secrets, found by how they begin and how they end.
#[derive(Debug, Default)]
pub(crate) struct CutSecrets {
    /// Each with its stand-in, sorted.
    by_beginning: Vec<(Box<str>, Box<str>)>,
    /// Places in there, sorted by what is read from the end.
    by_end: Vec<u32>,
}

impl CutSecrets {
    pub(crate) fn of(known: &KnownSecrets) -> Self {
        // A stand-in that is of another length has no part that stands for a part of the secret.
        let alike = |(value, stand_in): &(&str, &str)| value.is_ascii() && value.len() == stand_in.len();
        let mut by_beginning: Vec<(Box<str>, Box<str>)> =
            known.pairs().filter(alike).map(|(value, stand_in)| (value.into(), stand_in.into())).collect();
        by_beginning.sort();
        by_beginning.dedup();
        let mut by_end: Vec<u32> = (0..u32::try_from(by_beginning.len()).unwrap_or(u32::MAX)).collect();
        by_end.sort_by(|a, b| {
            let backwards = |place: u32| by_beginning[place as usize].0.bytes().rev();
            backwards(*a).cmp(backwards(*b))
        });
        Self { by_beginning, by_end }
    }

    /// The text with stand-ins in place of pieces of secrets; none where it has none.
    pub(crate) fn cover(&self, text: &str) -> Option<String> {
        if self.by_beginning.is_empty() || !text.contains(LEFT_OUT) {
            return None;
        }
        let mut any = false;
        let parts: Vec<&str> = text.split(LEFT_OUT).collect();
        let last = parts.len() - 1;
        let covered: Vec<String> = parts
            .iter()
            .enumerate()
            .map(|(number, part)| {
                let mut part = (*part).to_owned();
                if number < last
                    && let Some((start, stand_in)) = self.beginning_at_end(&part)
                {
                    part.replace_range(start.., &stand_in);
                    any = true;
                }
                if number > 0
                    && let Some((end, stand_in)) = self.end_at_start(&part)
                {
                    part.replace_range(..end, &stand_in);
                    any = true;
                }
                part
            })
            .collect();
        any.then(|| covered.join("…"))
    }

    /// Where the beginning of a secret stands at the end of a text, and what stands for it.
    fn beginning_at_end(&self, text: &str) -> Option<(usize, String)> {
        let bytes = text.as_bytes();
        let from = bytes.iter().rposition(|b| !b.is_ascii_graphic()).map_or(0, |at| at + 1);
        (from..bytes.len().saturating_sub(SHORTEST_PIECE - 1))
            .filter(|&at| bytes[at].is_ascii_alphanumeric())
            .filter(|&at| at == 0 || !bytes[at - 1].is_ascii_alphanumeric())
            .find_map(|at| {
                let piece = &text[at..];
                let place = self.by_beginning.partition_point(|(value, _)| **value < *piece);
                let (value, stand_in) = self.by_beginning.get(place)?;
                value.starts_with(piece).then(|| (at, stand_in[..piece.len()].to_owned()))
            })
    }

    /// Where the end of a secret at the start of a text ends, and what stands for it.
    fn end_at_start(&self, text: &str) -> Option<(usize, String)> {
        let bytes = text.as_bytes();
        let to = bytes.iter().position(|b| !b.is_ascii_graphic()).unwrap_or(bytes.len());
        (SHORTEST_PIECE..=to)
            .rev()
            .filter(|&at| bytes[at - 1].is_ascii_alphanumeric())
            .filter(|&at| bytes.get(at).is_none_or(|b| !b.is_ascii_alphanumeric()))
            .find_map(|at| {
                let piece = &text[..at];
                let place = self.by_end.partition_point(|&place| {
                    self.by_beginning[place as usize].0.bytes().rev().lt(piece.bytes().rev())
                });
                let (value, stand_in) = &self.by_beginning[*self.by_end.get(place)? as usize];
                let ends = value.ends_with(piece);
                ends.then(|| (at, stand_in[stand_in.len() - piece.len()..].to_owned()))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret_kind::Kind;

    /// Catches: half of a token that is shown because it is not all of it, and words taken for a part of one.
    #[test]
    fn pieces_are_covered_at_the_cut_and_nowhere_else() {
        let mut known = KnownSecrets::default();
        known.add(Kind::Token, "abcdefgh-12345678-ijklmnop", "zyxwvuts-87654321-ponmlkji");
        known.add(Kind::Token, "zzzz9999zzzz", "yyyy8888yyyy");
        let cut = CutSecrets::of(&known);
        for (text, expected) in [
            ("token=abcdefgh-123…-ijklmnop.", Some("token=zyxwvuts-876…-ponmlkji.")),
            ("token=abcdefgh-123…8-ijklmnop.", Some("token=zyxwvuts-876…1-ponmlkji.")),
            ("(abcdefgh-12345…", Some("(zyxwvuts-87654…")),
            ("abcdefg…", None),
            ("abcdefghi…", None),
            ("5678-ijklmnop", None),
            ("é…9999zzzz é", Some("é…8888yyyy é")),
            ("…", None),
        ] {
            let covered = cut.cover(text);
            assert_eq!(covered.as_deref(), expected, "{text}");
        }
    }
}
