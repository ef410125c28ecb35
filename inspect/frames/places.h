/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the host knows of addresses, each asked once a snapshot: places of code and data, and the strings in
 * which clang says where a construct is.
 */
#ifndef INSPECT_PLACES_H
#define INSPECT_PLACES_H

#include "inspect/base/hash.h"
#include "inspect/model/model.h"
#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct places {
    insp_session *s;
    struct arena *arena;
    struct hash places, sources; /**< address -> struct insp_place, struct mdl_place */
};

/** Remembers in ARENA, which the answers are taken from too. */
void places_init(struct places *p, insp_session *s, struct arena *arena);
/** What is at ADDR; parts that are not known are NULL and 0. NULL: without an address, or out of memory. */
const struct insp_place *places_at(struct places *p, uint64_t addr);
/** Function, file and line of the ident string at ADDR, as places_at. */
const struct mdl_place *places_source(struct places *p, uint64_t addr);

/**
 * For code of the user's that has the line of a system's header: the line that its function has there in its
 * own file, in which it is DECLARED; NULL: in which its first line is. OFFSET: of ADDR, from the start of the
 * function, or of that into which it is inlined. *file, in ARENA: that file. 0: it is not known.
 */
int places_own_line(insp_session *s, struct arena *arena, uint64_t addr, uint64_t offset,
                    const char *declared, const char **file);

/** Splits ";file;function;line;column;;". Parts that are "unknown" or missing stay NULL and 0; a line
 *  without a file is in that of the construct's code. Changes TEXT. */
void places_parse_source(char *text, struct mdl_place *ret);

#ifdef __cplusplus
}
#endif
#endif
