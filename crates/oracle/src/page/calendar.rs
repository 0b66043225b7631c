//! The names of months and weekdays, in the languages that pages most often print them in: English, German,
//! French, Spanish, Italian, Portuguese and Dutch.

use crate::page::lookup::Lookup;

/// Whether a word is the name of a month, whole or shortened, in any case.
pub(crate) fn is_month(word: &str) -> bool {
    KNOWN.get_in_any_case(word.as_bytes()) & MONTH != 0
}

/// The number of the month that a word names, whole or shortened, in any case.
pub(crate) fn month_number(word: &str) -> Option<i64> {
    #[rustfmt::skip]
    const BEGINNINGS: [&[&str]; 12] = [
        &["jan", "jän", "ene", "gen"], &["feb", "fév", "fev"], &["mar", "mär", "mrz", "maa", "mrt"],
        &["apr", "avr", "abr"], &["may", "mai", "mag", "mei"], &["jun", "juin", "giu"],
        &["jul", "juil", "lug"], &["aug", "aoû", "ago"], &["sep", "set"], &["oct", "okt", "ott", "out"],
        &["nov"], &["dec", "dez", "déc", "dic"],
    ];
    let lower = word.to_lowercase();
    let named = BEGINNINGS.iter().position(|names| names.iter().any(|name| lower.starts_with(name)));
    // `mag` and `mar` begin other words, too.
    named.filter(|_| is_month(word)).map(|at| at as i64 + 1)
}

/// Whether a word is the name of a weekday, in English also shortened, in any case.
pub(crate) fn is_weekday(word: &str) -> bool {
    KNOWN.get_in_any_case(word.as_bytes()) & WEEKDAY != 0
}

/// Whether a date or a moment told from now can begin with this word, in any case.
pub(crate) fn is_beginning(word: &str) -> bool {
    KNOWN.get_in_any_case(word.as_bytes()) != 0
}

const MONTH: u32 = 1;
const WEEKDAY: u32 = 2;
const RELATIVE: u32 = 4;

static KNOWN: Lookup =
    Lookup::new().with(MONTHS, MONTH).with(WEEKDAYS, WEEKDAY).with(RELATIVE_BEGINNINGS, RELATIVE);

/// The names of months, whole and shortened, in lower case.
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    // English
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov",
    "dec",
    // German
    "januar", "jänner", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember", "mär", "mrz",
    "okt", "dez",
    // French
    "janvier", "février", "mars", "avril", "juin", "juillet", "août", "septembre", "octobre", "novembre",
    "décembre", "janv", "févr", "avr", "juil", "déc",
    // Spanish
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
    "noviembre", "diciembre", "ene", "abr", "dic",
    // Italian
    "gennaio", "febbraio", "aprile", "maggio", "giugno", "luglio", "settembre", "ottobre", "dicembre",
    "gen", "mag", "giu", "lug", "ott",
    // Portuguese
    "janeiro", "fevereiro", "março", "maio", "junho", "julho", "setembro", "outubro", "novembro",
    "dezembro", "fev", "out",
    // Dutch
    "januari", "februari", "maart", "mei", "augustus", "mrt",
];

/// The names of weekdays, in English also shortened, in lower case.
#[rustfmt::skip]
const WEEKDAYS: &[&str] = &[
    // English
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "tues",
    "wed", "thu", "thur", "thurs", "fri", "sat", "sun",
    // German
    "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag",
    // French
    "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
    // Spanish
    "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo",
    // Italian
    "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica",
    // Dutch
    "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag",
];

/// What a moment told from now begins with, unless with a number; see `relative`.
#[rustfmt::skip]
const RELATIVE_BEGINNINGS: &[&str] = &[
    "a", "an", "one", "in", "about", "over", "almost", "nearly", "around", "less", "just", "today",
    "yesterday", "tomorrow",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_month_has_a_number() {
        assert!(MONTHS.iter().all(|name| month_number(name).is_some()));
        let numbers = ["March", "märz", "juin", "juillet", "Maggio", "Out", "market"].map(month_number);
        assert_eq!(numbers, [Some(3), Some(3), Some(6), Some(7), Some(5), Some(10), None]);
    }

    #[test]
    fn every_name_is_known_in_any_case() {
        for (names, known) in [(MONTHS, is_month as fn(&str) -> bool), (WEEKDAYS, is_weekday)] {
            for name in names {
                assert!(known(name) && known(&name.to_ascii_uppercase()), "{name}");
                assert!(!known(&format!("{name}x")) && !known(&format!("é{name}")), "{name}");
            }
        }
        assert!(!is_month("") && !is_weekday(&"a".repeat(40)));
    }
}
