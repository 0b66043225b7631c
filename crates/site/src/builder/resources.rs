//! What a browser asks for by itself, and the server computes: feeds, thumbnails, pictures out of a database.

use restage_browser::LoadedPage;

/// How the addresses of files end that a server sends as they are, or as good as.
const FILES: &[&str] = &[
    ".css",
    ".js",
    ".mjs",
    ".map",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".svg",
    ".ico",
    ".webp",
    ".avif",
    ".bmp",
    ".woff",
    ".woff2",
    ".ttf",
    ".otf",
    ".eot",
    ".webmanifest",
    ".mp4",
    ".webm",
    ".mp3",
];

/// The addresses of what a page makes a browser ask for, and the server computes, as far as addresses tell: each once.
pub fn computed_resources(page: &LoadedPage) -> Vec<String> {
    let mut addresses: Vec<String> = Vec::new();
    for resource in page.resources().iter().filter(|resource| resource.text != "script") {
        let Some(uri) = page.uri(&resource.href).filter(|uri| uri.starts_with('/')) else { continue };
        let (path, query) = uri.split_once('?').unwrap_or((&uri, ""));
        let path = path.to_ascii_lowercase();
        let is_program =
            [".php", ".cgi", ".pl", ".asp", ".aspx", ".jsp", ".do"].iter().any(|end| path.ends_with(end));
        let is_file = FILES.iter().any(|end| path.ends_with(end));
        if !is_file
            && (is_program || !query.is_empty() || !path.rsplit('/').next().unwrap_or_default().contains('.'))
        {
            let uri = uri.into_owned();
            if !addresses.contains(&uri) {
                addresses.push(uri);
            }
        }
    }
    addresses
}

#[cfg(test)]
mod tests {
    use restage_html::Page;
    use url::Url;

    use super::*;

    /// Catches: a style sheet as a page of the site, or a thumbnail that is computed overlooked.
    #[test]
    fn files_are_told_from_what_is_computed() {
        let html = "<link href=/feed.php><link href='/style.css?ver=3'><img src=/logo.png><img src='/thumb?id=3'><img src='/thumb?id=3'>\
            <script src=/run.php></script><img src='http://other.example/x?y=1'><img src='data:image/png;base64,AA'>";
        let page = LoadedPage::new(Url::parse("http://shop.example/").unwrap(), Page::of(html.as_bytes()));
        assert_eq!(computed_resources(&page), ["/feed.php", "/thumb?id=3"]);
    }
}
