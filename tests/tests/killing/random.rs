//! Numbers that come again with the same seed.

use std::time::{Duration, SystemTime};

/// Names the seed of a run to repeat.
const VARIABLE: &str = "KILLING_SEED";

/// A generator of numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The seed of this run.
    pub(super) fn seed() -> u64 {
        match std::env::var(VARIABLE) {
            Ok(text) => text.parse().unwrap(),
            Err(_) => u64::from(SystemTime::UNIX_EPOCH.elapsed().unwrap().subsec_nanos()),
        }
    }

    /// The generator of the job of this number.
    pub(super) fn of(seed: u64, job: usize) -> Random {
        let mut random = Random(seed);
        let start = random.next().wrapping_add(job as u64);
        Random(start)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A time below this one.
    pub(super) fn below(&mut self, limit: Duration) -> Duration {
        let limit = u64::try_from(limit.as_micros()).unwrap();
        Duration::from_micros(self.next() % limit)
    }
}
