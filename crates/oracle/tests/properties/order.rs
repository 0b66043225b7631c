//! The comparators' partial order: a difference that a comparator sees is seen by all that see more. It holds for
//! the 22, and for all that a tester may define.

use proptest::prelude::*;
use restage_model::Headers;
use restage_oracle::{
    Comparator, Definition, Document, Features, FormDetail, TagDetail, TextDetail, compare,
};

use crate::pages::{document, pages};

/// A comparator of one's own: any that makes sense.
fn own() -> impl Strategy<Value = Comparator> {
    use FormDetail::{Offered, Selected};
    use TagDetail::{All, Important, Names};
    use TextDetail::{Exact, Words, WordsWithoutDates};
    let text = prop::sample::select(vec![TextDetail::Nothing, WordsWithoutDates, Words, Exact]);
    let tags = prop::sample::select(vec![TagDetail::Nothing, Names, Important, All]);
    let forms = prop::sample::select(vec![FormDetail::Nothing, Offered, Selected]);
    let said = || prop::option::of(any::<bool>());
    (text, tags, (said(), said(), said()), any::<bool>(), forms, any::<bool>()).prop_map(
        |(text, tags, (closing, style, layout), links, forms, in_place)| {
            let tagged = tags > TagDetail::Nothing;
            let definition = Definition {
                text,
                tags,
                closing: closing.filter(|_| tagged),
                style: style.filter(|_| tagged),
                layout: layout.filter(|_| tagged),
                links: links && tags < Important,
                forms: if tags < Important { forms } else { FormDetail::Nothing },
                in_place: in_place && tagged && text > TextDetail::Nothing,
            };
            let features = definition.features().unwrap_or(Features::text(Words));
            Comparator::own(&format!("{features:?}"), features)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_a_comparator_sees_those_above_see((a, b) in pages()) {
        let (a, b) = (document(&a), document(&b));
        for lower in Comparator::ALL {
            for upper in Comparator::ALL.iter().filter(|u| lower.is_below(u)) {
                prop_assert!(!lower.differs(&a, &b) || upper.differs(&a, &b), "{lower} differs, {upper} does not");
            }
        }
    }

    #[test]
    fn reflexive_symmetric_and_in_words((a, b) in pages()) {
        let (a, b) = (document(&a), document(&b));
        for comparator in Comparator::ALL {
            prop_assert!(!comparator.differs(&a, &a));
            prop_assert_eq!(comparator.differs(&a, &b), comparator.differs(&b, &a));
            prop_assert_eq!(comparator.differs(&a, &b), !compare(comparator, &a, &b).is_empty());
        }
    }

    #[test]
    fn ones_own_are_in_the_order((a, b) in pages(), mine in prop::collection::vec(own(), 6)) {
        let (a, b) = (document(&a), document(&b));
        let all: Vec<&Comparator> = Comparator::ALL.iter().chain(&mine).collect();
        for lower in &all {
            let differs = lower.differs(&a, &b);
            prop_assert_eq!(differs, lower.differs(&b, &a));
            prop_assert_eq!(differs, !compare(lower, &a, &b).is_empty());
            for upper in all.iter().filter(|u| lower.features().is_within(u.features())) {
                prop_assert!(!differs || upper.differs(&a, &b), "{lower} differs, {upper} does not");
            }
        }
    }

    #[test]
    fn any_bytes_are_compared(
        a in prop::collection::vec(any::<u8>(), 0..60),
        b in prop::collection::vec(any::<u8>(), 0..60),
        kinds in (0..3usize, 0..3usize),
        mine in own(),
    ) {
        let kind = |at: usize| [Some("text/html"), Some("text/plain"), None][at];
        let headers = |at: usize| -> Headers {
            kind(at).map(|k| ("content-type".to_owned(), k.to_owned())).into_iter().collect()
        };
        let (a, b) = (Document::of(&headers(kinds.0), &a), Document::of(&headers(kinds.1), &b));
        for comparator in Comparator::ALL.iter().chain([&mine]) {
            prop_assert_eq!(comparator.differs(&a, &b), !compare(comparator, &a, &b).is_empty());
        }
    }
}
