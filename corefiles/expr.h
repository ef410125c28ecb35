/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Global and static variables by address.
 */
#ifndef COREFILES_EXPR_H
#define COREFILES_EXPR_H

#include "corefiles/target.h"

struct cf_types;

struct cf_variable {
    char *text, *type, *function, *file; /**< malloc'ed; all but text may be NULL */
    int line;
    bool lock;       /**< its type is one of OpenMP's locks */
    uint64_t offset; /**< in the whole variable */
};
void cf_variable_free(struct cf_variable *v);
/** The static variable at ADDR as an expression; 1 none. */
int cf_expression(struct cf_target *t, uint64_t addr, struct cf_variable *ret);
void cf_types_free(struct cf_types *types);

#endif
