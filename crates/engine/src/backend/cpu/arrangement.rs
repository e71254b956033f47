//! Which lane each instance is in, where instances choose their own steps.
//!
//! A group of lanes takes as long as the slowest of its instances. So those that take as many
//! attempts a step stand side by side. What an instance computes does not depend on its neighbours:
//! only the time does.

/// Groups are arranged anew where they would otherwise take so many times as long.
const WORTH: f64 = 1.1;

/// Where the instances are; as they were loaded, until they are put in another order.
#[derive(Clone, Debug, Default)]
pub struct Arrangement {
    /// By instance, its lane, counted through all groups; empty: in order.
    lanes: Vec<usize>,
}

impl Arrangement {
    /// Whether instances stand as they were loaded.
    pub fn is_in_order(&self) -> bool {
        self.lanes.is_empty()
    }

    /// The lane of an instance, counted through all groups.
    pub fn lane(&self, instance: usize) -> usize {
        self.lanes.get(instance).copied().unwrap_or(instance)
    }

    /// Records that the instance of lane `order[k]` is in lane k now.
    pub fn reorder(&mut self, order: &[usize]) {
        let mut now = vec![0; order.len()];
        for (lane, from) in order.iter().enumerate() {
            now[*from] = lane;
        }
        self.lanes = (0..order.len()).map(|instance| now[self.lane(instance)]).collect();
    }
}

/// The order of lanes in which those of like cost are in one group, the dearest first; `None`:
/// groups of so many lanes gain too little by it.
pub fn order(costs: &[f64], group: usize) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|a, b| costs[*b].total_cmp(&costs[*a]).then(a.cmp(b)));
    let dearest = |costs: &mut dyn Iterator<Item = f64>| costs.fold(0.0, f64::max);
    let now: f64 = costs.chunks(group).map(|costs| dearest(&mut costs.iter().copied())).sum();
    let then: f64 =
        order.chunks(group).map(|lanes| dearest(&mut lanes.iter().map(|lane| costs[*lane]))).sum();
    (now > WORTH * then).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_costs_come_together_and_instances_are_found_again() {
        let costs = [1.0, 9.0, 1.0, 9.0, 2.0, 8.0];
        let lanes = order(&costs, 2).expect("groups of 9, 9 and 8 gain by being 9, 8 and 1");
        assert_eq!(lanes, [1, 3, 5, 4, 0, 2]);
        let mut arrangement = Arrangement::default();
        arrangement.reorder(&lanes);
        let arranged: Vec<f64> = lanes.iter().map(|lane| costs[*lane]).collect();
        for (instance, cost) in costs.iter().enumerate() {
            assert_eq!(arranged[arrangement.lane(instance)], *cost);
        }
        // Once more, from where they are now.
        arrangement.reorder(&[5, 4, 3, 2, 1, 0]);
        let turned: Vec<f64> = arranged.into_iter().rev().collect();
        assert!((0..6).all(|instance| turned[arrangement.lane(instance)] == costs[instance]));
    }

    #[test]
    fn groups_that_gain_little_stay() {
        assert_eq!(order(&[5.0, 5.0, 4.9, 5.0], 2), None);
        assert_eq!(order(&[9.0, 9.0, 1.0, 1.0], 2), None);
        assert_eq!(order(&[], 2), None);
    }
}
