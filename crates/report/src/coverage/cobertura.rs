//! Cobertura's XML, which CI systems read: a package a folder, a class a file.

use std::collections::BTreeMap;
use std::io::Write;

use restage_facts::Share;

use super::{CoveredFile, CoveredFiles};
use crate::plain::one_line;

/// Writes what ran as Cobertura's XML. `source` is the folder that names of files are relative to.
pub fn cobertura(covered: &CoveredFiles, source: &str, out: &mut dyn Write) -> Result<(), std::io::Error> {
    let (lines, branches) = (covered.lines(), covered.branches());
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">")?;
    writeln!(
        out,
        "<coverage line-rate=\"{}\" branch-rate=\"{}\" lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\" complexity=\"0\" version=\"restage\" timestamp=\"0\">",
        rate(lines),
        rate(branches),
        lines.ran,
        lines.of,
        branches.ran,
        branches.of
    )?;
    writeln!(out, "  <sources><source>{}</source></sources>\n  <packages>", escaped(source))?;
    let mut packages: BTreeMap<&str, Vec<&CoveredFile>> = BTreeMap::new();
    for file in &covered.files {
        packages.entry(file.name.rsplit_once('/').map_or(".", |(folder, _)| folder)).or_default().push(file);
    }
    for (name, files) in packages {
        let files = CoveredFiles { files: files.into_iter().cloned().collect() };
        let (lines, branches) = (rate(files.lines()), rate(files.branches()));
        let name = escaped(name);
        writeln!(
            out,
            "    <package name=\"{name}\" line-rate=\"{lines}\" branch-rate=\"{branches}\" complexity=\"0\">\n      <classes>"
        )?;
        for file in &files.files {
            write_file(file, out)?;
        }
        writeln!(out, "      </classes>\n    </package>")?;
    }
    writeln!(out, "  </packages>\n</coverage>")
}

fn write_file(file: &CoveredFile, out: &mut dyn Write) -> Result<(), std::io::Error> {
    let name = escaped(&file.name);
    let (lines, branches) = (rate(file.lines()), rate(file.branches()));
    writeln!(
        out,
        "        <class name=\"{name}\" filename=\"{name}\" line-rate=\"{lines}\" branch-rate=\"{branches}\" complexity=\"0\">"
    )?;
    writeln!(out, "          <methods>")?;
    for function in &file.outline.functions {
        let (name, ran) = (escaped(&function.name), u8::from(file.functions.contains(function.first)));
        writeln!(
            out,
            "            <method name=\"{name}\" signature=\"\" line-rate=\"{ran}\" branch-rate=\"{ran}\" complexity=\"0\"><lines><line number=\"{}\" hits=\"{ran}\"/></lines></method>",
            function.first
        )?;
    }
    writeln!(out, "          </methods>\n          <lines>")?;
    let mut leaving: BTreeMap<u32, Share> = BTreeMap::new();
    for branch in &file.outline.branches {
        let share = leaving.entry(branch.from).or_default();
        share.of += 1;
        share.ran += usize::from(file.ran.branches.contains(branch.id));
    }
    for line in file.all_lines().iter() {
        let hits = u8::from(file.ran.lines.contains(line));
        match leaving.get(&line).filter(|share| share.of > 1) {
            Some(Share { ran, of }) => writeln!(
                out,
                "            <line number=\"{line}\" hits=\"{hits}\" branch=\"true\" condition-coverage=\"{}% ({ran}/{of})\"/>",
                ran * 100 / of
            )?,
            None => writeln!(out, "            <line number=\"{line}\" hits=\"{hits}\"/>")?,
        }
    }
    writeln!(out, "          </lines>\n        </class>")
}

fn rate(share: Share) -> String {
    // Of nothing, nothing is missing.
    format!("{:.4}", share.percent().unwrap_or(100.0) / 100.0)
}

fn escaped(text: &str) -> String {
    one_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::covered_files::tests::shop;

    #[test]
    fn cobertura_says_what_ran_and_escapes_names() {
        let mut out = Vec::new();
        cobertura(&shop(), "/app", &mut out).expect("writes");
        let text = String::from_utf8(out).expect("text");
        for expected in [
            "lines-covered=\"3\" lines-valid=\"5\" branches-covered=\"2\" branches-valid=\"3\"",
            "<class name=\"cart &amp; co.php\" filename=\"cart &amp; co.php\" line-rate=\"0.5000\"",
            "<method name=\"drop&lt;T&gt;\" signature=\"\" line-rate=\"0\"",
            "<line number=\"2\" hits=\"1\" branch=\"true\" condition-coverage=\"50% (1/2)\"/>",
            "<line number=\"7\" hits=\"0\"/>",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert_eq!(text.matches("<class ").count(), text.matches("</class>").count());
    }
}
