/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Runs a fuzzer on a corpus without libFuzzer: a test for every compiler, valgrind, MemorySanitizer and
 * coverage.
 *
 *   replay CORPUS.hex...      each line an input, in hexadecimal digits
 *
 * Prints the executions and, for each function of the API, the codes that it returned and the most reads of
 * one call. Fails when a function returned ok from no damaged image; --some: from the corpus of a fuzzer that
 * cannot call them all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompd/fuzz/calls.h"
#include "tools/fuzz/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t seen[CALL_COUNT]; /**< returned ok while the image was damaged */

static void one(const uint8_t *data, size_t size)
{
    LLVMFuzzerTestOneInput(data, size);
    for (unsigned f = 0; f < CALL_COUNT; f++)
        seen[f] |= call_damaged[f][ompd_rc_ok];
}

static int report(void)
{
    int never = 0;
    printf("%-36s %9s %9s %9s  codes\n", "function", "calls", "reads", "bracket");
    for (unsigned f = 0; f < CALL_COUNT; f++) {
        unsigned long calls = 0;
        for (unsigned code = 0; code < CALL_CODES; code++)
            calls += call_codes[f][code];
        printf("%-36s %9lu %9lu %9lu ", call_name(f), calls, (unsigned long)call_reads[f][0],
               (unsigned long)call_reads[f][1]);
        for (unsigned code = 0; code < CALL_CODES; code++)
            if (call_codes[f][code] != 0)
                printf(" %u:%lu", code, (unsigned long)call_codes[f][code]);
        printf("\n");
        if (seen[f] == 0 && call_can_succeed(f)) {
            printf("%s never returned ok from a damaged image\n", call_name(f));
            never++;
        }
    }
    return never;
}

int main(int argc, char **argv)
{
    const bool some = argc > 1 && strcmp(argv[1], "--some") == 0;
    unsigned long executions = 0;
    for (int i = 1 + some; i < argc; i++)
        executions += lines_each(argv[i], one);
    const int never = report();
    printf("%lu executions, no finding\n", executions);
    return executions == 0 || (never != 0 && !some);
}
