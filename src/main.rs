//! The `polhode` command.

fn main() -> std::process::ExitCode {
    quiet_wayland();
    polhode::cli::main()
}

/// Loading Vulkan, Mesa looks for a Wayland compositor to learn which GPU shows the screen; its library complains on standard error
/// where the folder of the compositor's socket is not given. With a folder that cannot be, it finds no compositor and says nothing.
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
