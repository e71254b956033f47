//! Cargo builds a library of Python for its tests alone: this file is one, and looks at what was
//! built.

/// The extension lies beside the tests, under the name that `test.sh` copies.
#[test]
fn the_extension_is_built_with_the_tests() {
    let test = std::env::current_exe().expect("a test is a file");
    let built = test.parent().expect("it lies in a folder").join("lib_polhode.so");
    assert!(built.exists() || !cfg!(target_os = "linux"), "{} is not there", built.display());
}
