//! Oracle expressions are sets of failing pages: `|` is their union, `&` their intersection, `N of` counts.

use proptest::prelude::*;
use restage_oracle::{Comparator, Document, Oracle};

use crate::pages::{document, pages};

fn one() -> impl Strategy<Value = Oracle> {
    prop::sample::select(Comparator::ALL).prop_map(Oracle::One)
}

/// Any expression.
fn oracle() -> impl Strategy<Value = Oracle> {
    let leaf = prop_oneof![9 => one(), 1 => Just(Oracle::Nothing)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let parts = || prop::collection::vec(inner.clone(), 1..5);
        prop_oneof![
            parts().prop_map(Oracle::any),
            parts().prop_map(Oracle::all),
            (1usize..5, parts()).prop_map(|(n, parts)| Oracle::of(n.min(parts.len()), parts)),
        ]
    })
}

/// What an expression says, written from the paper's words; `seen` says whether a comparator sees a difference.
fn says(oracle: &Oracle, seen: &dyn Fn(&Comparator) -> bool) -> bool {
    let count = |parts: &[Oracle]| parts.iter().filter(|p| says(p, seen)).count();
    match oracle {
        Oracle::One(comparator) => seen(comparator),
        Oracle::Any(parts) => count(parts) > 0,
        Oracle::All(parts) => count(parts) == parts.len(),
        Oracle::Of(n, parts) => count(parts) >= *n,
        Oracle::Nothing => false,
    }
}

fn fails(text: &str, a: &Document<'_>, b: &Document<'_>) -> bool {
    text.parse::<Oracle>().unwrap().fails(a, b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_shown_is_read_back(oracle in oracle()) {
        prop_assert_eq!(oracle.to_string().parse::<Oracle>().unwrap(), oracle);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ 0-3ofCDNTWI|&(),+-]{0,20}") {
        if let Ok(oracle) = text.parse::<Oracle>() {
            prop_assert_eq!(oracle.to_string().parse::<Oracle>().unwrap(), oracle);
        }
    }

    #[test]
    fn expressions_behave_as_sets((a, b) in pages(), x in oracle(), y in oracle(), z in oracle()) {
        let (a, b) = (document(&a), document(&b));
        let [fx, fy, fz] = [&x, &y, &z].map(|o| o.fails(&a, &b));
        prop_assert_eq!(fails(&format!("({x}) | ({y})"), &a, &b), fx || fy);
        prop_assert_eq!(fails(&format!("({x}) & ({y})"), &a, &b), fx && fy);
        let count = [fx, fy, fz].into_iter().filter(|f| *f).count();
        for n in 1..=3 {
            prop_assert_eq!(fails(&format!("{n} of ({x}, {y}, {z})"), &a, &b), count >= n);
        }
        prop_assert_eq!(fx, says(&x, &|c| c.differs(&a, &b)));
        prop_assert_eq!(fx, !x.judge(&a, &b).is_empty());
    }

    /// Noise is what comparators see between two answers of one version. The oracle without it passes those two,
    /// and on any others fails only where the one asked for does, were the noise there again.
    #[test]
    fn without_noise_nothing_is_stricter((a, b) in pages(), (c, d) in pages(), oracle in oracle()) {
        let (a, b, c, d) = (document(&a), document(&b), document(&c), document(&d));
        let noisy: Vec<Comparator> = Comparator::ALL.iter().filter(|x| x.differs(&a, &b)).cloned().collect();
        let weaker = oracle.without(&noisy);
        prop_assert!(!weaker.fails(&a, &b), "{} sees the noise", weaker);
        let asked = says(&oracle, &|x| noisy.contains(x) || x.differs(&c, &d));
        prop_assert!(asked || !weaker.fails(&c, &d), "{} is stricter than {}", weaker, oracle);
    }
}
