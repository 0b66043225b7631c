//! Figure 4: how coverage and faults spread over the starting suites, as one SVG.

use super::{RegeneratedSubject, StartingSuite, Technique};
use crate::{BoxPlot, Group, Spread};

/// How high one chart is, with what stands below it.
const HEIGHT: f64 = 472.0;
/// How wide the boxes of a subject are together.
const GROUP: f64 = 150.0;

/// The box plots of coverage, and below them those of faults.
pub fn regeneration_figures(subjects: &[RegeneratedSubject]) -> String {
    let charts = [
        chart(
            subjects,
            "More covered, in percent of what the starting suite covers",
            "coverage gained, %",
            StartingSuite::coverage_gain,
        ),
        chart(
            subjects,
            "More faults, in percent of those that the starting suite shows",
            "faults gained, %",
            StartingSuite::fault_gain,
        ),
    ];
    let width = 96.0 + GROUP * subjects.len().max(3) as f64;
    let height = HEIGHT * charts.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n"
    );
    for (at, chart) in charts.iter().enumerate() {
        svg.push_str(&format!("<g transform=\"translate(0 {})\">\n{chart}</g>\n", HEIGHT * at as f64));
    }
    svg.push_str("</svg>\n");
    svg
}

fn chart(
    subjects: &[RegeneratedSubject],
    title: &str,
    axis: &str,
    gain: fn(&StartingSuite, Technique) -> Option<f64>,
) -> BoxPlot {
    let spread = |subject: &RegeneratedSubject, technique| {
        Spread::of(subject.suites.iter().filter_map(|suite| gain(suite, technique)))
    };
    let all = subjects.iter().flat_map(|subject| &subject.suites);
    let highest = all
        .flat_map(|suite| Technique::COMPARED.map(|technique| gain(suite, technique).unwrap_or(0.0)))
        .fold(0.0, f64::max);
    BoxPlot {
        title: title.to_owned(),
        axis: axis.to_owned(),
        top: round_up(highest),
        group_width: GROUP,
        ground: String::new(),
        series: Technique::COMPARED.map(|technique| technique.name().to_owned()).into(),
        groups: subjects
            .iter()
            .map(|subject| Group {
                name: subject.name.clone(),
                boxes: Technique::COMPARED.map(|technique| spread(subject, technique)).into(),
            })
            .collect(),
    }
}

/// To tens, so that the lines across stand for whole numbers.
fn round_up(highest: f64) -> f64 {
    ((highest / 10.0).ceil() * 10.0).max(10.0)
}
