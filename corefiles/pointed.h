/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Expressions for what pointers lead to.
 */
#ifndef COREFILES_POINTED_H
#define COREFILES_POINTED_H

#include "corefiles/target.h"

/** The expression, malloc'ed, of the lock at ADDR that pointers lead to from a global variable; 1 none. */
int cf_reach(struct cf_target *t, uint64_t addr, char **ret);
/** The same from what the functions of the viewers see: global variables of their units, then their own. */
int cf_reach_from(struct cf_target *t, const struct insp_viewer *viewers, uint32_t count, uint64_t addr,
                  char **ret);
/** What was found belongs to an earlier moment. */
void cf_reach_forget(struct cf_target *t);

#endif
