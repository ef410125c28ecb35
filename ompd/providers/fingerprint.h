/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Two builds of an OpenMP runtime that differ in their build-ids alone are known by the code of some
 * functions that every version exports, and by where in the file these are. A difference anywhere before
 * the last of them
 * moves it, and a variable that lies elsewhere changes the instructions that use it. `ompd layout` makes
 * it of the
 * file, libompd of what is mapped.
 */
#ifndef OMPD_FINGERPRINT_H
#define OMPD_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

struct fingerprint {
    uint64_t hash[2];
    unsigned functions; /**< how many it is made of */
};
enum { FINGERPRINT_TEXT = 35 };

/** The functions that count, NULL at the end; KMP is 0 for libgomp. */
const char *const *fingerprint_names(int kmp);
/** The SIZE bytes of the INDEX-th of them, at ADDRESS in the file. Start with zeros; in ascending order. */
void fingerprint_add(struct fingerprint *print, unsigned index, uint64_t address, const uint8_t *bytes,
                     size_t size);
/** As hexadecimal text; empty if it is made of too few functions to tell anything. */
void fingerprint_text(const struct fingerprint *print, char ret[FINGERPRINT_TEXT]);

#endif
