//! The `polhode` command.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

#[global_allocator]
static MEMORY: Memory = Memory;

fn main() -> std::process::ExitCode {
    quiet_wayland();
    polhode_cli::main()
}

/// The system's memory. Where it has no more, the command ends as failed, with a message; by itself
/// Rust would abort. What a run has kept until then is there for `--resume`.
struct Memory;

// SAFETY: all is done by the system's allocator, and what it gives is passed on as it is.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator wants.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(old, layout) }
    }
}

fn given(memory: *mut u8, bytes: usize) -> *mut u8 {
    static ENDS: AtomicBool = AtomicBool::new(false);
    if !memory.is_null() {
        return memory;
    }
    if ENDS.swap(true, Ordering::Relaxed) {
        // Another thread ends the process in this time, unless it is this one that asks again while
        // it ends.
        std::thread::sleep(std::time::Duration::from_secs(1));
        std::process::abort();
    }
    // Neither takes memory.
    let _ = writeln!(std::io::stderr(), "error: out of memory: {bytes} bytes more are not to be had");
    std::process::exit(1)
}
/// Loading Vulkan, Mesa looks for a Wayland compositor to learn which GPU shows the screen; its
/// library complains on standard error where the folder of the compositor's socket is not given.
/// With a folder that cannot be, it finds no compositor and says nothing.
#[cfg(unix)]
fn quiet_wayland() {
    const FOLDER: &str = "XDG_RUNTIME_DIR";
    let is_given = std::env::var_os(FOLDER).is_some_and(|folder| std::path::Path::new(&folder).is_absolute());
    if !is_given {
        // SAFETY: no other thread runs yet that could read the environment.
        unsafe { std::env::set_var(FOLDER, "/dev/null") };
    }
}

#[cfg(not(unix))]
fn quiet_wayland() {}
