//! A body in lines a person can read, so that a difference in it is a few lines and not all of it.
//!
//! Nothing but line breaks and indentation is put in: what is shown is what was received.

/// The lines of a page: also broken between a tag and the next, as many pages are a single line.
pub(crate) fn of_html(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        for (at, _) in line.match_indices('<') {
            if line[start..at].trim_end_matches([' ', '\t']).ends_with('>') {
                lines.push(&line[start..at]);
                start = at;
            }
        }
        lines.push(&line[start..]);
    }
    lines
}

/// JSON with a value a line. It is cut at its own punctuation and not parsed, since a number or an order
/// that a parser would even out can be the difference.
pub(crate) fn of_json(text: &str) -> Vec<String> {
    if text.trim().contains('\n') {
        return text.lines().map(str::to_owned).collect();
    }
    let mut lines = Vec::new();
    let mut line = String::new();
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for c in text.trim().chars() {
        if quoted {
            line.push(c);
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '"' => {
                quoted = true;
                line.push(c);
            }
            '{' | '[' => {
                line.push(c);
                depth += 1;
                next_line(&mut lines, &mut line, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                next_line(&mut lines, &mut line, depth);
                line.push(c);
            }
            ',' => {
                line.push(c);
                next_line(&mut lines, &mut line, depth);
            }
            ' ' | '\t' if line.trim().is_empty() => {}
            _ => line.push(c),
        }
    }
    next_line(&mut lines, &mut line, 0);
    lines
}

fn next_line(lines: &mut Vec<String>, line: &mut String, depth: usize) {
    // Deep nesting is not worth a screen's width of spaces, nor a hostile body's megabytes of them.
    let indent = "  ".repeat(depth.min(20));
    let done = std::mem::replace(line, indent);
    if !done.trim().is_empty() {
        lines.push(done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_pages_are_broken_between_tags() {
        assert_eq!(
            of_html("<ul><li>a <b>b</b></li> <li>é</li></ul>\n<p>x"),
            ["<ul>", "<li>a <b>b</b>", "</li> ", "<li>é</li>", "</ul>", "<p>x"]
        );
    }

    #[test]
    fn one_line_json_is_indented_and_kept_as_it_is() {
        assert_eq!(
            of_json(r#"{"a":1.00,"b":["x,\"]",{}]}"#),
            ["{", "  \"a\":1.00,", "  \"b\":[", "    \"x,\\\"]\",", "    {", "    }", "  ]", "}"]
        );
    }
}
