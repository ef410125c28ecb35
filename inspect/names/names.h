/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From the addresses of what is waited for to the user's words.
 */
#ifndef INSPECT_NAMES_H
#define INSPECT_NAMES_H

#include "inspect/frames/places.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The user's name of a lock or critical at ADDR, NULL when it has none. KIND is the schema word, or "sync"
 * for an object of the thread library's, in which ADDR may lie anywhere; VIEWERS: the threads that have to do
 * with it. */
const char *names_object(struct places *p, const char *kind, uint64_t addr, const struct insp_viewer *viewers,
                         uint32_t count);

/** The critical's name in a compiler's symbol: "", "NAME", or NULL when SYMBOL is none of those. Changes
 *  SYMBOL. */
const char *names_parse_critical(char *symbol);

#ifdef __cplusplus
}
#endif
#endif
