//! The probe of `f32_compensated`: a device adds pairs of numbers by the text that kernels have,
//! and what it says must be what a processor says. A driver that puts sums in another order, or in
//! higher precision, loses what the state's lower parts are there for.

use super::adding::{ADDED, LOW, STATE, SUMS, text};
use super::device::Device;
use super::probe;
use crate::backend::BackendError;

/// Numbers by leaf, whose exponents lie up to 2^30 apart.
fn numbers() -> Vec<f32> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1_u32 << 24) as f32 - 0.5
    };
    let states: Vec<f32> = (0..SUMS).map(|_| next()).collect();
    let added: Vec<f32> = (0..SUMS).map(|i| next() * f32::powi(2.0, (i % 31) as i32 - 25)).collect();
    let lows = states.iter().map(|x| x * f32::EPSILON * 0.25).collect::<Vec<f32>>();
    [states, added, lows].concat()
}

/// Returns `x + (low + added)`, rounded, and what that is off by (Knuth 1969, 4.2.2, theorem B).
fn expected(x: f32, added: f32, low: f32) -> [f32; 2] {
    let rest = low + added;
    let sum = x + rest;
    let of_rest = sum - x;
    let of_x = sum - of_rest;
    [sum, (x - of_x) + (rest - of_rest)]
}

/// # Errors
/// The device does not add in the order that the kernel says.
pub fn probe(device: &Device) -> Result<(), BackendError> {
    add_up(device, &text())
}

fn add_up(device: &Device, text: &str) -> Result<(), BackendError> {
    let numbers = numbers();
    let found = probe::answers(device, text, &numbers, 2 * SUMS, SUMS)?;
    let number = |leaf: u32, i: usize| numbers[leaf as usize * SUMS + i];
    let is_exact = |i: usize| {
        let [sum, error] = expected(number(STATE, i), number(ADDED, i), number(LOW, i));
        found[i] == sum && found[SUMS + i] == error
    };
    match (0..SUMS).filter(|i| !is_exact(*i)).count() {
        0 => Ok(()),
        wrong => Err(BackendError::Sums { adapter: device.summary.name.clone(), wrong, of: SUMS }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::gpu::adapter::AdapterChoice;
    use crate::base::Precision;

    /// The text of a driver that takes `(x + r) - x` for r: it sees no rounding, and so no lower
    /// part.
    #[test]
    fn a_device_that_puts_sums_in_another_order_is_refused() {
        let device =
            Device::open(&AdapterChoice::Any, Precision::F32).expect("an adapter: install a software Vulkan");
        assert!(add_up(&device, &text()).is_ok());
        let low = format!("answers[{SUMS}u + i] = ");
        let reordered = text().replace(&low, &format!("{low}0.0 * "));
        assert_ne!(reordered, text());
        let refused = add_up(&device, &reordered);
        // Lower parts are zero where the sum is exact.
        let most = |wrong: usize| wrong > SUMS / 2;
        assert!(matches!(refused, Err(BackendError::Sums { wrong, .. }) if most(wrong)), "{refused:?}");
    }
}
