//! The memory that this process may take.

/// Where the system does not tell (bytes).
const UNKNOWN: u64 = 4 << 30;

/// Memory that is free for this process (bytes): of the machine, and of the control group that it
/// runs in.
pub fn available() -> u64 {
    let of_machine = std::fs::read_to_string("/proc/meminfo").ok();
    let of_machine = of_machine.and_then(|text| kib_of("MemAvailable:", &text));
    let number = |file: &str| -> Option<u64> {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{file}")).ok()?.trim().parse().ok()
    };
    let of_group =
        number("memory.max").zip(number("memory.current")).map(|(most, now)| most.saturating_sub(now));
    [of_machine, of_group].into_iter().flatten().min().unwrap_or(UNKNOWN)
}

/// Parts of files, such as the program and its libraries, that lie in memory now (bytes). 0: the
/// system does not tell.
pub fn of_files() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").ok();
    status.and_then(|text| kib_of("RssFile:", &text)).unwrap_or(0)
}

/// The number behind a name in a text of the kernel, which is in KiB (bytes).
fn kib_of(name: &str, text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_tells_in_kibibytes() {
        let text = "MemTotal:       24600000 kB\nMemFree:          100000 kB\nMemAvailable:   20000000 kB\n";
        assert_eq!(kib_of("MemAvailable:", text), Some(20_000_000 * 1024));
        assert_eq!(kib_of("MemAvailable:", "MemTotal: 3 kB\n"), None);
        assert!(available() > 0);
        assert!(cfg!(not(target_os = "linux")) || of_files() > 1 << 16);
    }
}
