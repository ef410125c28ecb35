/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Expressions of a simple sort: NAME, with members (".x", "->x", Fortran's "%x"), indices ("[3]", "(3)") and
 * stars before it. Nothing is computed or called.
 */
#ifndef COREFILES_EXPRESSION_H
#define COREFILES_EXPRESSION_H

#include "corefiles/corefiles.h"
#include "corefiles/eval.h"

/** CF_STEPS_MAX: members, indices and stars. */
enum { CF_STEPS_MAX = 32, CF_EXPRESSION_MAX = 512 };

enum cf_step_kind { CF_STEP_MEMBER, CF_STEP_INDEX, CF_STEP_STAR };
struct cf_step {
    enum cf_step_kind kind;
    const char *name; /**< of a member */
    int64_t index;
};
struct cf_expression {
    char text[CF_EXPRESSION_MAX]; /**< cut into the names */
    const char *name;             /**< of the variable */
    struct cf_step step[CF_STEPS_MAX];
    int steps;
};

/** 0; or negative, and *why is what is wrong, a sentence's part as in "EXPRESSION cannot be ...: it ...". */
int cf_expression_parse(const char *text, struct cf_expression *ret, const char **why) CF_WARN_UNUSED;
/**
 * Follows the steps from a variable of TYPE at PLACE, both of which are changed to those of the value. 0; or
 * negative with *why, which is no malloc'ed string.
 */
int cf_expression_follow(const struct cf_eval_context *context, const struct cf_expression *e,
                         struct die *type, struct cf_location *place, const char **why) CF_WARN_UNUSED;

#endif
