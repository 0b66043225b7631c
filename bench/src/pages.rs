//! The server behind the proxies: pages of one size, few distinct ones or each another.

use std::convert::Infallible;
use std::fmt::Write;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::Trouble;

/// A page's size.
const SIZE: usize = 8 << 10;
/// How many distinct pages there are where there are few.
const FEW: u64 = 500;
/// Where a page has room for its number.
const NUMBER: std::ops::Range<usize> = 40..60;

/// How many of the pages served are distinct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distinct {
    /// Some hundreds, as on most sites.
    Few,
    /// Each is another, as where every page has a token or a clock.
    All,
}

impl Distinct {
    /// The path that asks for such pages.
    pub fn path(self) -> &'static str {
        match self {
            Self::Few => "/few",
            Self::All => "/all",
        }
    }
}

/// Serves pages on a port until the process ends.
pub fn serve(port: u16) -> Result<(), Trouble> {
    let pages: Arc<Vec<Vec<u8>>> = Arc::new((0..FEW).map(page).collect());
    let few: Arc<Vec<Bytes>> = Arc::new(pages.iter().map(|p| Bytes::from(p.clone())).collect());
    let served = Arc::new(AtomicU64::new(0));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let (pages, few, served) = (pages.clone(), few.clone(), served.clone());
            let service = service_fn(move |request: Request<Incoming>| {
                let number = served.fetch_add(1, Ordering::Relaxed);
                let at = (number % FEW) as usize;
                let body = if request.uri().path() == Distinct::All.path() {
                    numbered(&pages[at], number)
                } else {
                    few[at].clone()
                };
                let mut response = Response::new(Full::new(body));
                let html = http::HeaderValue::from_static("text/html; charset=utf-8");
                response.headers_mut().insert(http::header::CONTENT_TYPE, html);
                std::future::ready(Ok::<_, Infallible>(response))
            });
            // A client that goes away is no trouble.
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    })
}

fn numbered(page: &[u8], number: u64) -> Bytes {
    let mut page = page.to_vec();
    page[NUMBER].copy_from_slice(format!("{number:020}").as_bytes());
    page.into()
}

/// A page such as a shop's, of words drawn anew for each.
fn page(number: u64) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(number);
    let mut page =
        format!("<!DOCTYPE html><html><head><title>Page  {number:020}</title></head><body><table>\n");
    while page.len() < SIZE {
        let word: String = (0..rng.usize(3..10)).map(|_| rng.lowercase()).collect();
        let (id, price) = (rng.u32(..10_000), rng.u32(..100));
        // Writing to a string does not fail.
        let _ = writeln!(
            page,
            "<tr class=\"book\"><td><a href=\"/book/{id}\">{word}</a></td><td>${price}.00</td></tr>"
        );
    }
    page.truncate(SIZE);
    page.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_of_one_size_and_distinct_by_their_number() {
        let (first, second) = (page(1), page(2));
        assert_eq!((first.len(), second.len()), (SIZE, SIZE));
        assert_ne!(first, second);
        assert_eq!(&first[NUMBER], b"00000000000000000001");
        assert_ne!(numbered(&first, 8), numbered(&first, 9));
    }
}
