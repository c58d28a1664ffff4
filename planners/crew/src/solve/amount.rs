//! Prices of one width or another: the narrow ones are looked at twice as fast.

use std::ops::Add;

/// A sum of prices, or none.
pub(super) trait Amount: Copy + Ord + Add<Output = Self> {
    /// More than all sums.
    const NEVER: Self;
    /// Whether sums of as many prices up to this one, and one more, are less than [`Self::NEVER`].
    fn fits(price: u64, count: usize) -> bool;
    /// A price that fits, or an index.
    fn from_number(price: u64) -> Self;
    /// The number that it was made of.
    fn index(self) -> usize;
    /// The difference; [`Self::NEVER`] stays.
    fn minus(self, by: Self) -> Self;
    /// The sum; [`Self::NEVER`] stays.
    fn plus(self, by: Self) -> Self;
}

macro_rules! amount {
    ($number:ty) => {
        impl Amount for $number {
            const NEVER: Self = Self::MAX / 2;

            fn fits(price: u64, count: usize) -> bool {
                let sums = price.checked_mul(count as u64 + 1);
                sums.is_some_and(|sums| sums < Self::NEVER as u64)
            }

            fn from_number(price: u64) -> Self {
                price as Self
            }

            fn index(self) -> usize {
                self as usize
            }

            fn minus(self, by: Self) -> Self {
                if self == Self::NEVER { self } else { self - by }
            }

            fn plus(self, by: Self) -> Self {
                if self == Self::NEVER { self } else { self + by }
            }
        }
    };
}

amount!(i32);
amount!(i64);
