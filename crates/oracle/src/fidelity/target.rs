//! Where a redirect leads, but for the ids in it.

use restage_model::{Headers, Params, ValueShape};

/// Where a redirect leads. With a front controller all pages have one path, and `?page=login` tells them apart: the words among its parameters
/// count, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// As it is, for showing.
    pub(crate) address: String,
    /// The scheme and host, where it is another one than those the application was asked by.
    elsewhere: Option<String>,
    path: Vec<String>,
    params: Vec<(String, String)>,
}

impl Target {
    /// Of an answer; none where it is no redirect. `hosts` are the application's own, when it was recorded and now.
    pub(crate) fn of(headers: &Headers, hosts: [Option<&str>; 2]) -> Option<Self> {
        let address = headers.get("location").map(Headers::readable)?;
        let (elsewhere, local) = match address.split_once("//") {
            Some((scheme, rest)) if scheme.is_empty() || scheme.ends_with(':') => {
                let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
                let (authority, local) = rest.split_at(end);
                let own = hosts.into_iter().flatten().any(|host| host == authority) || is_loopback(authority);
                ((!own).then(|| authority.to_owned()), local)
            }
            _ => (None, address.as_str()),
        };
        let local = local.split('#').next().unwrap_or_default();
        let (path, query) = local.split_once('?').unwrap_or((local, ""));
        let path =
            path.split('/').filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect();
        Some(Self { elsewhere, path, params: Params::parse(query).pairs(), address: address.clone() })
    }

    /// Whether both lead to the same place, whatever ids are in it.
    pub(crate) fn leads_where(&self, other: &Self) -> bool {
        let names = |target: &Self| {
            let mut names: Vec<String> = target.params.iter().map(|(name, _)| name.clone()).collect();
            names.sort();
            names.dedup();
            names
        };
        let values = |target: &Self, name: &str| -> Vec<String> {
            let of_name = target.params.iter().filter(|(n, _)| n == name);
            of_name
                .map(|(_, value)| value.clone())
                .filter(|v| ValueShape::of(v) == ValueShape::Word)
                .collect()
        };
        self.elsewhere == other.elsewhere
            && self.path.len() == other.path.len()
            && self.path.iter().zip(&other.path).all(|(was, is)| was == is || (is_id(was) && is_id(is)))
            && names(self) == names(other)
            && names(self).iter().all(|name| {
                let (was, is) = (values(self, name), values(other, name));
                was.is_empty() || is.is_empty() || was == is
            })
    }
}

/// Whether a part of a path is an id, and may be another one the next time.
fn is_id(part: &str) -> bool {
    !matches!(
        ValueShape::of(part),
        ValueShape::Word | ValueShape::Slug | ValueShape::Text | ValueShape::Empty
    )
}

/// Whether this machine is meant: an application is recorded on one port and replayed on another.
fn is_loopback(authority: &str) -> bool {
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(was: &str, is: &str) -> bool {
        let target = |to: &str| {
            let headers: Headers = [("location".to_owned(), to.to_owned())].into_iter().collect();
            Target::of(&headers, [Some("shop.example"), Some("127.0.0.1:4000")]).unwrap()
        };
        target(was).leads_where(&target(is))
    }

    #[test]
    fn ids_and_the_own_host_do_not_count() {
        assert!(same("/order/17", "/order/18"));
        assert!(same("http://shop.example/order/17", "http://127.0.0.1:4000/order/2"));
        assert!(same("/p/x7k2p", "/p/q9w3e"));
        assert!(same("/?saved=17&to=list", "/?saved=9&to=list"));
    }

    #[test]
    fn another_page_does() {
        assert!(!same("/account", "/login"));
        assert!(!same("/account", "/account?error=1"));
        assert!(!same("/index.php?page=account", "/index.php?page=login"));
        assert!(!same("/", "https://sso.example/"));
        assert!(!same("/order/17", "/order"));
    }
}
