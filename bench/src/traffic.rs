//! Sessions as sets of keys, as many as one likes, skewed as traffic is.

use restage_suite::reduce::Coverage;

/// Draws sessions. Keys are as frequent as 1/rank (Zipf's law); a session asks for ten requests on average, some for
/// very many. Each is drawn independently, which makes more distinct sessions than people, who go along links, do.
#[derive(Debug)]
pub struct Traffic {
    /// How often one of the keys up to each is asked for, of all.
    up_to: Vec<f64>,
    random: fastrand::Rng,
}

impl Traffic {
    /// Traffic over this many keys.
    pub fn new(keys: usize, seed: u64) -> Self {
        let mut sum = 0.0;
        let mut up_to: Vec<f64> = (1..=keys)
            .map(|rank| {
                sum += 1.0 / rank as f64;
                sum
            })
            .collect();
        up_to.iter_mut().for_each(|share| *share /= sum);
        Self { up_to, random: fastrand::Rng::with_seed(seed) }
    }

    /// The next session's keys, sorted, each once.
    pub fn session(&mut self) -> Vec<u32> {
        let requests = 1 + (-self.random.f64().max(f64::MIN_POSITIVE).ln() * 9.0) as usize;
        let mut keys: Vec<u32> = (0..requests)
            .map(|_| {
                let drawn = self.random.f64();
                let key = self.up_to.partition_point(|share| *share < drawn);
                key.min(self.up_to.len() - 1) as u32
            })
            .collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Many sessions.
    pub fn sessions(&mut self, number: usize) -> Coverage {
        let mut coverage = Coverage::new();
        for _ in 0..number {
            coverage.push(&self.session());
        }
        coverage
    }
}
