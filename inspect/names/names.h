/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From addresses to the user's words: outlined functions to construct and line, wait objects to variables.
 * Each address is asked of the host once a snapshot.
 */
#ifndef INSPECT_NAMES_H
#define INSPECT_NAMES_H

#include "inspect/model/model.h"
#include "inspect/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct names_entry;
struct names {
    insp_session *s;
    struct arena *arena;
    struct names_entry *table; /* open addressing, a power of two */
    size_t count, size;
};

/** Where a construct stands: SOURCE (clang's ident string) says it best, then the line of ENTRY, then of
 *  CODEPTR. */
void names_construct(struct names *n, uint64_t entry, uint64_t codeptr, uint64_t source,
                     struct mdl_place *ret);
/** Whether a call of the user's that returns to CODEPTR was a jump: one that is the last of its function is in optimised
 *  code, and when that function is the body of a construct, the call returns to the runtime, at no line of the user's. */
bool names_is_jump(struct names *n, uint64_t codeptr);
/** The call that returns to CODEPTR; nothing when it was a jump. */
void names_call(struct names *n, uint64_t codeptr, struct mdl_place *ret);
/** The user's name of a lock or critical at ADDR, NULL when it has none. KIND is the schema word; VIEWERS: the threads
 *  that have to do with it. */
const char *names_object(struct names *n, const char *kind, uint64_t addr, const struct insp_viewer *viewers,
                         uint32_t count);
void names_free(struct names *n);

/** Splits ";file;function;line;column;;". Parts that are "unknown" or missing stay NULL and 0. Changes TEXT.
 *  */
void names_parse_source(char *text, struct mdl_place *ret);
/** The critical's name in a compiler's symbol: "", "NAME", or NULL when SYMBOL is none of those. Changes
 *  SYMBOL. */
const char *names_parse_critical(char *symbol);

#ifdef __cplusplus
}
#endif
#endif
