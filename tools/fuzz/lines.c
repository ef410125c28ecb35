/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fuzz/lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUT_MAX (1 << 16)

static int digit(int c)
{
    return isdigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

unsigned long lines_each(const char *path, void (*each)(const uint8_t *data, size_t size))
{
    static uint8_t input[INPUT_MAX];
    size_t size = 0;
    unsigned long inputs = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    for (int c; (c = getc(file)) != EOF;) {
        if (c == '\n') {
            each(input, size);
            inputs++;
            size = 0;
            continue;
        }
        const int high = digit(c), low = digit(getc(file));
        if (high < 0 || low < 0 || size == sizeof input) {
            fprintf(stderr, "%s: input %lu is no line of hexadecimal digits\n", path, inputs + 1);
            exit(2);
        }
        input[size++] = (uint8_t)(high << 4 | low);
    }
    fclose(file);
    return inputs;
}
