/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Variables of static storage, as inspect/host.h wants them, and what they share with locals.
 */
#ifndef COREFILES_VARIABLES_H
#define COREFILES_VARIABLES_H

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/eval.h"
#include "corefiles/target.h"

struct cf_statics;
struct cf_unit_variables;

/** A variable with what is known of it. */
struct cf_variable {
    struct die die;
    struct cf_location location;
    bool declared; /**< only; it is defined in another unit */
    int depth;
    const char *scope;    /**< "namespace::Class::", or NULL */
    const char *function; /**< whose it is; or NULL */
};
/** Gives V to inspect. 1: it has no name or no type. */
int cf_variable(struct cf_target *t, const struct cf_variable *v, struct insp_variable *ret) CF_WARN_UNUSED;

int cf_host_variable_at(struct cf_target *t, uint64_t addr, uint32_t index,
                        struct insp_variable *ret) CF_WARN_UNUSED;
int cf_host_unit(struct cf_target *t, uint64_t pc, uint64_t *ret) CF_WARN_UNUSED;
int cf_host_unit_variable(struct cf_target *t, uint64_t unit, uint32_t index,
                          struct insp_variable *ret) CF_WARN_UNUSED;
/** A variable outside of functions, as one thread has it. */
struct cf_static {
    struct die die;
    bool is_thread_local;
    bool placed; /**< `place` is known: not if it is thread-local (evaluate it), or no file defines it */
    struct cf_location place;
};
/** The variable NAME, or SCOPE::NAME, of the unit whose code is at PC, for thread LWP. In Fortran the
 *  module's name may be left out where only one module has a NAME. 1: there is none. */
int cf_unit_static(struct cf_target *t, int64_t lwp, uint64_t pc, const char *name,
                   struct cf_static *ret) CF_WARN_UNUSED;
void cf_statics_free(struct cf_statics *statics);
void cf_unit_variables_free(struct cf_unit_variables *variables);

#endif
