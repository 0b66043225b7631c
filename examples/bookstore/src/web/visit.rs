//! One request, with all a page may need: the transaction, the session, the fields sent.

use std::sync::Arc;

use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use rusqlite::Connection;

use super::reply::{page, see_other};
use super::{Fields, Outcome, Refusal, Reply};
use crate::pages;
use crate::pages::membership::login;
use crate::shop::Shop;
use crate::store::{Flash, Member, Session, Transaction};

const COOKIE: &str = "bookstore_session";

/// A request being answered.
#[derive(Debug)]
pub(crate) struct Visit<'a> {
    pub(crate) shop: &'a Shop,
    /// The request's transaction.
    pub(crate) db: &'a Connection,
    pub(crate) session: Session,
    pub(crate) member: Option<Member>,
    pub(crate) query: Fields,
    pub(crate) form: Fields,
    /// Path and query as asked for, to come back to after logging in.
    pub(crate) address: String,
    id: Option<i64>,
}

/// What a request says, before the database is asked anything.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) query: String,
    /// The `{id}` of the path.
    pub(super) id: Option<i64>,
    pub(super) cookies: String,
    pub(super) body: Vec<u8>,
}

/// A page: what answers a visit.
pub(super) type Page = fn(&mut Visit<'_>) -> Outcome;

impl Visit<'_> {
    /// The `{id}` of the path; a path without a proper one is no page.
    pub(crate) fn id(&self) -> Result<i64, Refusal> {
        self.id.ok_or(Refusal::NotFound)
    }

    /// Who is logged in; whoever is not is asked to.
    pub(crate) fn member(&self) -> Result<&Member, Refusal> {
        self.member.as_ref().ok_or(Refusal::LogInFirst)
    }

    /// Leaves a message for the next page and goes there.
    pub(crate) fn go(&self, location: impl Into<String>, flash: Flash) -> Outcome {
        self.session.leave_flash(self.db, Some(&flash))?;
        Reply::to(location)
    }

    pub(crate) fn go_well(&self, location: impl Into<String>, message: impl Into<String>) -> Outcome {
        self.go(location, Flash::Good(message.into()))
    }
}

impl Asked {
    /// Answers the request in a transaction of its own.
    pub(super) fn answer(self, shop: &Arc<Shop>, page_asked: Page) -> Response {
        let db = shop.database();
        self.answer_with(shop, &db, page_asked).unwrap_or_else(|error| {
            eprintln!("bookstore: {} {}: {error}", self.method, self.path);
            page(StatusCode::INTERNAL_SERVER_ERROR, pages::out_of_order())
        })
    }

    fn answer_with(&self, shop: &Shop, db: &Connection, page_asked: Page) -> rusqlite::Result<Response> {
        let token = self.session_token();
        let (transaction, known) = self.begin(db, token)?;
        let session = match known {
            Some(session) => session,
            None => Session::start(db, shop, None)?,
        };
        if session.flash.is_some() {
            session.leave_flash(db, None)?;
        }
        let member = session.member_id.map(|id| Member::find(db, id)).transpose()?.flatten();
        let mut visit = Visit {
            shop,
            db,
            session,
            member,
            query: Fields::parse(self.query.as_bytes()),
            form: Fields::parse(&self.body),
            address: self.address(),
            id: self.id,
        };
        let forged = self.method == Method::POST && visit.form.raw("csrf") != visit.session.csrf;
        let outcome = match forged {
            true => {
                Err(Refusal::Forbidden("The form is out of date. Go back, reload the page and try again."))
            }
            false => page_asked(&mut visit),
        };
        let mut response = respond(&visit, outcome)?;
        if token != Some(&visit.session.token) {
            let cookie = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Lax", visit.session.token);
            if let Ok(value) = HeaderValue::from_str(&cookie) {
                response.headers_mut().append(header::SET_COOKIE, value);
            }
        }
        drop(visit);
        transaction.commit()?;
        Ok(response)
    }

    /// Begins the request's transaction and finds its session. Only a request that will write takes
    /// the write lock, so that readers do not wait.
    fn begin<'db>(
        &self,
        db: &'db Connection,
        token: Option<&str>,
    ) -> rusqlite::Result<(Transaction<'db>, Option<Session>)> {
        let find = || token.map(|token| Session::find(db, token)).transpose().map(Option::flatten);
        if self.method != Method::POST && token.is_some() {
            let transaction = Transaction::reading(db)?;
            let known = find()?;
            if known.as_ref().is_some_and(|session| session.flash.is_none()) {
                return Ok((transaction, known));
            }
            transaction.commit()?;
        }
        let transaction = Transaction::writing(db)?;
        Ok((transaction, find()?))
    }

    fn session_token(&self) -> Option<&str> {
        self.cookies.split(';').find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
    }

    fn address(&self) -> String {
        match self.query.as_str() {
            // What a form was sent to cannot be come back to.
            _ if self.method == Method::POST => "/".to_owned(),
            "" => self.path.clone(),
            query => format!("{}?{query}", self.path),
        }
    }
}

fn respond(visit: &Visit<'_>, outcome: Outcome) -> rusqlite::Result<Response> {
    Ok(match outcome {
        Ok(Reply::Page(markup)) => page(StatusCode::OK, markup),
        Ok(Reply::Invalid(markup)) => page(StatusCode::UNPROCESSABLE_ENTITY, markup),
        Ok(Reply::SeeOther(location)) => see_other(&location),
        Err(Refusal::Database(error)) => return Err(error),
        Err(Refusal::LogInFirst) => {
            visit.session.leave_flash(visit.db, Some(&Flash::Bad("Please log in first.".to_owned())))?;
            see_other(&login::address(visit.shop.release, &visit.address))
        }
        Err(refusal) => page(refusal.status(), pages::refusal(visit, &refusal)?),
    })
}
