/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Variables of a runtime, by what the functions that programs call do with them.
 */
#ifndef COREFILES_LAYOUT_VARIABLES_H
#define COREFILES_LAYOUT_VARIABLES_H

#include "corefiles/layout/trace.h"

struct ly_variable {
    bool kmp;
    const char *name;
    unsigned size;
    const char *function;
    /** Its address in the file by what FUNCTION does, 0: it does not show. */
    uint64_t (*find)(const struct ly_trace *trace);
    unsigned nth;    /**< without `find`: the variable is the NTH that the function loads */
    const char *but; /**< but for what this one loads first, NULL none */
    /** Instead of that: the words by which the function finds the first thread-local variable of the file. */
    enum { LY_NO_TLS, LY_TLS_INDEX, LY_TLS_DESCRIPTOR } tls;
};

extern const struct ly_variable ly_variables[];
extern const size_t ly_variable_count;

/** 0: the code does not show where it is. */
uint64_t ly_variable(const struct ly_image *image, const struct ly_code *code,
                     const struct ly_variable *variable);

/** libomp's table of locks, by what a function does that looks for a lock in it; 0: it does not show. Since
 * libomp 14 tables are linked to each other. */
uint64_t ly_lock_table(const struct ly_trace *trace, bool *is_linked);

#endif
