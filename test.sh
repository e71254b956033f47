#!/usr/bin/env bash
# Installs what the tests need on Debian or Ubuntu and runs all of them, the real WGSL kernels included.
#
# Where no Vulkan adapter is found, Mesa's software Vulkan (lavapipe) is installed; spirv-val checks the kernels as
# the drivers get them; Chromium opens the reports. Nothing else is needed but Rust.
set -euo pipefail
cd "$(dirname "$0")"

install() {
    if ! command -v apt-get >/dev/null; then
        echo "test.sh: please install by hand: $* (no apt-get here)" >&2
        exit 1
    fi
    local sudo=()
    if [ "$(id -u)" -ne 0 ]; then sudo=(sudo); fi
    "${sudo[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "$@"
}

# Properties are tried on the same cases every time; those that ever failed are kept in proptest-regressions/ and tried first.
export PROPTEST_RNG_SEED=1
# Vulkan wants a place for its sockets; it need not be used.
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}}"

if ! command -v cc >/dev/null; then install gcc libc6-dev; fi
# The program is built with the tests: by itself its dependencies would be compiled a second time, as tests want more of some of them.
cargo test --release --no-run
if ! ./target/release/polhode devices --json | grep -q '"name"'; then
    install libvulkan1 mesa-vulkan-drivers
fi
if ! command -v spirv-val >/dev/null; then install spirv-tools; fi
if ! command -v chromium >/dev/null; then install chromium; fi

./target/release/polhode devices
# All test programs, also where one of them fails.
cargo test --release --no-fail-fast

# The kernels of all shipped studies, as SPIR-V.
cargo run --release --quiet --example spirv
for kernel in target/spirv/*.spv; do
    spirv-val --target-env vulkan1.2 "$kernel"
done
echo "spirv-val: $(ls target/spirv/*.spv | wc -l) kernels are valid"
