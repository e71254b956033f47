//! The times at which a motion is drawn.

/// Positions drawn, if there are as many snapshots.
const LEAST: usize = 12;
const MOST: usize = 16;

/// Equally spaced snapshots.
#[derive(Clone, Debug, PartialEq)]
pub struct Strobes {
    /// Numbers of the snapshots.
    pub snapshots: Vec<usize>,
}

impl Strobes {
    /// As far apart as can be without anything moving farther than `limit` from one to the next: a
    /// motion that does more cannot be followed. So a long motion is drawn from its beginning as
    /// far as the positions reach, a short one to its end. `moved[k]` is what the fastest point
    /// goes from snapshot k to the next.
    pub fn choose(times: &[f64], moved: &[f64], limit: f64) -> Strobes {
        let mut count = times.len();
        if let [first, second, .., before, last] = times
            && (last - before) - (second - first) < -1e-6 * (second - first)
        {
            // The end comes sooner than a whole interval.
            count -= 1;
        }
        let intervals = count.saturating_sub(1);
        let drawn = |stride: usize| (intervals / stride).min(MOST - 1);
        let is_smooth = |stride: &usize| {
            let intervals = &moved[..stride * drawn(*stride)];
            intervals.chunks(*stride).all(|interval| interval.iter().sum::<f64>() <= limit)
        };
        let largest = (intervals / (LEAST - 1)).max(1);
        let stride = (1..=largest).rev().find(is_smooth).unwrap_or(1);
        let snapshots =
            if count == 0 { Vec::new() } else { (0..=drawn(stride)).map(|k| k * stride).collect() };
        Strobes { snapshots }
    }

    /// The last snapshot drawn.
    pub fn last(&self) -> usize {
        self.snapshots.last().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(snapshots: usize, moved: f64, limit: f64) -> Vec<usize> {
        let times: Vec<f64> = (0..snapshots).map(|k| k as f64 * 0.1).collect();
        Strobes::choose(&times, &vec![moved; snapshots.saturating_sub(1)], limit).snapshots
    }

    #[test]
    fn there_are_twelve_to_sixteen_equally_spaced() {
        for snapshots in 12..2000 {
            for moved in [0.0, 0.01, 0.3, 5.0] {
                let chosen = choose(snapshots, moved, 1.0);
                assert!((LEAST..=MOST).contains(&chosen.len()), "{snapshots} {moved}: {chosen:?}");
                let stride = chosen[1];
                assert!(chosen.iter().enumerate().all(|(k, &at)| at == k * stride));
                assert!(chosen.iter().all(|&at| at < snapshots));
                assert!(stride == 1 || stride as f64 * moved <= 1.0, "{snapshots} {moved}: {chosen:?}");
            }
        }
    }

    #[test]
    fn rest_and_slow_motion_are_drawn_to_the_end() {
        assert_eq!(choose(201, 0.0, 0.0).last(), Some(&198));
        assert_eq!(choose(12, 0.0, 0.0).last(), Some(&11));
        assert_eq!(choose(201, 0.5, 1.0).last(), Some(&30));
    }

    #[test]
    fn few_snapshots_are_all_drawn() {
        for snapshots in 0..12 {
            assert_eq!(choose(snapshots, 1.0, 1.0), (0..snapshots).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_last_interval_that_is_shorter_is_left_out() {
        let times = [0.0, 1.0, 2.0, 2.5];
        assert_eq!(Strobes::choose(&times, &[0.0; 3], 1.0).snapshots, [0, 1, 2]);
    }
}
