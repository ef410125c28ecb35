/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Strings: made, kept, handed out; problems; growing arrays.
 */
#ifndef COREFILES_STRINGS_H
#define COREFILES_STRINGS_H

#include "corefiles/target.h"

/** False: out of memory. */
bool cf_texts_new(struct cf_target *t) CF_WARN_UNUSED;
void cf_texts_free(struct cf_texts *texts);
/** Keeps TEXT (malloc'ed, may be NULL) until the target is closed; returns it. */
const char *cf_keep(struct cf_target *t, char *text);
/** Takes over malloc'ed strings; a problem with the same `what` is there once. */
void cf_add_problem(struct cf_target *t, char *what, char *why, char *remedy);
/** How many problems there are: the index of the next. */
uint32_t cf_problem_count(const struct cf_target *t);
/** Takes over WHAT and WHY (malloc'ed) in place of those of problem INDEX, which has no remedy then. */
void cf_change_problem(struct cf_target *t, uint32_t index, char *what, char *why);

/** What the functions of corefiles.h have returned last. */
enum cf_returned { CF_SAY_PLACE, CF_SAY_VARIABLE, CF_SAY_VARIABLE_FILE, CF_SAY_WHY, CF_SAY_COUNT };
/** Keeps TEXT until the next one in the same slot; returns it. */
const char *cf_say(struct cf_target *t, enum cf_returned slot, char *text);

/** *ret to an array with room for one more of SIZE bytes; false out of memory. Arrays grow by powers of
 * two. */
bool cf_grow(void *array, uint32_t count, size_t size) CF_WARN_UNUSED;

#endif
