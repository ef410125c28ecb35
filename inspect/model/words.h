/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The words of JSON schema 1 for kinds and states: they never change (docs/json.md). The printer writes them,
 * the reader of recorded snapshots knows them again, and some are what tables on a screen show.
 */
#ifndef INSPECT_WORDS_H
#define INSPECT_WORDS_H

#include "inspect/base/mem.h"
#include "inspect/model/kinds.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The words of one enumeration, by its values; NULL for a value that JSON writes as null. */
struct mdl_words {
    const char *const *word;
    int count;
};
extern const struct mdl_words mdl_wait_words, mdl_barrier_words, mdl_owner_words, mdl_state_words,
    mdl_region_words, mdl_task_words, mdl_task_state_words, mdl_scope_words, mdl_verdict_words,
    mdl_code_words, mdl_activity_words, mdl_owner_how_words, mdl_crash_words, mdl_stack_of_words,
    mdl_finding_words, mdl_schedule_words, mdl_loop_source_words, mdl_not_taken_words;

/** The word of a value; NULL when it has none. */
const char *mdl_word(const struct mdl_words *words, int value);
/** The value of a word, -1 when there is no such word (of this version: a later one may have it). */
int mdl_word_value(const struct mdl_words *words, const char *word) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
