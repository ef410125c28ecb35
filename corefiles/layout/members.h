/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What libompd wants to know of structures: the lists ompd/providers/gomp.def and kmp.def.
 */
#ifndef COREFILES_LAYOUT_MEMBERS_H
#define COREFILES_LAYOUT_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompd/providers/behind.h"

struct ly_member {
    const char *tag;
    const char *path; /**< NULL: the structure itself */
    const char *name; /**< as in rows: "gomp_thread.ts.team" */
    unsigned char bytes;
    int16_t behind;
};

/** Of libomp if KMP, else of libgomp. */
const struct ly_member *ly_members(bool kmp, size_t *count);

#endif
