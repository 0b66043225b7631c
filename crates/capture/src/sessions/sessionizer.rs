//! Telling sessions apart in bounded memory: exchanges come one by one, in any order, and a few bytes of each stay.

use restage_model::{Exchange, ExchangeId, Moment};

use crate::sessions::assigner::SessionAssigner;
use crate::sessions::bots::Conduct;
use crate::sessions::clients::Clients;
use crate::sessions::filter::{Paths, Reason, own_reason};
use crate::sessions::identifiers::Identifiers;
use crate::sessions::marking::{Marking, Marks};
use crate::sessions::row::{Row, Traits};
use crate::sessions::rules::{By, SessionRules};
use crate::sessions::session_list::{Group, SessionList};
use crate::sessions::static_class::StaticClass;

/// Takes exchanges and tells their sessions.
#[derive(Debug)]
pub struct Sessionizer<'r> {
    rules: &'r SessionRules,
    rows: Vec<Row>,
    clients: Clients,
    paths: Paths,
    identifiers: Identifiers<'r>,
}

impl<'r> Sessionizer<'r> {
    /// For traffic that is sorted by these rules.
    pub fn new(rules: &'r SessionRules) -> Self {
        Self {
            rules,
            rows: Vec::new(),
            clients: Clients::default(),
            paths: Paths::default(),
            identifiers: Identifiers::new(rules),
        }
    }

    /// Looks at an exchange. However they were logged: lines out of order and logs of several servers are one stream
    /// in the end.
    pub fn add(&mut self, exchange: &Exchange) {
        let request = &exchange.request;
        let class = StaticClass::of(exchange);
        let agent = request.headers.get("user-agent").unwrap_or_default();
        let static_pages = &self.rules.leave_out.static_pages;
        let listed = !static_pages.is_empty() && static_pages.iter().any(|p| p.matches(request.path()));
        self.rows.push(Row {
            id: exchange.id,
            at: exchange.at,
            client: self.clients.number(&exchange.client, agent),
            path: if exchange.imported { self.paths.add(exchange) } else { u32::MAX },
            identifiers: self.identifiers.add(exchange),
            traits: Traits::of(exchange, listed),
            class,
            reason: own_reason(self.rules, exchange, class),
        });
    }

    /// The sessions of all exchanges, in order of first access. Every exchange is in exactly one, as a
    /// step or left out; a session may have nothing but what is left out.
    pub fn finish(self) -> SessionList {
        let Self { rules, mut rows, clients, paths, mut identifiers } = self;
        rows.sort_unstable_by_key(|row| (row.at, row.id));
        let marking = Marking::new(rules, &rows, &mut identifiers);
        let idle = i64::try_from(rules.idle.as_micros()).unwrap_or(i64::MAX);
        let mut assigner = SessionAssigner::new(clients.len(), idle);
        let mut drafts: Vec<Draft> = Vec::new();
        let mut marks = Marks::default();
        for row in &mut rows {
            marking.read(identifiers.of(row.identifiers), &mut marks);
            let client = if marking.client_by == By::Ip { clients.address(row.client) } else { row.client };
            let session = assigner.session_of(row, &marks, client);
            if session as usize == drafts.len() {
                drafts.push(Draft::new(row));
            }
            row.reason = paths.reason(rules, row);
            drafts[session as usize].add(row, &paths);
            // Its identifiers are read: from here on the field says which session it belongs to.
            row.identifiers = session;
        }
        drop((identifiers, paths));
        let mut groups = Vec::with_capacity(drafts.len());
        let mut begin = 0;
        for (draft, open) in drafts.iter().zip(&assigner.sessions) {
            let exchanges = (draft.kept + draft.left_out) as usize;
            groups.push(Group {
                first: draft.first,
                from: draft.from,
                to: open.last,
                client: clients.address(draft.client),
                by: open.by,
                begin,
                kept: draft.kept,
                left_out: draft.left_out,
                reason: draft.reason(rules, &clients, open.last.since(draft.from)),
            });
            begin += exchanges;
        }
        drop((drafts, assigner));
        let (ids, reasons) = grouped(rows, &groups);
        let told_by = marking.sources.iter().map(By::to_string).collect();
        SessionList::new(
            ids,
            reasons,
            groups,
            clients.into_addresses(),
            told_by,
            marking.client_by.to_string(),
        )
    }
}

/// The exchanges of each session together, in the order of time, those that are replayed first; and why each is left out.
fn grouped(rows: Vec<Row>, groups: &[Group]) -> (Vec<ExchangeId>, Vec<Option<Reason>>) {
    let mut ids = vec![ExchangeId(0); rows.len()];
    let mut reasons = vec![None; rows.len()];
    let mut next: Vec<[u32; 2]> = vec![[0, 0]; groups.len()];
    for row in rows {
        let session = row.identifiers as usize;
        let (group, left_out) = (&groups[session], usize::from(row.reason.is_some()));
        let at = group.begin + [0, group.kept as usize][left_out] + next[session][left_out] as usize;
        next[session][left_out] += 1;
        ids[at] = row.id;
        reasons[at] = row.reason;
    }
    (ids, reasons)
}

/// What is found out about a session while its exchanges pass.
#[derive(Debug)]
struct Draft {
    first: ExchangeId,
    from: Moment,
    client: u32,
    kept: u32,
    left_out: u32,
    conduct: Conduct,
    /// All that is kept is the same for everybody.
    static_pages: bool,
    /// Why the first that is left out is.
    why: Option<Reason>,
    /// All that are left out are for the same reason.
    same: bool,
}

impl Draft {
    fn new(first: &Row) -> Self {
        Self {
            first: first.id,
            from: first.at,
            client: first.client,
            kept: 0,
            left_out: 0,
            conduct: Conduct::new(),
            static_pages: true,
            why: None,
            same: true,
        }
    }

    fn add(&mut self, row: &Row, paths: &Paths) {
        self.conduct.add(row);
        match row.reason {
            None => {
                self.kept += 1;
                self.static_pages &= paths.is_static_page(row);
            }
            Some(reason) => {
                self.left_out += 1;
                self.same &= *self.why.get_or_insert(reason) == reason;
            }
        }
    }

    /// Why the whole session is left out; none where it is a test.
    fn reason(&self, rules: &SessionRules, clients: &Clients, lasted: i64) -> Option<Reason> {
        let exchanges = (self.kept + self.left_out) as usize;
        if !rules.bots
            && let Some(sign) = self.conduct.sign(clients.agent(self.client), exchanges, lasted)
        {
            return Some(Reason::Bot(sign));
        }
        if self.kept == 0 {
            // One reason where there is one; a mixture is told exchange by exchange.
            return self.why.filter(|_| self.same).or(Some(Reason::OnlyStatic));
        }
        self.static_pages.then_some(Reason::OnlyStatic)
    }
}
