//! Reading the recording ahead of the replay, on a thread of its own: while the application works on a step,
//! the next ones are read, unpacked and parsed.

use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use restage_model::{ExchangeId, Session};
use restage_store::{Store, StoreError};

use crate::live::{Recorded, RecordedSteps};
use crate::run::plan::Plan;

/// How many units may be read ahead: enough never to wait, little enough to bound memory. Whole sessions are
/// handed over, since waking a thread for each step costs more than the step.
const READ_AHEAD: usize = 4;

/// What is replayed as one, as it was recorded: its place among the units of the run, and the steps of each of its sessions.
pub(crate) type RecordedUnit = (usize, Vec<RecordedSteps>);

/// The sessions of a suite, in order. Several workers may take from it: each unit goes to one of them.
pub(crate) struct Prefetch {
    units: Mutex<Units>,
}

struct Units {
    receiver: Receiver<Result<Vec<RecordedSteps>, StoreError>>,
    /// How many were handed out.
    taken: usize,
    count: usize,
}

impl Prefetch {
    /// Begins to read sessions.
    pub(crate) fn start(plan: &Plan<'_>) -> Result<Self, StoreError> {
        let (store, later) = (Store::open(plan.store)?, Arc::new(Mutex::new(Store::open(plan.store)?)));
        let secrecy = plan.context.secrecy.clone();
        let steps = |session: &Session| -> Vec<(usize, ExchangeId)> {
            let steps = session.exchanges.iter().enumerate();
            steps.map(|(step, id)| (session.part_of(step), *id)).collect()
        };
        let of_unit = |unit: &Vec<usize>| -> Vec<_> {
            unit.iter().map(|number| steps(plan.sessions[*number].1)).collect()
        };
        let units: Vec<Vec<Vec<(usize, ExchangeId)>>> = plan.units.iter().map(of_unit).collect();
        let count = units.len();
        let (sender, receiver) = sync_channel(READ_AHEAD);
        std::thread::spawn(move || {
            let read = |(part, id): (usize, ExchangeId)| {
                let recorded = Recorded::read(&store, store.exchange(id)?, &later, &secrecy)?;
                Ok(Arc::new(recorded.of_part(part)))
            };
            for unit in units {
                let sessions = unit.into_iter().map(|session| session.into_iter().map(read).collect());
                // Nobody reads on: the replay has ended.
                if sender.send(sessions.collect()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { units: Mutex::new(Units { receiver, taken: 0, count }) })
    }

    /// The next unit; none where all were handed out.
    pub(crate) fn next(&self) -> Result<Option<RecordedUnit>, StoreError> {
        let mut units = self.units.lock().unwrap_or_else(PoisonError::into_inner);
        let number = units.taken;
        if number == units.count {
            return Ok(None);
        }
        units.taken += 1;
        let ended = |_| Err(StoreError::Unreadable("the suite has fewer sessions than it says".to_owned()));
        Ok(Some((number, units.receiver.recv().unwrap_or_else(ended)?)))
    }
}
