//! Any two pages: what a comparator sees, all above it see, both ways round, and it says what. The input is two
//! pages with a line `====` between them; a page alone is compared with itself, a piece of it left out.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_fuzz::pair;
use restage_model::Headers;
use restage_oracle::{Comparator, Document, Oracle, compare};

fuzz_target!(|input: &[u8]| {
    let (expected, actual) = pair(input);
    let headers: Headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect();
    let (expected, actual) = (Document::of(&headers, &expected), Document::of(&headers, &actual));
    let mut failing = Vec::new();
    for comparator in Comparator::ALL {
        assert!(!comparator.differs(&expected, &expected), "{comparator} is not reflexive");
        let differs = comparator.differs(&expected, &actual);
        assert_eq!(differs, comparator.differs(&actual, &expected), "{comparator} is not symmetric");
        assert_eq!(differs, !compare(comparator, &expected, &actual).is_empty(), "{comparator} is silent");
        if differs {
            failing.push(comparator);
        }
    }
    for lower in &failing {
        for upper in Comparator::ALL.iter().filter(|upper| lower.is_below(upper)) {
            assert!(failing.contains(&upper), "{lower} sees a difference and {upper} does not");
        }
    }
    let all = Oracle::any(Comparator::ALL.iter().cloned().map(Oracle::One).collect());
    assert_eq!(all.judge(&expected, &actual).is_empty(), failing.is_empty());
});
