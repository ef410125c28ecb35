/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/call.h"

#include <stdio.h>
#include <stdlib.h>

uint64_t call_kept;
uint64_t call_codes[CALL_COUNT][CALL_CODES];
uint64_t call_reads[CALL_COUNT][2];

/*
 * What is in this section guides libFuzzer as the branches of the code do: it looks for each code of each
 * function.
 */
__attribute__((section("__libfuzzer_extra_counters"))) uint8_t call_damaged[CALL_COUNT][CALL_CODES];

const char *call_name(unsigned function)
{
    static const char *const names[] = {
#define X(name) #name,
#include "ompd/tests/api_list.def"
#undef X
    };
    return function < CALL_COUNT ? names[function] : "?";
}

void call_violation(unsigned function, const char *why)
{
    fprintf(stderr, "%s: %s\n", call_name(function), why);
    abort();
}

bool call_can_succeed(unsigned function)
{
    return function != CALL_ompd_device_initialize && function != CALL_ompd_get_tool_data &&
           function != CALL_ompdx_get_frame_rules; /* of stock runtimes: stock/fuzz_adapters.c */
}
