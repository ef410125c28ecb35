/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For objdump_test.py. Each line of the input is an address and the bytes there, in hexadecimal; the answer
 * to it: length kind to from size address writes immediate base displacement segment. Length 0: it is not
 * known.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/x86_64/x86.h"

int main(void)
{
    char line[256], *at;

    while (fgets(line, sizeof(line), stdin)) {
        struct x86_instruction i = {0};
        uint8_t bytes[2 * X86_MAX];
        size_t count = 0;
        uint64_t pc = strtoull(line, &at, 16);

        for (at++; count < sizeof(bytes) && isxdigit((unsigned char)at[0]) && isxdigit((unsigned char)at[1]);
             at += 2) {
            const char two[] = {at[0], at[1], '\0'};

            bytes[count++] = (uint8_t)strtoul(two, NULL, 16);
        }
        if (x86_decode(bytes, count, pc, &i))
            i.length = 0;
        printf("%d %d %d %d %d %" PRIx64 " %x %" PRIx64 " %d %d %d\n", i.length, i.kind, i.to, i.from, i.size,
               i.address, i.writes, (uint64_t)i.immediate, i.memory.base, i.memory.displacement,
               i.memory.segment);
    }
    return 0;
}
