#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzzers from the sources around and runs them on the corpus of the tree. In the tree's top directory or
# Bazel's copy of it:
#
#   fuzz.sh msan IMAGES NAME...         under MemorySanitizer
#   fuzz.sh coverage IMAGES NAME...     lines of ompd/ that they reach, as gcov counts them; at least 90 %
#
# IMAGES is the C source that embed.py makes. NAME: image, table, mass.
set -euo pipefail

what=$1 images=$(realpath "$2")
here=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

library=(ompd/*.c ompd/api/*.c ompd/providers/*.c ompd/runtimes/*.c ompd/runtimes/*/*.c)
engine=("$images" "$here/tools/fuzz/lines.c")
for file in ompd/fuzz/*.c; do
    case $file in
    */fuzz_*.c | */replay.c | */images.c) ;; # fuzzers, their mains, and IMAGES itself
    *) engine+=("$here/$file") ;;
    esac
done
flags=(-std=gnu11 -g -I "$here" -I "$here/include" -I "$here/ompd")

replay() { # PROGRAM NAME
    local options=()
    # The inputs of which each function of the API must like one are those of image.
    [ "$2" = image ] || options=(--some)
    "$1" "${options[@]}" "$here/ompd/fuzz/corpus/$2.hex" >"$scratch/replay" 2>&1 || { cat "$scratch/replay" && return 1; }
    echo "fuzz_$2: $(tail -1 "$scratch/replay")"
}

msan() { # NAME...
    local name objects=$scratch/objects options=(-O1 -fno-omit-frame-pointer -fsanitize=memory)
    mkdir "$objects"
    (cd "$objects" && clang "${flags[@]}" "${options[@]}" -c "${library[@]/#ompd/$here/ompd}" "${engine[@]}" \
        "$here/ompd/fuzz/replay.c")
    for name; do
        clang "${flags[@]}" "${options[@]}" "$objects"/*.o "ompd/fuzz/fuzz_$name.c" -o "$scratch/msan"
        replay "$scratch/msan" "$name"
    done
}

coverage() { # NAME...: one set of counts for all, for each object is compiled once
    local file name objects=()
    cd "$scratch"
    for file in "${library[@]}"; do
        gcc "${flags[@]}" -O0 --coverage -c "$here/$file" -o "$(tr / _ <<<"${file%.c}").o"
    done
    objects=(*.o)
    for name; do
        gcc "${flags[@]}" --coverage "${objects[@]}" "${engine[@]}" "$here/ompd/fuzz/fuzz_$name.c" \
            "$here/ompd/fuzz/replay.c" -o "cover_$name"
        replay "./cover_$name" "$name"
    done
    gcov -n "${objects[@]}" | awk '
        /^File / { file = $0; gsub(/^File .*\/ompd\/|.$/, "", file); wanted = $0 ~ /\/ompd\/(api|providers|runtimes)?\/?[a-z_]+\.[ch].$/ }
        /^Lines executed/ && wanted {
            split($0, part, /[:% ]+/); lines = part[5]; reached = lines * part[3] / 100
            if (lines > most[file]) { most[file] = lines }
            if (reached > best[file]) { best[file] = reached }
            wanted = 0
        }
        END {
            for (file in most) {
                printf "%6.2f %% of %4d lines  %s\n", 100 * best[file] / most[file], most[file], file
                all += most[file]; sum += best[file]
            }
            printf "%6.2f %% of %4d lines of ompd/ are reached by the corpus\n", 100 * sum / all, all
            exit sum < 0.9 * all
        }' | sort -k5
    return "${PIPESTATUS[1]}"
}

case $what in
msan) msan "${@:3}" ;;
coverage) coverage "${@:3}" ;;
esac
