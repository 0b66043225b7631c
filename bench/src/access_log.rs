//! A large access log in the combined format, as a busy shop would write it: visitors that come, read a dozen pages with
//! their images and go; crawlers; some that the server knows by name; and, one in a hundred, lines that are no request.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::Trouble;

/// Requests a second in it.
const PACE: u64 = 40;
/// Visitors at a time.
const VISITORS: usize = 400;
/// One in so many lines is garbage.
const GARBAGE: u64 = 100;

/// How many lines a log has.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogLines {
    /// All of them.
    pub all: u64,
    /// Those that are no request.
    pub garbage: u64,
}

/// Writes a log of at least `bytes`.
pub fn write_access_log(path: &Path, bytes: u64) -> Result<LogLines, Trouble> {
    let mut chance = fastrand::Rng::with_seed(7);
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut visitors: Vec<Visitor> = (0..VISITORS).map(|_| Visitor::new(&mut chance)).collect();
    let (mut written, mut lines) = (0, LogLines::default());
    while written < bytes {
        let line = if chance.u64(..GARBAGE) == 0 && lines.all > 0 {
            lines.garbage += 1;
            garbage(&mut chance, lines.all)
        } else {
            let place = chance.usize(..VISITORS);
            if chance.u8(..14) == 0 {
                visitors[place] = Visitor::new(&mut chance);
            }
            visitors[place].line(&mut chance, lines.all)
        };
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
        lines.all += 1;
    }
    out.flush()?;
    Ok(lines)
}

struct Visitor {
    address: String,
    user: &'static str,
    agent: String,
    /// The page it is on.
    at: String,
    /// It takes no images and says not where it came from.
    bot: bool,
}

impl Visitor {
    fn new(chance: &mut fastrand::Rng) -> Self {
        let address = match chance.u8(..8) {
            0 => format!("2001:db8:{:x}::{:x}", chance.u16(..), chance.u16(1..)),
            _ => {
                let [a, b, c] = [chance.u8(..), chance.u8(..), chance.u8(1..)];
                format!("{}.{a}.{b}.{c}", chance.u8(11..200))
            }
        };
        let (agent, bot) = agent(chance);
        let user = if chance.u8(..50) == 0 { ["ann", "bob", "eve"][chance.usize(..3)] } else { "-" };
        let at = match chance.u8(..3) {
            0 => "-".to_owned(),
            1 => format!("https://www.search.example/?q={}", word(chance, 5_000)),
            _ => "https://news.example/".to_owned(),
        };
        Self { address, user, agent, at, bot }
    }

    fn line(&mut self, chance: &mut fastrand::Rng, number: u64) -> String {
        let (method, path, status, is_page) = request(chance, self.bot);
        let referer = if self.bot { "-" } else { &self.at };
        let size = if status == 200 { chance.u32(200..40_000) } else { 0 };
        let line = format!(
            "{} - {} [{}] \"{method} {path} HTTP/1.1\" {status} {size} \"{referer}\" \"{}\"\n",
            self.address,
            self.user,
            time(number),
            self.agent,
        );
        if is_page {
            self.at = format!("https://shop.example{path}");
        }
        line
    }
}

/// Method, address, status, and whether it is a page.
fn request(chance: &mut fastrand::Rng, bot: bool) -> (&'static str, String, u16, bool) {
    let found = |chance: &mut fastrand::Rng| if chance.u8(..40) == 0 { 304 } else { 200 };
    match chance.u8(if bot { 8 } else { 0 }..20) {
        0..4 => ("GET", format!("/static/img/{}.jpg", chance.u32(..20_000)), found(chance), false),
        4..6 => ("GET", format!("/static/app-{:08x}.css", chance.u8(..3)), found(chance), false),
        6 => ("POST", "/cart/add".to_owned(), 302, false),
        7 => ("POST", "/login".to_owned(), if chance.bool() { 302 } else { 200 }, false),
        8..12 => {
            ("GET", format!("/book/{}?tab={}", frequent(chance, 50_000), chance.u8(..4)), found(chance), true)
        }
        12..14 => {
            let page = chance.u8(1..9);
            ("GET", format!("/search?q={}+{}&page={page}", word(chance, 900), word(chance, 900)), 200, true)
        }
        14 => ("GET", format!("/author/{}", word(chance, 9_000)), 200, true),
        15 => ("GET", "/cart".to_owned(), 200, true),
        16 => ("GET", format!("/order/{}", chance.u32(..2_000_000)), 200, true),
        17 => ("GET", format!("/old/{}.php?id={}", word(chance, 200), chance.u16(..)), 404, false),
        18 if bot => ("GET", "/robots.txt".to_owned(), 200, false),
        _ => ("GET", "/".to_owned(), 200, true),
    }
}

/// Some of many, the first far more often than the last.
fn frequent(chance: &mut fastrand::Rng, many: u32) -> u32 {
    (f64::from(many) * chance.f64().powi(3)) as u32
}

fn word(chance: &mut fastrand::Rng, many: u32) -> String {
    const PARTS: [&str; 16] =
        ["ka", "lo", "mi", "ner", "sta", "vo", "ri", "ten", "du", "pel", "os", "gra", "fi", "um", "be", "zy"];
    let number = frequent(chance, many) as usize;
    [number % 16, number / 16 % 16, number / 256 % 16, number / 4096].map(|part| PARTS[part % 16]).concat()
}

/// A browser's or a crawler's name, and whether it is a crawler's.
fn agent(chance: &mut fastrand::Rng) -> (String, bool) {
    let system = ["Windows NT 10.0; Win64; x64", "X11; Linux x86_64", "Macintosh; Intel Mac OS X 10_15_7"]
        [chance.usize(..3)];
    let version = 100 + frequent(chance, 45);
    match chance.u8(..20) {
        0 => ("Mozilla/5.0 (compatible; Examplebot/2.1; +https://search.example/bot.html)".to_owned(), true),
        1 => (format!("curl/8.{}.0", chance.u8(..12)), true),
        2..7 => (format!("Mozilla/5.0 ({system}; rv:{version}.0) Gecko/20100101 Firefox/{version}.0"), false),
        7..10 => (
            format!(
                "Mozilla/5.0 (iPhone; CPU iPhone OS {0}_{1} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/{0}.{1} Mobile/15E148 Safari/604.1",
                chance.u8(14..18),
                chance.u8(..7)
            ),
            false,
        ),
        _ => (
            format!(
                "Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}.0.{}.{} Safari/537.36",
                chance.u16(4000..4012),
                chance.u8(..9)
            ),
            false,
        ),
    }
}

/// A line that is no request.
fn garbage(chance: &mut fastrand::Rng, number: u64) -> String {
    let time = time(number);
    match chance.u8(..5) {
        // TLS spoken to a port that does not.
        0 => format!("10.0.0.9 - - [{time}] \"\\x16\\x03\\x01\\x02\\x00\\x01\" 400 157 \"-\" \"-\"\n"),
        1 => format!("10.0.0.9 - - [{time}] \"-\" 408 0 \"-\" \"-\"\n"),
        // A line that was cut off.
        2 => format!("10.0.0.9 - - [{time}] \"GET /book/1\n"),
        3 => "PHP Warning: Undefined array key \"id\" in /srv/shop/book.php on line 17\n".to_owned(),
        _ => format!("10.0.0.9 - - [{}/Foo/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"\n", 40),
    }
}

/// The time of a line.
fn time(number: u64) -> String {
    let second = number / PACE;
    let (day, second) = (second / 86_400, second % 86_400);
    let (month, day) = (["Aug", "Sep", "Oct"][(day / 28 % 3) as usize], day % 28 + 1);
    format!("{day:02}/{month}/2026:{:02}:{:02}:{:02} +0000", second / 3600, second / 60 % 60, second % 60)
}
