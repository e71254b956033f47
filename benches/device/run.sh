#!/bin/bash
# Measures the GPU of this machine in 6 minutes: bits, speeds, whole runs, what goes there and back,
# the largest ensemble, a lost device. Made by pack.sh.
#
#     ./run.sh [--minutes 6] [--out results] [--sizes 10000,1000000]
#
# Leaves <date>-<device>.csv and .md in the output folder. Every part has a process and a share of
# the time of its own; what a part does not use, the later ones get. A part that fails or hangs is
# ended, and the others go on.
set -u
cd "$(dirname "$0")" || exit 1
minutes=6 out=results sizes=()
while [ $# -gt 0 ]; do
    case $1 in
        --minutes) minutes=$2 ;;
        --out) out=$2 ;;
        --sizes) sizes=(--sizes "$2") ;;
        *) echo "unknown argument $1" >&2; exit 2 ;;
    esac
    shift 2
done
total=$(awk "BEGIN { print int(60 * $minutes) }")
SECONDS=0

# Of the loaders only those that the system lacks: a folder named so comes before its own.
known=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null)
rm -rf loader/used
mkdir -p loader/used
for library in loader/lib*.so.*; do
    case $known in
        *"${library##*/} ("*) ;;
        *) cp "$library" loader/used/ ;;
    esac
done
export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$PWD/loader/used"
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}

# NVIDIA's container tools put the driver where the loader does not look, or bring the library
# without the file that names it.
if [ -z "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] && ! ls /etc/vulkan/icd.d/*nvidia* /usr/share/vulkan/icd.d/*nvidia* >/dev/null 2>&1; then
    found=$(ls /usr/local/nvidia/share/vulkan/icd.d/*.json /run/opengl-driver/share/vulkan/icd.d/*.json 2>/dev/null | paste -sd:)
    if [ -z "$found" ]; then
        for folder in /usr/lib/x86_64-linux-gnu /usr/lib64 /usr/lib /usr/local/nvidia/lib64; do
            for library in libGLX_nvidia.so.0 libEGL_nvidia.so.0; do
                if [ -z "$found" ] && [ -e "$folder/$library" ]; then
                    found=$PWD/loader/nvidia_icd.json
                    printf '{ "file_format_version": "1.0.0", "ICD": { "library_path": "%s", "api_version": "1.3.0" } }\n' "$folder/$library" >"$found"
                fi
            done
        done
    fi
    [ -n "$found" ] && export VK_DRIVER_FILES=$found VK_ICD_FILENAMES=$found
fi

mkdir -p "$out" || exit 1
name=$(timeout 60 bin/device name) || name=$(date +%F)-no-gpu
csv=$out/$name.csv
rm -f "$csv" "$out/$name.md"

if [ ! -x bin/gpu_ceiling ]; then
    nvcc=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | head -1)
    [ -n "$nvcc" ] && timeout 90 "$nvcc" -O3 -std=c++17 -cudart static -arch=native gpu_ceiling.cu -o bin/gpu_ceiling
fi

# A part and its weight in the time that is left. What takes no time comes first, then what is most
# wanted. On an H200 kernels and mechanisms had too little of four minutes, and cuda spent its share
# on sizes that tell nothing more.
parts=(devices:1 loss:1 bits:6 flow:3 kernels:7 mechanisms:8 end_to_end:14 chains:5 cuda:3 peers:4 largest:2)
weights=0
for part in "${parts[@]}"; do weights=$((weights + ${part#*:})); done
for part in "${parts[@]}"; do
    weight=${part#*:} part=${part%:*}
    # Five seconds stay for the page.
    left=$((total - SECONDS - 5))
    share=$((left * weight / weights))
    weights=$((weights - weight))
    if [ "$share" -lt 1 ]; then
        echo "== $part: no time was left"
        continue
    fi
    echo "== $part: $share s"
    # A part ends by itself. One that does not is ended after half as long again, or with the whole time.
    most=$((share + share / 2 + 5))
    [ "$most" -gt "$left" ] && most=$left
    if [ "$part" = peers ]; then
        if ! python3 -c 'import jax' >/dev/null 2>&1; then
            why="no Python with JAX is here"
        elif [ ! -e peers/gpu_peers.py ]; then
            why="the pack has no gpu_peers.py"
        else
            why= there=$(cd "$out" && pwd)
            (cd peers && OUT=$there timeout --kill-after=5 "$most" python3 gpu_peers.py --budget "$share")
            mv "$out/gpu_results.jsonl" "$out/$name-peers.jsonl" 2>/dev/null || why="gpu_peers.py left nothing"
        fi
        [ -n "$why" ] && [ -e "$csv" ] && echo "$(date +%F),,peers,,,,,left out,$why,," >>"$csv"
        continue
    fi
    timeout --kill-after=5 "$most" bin/device "$part" --seconds "$share" --csv "$csv" ${sizes[@]+"${sizes[@]}"}
    ended=$?
    if [ "$ended" -gt 1 ]; then
        why="the process ended with status $ended"
        [ "$ended" -eq 124 ] && why="ended after $most s, its share was $share s"
        [ -e "$csv" ] && echo "$(date +%F),,$part,,,,,left out,$why,," | sed "s/,left out,\(.*\),,$/,left out,\"\1\",,/" >>"$csv"
    fi
done
bin/device page "$csv"
echo "== $SECONDS s: $csv, ${csv%.csv}.md"
