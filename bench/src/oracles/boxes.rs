//! Box plots as SVG: readable on light and on dark ground, without a plotting library.

use std::fmt;

use super::spread::Spread;

/// One chart of groups side by side.
#[derive(Clone, Debug)]
pub struct BoxPlot {
    /// What it shows.
    pub title: String,
    /// What is measured upwards, from 0.
    pub axis: String,
    /// What the uppermost line stands for.
    pub top: f64,
    /// How wide a group is.
    pub group_width: f64,
    /// What stands along the ground.
    pub ground: String,
    /// The names of the boxes in each group.
    pub series: Vec<String>,
    /// The groups, from left to right.
    pub groups: Vec<Group>,
}

/// The boxes over one name.
#[derive(Clone, Debug)]
pub struct Group {
    /// The name below them.
    pub name: String,
    /// One a series; none where there are no figures.
    pub boxes: Vec<Option<Spread>>,
}

const LEFT: f64 = 64.0;
const TOP: f64 = 60.0;
const HEIGHT: f64 = 300.0;
const BELOW: f64 = 112.0;

/// A group of two boxes.
pub(super) const PAIR_WIDTH: f64 = 42.0;

/// `f0` to `f3` fill the boxes of the series.
const STYLE: &str = "\
.bg{fill:#ffffff}text{fill:#1f2328;font:13px system-ui,sans-serif}.title{font-weight:600;font-size:15px}\
.grid{stroke:#d1d9e0}.line{stroke:#1f2328;fill:none}.box{stroke:#1f2328}.median{stroke:#1f2328;stroke-width:2.5}\
.f0{fill:#c9d7ea}.f1{fill:#5b7fb5}.f2{fill:#e3b76b}.f3{fill:#b5763b}\
@media(prefers-color-scheme:dark){.bg{fill:#0d1117}text{fill:#e6edf3}.grid{stroke:#30363d}.line{stroke:#e6edf3}\
.box{stroke:#e6edf3}.median{stroke:#ffffff}.f0{fill:#7d8ea8}.f1{fill:#2f5a9e}.f2{fill:#a67c2e}.f3{fill:#7a4a1c}}";

impl fmt::Display for BoxPlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) =
            (LEFT + self.group_width * self.groups.len() as f64 + 16.0, TOP + HEIGHT + BELOW);
        let (right, bottom) = (width - 16.0, TOP + HEIGHT);
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{}</title>\n<style>{STYLE}</style>\n<rect class=\"bg\" width=\"{width}\" height=\"{height}\"/>",
            escaped(&self.title)
        )?;
        text(f, "class=\"title\"", LEFT, 22.0, &self.title)?;
        for (at, series) in self.series.iter().enumerate().filter(|_| self.series.len() > 1) {
            let x = LEFT + 110.0 * at as f64;
            writeln!(f, "<rect class=\"box f{at}\" x=\"{x}\" y=\"34\" width=\"14\" height=\"14\"/>")?;
            text(f, "", x + 20.0, 46.0, series)?;
        }
        let marks = "box: quartiles · bar: median · +: mean · o: beyond 1.5 of the box";
        text(f, "text-anchor=\"end\"", right, 46.0, marks)?;
        for tenth in (0..=10).step_by(2) {
            let share = f64::from(tenth) / 10.0;
            let (value, y) = (share * self.top, up(share));
            line(f, "grid", [LEFT, y, right, y])?;
            let decimals = usize::from(self.top <= 1.0);
            text(f, "text-anchor=\"end\"", LEFT - 8.0, y + 4.0, &format!("{value:.decimals$}"))?;
        }
        let middle = TOP + HEIGHT / 2.0;
        let turned = format!("text-anchor=\"middle\" transform=\"rotate(-90 18 {middle})\"");
        text(f, &turned, 18.0, middle, &self.axis)?;
        text(f, "text-anchor=\"middle\"", f64::midpoint(LEFT, right), height - 10.0, &self.ground)?;
        for (at, group) in self.groups.iter().enumerate() {
            let x = LEFT + self.group_width * (at as f64 + 0.5);
            let turned = format!("text-anchor=\"end\" transform=\"rotate(-50 {x} {})\"", bottom + 16.0);
            text(f, &turned, x + 4.0, bottom + 16.0, &group.name)?;
            let room = (self.group_width - 10.0) / group.boxes.len().max(1) as f64;
            for (series, spread) in group.boxes.iter().enumerate() {
                let left = x - (self.group_width - 10.0) / 2.0 + room * series as f64;
                if let Some(spread) = spread {
                    draw(f, &spread.scaled(1.0 / self.top), series, left + 1.0, room - 2.0)?;
                }
            }
        }
        writeln!(f, "</svg>")
    }
}

/// The box, the median, the whiskers, `+` for the mean and `o` for outliers.
fn draw(f: &mut fmt::Formatter<'_>, spread: &Spread, series: usize, x: f64, width: f64) -> fmt::Result {
    let [lower, median, upper] = spread.quartiles.map(up);
    let [low, high] = spread.whiskers.map(up);
    let (middle, right) = (x + width / 2.0, x + width);
    line(f, "line", [middle, lower, middle, low])?;
    line(f, "line", [middle, upper, middle, high])?;
    for end in [low, high] {
        line(f, "line", [middle - 3.0, end, middle + 3.0, end])?;
    }
    let height = lower - upper;
    writeln!(
        f,
        "<rect class=\"box f{series}\" x=\"{x:.1}\" y=\"{upper:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
    )?;
    line(f, "median", [x, median, right, median])?;
    let mean = up(spread.mean);
    line(f, "line", [middle - 3.5, mean, middle + 3.5, mean])?;
    line(f, "line", [middle, mean - 3.5, middle, mean + 3.5])?;
    for outlier in spread.outliers.iter().map(|&value| up(value)) {
        writeln!(f, "<circle class=\"line\" cx=\"{middle:.1}\" cy=\"{outlier:.1}\" r=\"2.2\"/>")?;
    }
    Ok(())
}

/// How far down a share of 1 stands.
fn up(share: f64) -> f64 {
    TOP + HEIGHT * (1.0 - share)
}

fn line(f: &mut fmt::Formatter<'_>, class: &str, [x1, y1, x2, y2]: [f64; 4]) -> fmt::Result {
    writeln!(f, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>")
}

fn text(f: &mut fmt::Formatter<'_>, how: &str, x: f64, y: f64, words: &str) -> fmt::Result {
    writeln!(f, "<text {how} x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(words))
}

fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a chart that stands on its head, a box that is left out, and names that break the markup.
    #[test]
    fn a_chart_has_every_box_and_name() {
        let chart = BoxPlot {
            title: "A & B <C>".to_owned(),
            axis: "share".to_owned(),
            top: 1.0,
            group_width: PAIR_WIDTH,
            ground: "who".to_owned(),
            series: vec!["precision".to_owned(), "recall".to_owned()],
            groups: vec![Group { name: "N+I".to_owned(), boxes: vec![Spread::of([0.2, 0.4]), None] }],
        };
        let svg = chart.to_string();
        assert!(svg.contains("A &amp; B &lt;C&gt;") && svg.contains(">N+I<") && svg.contains(">recall<"));
        // The box, and one a series in the legend.
        assert_eq!(svg.matches("class=\"box").count(), 3);
        assert!(up(1.0) < up(0.0));
    }
}
