//! What a process is doing with the application's state, for whoever asks it to end.

use std::sync::atomic::{AtomicU8, Ordering};

/// What is being done with the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Nothing yet: the process can end at once.
    Before,
    /// It is saved.
    Saving,
    /// Sessions are replayed on it.
    Replaying,
    /// It is put back as it was.
    Restoring,
    /// It is as it was: the process can end at once.
    Over,
    /// Others take care of ending the process.
    Handed,
}

impl Phase {
    const ALL: [Self; 6] =
        [Self::Before, Self::Saving, Self::Replaying, Self::Restoring, Self::Over, Self::Handed];
}

/// The phase that a process is in, seen by all its threads.
#[derive(Debug, Default)]
pub struct PhaseCell(AtomicU8);

impl PhaseCell {
    /// The phase now.
    pub fn get(&self) -> Phase {
        let number = usize::from(self.0.load(Ordering::SeqCst));
        Phase::ALL.get(number).copied().unwrap_or(Phase::Over)
    }

    /// From now on it is this one.
    pub fn set(&self, phase: Phase) {
        self.0.store(phase as u8, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a phase that reads back as another, and a second Ctrl-C that ends a process which has still to restore.
    #[test]
    fn a_phase_reads_back() {
        let cell = PhaseCell::default();
        assert_eq!(cell.get(), Phase::Before);
        for phase in Phase::ALL {
            cell.set(phase);
            assert_eq!(cell.get(), phase);
        }
    }
}
