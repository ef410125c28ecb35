/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the printers of jobs have in common: the words for processes, and who is in a row.
 */
#ifndef INSPECT_JOB_VIEW_H
#define INSPECT_JOB_VIEW_H

#include "inspect/jobs/groups.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is printed, and where to. */
struct job_view {
    const struct jobs *j;
    const struct jobs_options *options;
    struct arena arena;
    struct sbuf out;
};

/** Ranges of ranks in a cell. */
enum { VIEW_RANGES = 4 };

/** NULL, and ABSENT: there is none. */
const char *view_string(const json_t *o, const char *key);
json_int_t view_integer(const json_t *o, const char *key, json_int_t absent);
/** Text of the arena, "?" out of memory. */
const char *view_printf(struct job_view *v, const char *format, ...) INSP_PRINTF(2, 3);
/** "0-4,6,7", at most MOST ranges. */
const char *view_ranges(struct job_view *v, const json_t *list, size_t most);
/** "rank", "processes". */
const char *view_noun(const struct jobs *j, const struct job_variant *variant, size_t count);
/** Who is in the variants FIRST to END, at most MOST ranges and as many processes without a rank. */
const char *view_which(struct job_view *v, const struct job_groups *g, size_t first, size_t end, size_t most);
/** The process with the lowest rank of a state, which stands for the others. */
const struct member *view_first(const struct jobs *j, const struct job_variant *variant);
/** "Rank 5, process 4711 on n1". */
const char *view_process(struct job_view *v, const struct member *m);
/** "!" proved, "?" suspected, "" neither. */
const char *view_mark(const json_t *state);

/** The text of V, malloc'ed; NULL out of memory. V is done with. */
char *view_take(struct job_view *v);

#ifdef __cplusplus
}
#endif
#endif
