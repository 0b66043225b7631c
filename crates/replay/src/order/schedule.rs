//! In which order the requests of overlapping sessions are sent, and which answers each has to wait for.

use restage_model::{Exchange, Moment};

/// A request that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    /// Its session's place among those that are replayed.
    pub(crate) session: usize,
    /// When it was sent, as recorded.
    sent: Moment,
    /// When it was answered, as recorded.
    answered: Moment,
}

impl Due {
    /// Whether it has to wait for the answer to one that was sent before it: a user sends one request at a time, and what
    /// had been answered when this was sent is answered now.
    pub(crate) fn waits_for(&self, earlier: &Self) -> bool {
        self.session == earlier.session || earlier.answered <= self.sent
    }
}

/// The requests of all sessions in the order in which they were sent; those of a session stay in their order.
pub(crate) fn schedule(sessions: &[Vec<Exchange>]) -> Vec<Due> {
    let mut all = Vec::new();
    for (session, exchanges) in sessions.iter().enumerate() {
        let mut latest = Moment(i64::MIN);
        for exchange in exchanges {
            latest = latest.max(exchange.at);
            let took = i64::try_from(exchange.took).unwrap_or(i64::MAX);
            all.push(Due { session, sent: latest, answered: Moment(exchange.at.0.saturating_add(took)) });
        }
    }
    all.sort_by_key(|due| due.sent);
    all
}

#[cfg(test)]
mod tests {
    use restage_model::{BodyRef, ExchangeId, Headers, Request};

    use super::*;

    fn exchange(at: i64, took: u64) -> Exchange {
        Exchange {
            id: ExchangeId(at),
            at: Moment(at),
            took,
            client: String::new(),
            request: Request {
                method: "GET".to_owned(),
                uri: "/".to_owned(),
                headers: Headers::new(),
                body: BodyRef::default(),
            },
            response: None,
            error: None,
            imported: false,
            origin: restage_model::Origin::Recorded,
        }
    }

    /// Catches: requests that were in flight together go one after another, or what was apart goes together.
    #[test]
    fn requests_go_in_the_recorded_order_and_overlap_as_recorded() {
        let due =
            schedule(&[vec![exchange(0, 50), exchange(100, 10)], vec![exchange(20, 40), exchange(70, 5)]]);
        let order: Vec<usize> = due.iter().map(|d| d.session).collect();
        assert_eq!(order, [0, 1, 1, 0]);
        assert!(!due[1].waits_for(&due[0]), "20 was sent before 0 was answered at 50");
        assert!(due[2].waits_for(&due[1]), "of one session");
        assert!(due[3].waits_for(&due[0]) && due[3].waits_for(&due[2]));
    }
}
