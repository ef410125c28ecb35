/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where members of structures lie, by what the machine code of a runtime does with them. It is less than
 * debug information tells, and it is of the file itself: what both tell must be the same.
 */
#ifndef COREFILES_LAYOUT_DECODE_H
#define COREFILES_LAYOUT_DECODE_H

#include "corefiles/layout/code.h"

/** A member by its name in rows, "gomp_thread.ts.team"; a size of a structure if it has no dot. */
struct ly_fact {
    const char *name;
    uint64_t offset; /**< of a structure: its size */
    uint64_t size;   /**< 0 not known */
    uint64_t mask;   /**< of a bit-field, 0 none */
    bool is_unsized; /**< an array at the structure's end, which has no size */
    /** Whether one place has shown it, or several that must agree and do, or do not: then it is not known. */
    enum { LY_SHOWN, LY_CLAIMED, LY_CONTESTED } standing;
};
enum { LY_FACTS_MAX = 160 };
/** The fact of libgomp's constant of that name. */
#define LY_NEST_LOCK_OWNER "nest_lock_owner"

/**
 * libgomp's, by its functions that users call: omp_get_thread_num and the like. Returns how many of FACTS are
 * filled. *agrees: false where what the code shows contradicts itself.
 */
size_t ly_decode_gomp(const struct ly_image *image, const struct ly_code *code,
                      struct ly_fact facts[LY_FACTS_MAX], bool *agrees);
/** Do the facts say enough of libgomp to explain a process? What else is missing costs what depends on it
 * (ompd/providers/gomp_needs.def). */
bool ly_gomp_suffices(const struct ly_fact *facts, size_t count);
/** libomp's, by what it publishes for its own OMPD library and for Intel's debugger, and by such functions.
 * None if these contradict each other. */
size_t ly_decode_kmp(const struct ly_image *image, const struct ly_code *code,
                     struct ly_fact facts[LY_FACTS_MAX]);

#endif
