//! What a file holds, by its name: what a server would say in `Content-Type`.

use std::path::Path;

/// The media type of a file; `None` where its name does not tell.
pub(crate) fn media_type(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        // Pages saved from an application often keep the name of what made them.
        "html" | "htm" | "shtml" | "php" | "phtml" | "jsp" | "asp" | "aspx" | "cgi" => "text/html",
        "xhtml" | "xht" => "application/xhtml+xml",
        "json" | "map" | "webmanifest" => "application/json",
        "xml" | "rss" | "atom" | "xsd" | "xsl" => "application/xml",
        "txt" | "text" | "log" | "md" => "text/plain",
        "csv" => "text/csv",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
        "svg" => "image/svg+xml",
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "ico" | "bmp" | "tif" | "tiff" => "image/*",
        "woff" | "woff2" | "ttf" | "otf" | "eot" => "font/*",
        "mp3" | "ogg" | "wav" | "flac" | "m4a" => "audio/*",
        "mp4" | "webm" | "mov" | "avi" | "mkv" => "video/*",
        "pdf" => "application/pdf",
        "zip" | "gz" | "br" | "zst" | "xz" | "7z" | "tar" | "wasm" | "bin" | "exe" | "doc" | "docx"
        | "xls" | "xlsx" | "ppt" | "pptx" | "odt" | "ods" | "db" | "sqlite" => "application/octet-stream",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_the_extension_in_any_case() {
        let of = |name: &str| media_type(Path::new(name));
        assert_eq!(of("a/INDEX.HTM"), Some("text/html"));
        assert_eq!(of("cart.php"), Some("text/html"));
        assert_eq!(of("a.b/feed"), None);
        assert_eq!(of(".html"), None);
    }
}
