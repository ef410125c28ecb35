/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One job of those that were merged, as printers show it: its groups, and what is said of it in sentences.
 */
#ifndef INSPECT_JOB_SECTION_H
#define INSPECT_JOB_SECTION_H

#include "inspect/jobs/view.h"

#ifdef __cplusplus
extern "C" {
#endif

struct job_section {
    size_t first, end; /**< members of the sorted list */
    const struct section *of;
    json_t *missing; /**< ranges of ranks */
    struct job_groups g;
};

/** Groups that are shown when nobody asks for a zoom. */
enum { SECTION_GROUPS = 12 };

/** The jobs of V: first those with a proved deadlock, then suspected; malloc'ed. NULL out of memory. */
struct job_section *sections_make(struct job_view *v, size_t *count);
void sections_free(struct job_section *sections, size_t count);

/** "Job 4711.0". */
const char *section_name(struct job_view *v, const struct section *s);
/** "Job 4711.0, solve, on 4 hosts: 8 of 8 ranks answered." */
const char *section_title(struct job_view *v, const struct job_section *s);
/** What is the matter: the verdicts, where most are in MPI, how many states there are. NULL at the end. */
enum { SECTION_SENTENCES = 6 };
void section_matter(struct job_view *v, const struct job_section *s, const char *ret[SECTION_SENTENCES]);
/** Of whom nothing was given, and of whom more than once. NULL at the end. */
enum { SECTION_GAPS = 4 };
void section_gaps(struct job_view *v, const struct job_section *s, const char *ret[SECTION_GAPS]);

/** Is there more to say of the group than that it goes on? */
bool section_differs(const struct job_section *s, const struct job_group *group);
/** "Rank 5, process 4711 on n1: Deadlock: ..." of the process that stands for the group. */
const char *section_sentence(struct job_view *v, const struct job_section *s, const struct job_group *group);
/** How to look at it, NULL: nothing is known to be there any more. */
const char *section_command(struct job_view *v, const struct job_section *s, const struct job_group *group);

/** "n4: it is down", at most MOST of the answers that have not come. */
void failures_each(struct job_view *v, size_t most, void (*each)(struct job_view *v, const char *line));

#ifdef __cplusplus
}
#endif
#endif
