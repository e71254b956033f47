//! The memory that this process may take.

/// Where the system does not tell (bytes).
const UNKNOWN: u64 = 4 << 30;

/// Memory that is free for this process (bytes): of the machine, and of the control group that it
/// runs in.
pub fn available() -> u64 {
    let of_machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| of_meminfo(&text));
    let number = |file: &str| -> Option<u64> {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{file}")).ok()?.trim().parse().ok()
    };
    let of_group =
        number("memory.max").zip(number("memory.current")).map(|(most, now)| most.saturating_sub(now));
    [of_machine, of_group].into_iter().flatten().min().unwrap_or(UNKNOWN)
}

/// `MemAvailable` of `/proc/meminfo`, which is in KiB.
fn of_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_tells_in_kibibytes() {
        let text = "MemTotal:       24600000 kB\nMemFree:          100000 kB\nMemAvailable:   20000000 kB\n";
        assert_eq!(of_meminfo(text), Some(20_000_000 * 1024));
        assert_eq!(of_meminfo("MemTotal: 3 kB\n"), None);
        assert!(available() > 0);
    }
}
