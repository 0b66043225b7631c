//! In which order the requests of sessions that met are sent, one at a time.

use restage_model::{Exchange, Moment};

/// Whose turn it is, request by request, by the places of the sessions. Those of a session stay in their order.
///
/// Requests go in the order in which they were sent. One that only looks, and was on its way while another session's change was
/// sent and answered, goes after that change: it may have waited for it, as a game's page waits for the other player's move, and
/// sent before it, it would wait for ever.
pub(crate) fn interleave(sessions: &[Vec<&Exchange>]) -> Vec<usize> {
    let changes: Vec<(usize, Moment, Moment)> = sessions
        .iter()
        .enumerate()
        .flat_map(|(session, exchanges)| exchanges.iter().map(move |exchange| (session, exchange)))
        .filter(|(_, exchange)| exchange.may_change_something())
        .map(|(session, exchange)| (session, exchange.at, answered(exchange)))
        .collect();
    let mut turns: Vec<Vec<Moment>> = Vec::new();
    for (own, exchanges) in sessions.iter().enumerate() {
        let (mut of_session, mut latest) = (Vec::with_capacity(exchanges.len()), Moment(i64::MIN));
        for (place, exchange) in exchanges.iter().enumerate() {
            let mut turn = exchange.at;
            if !exchange.may_change_something() {
                let next = exchanges.get(place + 1).map_or(Moment(i64::MAX), |next| next.at);
                // Whose user went on meanwhile did not wait.
                let end = answered(exchange).min(next);
                let meanwhile = |(session, sent, answered): &&(usize, Moment, Moment)| {
                    *session != own && *sent > exchange.at && *answered <= end
                };
                let waited_for = changes.iter().filter(meanwhile).map(|(_, _, answered)| *answered).max();
                turn = waited_for.unwrap_or(turn);
            }
            latest = latest.max(turn);
            of_session.push(latest);
        }
        turns.push(of_session);
    }
    let mut order: Vec<(Moment, usize, usize)> = turns
        .into_iter()
        .enumerate()
        .flat_map(|(session, turns)| {
            turns.into_iter().enumerate().map(move |(place, turn)| (turn, session, place))
        })
        .collect();
    // Of one moment, as in logs with whole seconds, in the order in which they were stored.
    let stored = |(_, session, place): &(Moment, usize, usize)| sessions[*session][*place].id;
    order.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| stored(one).cmp(&stored(other))));
    // Whoever's turn it is sends what comes next in the session.
    order.into_iter().map(|(_, session, _)| session).collect()
}

fn answered(exchange: &Exchange) -> Moment {
    Moment(exchange.at.0.saturating_add(i64::try_from(exchange.took).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use restage_model::{BodyRef, ExchangeId, Headers, Request};

    use super::*;

    fn exchange(method: &str, at: i64, took: u64) -> Exchange {
        Exchange {
            id: ExchangeId(at),
            at: Moment(at),
            took,
            client: String::new(),
            request: Request {
                method: method.to_owned(),
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

    fn turns(sessions: &[Vec<Exchange>]) -> Vec<usize> {
        let borrowed: Vec<Vec<&Exchange>> = sessions.iter().map(|session| session.iter().collect()).collect();
        interleave(&borrowed)
    }

    /// Catches: a player who sends all moves before the other one has sent any.
    #[test]
    fn requests_go_in_the_recorded_order() {
        let one = vec![exchange("GET", 0, 5), exchange("POST", 20, 5), exchange("POST", 40, 5)];
        let other = vec![exchange("POST", 10, 5), exchange("POST", 30, 5)];
        assert_eq!(turns(&[one, other]), [0, 1, 0, 1, 0]);
    }

    /// Catches: a request that waits for another user's move, and is sent before it: it would wait for ever.
    #[test]
    fn what_waited_for_a_change_goes_after_it() {
        let waiting = || exchange("GET", 0, 100);
        assert_eq!(
            turns(&[vec![waiting(), exchange("GET", 200, 5)], vec![exchange("POST", 50, 10)]]),
            [1, 0, 0]
        );
        // Its own user went on before the change was answered, or the change was answered later: it did not wait.
        assert_eq!(
            turns(&[vec![waiting(), exchange("GET", 55, 5)], vec![exchange("POST", 50, 10)]]),
            [0, 1, 0]
        );
        assert_eq!(turns(&[vec![waiting()], vec![exchange("POST", 50, 80)]]), [0, 1]);
        // Another look changes nothing, and what changes something goes when it was sent.
        assert_eq!(turns(&[vec![waiting()], vec![exchange("GET", 50, 10)]]), [0, 1]);
        assert_eq!(turns(&[vec![exchange("POST", 0, 100)], vec![exchange("POST", 50, 10)]]), [0, 1]);
    }

    proptest! {
        /// Catches: a request that is lost or sent twice; one that had been answered before another was sent, and goes after it.
        #[test]
        fn what_was_over_goes_first(
            recorded in proptest::collection::vec((0usize..3, any::<bool>(), 1i64..40, 0u64..60), 0..40)
        ) {
            let mut sessions: Vec<Vec<Exchange>> = vec![Vec::new(); 3];
            let mut at = 0;
            for (session, posts, gap, took) in recorded {
                at += gap;
                sessions[session].push(exchange(if posts { "POST" } else { "GET" }, at, took));
            }
            let mut next = [0; 3];
            let mut sent: Vec<&Exchange> = Vec::new();
            for session in turns(&sessions) {
                sent.push(&sessions[session][next[session]]);
                next[session] += 1;
            }
            prop_assert_eq!(next.iter().sum::<usize>(), sessions.iter().map(Vec::len).sum::<usize>());
            for (place, later) in sent.iter().enumerate() {
                for earlier in &sent[..place] {
                    prop_assert!(answered(later) >= earlier.at, "{:?} after {:?}", later, earlier);
                }
            }
        }
    }
}
