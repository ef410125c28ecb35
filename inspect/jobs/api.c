/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What inspect.h says of many processes.
 */
#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/inspect.h"
#include "inspect/jobs/jobs.h"
#include "inspect/jobs/section.h"

/* What TEXT says; NULL with *error: it has no process. *error beside it: some of TEXT is no document. */
static struct jobs *read_jobs(const char *text, size_t size, char **error)
{
    struct jobs *j = jobs_new();

    *error = NULL;
    if (j && !jobs_add(j, text, size, error) && !*error)
        *error = insp_sentence("Out of memory.");
    if (j && jobs_count(j))
        return j;
    if (!*error)
        *error = insp_sentence(j ? "There is no process in it." : "Out of memory.");
    jobs_free(j);
    return NULL;
}

char *insp_job_text(const char *text, size_t size, const struct insp_job_options *given, char **error)
{
    struct jobs *j = read_jobs(text, size, error);
    struct jobs_options options = {
        .zoom = given->zoom, .width = given->width, .colour = given->colour != 0, .rank = given->rank};
    char *screen = NULL;

    if (!j)
        return NULL;
    if (given->rank >= 0 && !jobs_has_rank(j, given->rank)) {
        insp_string_free(*error);
        *error = insp_sentence("Nothing was given of rank %lld.", (long long)given->rank);
    } else {
        screen = given->tree ? jobs_tree(j, &options) : jobs_text(j, &options);
        if (!screen && !*error)
            *error = insp_sentence("Out of memory.");
    }
    jobs_free(j);
    return screen;
}

/* The process that stands for the first group of the screen. */
static const struct member *first_shown(struct jobs *j)
{
    const struct jobs_options options = {.rank = -1};
    struct job_view v = {.j = j, .options = &options};
    const struct member *found = NULL;
    struct job_section *list;
    size_t count = 0;

    jobs_sort(j);
    list = sections_make(&v, &count);
    if (list && count && list[0].g.group_count)
        found = view_first(j, &list[0].g.variants[list[0].g.groups[0].first]);
    sections_free(list, count);
    insp_string_free(view_take(&v));
    return found;
}

static const struct member *of_rank(const struct jobs *j, int64_t rank)
{
    for (size_t i = 0; i < j->member_count; i++)
        if (j->members[i].rank == rank)
            return &j->members[i];
    return NULL;
}

int insp_job_process(const char *text, size_t size, int64_t rank, struct insp_job_process *ret, char **error)
{
    struct jobs *j = read_jobs(text, size, error);
    const struct member *m = j ? rank < 0 ? first_shown(j) : of_rank(j, rank) : NULL;
    struct insp_job_process found = {0};

    if (m) {
        insp_string_free(*error);
        *error = NULL;
        found.rank = m->rank;
        found.pid = m->pid;
        found.start = m->start;
        strncpy(found.host, m->host ? m->host : "", sizeof(found.host) - 1);
        strncpy(found.boot_id, m->boot_id ? m->boot_id : "", sizeof(found.boot_id) - 1);
        *ret = found;
    } else if (!*error) {
        *error = rank < 0 ? insp_sentence("Out of memory.")
                          : insp_sentence("Nothing was given of rank %lld.", (long long)rank);
    }
    jobs_free(j);
    return m ? 0 : -1;
}
