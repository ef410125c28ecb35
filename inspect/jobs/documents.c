/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The documents that can be merged: reports, recorded snapshots, and what jobs_json has written (part.c).
 */
#include <stdlib.h>
#include <string.h>

#include "inspect/base/doc.h"
#include "inspect/base/printable.h"
#include "inspect/jobs/merge.h"
#include "inspect/jobs/part.h"
#include "inspect/jobs/state_take.h"
#include "inspect/snapshot/load.h"

static void add_snapshot(struct jobs *j, insp_snapshot *s)
{
    const struct mdl_process *p = &s->process;
    struct member m = {
        .section = jobs_section(j, jobs_name(j, p->job), jobs_name(j, p->step), jobs_name(j, p->name_space)),
        .rank = p->rank < INT32_MAX ? p->rank : -1,
        .host = jobs_name(j, p->host),
        .boot_id = jobs_name(j, p->boot_id),
        .pid = p->pid,
        .start = p->start <= INT64_MAX ? (int64_t)p->start : 0,
        .taken = p->taken,
    };

    if (m.section < 0)
        return;
    if (p->size > j->sections[m.section].size && p->size <= INT32_MAX)
        j->sections[m.section].size = p->size;
    m.state = jobs_state(j, state_of(s));
    if (m.state >= 0)
        jobs_member(j, &m);
}

static bool add_report(struct jobs *j, const struct doc *root, char **error)
{
    insp_snapshot *s = load_doc(root, error);

    if (!s)
        return false;
    add_snapshot(j, s);
    insp_free(s);
    return true;
}

/* A report of `ompd run` may have those of more processes in it. */
static bool add_document(struct jobs *j, const struct doc *root, char **error)
{
    const struct doc *others = doc_get(root, "others");
    const char *kind = doc_text(doc_get(root, "kind"));
    bool good;

    if (kind && !strcmp(kind, "job")) {
        good = part_add(j, root);
        if (!good)
            *error = insp_sentence("It is no document of `ompd merge --json`.");
        return good;
    }
    if (!doc_is(doc_get(root, "process"), PULL_OBJECT) || !doc_is(doc_get(root, "threads"), PULL_ARRAY)) {
        *error =
            insp_sentence("It is no report, no recorded snapshot and no document of `ompd merge --json`.");
        return false;
    }
    good = add_report(j, root, error);
    for (size_t i = 0; good && i < doc_rows(others); i++)
        good = add_report(j, doc_row(others, i), error);
    return good;
}

/* The document that begins at P. */
static bool add_next(struct jobs *j, struct pull *p, char **error)
{
    struct arena arena = {0};
    const struct doc *root = doc_read(&arena, p, load_unread);
    bool good = root && add_document(j, root, error);

    if (!root && !arena.oom)
        *error = insp_sentence("It is not JSON: line %d: %s.", pull_line(p), p->why);
    j->oom |= arena.oom;
    arena_free(&arena);
    return good;
}

bool jobs_add(struct jobs *j, const char *text, size_t size, char **error)
{
    struct pull p;
    bool good;

    *error = NULL;
    pull_start(&p, text, size);
    do {
        pull_again(&p);
        good = add_next(j, &p, error);
    } while (good && !pull_done(&p));
    return good && !j->oom;
}
