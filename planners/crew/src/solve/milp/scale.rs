//! Times and damages in units of which all are multiples.

/// Most units of a limit: beyond, tolerances of the solver are worth more than a unit.
const UNITS_MAX: u32 = 100_000;

/// Amounts of one kind, of time or of damage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// The largest step of which all are multiples.
    unit: u64,
    /// What may be spent, in units.
    pub(super) limit: u32,
}

/// Units of time, and of damage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scales {
    pub(super) time: Scale,
    pub(super) damage: Scale,
}

impl Scale {
    /// For amounts of arcs and of efforts, on legs of at most `steps` arcs, and with a limit of the
    /// sum.
    ///
    /// # Errors
    /// How many units there would be, when there are too many.
    pub(super) fn new(
        arcs: &[u64],
        efforts: &[u64],
        steps: usize,
        limit: u64,
    ) -> Result<Self, u64> {
        let unit = arcs.iter().chain(efforts).fold(0, |one, it| gcd(one, *it));
        let unit = unit.max(1);
        let most = |all: &[u64]| all.iter().copied().max().unwrap_or(0);
        // Nobody goes through a vertex twice on one leg: no more can be spent.
        let spent = most(arcs).saturating_mul(steps as u64);
        let spent = spent.saturating_add(most(efforts));
        let units = limit.min(spent) / unit;
        match u32::try_from(units) {
            Ok(limit) if limit <= UNITS_MAX => Ok(Self { unit, limit }),
            _ => Err(units),
        }
    }

    /// An amount in units. More than may be spent is one unit too much, so that numbers stay small.
    pub(super) fn units(self, amount: u64) -> f64 {
        let most = self.limit + 1;
        let units = u32::try_from(amount / self.unit).unwrap_or(most);
        f64::from(units.min(most))
    }

    /// The amount of this number of units.
    pub(super) fn amount(self, units: u32) -> u64 {
        u64::from(units) * self.unit
    }
}

/// Why there is no scale, for people.
pub(super) fn too_fine(what: &str, units: u64) -> String {
    format!(
        "{what} that add up to {units} times the largest step of which all are multiples, at most {UNITS_MAX} are solved"
    )
}

/// The greatest common divisor; that of 0 and a number is the number.
fn gcd(one: u64, other: u64) -> u64 {
    match other {
        0 => one,
        _ => gcd(other, one % other),
    }
}
