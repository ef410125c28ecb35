/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two samples of jobs as JSON: docs/json.md. Each state is written once, and rows name it by its number.
 */
#include <string.h>

#include "inspect/jobs/pairs.h"
#include "inspect/jobs/part.h"
#include "inspect/render/json_put.h"

/** The states of both samples, numbered as they come. */
struct numbered {
    struct hash by_text;
    json_t *list;
    bool oom;
};

/* The number of a state; null: there is none. */
static json_t *number_of(struct numbered *n, const struct kept_state *kept)
{
    uint64_t *at = kept ? hash_add(&n->by_text, 0, kept->text) : NULL;

    n->oom |= kept && !at;
    if (at && !*at) {
        json_t *o = json_object();

        part_put_keys(o, kept);
        put(o, "state", json_incref(kept->state));
        json_array_append_new(n->list, o);
        *at = json_array_size(n->list);
    }
    return at ? json_integer((json_int_t)*at - 1) : json_null();
}

/* Processes without a rank are named one by one. */
static json_t *processes_of(const struct pairs *p, size_t first, size_t end)
{
    json_t *list = json_array();

    for (size_t i = first; i < end; i++) {
        const struct member *m = pairs_one(&p->pair[i]);
        json_t *o;

        if (m->rank >= 0)
            continue;
        o = json_object();
        put_text(o, "host", m->host);
        put(o, "pid", positive((uint64_t)m->pid));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *row_of(const struct pairs *p, size_t first, size_t end, struct numbered *states)
{
    static const char *const fates[FATES] = {"moved", "same", "replaced", "gone", "new"};
    const struct pair *one = &p->pair[first];
    json_t *o = json_object(), *ranks = pairs_ranks(p, first, end);

    states->oom |= !ranks;
    put(o, "fate", json_string(fates[one->fate]));
    put(o, "count", json_integer((json_int_t)(end - first)));
    put(o, "ranks", ranks);
    put(o, "processes", processes_of(p, first, end));
    put(o, "before", number_of(states, pairs_before(p, one)));
    put(o, "after", number_of(states, pairs_after(p, one)));
    return o;
}

static json_t *job_of(const struct pairs *p, size_t first, size_t end, struct numbered *states)
{
    json_t *o = json_object(), *rows = json_array();

    part_put_name(o, pairs_section(p, &p->pair[first]));
    put(o, "count", json_integer((json_int_t)(end - first)));
    for (size_t i = first, next; i < end; i = next) {
        next = pairs_row_end(p, i, end);
        json_array_append_new(rows, row_of(p, i, next, states));
    }
    put(o, "rows", rows);
    return o;
}

char *jobs_diff_json(struct jobs *before, struct jobs *after, bool *ret)
{
    struct numbered states = {.list = json_array()};
    json_t *root = json_object(), *jobs = json_array();
    struct pairs p;
    bool good = pairs_make(before, after, &p);

    *ret = good && pairs_same_processes(&p);
    for (size_t i = 0, next; good && i < p.count; i = next) {
        next = pairs_job_end(&p, i);
        json_array_append_new(jobs, job_of(&p, i, next, &states));
    }
    put(root, "schema", json_integer(1));
    put(root, "kind", json_string("job_diff"));
    put(root, "same_processes", json_boolean(*ret));
    put(root, "jobs", jobs);
    put(root, "states", states.list);
    put(root, "failed_before", part_failed(before));
    put(root, "failed_after", part_failed(after));
    hash_free(&states.by_text);
    pairs_free(&p);
    return good && !states.oom ? dump_document(root) : (json_decref(root), NULL);
}
