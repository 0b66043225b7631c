//! Keeping apart in time what the recording kept apart.
//!
//! A replay is faster than any user, and many applications tell moments apart by the second: two revisions of a
//! page that were minutes apart would fall into one second in one run and into two in the next. With a grain, a
//! request that changes something is sent in a later tick of the clock than the request before it, where that
//! was so in the recording.
//!
//! Where the app's clock is set to the recorded time of each step, it keeps them apart by itself.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use restage_model::{Exchange, Moment};

use crate::error::ReplayError;
use restage_app::AppSpec;
use restage_app::ClockFile;

/// The pace of a replay.
#[derive(Debug)]
pub(crate) struct Pace {
    grain: Duration,
    /// When the last request was over: as recorded, and now.
    last: Option<(Moment, Duration)>,
    /// The app's clock, where it is moved along.
    clock: Option<ClockFile>,
}

impl Pace {
    /// The pace on an app. Its clock, where it has one of its own, is set to when the first session began: the app
    /// looks at it when it starts.
    pub(crate) fn of(app: &AppSpec, first: Option<Moment>) -> Result<Self, ReplayError> {
        let clock = ClockFile::of(app, first)?;
        let grain = if clock.as_ref().is_some_and(ClockFile::follows) { Duration::ZERO } else { app.grain };
        Ok(Self { clock, ..Self::new(grain) })
    }

    /// A replay as fast as it can be, but for what the grain keeps apart; zero keeps nothing apart.
    fn new(grain: Duration) -> Self {
        Self { grain, last: None, clock: None }
    }

    /// The app is about to be started for a session that was recorded from then on.
    pub(crate) fn start(&mut self, from: Moment) -> Result<(), ReplayError> {
        self.begin();
        Ok(self.clock.as_mut().map_or(Ok(()), |clock| clock.step(from))?)
    }

    /// A session begins.
    pub(crate) fn begin(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.begin();
        }
    }

    /// Waits as long as must be before a request is sent, and moves the app's clock.
    pub(crate) async fn wait(&mut self, exchange: &Exchange) -> Result<(), ReplayError> {
        let pause = self.pause(exchange, now());
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Ok(self.clock.as_mut().map_or(Ok(()), |clock| clock.step(exchange.at))?)
    }

    /// Notes that a request was answered.
    pub(crate) fn note(&mut self, exchange: &Exchange) {
        self.note_at(exchange, now());
    }

    fn pause(&self, exchange: &Exchange, now: Duration) -> Duration {
        let Some((recorded, live)) = self.last else { return Duration::ZERO };
        let grain = self.grain.as_micros();
        let was_apart = u128::try_from(exchange.at.since(recorded)).is_ok_and(|gap| gap >= grain);
        if grain == 0 || !was_apart || !changes_something(exchange) {
            return Duration::ZERO;
        }
        let next_tick = (live.as_micros() / grain + 1) * grain;
        Duration::from_micros(u64::try_from(next_tick.saturating_sub(now.as_micros())).unwrap_or(0))
    }

    fn note_at(&mut self, exchange: &Exchange, now: Duration) {
        let took = i64::try_from(exchange.took).unwrap_or(0);
        self.last = Some((Moment(exchange.at.0.saturating_add(took)), now));
    }
}

/// Any method but those that only look; and a `GET` that is answered by a redirect, as of a link that does something.
fn changes_something(exchange: &Exchange) -> bool {
    let looks = matches!(exchange.request.method.as_str(), "GET" | "HEAD" | "OPTIONS");
    !looks || exchange.response.as_ref().is_some_and(|r| (300..400).contains(&r.status) && r.status != 304)
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use restage_model::{BodyRef, ExchangeId, Headers, Request, Response};

    use super::*;

    fn exchange(method: &str, status: u16, second: i64) -> Exchange {
        Exchange {
            id: ExchangeId(1),
            at: Moment(second * 1_000_000),
            took: 0,
            client: String::new(),
            request: Request {
                method: method.to_owned(),
                uri: "/".to_owned(),
                headers: Headers::new(),
                body: BodyRef::default(),
            },
            response: Some(Response { status, headers: Headers::new(), body: BodyRef::default() }),
            error: None,
            imported: false,
            origin: restage_model::Origin::Recorded,
        }
    }

    /// Catches: two saves that were seconds apart fall into one second, and one revision is lost.
    #[test]
    fn what_was_a_second_apart_comes_in_another_second() {
        let at = Duration::from_millis;
        let mut pace = Pace::new(Duration::from_secs(1));
        assert_eq!(pace.pause(&exchange("POST", 200, 0), at(10_300)), Duration::ZERO);
        pace.note_at(&exchange("GET", 200, 0), at(10_300));
        assert_eq!(pace.pause(&exchange("POST", 200, 7), at(10_400)), at(600));
        assert_eq!(pace.pause(&exchange("POST", 200, 7), at(11_200)), Duration::ZERO);
        // Looking changes nothing, a link that redirects may; and what was together stays so.
        assert_eq!(pace.pause(&exchange("GET", 200, 7), at(10_400)), Duration::ZERO);
        assert_eq!(pace.pause(&exchange("GET", 302, 7), at(10_400)), at(600));
        assert_eq!(pace.pause(&exchange("POST", 200, 0), at(10_400)), Duration::ZERO);
        let mut free = Pace::new(Duration::ZERO);
        free.note_at(&exchange("GET", 200, 0), at(10_300));
        assert_eq!(free.pause(&exchange("POST", 200, 7), at(10_400)), Duration::ZERO);
    }
}
