//! The report as one HTML file.

use std::path::Path;

use restage_html::{Token, Tokens};
use restage_report::{html, write_html};

use crate::shop::{Shop, difference, faulty, page, settled, visit};

fn written(shop: &Shop) -> String {
    let report = shop.report();
    html(&report).unwrap()
}

#[test]
fn nothing_recorded_becomes_markup() {
    let text = written(&settled());
    assert!(text.contains("alert(1)") && text.contains("alert(4)"));
    let tokens = Tokens::of(text.as_bytes());
    let mut scripts = 0;
    for token in tokens.iter() {
        let Token::Open { name, attrs, .. } = token else { continue };
        scripts += usize::from(name == b"script");
        assert_ne!(name, b"img");
        for (attribute, value) in attrs.iter() {
            assert!(!attribute.starts_with(b"on"), "{:?}", String::from_utf8_lossy(attribute));
            if matches!(attribute, b"src" | b"href" | b"action" | b"srcset" | b"srcdoc") {
                assert!(value.starts_with(b"#"), "{:?}", String::from_utf8_lossy(value));
            }
            if name == b"iframe" && attribute == b"sandbox" {
                assert!(value.is_empty());
            }
        }
        assert!(name != b"iframe" || attrs.has("sandbox"));
    }
    assert_eq!(scripts, 1);
    let before_pages = text.split("<data hidden").next().unwrap();
    assert!(
        !before_pages.contains('\0')
            && !before_pages.contains('\u{1b}')
            && !before_pages.contains('\u{202e}')
    );
}

#[test]
fn it_fetches_nothing() {
    let text = written(&settled());
    assert!(text.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"));
    for word in ["@import", "url(", "<link", "<object", "<embed"] {
        assert!(!text.contains(word), "{word}");
    }
    // Addresses of elsewhere are text that was recorded, never an attribute of ours.
    assert!(!text.contains("=\"http") && !text.contains("='http"));
}

#[test]
fn changes_sessions_and_pages_are_there() {
    let text = written(&faulty());
    for part in [
        "5 changes in 10 of 64 steps",
        "Total $<mark>42</mark>.00",
        "Total $<mark>21</mark>.00",
        "href=\"#step-1-3\"",
        "id=\"step-1-3\"",
        "200 → no answer",
        "200 → 404",
        "Binary, 6 bytes image/png.",
        "the run test-1 lacks this step",
        "step 1: hidden field csrf of form 2",
        "1.<mark>00</mark>",
        "data-asset=\"0\"",
        "weaker than asked for because the step is noisy",
    ] {
        assert!(text.contains(part), "{part}");
    }
    // The cart's two pages are the same on six steps, and held once each.
    assert_eq!(text.matches("Total $42.00&lt;/p&gt;").count(), 1);
}

#[test]
fn what_fails_nothing_is_there_in_closed_sections() {
    let text = written(&settled());
    for part in [
        "7 changes in 10 of 64 steps and in what 3 of 4 sessions left behind",
        "<details class=\"closed\" id=\"accepted\">",
        "<span class=\"soft\">1 change in 1 step and after 1 session</span>",
        "<details class=\"closed\" id=\"ignored\">",
        "<details class=\"closed\" id=\"masked\">",
        "<span class=\"soft\">2 parts in 11 steps and after 4 sessions</span>",
        "value of input[name=&quot;csrf&quot;]",
        "the new name",
        "<code>dddddd</code>",
        "href=\"#after-1\"",
        "id=\"after-1\"",
        "first <a href=\"#after-4\">in the log of s80</a>",
        "the state after 2 sessions",
        "square accepted",
        "square round fail",
        "1 difference accepted",
        "2 masked parts, varying",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("<details class=\"closed\" id=\"masked\" open"));
}

#[test]
fn it_holds_the_pages_of_so_many_failing_steps_and_of_each_change() {
    let mut shop = Shop::new();
    let failing = |was: &str, is: &str| {
        let mut visit = visit("/cart", page(was));
        visit.actual = page(is);
        visit.differences = vec![difference(was, is)];
        visit
    };
    let mut visits: Vec<_> = (0..205).map(|_| failing("42", "21")).collect();
    visits.push(failing("rare", "seen once"));
    shop.session(0, "s1", visits);
    let text = written(&shop);
    assert_eq!(text.matches("The pages of this step are not in this report").count(), 6);
    assert!(text.contains("data-page=\"2\""), "the rare change's page is held");
    assert_eq!(text.matches("<template").count(), 4);
}

/// Catches: a report that no browser opens, and links from it that lead nowhere.
#[test]
fn steps_that_it_has_no_room_for_are_in_files_beside_it() {
    let (sessions, steps) = (30, 40);
    let mut shop = Shop::new();
    for session in 0..sessions {
        let failing = |step: u32| {
            let (was, is) = (format!("{} was", "so ".repeat(400)), format!("{} is", "so ".repeat(400)));
            let mut visit = visit("/cart", page(&format!("{was} {session} {step}")));
            visit.actual = page(&format!("{is} {session} {step}"));
            visit.differences = vec![difference(&was, &is)];
            visit
        };
        shop.session(session, &format!("s{session}"), (0..steps).map(failing).collect());
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("large report");
    let _ = std::fs::remove_dir_all(&folder);
    let path = folder.join("report.html");
    // An earlier report left more files than this one needs.
    std::fs::create_dir_all(folder.join("report.files")).unwrap();
    std::fs::write(folder.join("report.files/steps-999.html"), "").unwrap();
    write_html(&shop.report(), &path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.len() < 12 << 20, "{}", text.len());
    assert!(!folder.join("report.files/steps-999.html").exists());
    let mut found = 0;
    let (mut here, mut beside) = (0, 0);
    for link in text.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let Some((file, anchor)) = link.split_once('#') else {
            assert!(folder.join(link).exists(), "{link}");
            continue;
        };
        let at = format!("id=\"{anchor}\"");
        let there = if file.is_empty() {
            here += 1;
            text.contains(&at)
        } else {
            beside += 1;
            std::fs::read_to_string(folder.join(file)).unwrap().contains(&at)
        };
        assert!(there, "{link}");
        found += 1;
    }
    assert!(found >= sessions * steps && here > 0 && beside > 0, "{found} {here} {beside}");
}

#[test]
fn a_report_where_all_is_well() {
    let mut shop = Shop::new();
    shop.session(0, "s1", vec![visit("/", page("home"))]);
    let text = written(&shop);
    assert!(text.contains("No differences") && !text.contains("<template") && !text.contains("id=\"only\""));
}

#[test]
fn it_is_written_where_there_is_no_folder_yet() {
    let shop = settled();
    let report = shop.report();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("restage-report/report.html");
    write_html(&report, &path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), html(&report).unwrap());
}
