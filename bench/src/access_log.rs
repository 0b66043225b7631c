//! A large access log in the combined format, as a busy shop would write it.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::Trouble;

/// Requests a second in it.
const PACE: u64 = 40;

/// Writes a log of at least `bytes`; how many lines it has.
pub fn write_access_log(path: &Path, bytes: u64) -> Result<u64, Trouble> {
    let mut chance = fastrand::Rng::with_seed(7);
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let (mut written, mut lines) = (0, 0);
    while written < bytes {
        let second = lines / PACE;
        let (day, second) = (1 + second / 86_400 % 28, second % 86_400);
        let user = chance.u32(..200_000);
        let version = 90 + user % 60;
        let line = format!(
            "10.{}.{}.{} - - [{day:02}/Oct/2026:{:02}:{:02}:{:02} +0000] \"GET {} HTTP/1.1\" {} {} \"https://shop.example/list?page={}\" \"Mozilla/5.0 (X11; Linux x86_64; rv:{version}.0) Gecko/20100101 Firefox/{version}.0\"\n",
            user >> 16,
            user >> 8 & 255,
            user & 255,
            second / 3600,
            second / 60 % 60,
            second % 60,
            path_of(&mut chance),
            if chance.u8(..50) == 0 { 404 } else { 200 },
            chance.u32(200..40_000),
            chance.u32(..300),
        );
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
        lines += 1;
    }
    out.flush()?;
    Ok(lines)
}

fn path_of(chance: &mut fastrand::Rng) -> String {
    match chance.u8(..10) {
        0..4 => format!("/book/{}?tab={}", chance.u32(..50_000), chance.u8(..4)),
        4..6 => format!("/search?q=word{}&page={}", chance.u32(..5_000), chance.u8(..9)),
        6 => "/cart".to_owned(),
        7 => format!("/author/{}", chance.u32(..9_000)),
        _ => format!("/static/img/{}.jpg", chance.u32(..20_000)),
    }
}
