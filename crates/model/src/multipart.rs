//! Forms sent as `multipart/form-data`: their text fields as parameters, and back.

use crate::{Headers, Param, Params};

/// A multipart body, taken apart.
#[derive(Clone, Debug)]
pub struct Multipart {
    boundary: Vec<u8>,
    parts: Vec<Part>,
}

/// One part: its header lines with the empty line after them, and its content.
#[derive(Clone, Debug)]
struct Part {
    head: Vec<u8>,
    content: Vec<u8>,
    name: Option<String>,
    /// The name of the file, which is sent as recorded. Empty where it is given in another encoding only.
    file: Option<String>,
}

impl Multipart {
    /// Takes a body apart; `None` where it is no multipart form, or not all of one.
    pub fn parse(headers: &Headers, body: &[u8]) -> Option<Self> {
        let boundary = format!("--{}", Self::boundary(headers)?).into_bytes();
        let (parts, whole) = parts(&boundary, body)?;
        whole.then_some(Self { boundary, parts })
    }

    /// The names and values of a form's parts, in order; of a file, its name is the value. Of a body that was cut, those
    /// that are there.
    pub fn fields(headers: &Headers, body: &[u8]) -> Vec<(String, String)> {
        let boundary = Self::boundary(headers).map(|boundary| format!("--{boundary}").into_bytes());
        let parts = boundary.and_then(|boundary| parts(&boundary, body)).map(|(parts, _)| parts);
        let field = |part: Part| {
            let value = part.file.unwrap_or_else(|| String::from_utf8_lossy(&part.content).into_owned());
            Some((part.name?, value))
        };
        parts.into_iter().flatten().filter_map(field).collect()
    }

    /// What divides the parts of a form, as its type says.
    pub fn boundary(headers: &Headers) -> Option<&str> {
        if headers.media_type().as_deref() != Some("multipart/form-data") {
            return None;
        }
        let parameters = headers.get("content-type")?.split(';').skip(1);
        let named = parameters.filter_map(|p| p.trim().split_once('='));
        let mut boundaries = named.filter(|(n, _)| n.eq_ignore_ascii_case("boundary"));
        boundaries.next().map(|(_, b)| b.trim_matches('"'))
    }

    /// The text fields.
    pub fn params(&self) -> Params {
        let fields = self.parts.iter().filter_map(|part| {
            let value = std::str::from_utf8(&part.content).ok()?;
            Some(Param::new(part.field()?, value))
        });
        Params(fields.collect())
    }

    /// The body with the content of each part as `change` has it, of its field's name; a file has none.
    pub fn map(&self, mut change: impl FnMut(Option<&str>, &[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
        let mut out = Vec::new();
        for part in &self.parts {
            let changed = change(part.field(), &part.content);
            self.push(&mut out, &part.head, changed.as_deref().unwrap_or(&part.content));
        }
        self.end(out)
    }

    /// The body with its text fields as `params` has them: changed, dropped or added.
    pub fn with(&self, params: &Params) -> Vec<u8> {
        let mut left: Vec<(String, String)> = params.pairs();
        let mut out = Vec::new();
        let mut push = |head: &[u8], content: &[u8]| self.push(&mut out, head, content);
        for part in &self.parts {
            match part.field() {
                None => push(&part.head, &part.content),
                Some(field) => {
                    if let Some(at) = left.iter().position(|(name, _)| name == field) {
                        push(&part.head, left.remove(at).1.as_bytes());
                    }
                }
            }
        }
        for (name, value) in left {
            let head =
                format!("Content-Disposition: form-data; name=\"{}\"\r\n\r\n", name.replace('"', "%22"));
            push(head.as_bytes(), value.as_bytes());
        }
        self.end(out)
    }

    fn push(&self, out: &mut Vec<u8>, head: &[u8], content: &[u8]) {
        for bytes in [&self.boundary, b"\r\n".as_slice(), head, content, b"\r\n"] {
            out.extend_from_slice(bytes);
        }
    }

    fn end(&self, mut out: Vec<u8>) -> Vec<u8> {
        out.extend_from_slice(&self.boundary);
        out.extend_from_slice(b"--\r\n");
        out
    }
}

/// The parts of a body, and whether it ends as it should; `None` where it holds none.
fn parts(boundary: &[u8], body: &[u8]) -> Option<(Vec<Part>, bool)> {
    let mut parts = Vec::new();
    let mut rest = &body[find(body, boundary)? + boundary.len()..];
    let delimiter = [b"\r\n".as_slice(), boundary].concat();
    while let Some(after) = rest.strip_prefix(b"\r\n") {
        let Some(end) = find(after, &delimiter) else { return Some((parts, false)) };
        let Some(part) = Part::parse(&after[..end]) else { return Some((parts, false)) };
        parts.push(part);
        rest = &after[end + delimiter.len()..];
    }
    Some((parts, true))
}

impl Part {
    fn parse(part: &[u8]) -> Option<Self> {
        let head_length = find(part, b"\r\n\r\n")? + 4;
        let (head, content) = part.split_at(head_length);
        let text = String::from_utf8_lossy(head);
        let disposition =
            text.lines().find(|l| l.to_ascii_lowercase().starts_with("content-disposition:"))?;
        let attributes = attributes(disposition);
        let attribute = |name: &str| {
            let found = attributes.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.replace("%22", "\""))
        };
        let file = attribute("filename").or_else(|| attribute("filename*").map(|_| String::new()));
        Some(Self { head: head.to_vec(), content: content.to_vec(), name: attribute("name"), file })
    }

    /// The name of a text field; none for a file.
    fn field(&self) -> Option<&str> {
        let is_text = self.file.is_none() && std::str::from_utf8(&self.content).is_ok();
        self.name.as_deref().filter(|_| is_text)
    }
}

/// The attributes of a header line: `name="a;b"; filename=c`. A semicolon in quotes is no end.
fn attributes(line: &str) -> Vec<(String, String)> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => parts.push(String::new()),
            _ => parts.last_mut().into_iter().for_each(|part| part.push(c)),
        }
    }
    let pairs = parts.iter().filter_map(|part| part.trim().split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = b"--XX\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nold\r\n--XX\r\n\
        Content-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\nContent-Type: x/y\r\n\r\n\x00\r\n\xff\r\n--XX--\r\n";

    fn parsed() -> Multipart {
        let headers = [("content-type".to_owned(), "multipart/form-data; boundary=XX".to_owned())];
        Multipart::parse(&headers.into_iter().collect(), BODY).unwrap()
    }

    /// Catches: a file whose name has a semicolon, or is given in another encoding only, is taken for a text.
    #[test]
    fn a_file_is_a_file_whatever_its_name() {
        for name in [
            "name=\"f\"; filename=\"a;name=b.txt\"",
            "name=f; filename*=UTF-8''a.txt",
            "filename=\"\"; name=\"f\"",
        ] {
            let body = format!("--X\r\nContent-Disposition: form-data; {name}\r\n\r\ntext\r\n--X--\r\n");
            let headers = [("content-type".to_owned(), "multipart/form-data; boundary=\"X\"".to_owned())];
            let form = Multipart::parse(&headers.into_iter().collect(), body.as_bytes()).unwrap();
            assert!(form.params().0.is_empty(), "{name}");
            assert_eq!(form.with(&Params::default()), body.as_bytes());
        }
    }

    /// Catches: the fields of a form whose file was too large to be recorded whole are lost with it.
    #[test]
    fn fields_are_read_of_what_is_there() {
        let headers = [("content-type".to_owned(), "multipart/form-data; boundary=XX".to_owned())];
        let headers: Headers = headers.into_iter().collect();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(Multipart::fields(&headers, BODY), [pair("token", "old"), pair("file", "a.bin")]);
        let cut = &BODY[..BODY.len() - 20];
        assert_eq!(Multipart::fields(&headers, cut), [pair("token", "old")]);
        assert!(Multipart::parse(&headers, cut).is_none());
        assert!(Multipart::fields(&headers, b"").is_empty());
    }

    #[test]
    fn unchanged_it_is_the_same_bytes() {
        let form = parsed();
        assert_eq!(form.params().pairs(), [("token".to_owned(), "old".to_owned())]);
        assert_eq!(form.with(&form.params()), BODY);
    }

    #[test]
    fn a_field_is_changed_dropped_or_added_and_the_file_stays() {
        let text = |params: &[(&str, &str)]| {
            let params = Params(params.iter().map(|(n, v)| Param::new(n, v)).collect());
            String::from_utf8_lossy(&parsed().with(&params)).into_owned()
        };
        assert!(text(&[("token", "new")]).contains("\r\n\r\nnew\r\n"));
        let other = text(&[("extra", "1")]);
        assert!(
            !other.contains("name=\"token\"") && other.contains("name=\"extra\"") && other.contains("a.bin")
        );
    }
}
