//! Arithmetic that gives the same bits on every machine: only the operations that IEEE 754 defines exactly.

/// The exponential function, by halving the argument and squaring the series; exact to about 1e-12.
#[must_use]
pub fn exp(x: f64) -> f64 {
    let x = x.clamp(-60.0, 60.0);
    // |x / 2^10| < 0.06: seven terms are enough.
    let small = x / 1024.0;
    let mut term = 1.0;
    let mut sum = 1.0;
    for n in 1..8 {
        term = term * small / f64::from(n);
        sum += term;
    }
    for _ in 0..10 {
        sum *= sum;
    }
    sum
}

/// A small generator of pseudo-random numbers (xorshift64*), the same sequence everywhere.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// A generator from a seed other than zero.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.max(1))
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let wide = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d);
        (wide % (limit.max(1) as u64)) as usize
    }

    /// Puts a list into another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}
