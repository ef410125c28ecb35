#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds a fuzzer with clang, libFuzzer, ASan and UBSan, and runs it for FUZZ_SECONDS (10) from the corpus of the tree.
# In the tree's top directory or Bazel's copy of it:
#
#   run.sh NAME CORPUS.hex MAX_LEN TESTED... -- OTHER... [-- OPTION...]
#
# TESTED: C sources whose branches guide libFuzzer; OTHER: the fuzzer itself, whose branches are no news. OPTION: for
# compiler and linker. FUZZ_CORPUS: a directory in which new inputs stay. Prints the count of executions; a finding ends
# it with 1.
set -euo pipefail

name=$1 seeds=$2 max_len=$3
shift 3
lists=(tested other options)
tested=() other=() options=()
for word; do
    if [ "$word" = -- ]; then
        lists=("${lists[@]:1}")
    else
        declare -n list=${lists[0]}
        case ${lists[0]}:$word in
        *:*.h | *:*.def | *:*.hex | *:*.py | *:*.sh | *:*.exe) ;; # of a group of files, those that are not compiled
        options:*) list+=("$word") ;;
        *) list+=("$PWD/$word") ;;
        esac
    fi
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
flags=(-std=gnu11 -g -O2 -fno-omit-frame-pointer "-fsanitize=address,undefined" -fno-sanitize-recover=all
    -I "$PWD" -I "$PWD/include" -I "$PWD/ompd" -Wno-unused-command-line-argument "${options[@]}")
# By branches, not by comparisons: the inputs mostly know the numbers that matter, and following comparisons takes half
# of the time.
mkdir "$scratch/tested" "$scratch/other"
compile() { # DIRECTORY OPTION FILE...: objects that are named after the whole path
    local directory=$1 option=$2 file
    for file in "${@:3}"; do
        clang "${flags[@]}" "$option" -c "$file" -o "$scratch/$directory/${file//\//_}.o"
    done
}
compile tested -fsanitize-coverage=inline-8bit-counters,pc-table "${tested[@]}"
compile other -g "${other[@]}"
clang "${flags[@]}" "$scratch"/{tested,other}/*.o -fsanitize=fuzzer -o "$scratch/fuzz" "${options[@]}"

corpus=${FUZZ_CORPUS-$scratch/corpus} artifacts=${TEST_UNDECLARED_OUTPUTS_DIR:-$scratch} rc=0
/usr/bin/python3 tools/fuzz/corpus.py unpack "$seeds" "$corpus"
# Without stacks of allocations, and with little kept that was freed, the allocator is much faster.
export ASAN_OPTIONS=malloc_context_size=0:max_malloc_fill_size=0:quarantine_size_mb=8:thread_local_quarantine_size_kb=64
"$scratch/fuzz" -max_total_time="${FUZZ_SECONDS:-10}" -max_len="$max_len" -timeout=100 -rss_limit_mb=3000 -entropic=0 \
    -print_final_stats=1 -artifact_prefix="$artifacts/" "$corpus" >"$scratch/log" 2>&1 || rc=$?
if [ "$rc" != 0 ]; then
    grep -v '^#\|NEW_FUNC' "$scratch/log" | tail -60
    for file in "$artifacts"/{crash,timeout,oom,leak}-*; do
        [ ! -e "$file" ] || echo "input: $(od -An -v -tx1 "$file" | tr -d " \n")"
    done
    exit 1
fi
echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log") executions, no finding"
