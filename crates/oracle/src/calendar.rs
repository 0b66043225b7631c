//! The names of months and weekdays, in the languages that pages most often print them in: English, German,
//! French, Spanish, Italian, Portuguese and Dutch.

/// Longer than any name.
const LONGEST: usize = 14;

/// Whether a word is the name of a month, whole or shortened, in any case.
pub(crate) fn is_month(word: &str) -> bool {
    with_lower_case(word, |word| {
        matches!(
            word,
            // English
            "january" | "february" | "march" | "april" | "may" | "june" | "july" | "august" | "september"
                | "october" | "november" | "december" | "jan" | "feb" | "mar" | "apr" | "jun" | "jul" | "aug"
                | "sep" | "sept" | "oct" | "nov" | "dec"
                // German
                | "januar" | "jänner" | "februar" | "märz" | "mai" | "juni" | "juli" | "oktober" | "dezember"
                | "mär" | "mrz" | "okt" | "dez"
                // French
                | "janvier" | "février" | "mars" | "avril" | "juin" | "juillet" | "août" | "septembre" | "octobre"
                | "novembre" | "décembre" | "janv" | "févr" | "avr" | "juil" | "déc"
                // Spanish
                | "enero" | "febrero" | "marzo" | "abril" | "mayo" | "junio" | "julio" | "agosto" | "septiembre"
                | "octubre" | "noviembre" | "diciembre" | "ene" | "abr" | "dic"
                // Italian
                | "gennaio" | "febbraio" | "aprile" | "maggio" | "giugno" | "luglio" | "settembre" | "ottobre"
                | "dicembre" | "gen" | "mag" | "giu" | "lug" | "ott"
                // Portuguese
                | "janeiro" | "fevereiro" | "março" | "maio" | "junho" | "julho" | "setembro" | "outubro"
                | "novembro" | "dezembro" | "fev" | "out"
                // Dutch
                | "januari" | "februari" | "maart" | "mei" | "augustus" | "mrt"
        )
    })
}

/// Whether a word is the name of a weekday, in English also shortened, in any case.
pub(crate) fn is_weekday(word: &str) -> bool {
    with_lower_case(word, |word| {
        matches!(
            word,
            "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" | "mon" | "tue"
                | "tues" | "wed" | "thu" | "thur" | "thurs" | "fri" | "sat" | "sun"
                // German
                | "montag" | "dienstag" | "mittwoch" | "donnerstag" | "freitag" | "samstag" | "sonnabend"
                | "sonntag"
                // French
                | "lundi" | "mardi" | "mercredi" | "jeudi" | "vendredi" | "samedi" | "dimanche"
                // Spanish
                | "lunes" | "martes" | "miércoles" | "jueves" | "viernes" | "sábado" | "domingo"
                // Italian
                | "lunedì" | "martedì" | "mercoledì" | "giovedì" | "venerdì" | "sabato" | "domenica"
                // Dutch
                | "maandag" | "dinsdag" | "woensdag" | "donderdag" | "vrijdag" | "zaterdag" | "zondag"
        )
    })
}

/// Asks of a word in lower case, without memory of its own: this is asked of every word of every page.
fn with_lower_case(word: &str, asked: impl FnOnce(&str) -> bool) -> bool {
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..word.len()) else { return false };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).is_ok_and(asked)
}
