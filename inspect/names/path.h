/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From an offset in an object to the part of it, as its own language writes it: .locks[17], %locks(18).
 */
#ifndef INSPECT_NAMES_PATH_H
#define INSPECT_NAMES_PATH_H

#include "inspect/names/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What begins where a path ends. */
struct name_part {
    uint32_t type;
    const char *type_name; /**< NULL: it has none */
    bool lock;             /**< as of type_is_lock */
    bool element;          /**< of an array, and no member of one */
};

/** Appends ".member[index]..." of what begins OFFSET bytes into an object of TYPE: a lock if one can, else
 *  a scalar. False: nothing begins there; nothing is appended. */
bool path_write(struct name_types *types, uint32_t type, uint64_t offset, struct sbuf *out,
                struct name_part *ret);
/** Appends the index of element AT of an array: [1][2], (3,2). False: an inner dimension's count is not
 *  known. */
bool path_index(const struct name_dimension *dimensions, uint32_t count, bool fortran, uint64_t at,
                struct sbuf *out);
/** Appends a path (may be "") to what a pointer BASE leads to: BASE[index]PATH, BASE->member, *BASE.
 *  SEVERAL: there is more than one object, so the first has an index too. */
void path_behind_pointer(const char *base, uint64_t index, bool several, const char *path, struct sbuf *out);
/** How much of PATH is left without the members of libstdc++'s and libc++'s classes that it ends in:
 *  ".queue_mutex" of ".queue_mutex._M_mutex". */
size_t path_outer_length(const char *path);
/** Cuts off the inside of a class of libstdc++'s that a user means by the object: v[3] is what he wrote, not
 *  v._M_impl._M_start[3]. ENDED: a second pointer says where the objects end, so it is always an array. */
void path_unwrap(char *text, bool ended);

#ifdef __cplusplus
}
#endif
#endif
