/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The documents that can be merged: reports, recorded snapshots, and what jobs_json has written (part.c).
 */
#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/jobs/compact.h"
#include "inspect/jobs/merge.h"
#include "inspect/jobs/part.h"
#include "inspect/jobs/state_take.h"
#include "inspect/snapshot/load.h"

static const char *printable(struct jobs *j, const char *text)
{
    const char *shown = printable_str(&j->arena, text);

    return jobs_string(j, shown);
}

static void add_snapshot(struct jobs *j, insp_snapshot *s)
{
    const struct mdl_process *p = &s->process;
    struct member m = {
        .section = jobs_section(j, printable(j, p->job), printable(j, p->step), printable(j, p->name_space)),
        .rank = p->rank < INT32_MAX ? p->rank : -1,
        .host = printable(j, p->host),
        .boot_id = printable(j, p->boot_id),
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

static bool add_report(struct jobs *j, const json_t *root, char **error)
{
    insp_snapshot *s = load_json(root, error);

    if (!s)
        return false;
    add_snapshot(j, s);
    insp_free(s);
    return true;
}

/* A report of `ompd run` may have those of more processes in it. */
static bool add_document(struct jobs *j, const json_t *root, char **error)
{
    const json_t *others = json_object_get(root, "others");
    const char *kind = json_string_value(json_object_get(root, "kind"));
    bool good;

    if (kind && !strcmp(kind, "job")) {
        good = part_add(j, root);
        if (!good)
            *error = insp_sentence("It is no document of `ompd merge --json`.");
        return good;
    }
    if (!json_is_object(json_object_get(root, "process")) ||
        !json_is_array(json_object_get(root, "threads"))) {
        *error =
            insp_sentence("It is no report, no recorded snapshot and no document of `ompd merge --json`.");
        return false;
    }
    good = add_report(j, root, error);
    for (size_t i = 0; good && i < json_array_size(others); i++)
        good = add_report(j, json_array_get(others, i), error);
    return good;
}

/* The next document of TEXT, `position` behind it. What is wrong is said of the text as it was given. */
static json_t *parse(const char *text, size_t size, json_error_t *why)
{
    size_t length, used;
    char *brief = compact(text, size, &length, &used);
    json_t *root = brief ? json_loadb(brief, length, 0, why) : NULL;

    free(brief);
    if (!root)
        return json_loadb(text, size, JSON_DISABLE_EOF_CHECK, why);
    why->position = (int)used;
    return root;
}

bool jobs_add(struct jobs *j, const char *text, size_t size, char **error)
{
    bool any = false, good = true;

    *error = NULL;
    while (good) {
        json_error_t why;
        json_t *root;

        while (size && strchr(" \t\r\n", *text) && *text) {
            text++;
            size--;
        }
        if (!size && any)
            break;
        root = parse(text, size, &why);
        good = root != NULL;
        if (!root) {
            *error = insp_sentence("It is not JSON: line %d: %s.", why.line, why.text);
            break;
        }
        good = add_document(j, root, error);
        json_decref(root);
        any = true;
        text += why.position;
        size -= (size_t)why.position;
    }
    return good && !j->oom;
}
