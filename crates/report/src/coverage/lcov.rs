//! The format of lcov, which `genhtml` and most editors read. A line ran, or did not: how often is not told.

use std::io::Write;

use super::{CoveredFile, CoveredFiles};
use crate::plain::one_line;

/// Writes what ran as an lcov file; `folder` stands before the names of files.
pub fn lcov(covered: &CoveredFiles, folder: &str, out: &mut dyn Write) -> Result<(), std::io::Error> {
    for file in &covered.files {
        writeln!(out, "TN:restage\nSF:{folder}{}", one_line(&file.name))?;
        write_file(file, out)?;
        writeln!(out, "end_of_record")?;
    }
    Ok(())
}

fn write_file(file: &CoveredFile, out: &mut dyn Write) -> Result<(), std::io::Error> {
    for function in &file.outline.functions {
        let (name, first) = (one_line(&function.name), function.first);
        let ran = u8::from(file.functions.contains(first));
        // Names need not be unique in a file.
        writeln!(out, "FN:{first},{name}:{first}\nFNDA:{ran},{name}:{first}")?;
    }
    let functions = file.functions();
    writeln!(out, "FNF:{}\nFNH:{}", functions.of, functions.ran)?;
    for branch in &file.outline.branches {
        let taken = match (file.ran.branches.contains(branch.id), file.ran.lines.contains(branch.from)) {
            (true, _) => "1",
            (false, true) => "0",
            // Where it leaves was never reached.
            (false, false) => "-",
        };
        writeln!(out, "BRDA:{},0,{},{taken}", branch.from, branch.id)?;
    }
    let branches = file.branches();
    writeln!(out, "BRF:{}\nBRH:{}", branches.of, branches.ran)?;
    for line in file.all_lines().iter() {
        writeln!(out, "DA:{line},{}", u8::from(file.ran.lines.contains(line)))?;
    }
    let lines = file.lines();
    writeln!(out, "LF:{}\nLH:{}", lines.of, lines.ran)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::covered_files::tests::shop;

    #[test]
    fn an_lcov_file_says_what_ran() {
        let mut out = Vec::new();
        lcov(&shop(), "src/", &mut out).expect("writes");
        let text = String::from_utf8(out).expect("text");
        let first = "TN:restage\nSF:src/cart & co.php\nFN:1,add:1\nFNDA:1,add:1\nFN:6,drop<T>:6\nFNDA:0,drop<T>:6\nFNF:2\nFNH:1\n\
            BRDA:2,0,1,1\nBRDA:2,0,2,0\nBRDA:3,0,5,1\nBRF:3\nBRH:2\nDA:2,1\nDA:3,1\nDA:4,0\nDA:7,0\nLF:4\nLH:2\nend_of_record\n";
        assert!(text.starts_with(first), "{text}");
        assert!(text.contains("SF:src/other.php\n") && text.matches("end_of_record").count() == 2, "{text}");
    }
}
