//! Which part of a sweep a test runs.

/// Every third of these, of which the case's number chooses the first: three cases in turn meet all
/// of them. With `POLHODE_SWEEPS=full` every case meets all, which takes an hour on two cores.
pub fn third<T>(case: usize, ways: impl IntoIterator<Item = T>) -> Vec<T> {
    let all = is_full();
    let meets = |way: &usize| all || way % 3 == case % 3;
    ways.into_iter().enumerate().filter(|(way, _)| meets(way)).map(|(_, way)| way).collect()
}

/// One of two, by turns; both with `POLHODE_SWEEPS=full`.
pub fn alternate<T: Clone>(turn: usize, both: &[T; 2]) -> Vec<T> {
    if is_full() { both.to_vec() } else { vec![both[turn % 2].clone()] }
}

pub fn is_full() -> bool {
    match std::env::var("POLHODE_SWEEPS") {
        Err(_) => false,
        Ok(value) if value == "full" => true,
        Ok(value) => panic!("POLHODE_SWEEPS={value}: it can be full"),
    }
}
