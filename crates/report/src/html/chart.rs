//! Bars, drawn as inline SVG.
//!
//! Widths are percentages of the drawing, not of a fixed box, so that text keeps its size when the
//! window is narrow.

use maud::{Markup, html};

use crate::plain::{one_line, shortened};

/// More bars than this are no longer read.
const BARS: usize = 10;
const ROW: usize = 22;

/// A bar: how many of how many.
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) count: usize,
    pub(super) of: usize,
}

/// The longest bars of all, longest first.
pub(super) fn bars(title: &str, mut all: Vec<Bar>) -> Markup {
    all.retain(|bar| bar.count > 0);
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.label.cmp(&b.label)));
    let longest = all.first().map_or(1, |bar| bar.count);
    let left = all.len().saturating_sub(BARS);
    all.truncate(BARS);
    html! {
        figure style="margin:0" {
            h4 { (title) @if left > 0 { " (the first " (BARS) ", " (left) " more)" } }
            svg role="img" aria-label=(title) height=(all.len() * ROW) {
                @for (i, bar) in all.iter().enumerate() {
                    @let y = i * ROW;
                    g {
                        title { (one_line(&bar.label)) ": " (bar.count) " of " (bar.of) }
                        svg x="0" y=(y) width="44%" height=(ROW) {
                            text x="0" y="15" { (shortened(&one_line(&bar.label), 42)) }
                        }
                        rect .rail x="46%" y=(y + 5) width="38%" height="12" rx="2" {}
                        rect x="46%" y=(y + 5) width={ (width(bar.count, longest)) "%" } height="12" rx="2" {}
                        text .value x="86%" y=(y + 15) { (bar.count) " of " (bar.of) }
                    }
                }
            }
        }
    }
}

/// The longest bar is 38 % of the drawing.
fn width(count: usize, longest: usize) -> String {
    format!("{:.2}", 38.0 * count as f64 / longest.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_first_and_escaped() {
        let bar = |label: &str, count| Bar { label: label.to_owned(), count, of: 9 };
        let svg = bars("t", vec![bar("a", 1), bar("<b>", 4), bar("none", 0)]).into_string();
        let place = |text: &str| svg.find(text).unwrap_or_else(|| panic!("{text} in {svg}"));
        assert!(place("&lt;b&gt;: 4 of 9") < place("a: 1 of 9"));
        assert!(svg.contains("width=\"38.00%\"") && svg.contains("width=\"9.50%\""));
        assert!(!svg.contains("none: "));
    }
}
