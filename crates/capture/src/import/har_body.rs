//! The bodies of a HAR entry.

use base64::Engine;
use restage_model::{CapturedBody, Headers, Multipart, Param, Params};
use serde_json::Value;

use super::har::pairs;

/// The boundary of a form with files that is put together anew.
const BOUNDARY: &str = "----restage-import-boundary";

/// A request's body, and its type where the headers do not say it.
pub(super) fn request_body(request: &Value, headers: &mut Headers) -> CapturedBody {
    let Some(post) = request.get("postData").filter(|p| p.is_object()) else {
        return CapturedBody::default();
    };
    let media_type = post.get("mimeType").and_then(Value::as_str).unwrap_or_default();
    if headers.get("content-type").is_none() && !media_type.is_empty() {
        headers.push_bytes("content-type", media_type.as_bytes());
    }
    let text = post.get("text").and_then(Value::as_str).filter(|t| !t.is_empty());
    let bytes = match text {
        Some(text) => {
            let said = headers.get("content-length").and_then(|l| l.trim().parse().ok());
            let said = said.or_else(|| request.get("bodySize").and_then(Value::as_u64));
            match said.and_then(|size| a_character_a_byte(text, size)) {
                Some(bytes) => bytes,
                None => decoded(text, post.get("encoding").or_else(|| post.get("_encoding"))),
            }
        }
        None => from_params(post.get("params"), headers),
    };
    CapturedBody { size: bytes.len() as u64, bytes }
}

/// A response's body. It comes decoded, so that the headers must not say otherwise.
pub(super) fn response_body(response: &Value, headers: &mut Headers) -> CapturedBody {
    headers.remove("content-encoding");
    headers.remove("transfer-encoding");
    let Some(content) = response.get("content") else { return CapturedBody::default() };
    let media_type = content.get("mimeType").and_then(Value::as_str).unwrap_or_default();
    if headers.get("content-type").is_none() && !media_type.is_empty() && media_type != "x-unknown" {
        headers.push_bytes("content-type", media_type.as_bytes());
    }
    let said = content.get("size").and_then(Value::as_u64).unwrap_or(0);
    match content.get("text").and_then(Value::as_str) {
        Some(text) => {
            let bytes = decoded(text, content.get("encoding"));
            CapturedBody { size: bytes.len() as u64, bytes }
        }
        // It was too large, or the browser had thrown it away.
        None => CapturedBody { bytes: Vec::new(), size: said },
    }
}

/// The bytes of a body that is no text, of which some (mitmproxy) make a character of each byte: its size tells.
fn a_character_a_byte(text: &str, size: u64) -> Option<Vec<u8>> {
    if text.is_ascii() || text.len() as u64 == size || text.chars().count() as u64 != size {
        return None;
    }
    text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect()
}

pub(super) fn decoded(text: &str, encoding: Option<&Value>) -> Vec<u8> {
    if encoding.and_then(Value::as_str) == Some("base64") {
        let packed: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        if let Ok(bytes) = base64::engine::general_purpose::STANDARD.decode(packed) {
            return bytes;
        }
    }
    text.as_bytes().to_vec()
}

/// A form from its fields. A file's content is there only where the file was text.
fn from_params(params: Option<&Value>, headers: &mut Headers) -> Vec<u8> {
    let has_any = pairs(params).next().is_some();
    if !has_any {
        return Vec::new();
    }
    if headers.media_type().as_deref() != Some("multipart/form-data") {
        let params: Vec<Param> = pairs(params).map(|(name, value)| Param::new(name, value)).collect();
        return Params(params).encode().into_bytes();
    }
    let boundary = Multipart::boundary(headers).unwrap_or(BOUNDARY).to_owned();
    headers.set("content-type", format!("multipart/form-data; boundary={boundary}"));
    let mut body = String::new();
    for item in params.and_then(Value::as_array).into_iter().flatten() {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
        body.push_str(&format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"", text("name")));
        if !text("fileName").is_empty() {
            let media_type =
                if text("contentType").is_empty() { "application/octet-stream" } else { text("contentType") };
            body.push_str(&format!("; filename=\"{}\"\r\nContent-Type: {media_type}", text("fileName")));
        }
        body.push_str(&format!("\r\n\r\n{}\r\n", text("value")));
    }
    body.push_str(&format!("--{boundary}--\r\n"));
    body.into_bytes()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Catches: forms that are lost because a HAR has their fields but not their text, packed bodies left packed.
    #[test]
    fn bodies_in_each_of_their_forms() {
        let post = |data: Value| json!({ "postData": data });
        let mut headers = Headers::new();
        let params = json!({"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a b", "value": "c&d"}]});
        assert_eq!(request_body(&post(params), &mut headers).bytes, b"a+b=c%26d");
        assert_eq!(headers.get("content-type"), Some("application/x-www-form-urlencoded"));
        let text = json!({"mimeType": "text/plain", "text": "AAEC", "encoding": "base64"});
        assert_eq!(request_body(&post(text), &mut Headers::new()).bytes, [0, 1, 2]);
        let mut sized = Headers::new();
        sized.push("content-length", "4");
        let bytes = json!({"mimeType": "", "text": "x=\u{ff}\u{fe}"});
        assert_eq!(request_body(&post(bytes), &mut sized).bytes, b"x=\xff\xfe");
        let mut headers = Headers::new();
        headers.push("content-type", "multipart/form-data; boundary=xyz");
        let files = json!({"mimeType": "multipart/form-data", "params": [{"name": "f", "fileName": "a.txt", "contentType": "text/plain", "value": "hi"}]});
        let body = String::from_utf8(request_body(&post(files), &mut headers).bytes).unwrap();
        assert!(
            body.starts_with("--xyz\r\n")
                && body.contains("filename=\"a.txt\"")
                && body.ends_with("--xyz--\r\n")
        );

        let mut headers = Headers::new();
        headers.push("content-encoding", "br");
        let body = response_body(
            &json!({"content": {"size": 2, "mimeType": "text/html", "text": "aGk=", "encoding": "base64"}}),
            &mut headers,
        );
        assert_eq!((body.bytes.as_slice(), headers.get("content-encoding")), (&b"hi"[..], None));
        assert!(response_body(&json!({"content": {"size": 20}}), &mut Headers::new()).cut());
    }
}
