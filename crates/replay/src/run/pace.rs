//! Keeping apart in time what the recording kept apart.
//!
//! A replay is faster than any user, and many applications tell moments apart by the second: two revisions of a
//! page that were minutes apart would fall into one second in one run and into two in the next. With a grain, a
//! request that changes something is sent in a later tick of the clock than every request that had been answered in an
//! earlier tick when it was recorded, whoever sent that one, and whatever came in between.
//!
//! That holds under a recorded clock, too: it is the app's own, and `NOW()` in SQL is another.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use restage_model::{Exchange, Moment};

use crate::error::ReplayError;
use restage_app::AppSpec;
use restage_app::Clock;
use restage_app::ClockFile;

/// The pace of a replay.
#[derive(Debug)]
pub(crate) struct Pace {
    grain: Duration,
    /// The newest tick in which requests were answered.
    newest: Option<NewestTick>,
    /// The app's clock, where it is moved along.
    clock: Option<ClockFile>,
    /// How far the app's clock is ahead all the time, in microseconds.
    shift: i64,
}

/// The newest tick of the live clock in which requests were answered. What was answered in ticks before it is over.
#[derive(Clone, Copy, Debug)]
struct NewestTick {
    live: i128,
    /// The earliest tick in which one of them had been answered when it was recorded: what was sent later than that is kept apart.
    recorded: i128,
}

impl Pace {
    /// The pace on an app. Its clock, where it has one of its own, is set to when the first session began: the app
    /// looks at it when it starts.
    pub(crate) fn of(app: &AppSpec, first: Option<Moment>) -> Result<Self, ReplayError> {
        let clock = ClockFile::of(app, first)?;
        let shift = if let Clock::Shift(by) = app.clock { by } else { 0 };
        Ok(Self { clock, shift, ..Self::new(app.grain) })
    }

    /// How many seconds the app's clock is ahead, now.
    pub(crate) fn seconds_ahead(&self) -> i64 {
        let ahead = self.clock.as_ref().map_or(self.shift, ClockFile::ahead);
        ahead.div_euclid(1_000_000)
    }

    /// A replay as fast as it can be, but for what the grain keeps apart; zero keeps nothing apart.
    fn new(grain: Duration) -> Self {
        Self { grain, newest: None, clock: None, shift: 0 }
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
        let Some(newest) = self.newest.filter(|_| exchange.may_change_something()) else {
            return Duration::ZERO;
        };
        let Some(sent) = self.tick(exchange.at.0) else { return Duration::ZERO };
        if sent <= newest.recorded {
            return Duration::ZERO;
        }
        let next_tick = (newest.live + 1) * self.grain.as_micros() as i128;
        let pause = next_tick.saturating_sub(now.as_micros() as i128);
        Duration::from_micros(u64::try_from(pause).unwrap_or(0))
    }

    fn note_at(&mut self, exchange: &Exchange, now: Duration) {
        let took = i64::try_from(exchange.took).unwrap_or(0);
        let answered = self.tick(exchange.at.0.saturating_add(took));
        let live = i64::try_from(now.as_micros()).ok().and_then(|now| self.tick(now));
        let (Some(recorded), Some(live)) = (answered, live) else { return };
        let same = self.newest.filter(|newest| newest.live == live);
        let recorded = same.map_or(recorded, |newest| newest.recorded.min(recorded));
        self.newest = Some(NewestTick { live, recorded });
    }

    /// Which tick of the clock a moment is in; none where nothing is kept apart.
    fn tick(&self, microseconds: i64) -> Option<i128> {
        i128::from(microseconds).checked_div_euclid(self.grain.as_micros() as i128)
    }
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

    /// Catches: two changes of different seconds fall into one, because the page looked at between them was close to the second one.
    #[test]
    fn what_comes_in_between_brings_two_changes_no_nearer() {
        let at = Duration::from_millis;
        let mut pace = Pace::new(Duration::from_secs(1));
        pace.note_at(&exchange("POST", 200, 0), at(10_300));
        pace.note_at(&exchange("GET", 200, 7), at(10_350));
        assert_eq!(pace.pause(&exchange("POST", 200, 7), at(10_400)), at(600));
        // In the next second the change of the second before is over.
        pace.note_at(&exchange("GET", 200, 7), at(11_100));
        assert_eq!(pace.pause(&exchange("POST", 200, 7), at(11_200)), Duration::ZERO);
        pace.note_at(&exchange("POST", 200, 7), at(11_200));
        assert_eq!(pace.pause(&exchange("POST", 200, 8), at(11_300)), at(700));
    }

    /// Catches: moves of two seconds that were less than a second apart fall into one, and what is sorted by the second is in another order.
    #[test]
    fn a_tick_between_two_changes_is_enough() {
        let at = Duration::from_millis;
        let mut pace = Pace::new(Duration::from_secs(1));
        let move_at =
            |micros: i64, took: u64| Exchange { at: Moment(micros), took, ..exchange("POST", 200, 0) };
        pace.note_at(&move_at(900_000, 20_000), at(10_300));
        assert_eq!(pace.pause(&move_at(1_100_000, 0), at(10_400)), at(600));
        // One that was answered in the later tick may have been noted there.
        let mut other = Pace::new(Duration::from_secs(1));
        other.note_at(&move_at(900_000, 150_000), at(10_300));
        assert_eq!(other.pause(&move_at(1_100_000, 0), at(10_400)), Duration::ZERO);
    }
}
