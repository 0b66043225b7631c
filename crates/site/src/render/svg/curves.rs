//! The lines of the scene, as curves.

use crate::render::svg::scene::{Direction, End, Scene, Stretch};

/// On its right side, lines leave a node so far above its middle, and arrive so far below it; on its left, the other way round.
const PORT: f64 = 4.5;

impl Scene<'_> {
    /// The right edge of an end, and its middle.
    pub(crate) fn port(&self, end: End, shift: f64) -> (f64, f64) {
        match end {
            End::Node(node) => (self.nodes[node].right(), self.nodes[node].middle() + shift),
            End::Frame(block) => (self.frames[block].right(), self.frames[block].middle() + shift),
            End::Bend(bend) => (self.column(End::Bend(bend)).1, self.bends[bend].1),
        }
    }

    /// The left and the right edge of the column of an end.
    fn column(&self, end: End) -> (f64, f64) {
        let column = self.columns[self.layer(end)];
        (column.x, column.x + column.width)
    }

    /// The curve of a stretch, as SVG writes it.
    pub(crate) fn curve(&self, stretch: &Stretch) -> String {
        let (from, to) = (stretch.from, stretch.to);
        let left_of = |end: End, shift: f64| match end {
            End::Node(node) => (self.nodes[node].x, self.nodes[node].middle() + shift),
            End::Frame(block) => (self.frames[block].x, self.frames[block].middle() + shift),
            End::Bend(bend) => (self.column(end).0, self.bends[bend].1),
        };
        match stretch.direction {
            Direction::Forward => {
                let ((x1, y1), (x2, y2)) = (self.port(from, -PORT), left_of(to, -PORT));
                let edge = self.column(from).1;
                let bow = (x2 - edge) / 2.0;
                format!(
                    "M{x1:.1} {y1:.1}H{edge:.1}C{:.1} {y1:.1} {:.1} {y2:.1} {x2:.1} {y2:.1}",
                    edge + bow,
                    x2 - bow
                )
            }
            Direction::Back => {
                // A line that passes a layer goes straight through it first.
                let pass = matches!(from, End::Bend(_));
                let (x1, y1) = left_of(from, PORT);
                let start = if pass { self.column(from).1 } else { x1 };
                let ((x2, y2), edge) = (self.port(to, PORT), self.column(to).1);
                let bow = (x1 - edge) / 2.0;
                format!(
                    "M{start:.1} {y1:.1}{}C{:.1} {y1:.1} {:.1} {y2:.1} {edge:.1} {y2:.1}{}",
                    if pass { format!("H{x1:.1}") } else { String::new() },
                    x1 - bow,
                    edge + bow,
                    straight(edge, x2)
                )
            }
            Direction::Beside => {
                let ((x1, y1), (x2, y2)) = (self.port(from, -PORT), self.port(to, PORT));
                let edge = self.column(from).1;
                let channel = self.columns[self.layer(from)].channel;
                let bow = edge + (16.0 + (y2 - y1).abs() * 0.2).min(channel * 0.9);
                format!(
                    "M{x1:.1} {y1:.1}H{edge:.1}C{bow:.1} {y1:.1} {bow:.1} {y2:.1} {edge:.1} {y2:.1}{}",
                    straight(edge, x2)
                )
            }
        }
    }
}

/// From a column's edge to what stands in it. A line of no length would turn its head into any direction.
fn straight(edge: f64, end: f64) -> String {
    if (edge - end).abs() < 0.5 { String::new() } else { format!("H{end:.1}") }
}
