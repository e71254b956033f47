#!/bin/bash
# Makes a folder that measures a GPU on a machine with drivers alone: no Rust, no network.
#
#     benches/device/pack.sh [FOLDER]        [default: target/device]
#     PEERS=DIR benches/device/pack.sh       with a folder that has gpu_peers.py, which run.sh starts where Python with JAX is
#
# Within: a stripped program that is the command polhode too, all studies, the CUDA source and, if
# nvcc is here, the program made of it, and the Vulkan loader with what NVIDIA's driver wants beside
# it. Copy the folder, run run.sh in it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
pack=${1:-$root/target/device}
case $pack in /*) ;; *) pack=$PWD/$pack ;; esac
cd "$root"

# Only a folder that this script made is replaced.
if [ -e "$pack" ] && [ ! -e "$pack/run.sh" ]; then
    echo "$pack is there already, and is no pack" >&2
    exit 1
fi
rm -rf "$pack"
mkdir -p "$pack/bin" "$pack/loader"

echo "building (release)"
device=$(cargo build --quiet --release --bench device --message-format=json |
    sed -n 's/.*"name":"device".*"executable":"\([^"]*\)".*/\1/p' | tail -1)
cp "$device" "$pack/bin/device"
strip "$pack/bin/device"
# The command is within that program: two would be twice as large.
printf '#!/bin/sh\nPOLHODE_COMMAND=1 exec "${0%%/*}/device" "$@"\n' >"$pack/bin/polhode"
chmod +x "$pack/bin/polhode"
cp -r studies mechanisms "$pack/"
cp benches/device/run.sh benches/device/gpu_ceiling.cu benches/device/README.md "$pack/"

if [ -n "${PEERS:-}" ]; then
    cp -r "$PEERS" "$pack/peers"
fi

# 8.0, 9.0, and text from which a later card's driver makes its own.
if command -v nvcc >/dev/null; then
    nvcc -O3 -std=c++17 -cudart static -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 \
        -gencode arch=compute_90,code=compute_90 gpu_ceiling.cu -o "$pack/bin/gpu_ceiling" ||
        echo "nvcc failed: run.sh tries again where it finds one"
else
    echo "nvcc is not here: the CUDA ceiling is measured only where run.sh finds one"
fi

# The loader from the distribution's packages, unpacked here since the other machine may have no
# dpkg; else the one of this machine.
packages="libvulkan1 libegl1 libglvnd0 libgl1 libglx0 libopengl0 libgles2 libx11-6 libxext6 libxcb1 libxau6 libxdmcp6 libbsd0 libmd0"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for package in $packages; do
    (cd "$scratch" && apt-get -qq download "$package") >/dev/null 2>&1 || echo "package $package: not downloaded"
done
for package in "$scratch"/*.deb; do
    [ -e "$package" ] && dpkg -x "$package" "$scratch/root"
done
# By the names that programs ask for, as files: links may be lost on the way.
find "$scratch" -name 'lib*.so.[0-9]' -exec cp -L {} "$pack/loader/" \;
if [ ! -e "$pack/loader/libvulkan.so.1" ]; then
    own=$(ldconfig -p | sed -n 's/.*libvulkan\.so\.1 .*=> //p' | head -1)
    [ -n "$own" ] && cp -L "$own" "$pack/loader/libvulkan.so.1" && echo "the Vulkan loader is that of this machine"
fi

needs=$(objdump -T "$pack/bin/device" 2>/dev/null | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -1)
size=$(du -sm "$pack" | cut -f1)
echo "$pack: $size MB; the other machine needs $(uname -m) and ${needs:-the glibc of this machine} or later"
if [ "$size" -ge 60 ]; then
    echo "it is to stay below 60 MB" >&2
    exit 1
fi
