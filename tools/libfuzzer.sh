#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# For the scripts that build fuzzers, to be sourced in the tree's top directory or Bazel's copy of it.

# run_libfuzzer SCRATCH PROGRAM NAME CORPUS.hex MAX_LEN [CORPUS]: for FUZZ_SECONDS (10), from the corpus of the tree; new
# inputs stay in the directory CORPUS. Prints the count of executions; a finding ends the script.
run_libfuzzer() {
    local scratch=$1 program=$2 name=$3 seeds=$4 max_len=$5 corpus=${6-$1/corpus} rc=0 file
    local log=$scratch/log artifacts=${TEST_UNDECLARED_OUTPUTS_DIR:-$scratch}
    /usr/bin/python3 ompd/fuzz/corpus.py unpack "$seeds" "$corpus"
    # Without the stacks of allocations the allocator is faster; a finding is run again for them.
    ASAN_OPTIONS=malloc_context_size=0 "$program" -max_total_time="${FUZZ_SECONDS:-10}" -max_len="$max_len" \
        -timeout=100 -rss_limit_mb=3000 -entropic=0 -print_final_stats=1 \
        -artifact_prefix="$artifacts/" "$corpus" >"$log" 2>&1 || rc=$?
    if [ "$rc" != 0 ]; then
        grep -v '^#\|NEW_FUNC' "$log" | tail -60
        for file in "$artifacts"/{crash,timeout,oom,leak}-*; do
            [ ! -e "$file" ] || echo "input: $(od -An -v -tx1 "$file" | tr -d " \n")"
        done
        exit 1
    fi
    echo "fuzz_$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions, no finding"
}
