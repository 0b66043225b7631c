//! From several answers to the same steps to the masks of their page.

use restage_html::Tokens;

use super::apply::apply;
use super::mask::{Mask, Masks};
use super::number::leveled;
use super::pairing::{Finding, What, pair};
use super::today::says_day_of;
use super::tree::Tree;
use super::values::pattern::{Pattern, date_at};
use super::widen::Widened;
use crate::noise::values::atoms::Class;

/// Masks are learnt, tried, and widened where they do not do; so often at most.
const ROUNDS: usize = 4;

/// Answers to one step by the same version: the first, and others.
pub(crate) type Answers = Vec<Tokens>;

/// Learns what varies on a page.
#[derive(Debug, Default)]
pub(crate) struct Learner {
    /// When the answers were given, in seconds since 1970, where all are of one day: dates that say that day are known to
    /// vary, though they were not seen to.
    pub(crate) one_day: Option<i64>,
    /// Whether all items of a list tie where some do: too little was seen to tell which.
    pub(crate) ties_all: bool,
}

impl Learner {
    /// The masks under which the answers to each step are the same, as far as masks can do that.
    pub(crate) fn masks(&self, steps: &[Answers]) -> Vec<Mask> {
        let mut widened = Widened::new(self.ties_all);
        for answers in steps {
            let Some((first, others)) = answers.split_first() else { continue };
            let tree = Tree::of(first);
            if let Some(moment) = self.one_day {
                dated(&tree, moment).into_iter().for_each(|finding| widened.add(finding));
            }
            for other in others {
                pair(&tree, &Tree::of(other)).into_iter().flatten().for_each(|finding| widened.add(finding));
            }
        }
        for round in 1..ROUNDS {
            let masks = widened.masks();
            let left = left_over(&masks, steps);
            if left.is_empty() {
                break;
            }
            // Removed and reordered elements count otherwise than in the page as it came, and what is in them is not
            // what came.
            let structural = masks.iter().any(|m| m.part.is_structural());
            for mut finding in left {
                match &mut finding.what {
                    What::Attribute { like, .. } | What::Text { like } if round > 1 => {
                        *like = Pattern::whole()
                    }
                    What::Attribute { .. } | What::Text { .. } => {}
                    _ if structural => continue,
                    _ => {}
                }
                if structural {
                    finding.path.iter_mut().for_each(|level| level.nth = None);
                }
                widened.add(finding);
            }
        }
        widened.masks()
    }
}

/// What still differs with the masks on.
fn left_over(masks: &[Mask], steps: &[Answers]) -> Vec<Finding> {
    let masks = Masks::of(masks);
    let mut left = Vec::new();
    for answers in steps {
        let Some((first, others)) = answers.split_first() else { continue };
        let (masked, _) = apply(first, &masks);
        for other in others {
            let (other, _) = apply(other, &masks);
            let (first, other) = leveled(&masked, &other, &masks).unwrap_or_else(|| (masked.clone(), other));
            if other != first && other.source() != first.source() {
                left.extend(pair(&Tree::of(&first), &Tree::of(&other)).into_iter().flatten());
            }
        }
    }
    left
}

/// The dates in the page's texts that say the day of a moment.
fn dated(tree: &Tree<'_>, moment: i64) -> Vec<Finding> {
    let any = Pattern::bare(Class::Date);
    let mut out = Vec::new();
    for node in 1..tree.nodes.len() {
        for child in &tree.nodes[node].children {
            if let super::tree::Child::Text(at) = child
                && let Some(restage_html::Token::Text(text)) = tree.tokens.get(*at)
            {
                let text = String::from_utf8_lossy(text);
                let of_day: Vec<_> =
                    any.find(&text).into_iter().filter(|at| says_day_of(&text[at.clone()], moment)).collect();
                for at in &of_day {
                    out.push(Finding {
                        path: tree.path(node),
                        what: What::Text { like: date_at(&text, at) },
                        seen: vec![text[at.clone()].to_owned()],
                        parts: of_day.len(),
                        within: Vec::new(),
                    });
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::apply::masked_source;

    fn learnt(steps: &[&[&str]]) -> Vec<Mask> {
        let steps: Vec<Answers> =
            steps.iter().map(|s| s.iter().map(|html| Tokens::of(html.as_bytes())).collect()).collect();
        Learner::default().masks(&steps)
    }

    fn said(masks: &[Mask]) -> Vec<String> {
        masks.iter().map(Mask::to_string).collect()
    }

    /// Masks learnt of some answers hide no more than they must: these differ still, or do not.
    fn differ(masks: &[Mask], a: &str, b: &str) -> bool {
        let masks = &Masks::of(masks);
        let [a, b] = [a, b].map(|html| apply(&Tokens::of(html.as_bytes()), masks).0);
        let (a, b) = leveled(&a, &b, masks).unwrap_or((a, b));
        a.source() != b.source()
    }

    #[test]
    fn a_token_is_masked_and_the_field_beside_it_is_not() {
        let page = |token: &str, quantity: u32| {
            format!(
                "<form action=/buy><input type=hidden name=csrf value={token}><input name=q value={quantity}></form>"
            )
        };
        let masks = learnt(&[&[&page("a8f3", 1), &page("77bc", 1)]]);
        assert_eq!(said(&masks), [r#"value of input[name="csrf"], where it is like `{token}`"#]);
        assert!(!differ(&masks, &page("zz9", 1), &page("000", 1)));
        assert!(differ(&masks, &page("zz9", 1), &page("zz9", 2)));
    }

    /// Catches: where all runs are of one day, every date of a page is masked.
    #[test]
    fn of_one_day_only_the_dates_that_say_the_day_are_known_to_vary() {
        let page = |today: &str, born: &str, hours: &str| {
            format!("<p>Today is {today}<p>Born {born}<p>Hours: {hours}<p>Since 09:15")
        };
        let answers = vec![Tokens::of(page("15 November 2026", "2001-02-03", "2:30").as_bytes())];
        let learner = Learner { one_day: Some(1_794_738_605), ..Learner::default() };
        let masks = learner.masks(&[answers]);
        assert_eq!(said(&masks), ["text of p:nth(1), where it is like `is {date}`"]);
        assert!(!differ(&masks, &page("1 May 2027", "x", "y"), &page("2 May 2027", "x", "y")));
    }

    #[test]
    fn a_time_in_a_sentence_is_masked_and_the_total_beside_it_is_not() {
        let page = |time: &str, total: &str| {
            format!("<div class=sum><p>as of {time} you owe {total}</p><p>Bye</p></div>")
        };
        let masks = learnt(&[&[&page("10:31", "$12"), &page("10:32", "$12")]]);
        assert!(!differ(&masks, &page("11:00", "$12"), &page("12:59", "$12")));
        assert!(differ(&masks, &page("11:00", "$12"), &page("11:00", "$13")));
        assert!(said(&masks)[0].starts_with("text of div.sum > p:nth(1)"), "{:?}", said(&masks));
    }

    #[test]
    fn a_date_that_is_written_otherwise_is_not_taken_for_another_day() {
        let page = |date: &str| format!("<footer><p>Today is {date}.</p></footer>");
        let masks = learnt(&[&[&page("Monday, 16 November 2026"), &page("Tuesday, 17 November 2026")]]);
        assert!(!differ(&masks, &page("Monday, 16 November 2026"), &page("Saturday, 1 May 2027")));
        assert!(differ(&masks, &page("Monday, 16 November 2026"), &page("5/1/2027")));
        // A page that writes dates in several forms by itself may go on doing so.
        let forms = ["16 November 2026", "2026-11-17", "18 November 2026"].map(page);
        let masks = learnt(&[&[&forms[0], &forms[1], &forms[2]]]);
        assert!(!differ(&masks, &page("1 May 2027"), &page("5/1/2027")));
    }

    #[test]
    fn a_random_choice_is_masked_in_all_its_places_and_nowhere_else() {
        let page = |books: [u32; 3], price: &str| {
            let items: Vec<String> =
                books.iter().map(|b| format!("<li><a href=/book/{b}>Title {b}</a></li>")).collect();
            format!(
                "<ul class=also>{}</ul><ul class=best><li><a href=/book/1>{price}</a></li></ul>",
                items.concat()
            )
        };
        let masks = learnt(&[&[&page([4, 5, 6], "a"), &page([7, 8, 6], "a"), &page([9, 4, 1], "a")]]);
        assert!(!differ(&masks, &page([1, 2, 3], "a"), &page([7, 9, 11], "a")));
        assert!(differ(&masks, &page([1, 2, 3], "a"), &page([1, 2, 3], "b")));
    }

    #[test]
    fn ties_may_change_places_and_others_may_not() {
        let page = |order: &[u32]| {
            let items: Vec<String> =
                order.iter().map(|b| format!("<li><a href=/book/{b}>Title {b}</a></li>")).collect();
            format!("<ol class=best>{}</ol>", items.concat())
        };
        let masks = learnt(&[&[&page(&[1, 2, 3, 4]), &page(&[2, 1, 3, 4]), &page(&[1, 3, 2, 4])]]);
        assert_eq!(said(&masks), ["order of ol.best > li among those that tie"]);
        assert!(!differ(&masks, &page(&[1, 2, 3, 4]), &page(&[3, 2, 1, 4])), "ties carry over");
        assert!(differ(&masks, &page(&[1, 2, 3, 4]), &page(&[4, 1, 2, 3])), "one that does not tie is last");
        assert!(differ(&masks, &page(&[1, 2, 3, 4]), &page(&[1, 2, 3])), "none may be missing");
    }

    /// Catches: a link whose token is new each time is taken for another item, and its text is looked at no more.
    #[test]
    fn a_token_in_a_list_of_links() {
        let page = |token: &str, text: &str| {
            format!(
                "<ul class=tools><li><a href=/a>Home</a></li><li><a href='/out?tok={token}'>{text}</a></li></ul>"
            )
        };
        let (one, other) = ("0f3c77aa91b2c3d4", "88bc01d2e3f4a5b6");
        let masks = learnt(&[&[&page(one, "Log out"), &page(other, "Log out")]]);
        assert_eq!(said(&masks), ["href of ul.tools > li > a, where it is like `tok={token}`"]);
        assert!(differ(&masks, &page(one, "Log out"), &page(other, "Log off")));
        let short = learnt(&[&[&page("267c7c1e0e", "Log out"), &page("a440f7fef0", "Log out")]]);
        assert_eq!(said(&short), said(&masks));
    }

    #[test]
    fn a_list_that_ends_among_equals() {
        let page = |order: &[u32]| {
            let items: Vec<String> =
                order.iter().map(|b| format!("<li><a href=/book/{b}>Title {b}</a></li>")).collect();
            format!("<ol class=best>{}</ol>", items.concat())
        };
        let masks = learnt(&[&[&page(&[1, 2, 3, 4]), &page(&[1, 2, 3, 5]), &page(&[1, 2, 3, 6])]]);
        assert!(!differ(&masks, &page(&[1, 2, 3, 5]), &page(&[1, 2, 3, 6])));
        assert!(differ(&masks, &page(&[1, 2, 3, 5]), &page(&[1, 2, 5])));
        assert!(differ(&masks, &page(&[1, 2, 3, 5]), &page(&[2, 1, 3, 5])));
    }

    #[test]
    fn the_number_of_alike_items_may_vary() {
        let page = |items: &[&str], total: &str| {
            let items: Vec<String> = items.iter().map(|i| format!("<li>{i}</li>")).collect();
            format!("<ul class=log>{}</ul><p>{total}</p>", items.concat())
        };
        let masks = learnt(&[&[&page(&["GET a 1 ms", "GET b 2 ms"], "x"), &page(&["GET a 3 ms"], "x")]]);
        assert_eq!(
            said(&masks),
            ["number of ul.log > li", "text of ul.log > li, where it is like `a {number} ms`"]
        );
        assert!(!differ(&masks, &page(&["GET a 1 ms"; 4], "x"), &page(&["GET a 9 ms"], "x")));
        assert!(differ(&masks, &page(&["GET a 1 ms"; 4], "x"), &page(&["GET a 9 ms"], "y")));
    }

    /// Catches: a list that is longer in one run is not looked at any more.
    #[test]
    fn rows_that_come_and_go_mask_their_number_and_not_their_cells() {
        let page = |rows: &[(&str, u32)]| {
            let rows: Vec<String> = rows
                .iter()
                .map(|(name, total)| format!("<tr><td><a href=/o/{name}>{name}</a><td>{total}</tr>"))
                .collect();
            format!("<table>{}</table>", rows.concat())
        };
        let masks = learnt(&[&[
            &page(&[("ann", 10), ("bob", 20), ("eve", 30)]),
            &page(&[("ann", 10), ("bob", 20)]),
            &page(&[("zoe", 1), ("ann", 10), ("bob", 20), ("eve", 30)]),
        ]]);
        assert_eq!(said(&masks), ["number of table > tr"]);
        let was = page(&[("ann", 10), ("bob", 20), ("eve", 30)]);
        assert!(!differ(&masks, &was, &page(&[("bob", 20)])));
        assert!(!differ(&masks, &was, &page(&[("kim", 5), ("ann", 10), ("bob", 20), ("eve", 30)])));
        assert!(differ(&masks, &was, &page(&[("kim", 5), ("ann", 10), ("bob", 21), ("eve", 30)])));
        assert!(differ(&masks, &was, &page(&[("ann", 11), ("bob", 20)])));
        assert!(
            differ(&masks, &was, &page(&[("ann", 10), ("bob", 20), ("tom", 30)])),
            "another in its place"
        );
    }

    #[test]
    fn a_text_without_elements() {
        let masks = learnt(&[&["saved at 10:31, 3 words", "saved at 11:07, 3 words"]]);
        assert!(said(&masks)[0].starts_with("text of :root"), "{:?}", said(&masks));
        assert!(!differ(&masks, "saved at 1:00, 3 words", "saved at 2:00, 3 words"));
        assert!(differ(&masks, "saved at 1:00, 3 words", "saved at 1:00, 4 words"));
    }

    #[test]
    fn a_banner_that_comes_and_goes() {
        let page = |banner: &str| format!("<main><div class=flash>{banner}</div><p>Total 12</p></main>");
        let without = "<main><p>Total 12</p></main>";
        let masks = learnt(&[&[&page("Hello"), without]]);
        assert_eq!(said(&masks), ["presence of main > div.flash"]);
        assert!(!differ(&masks, &page("Welcome"), without));
        assert!(differ(&masks, without, "<main><p>Total 13</p></main>"));
    }

    proptest::proptest! {
        /// Whatever a page is, masks learnt of it keep every token but those of the parts that vary: applied to a
        /// page on which nothing varied, none are learnt and nothing changes.
        #[test]
        fn nothing_is_learnt_of_equal_answers(html in "(<(p|li|ul|a href=x|b)>|</(p|ul|li)>|[a-z ]{1,5}){0,30}") {
            let masks = learnt(&[&[&html, &html]]);
            proptest::prop_assert!(masks.is_empty());
            let tokens = Tokens::of(html.as_bytes());
            proptest::prop_assert_eq!(masked_source(&html, &masks).into_bytes(), tokens.source());
        }
    }
}
