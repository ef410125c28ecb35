/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A corpus file: each line is an input, in hexadecimal digits.
 */
#ifndef TOOLS_FUZZ_LINES_H
#define TOOLS_FUZZ_LINES_H

#include <stddef.h>
#include <stdint.h>

/** Calls EACH for the inputs of the file; their number. A file that is none ends the program with 2. */
unsigned long lines_each(const char *path, void (*each)(const uint8_t *data, size_t size));

#endif
