/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs as JSON, and back: docs/json.md. A state is written once, with the processes that are in it, so that
 * a document grows with the number of different states, and with some forty bytes for each process.
 */
#include "inspect/jobs/part.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/jobs/ranges.h"
#include "inspect/render/json_put.h"

/* ---- writing ----------------------------------------------------------------------------------------- */

static json_t *known(int64_t number)
{
    return number > 0 ? json_integer(number) : json_null();
}

/* Members FIRST to END, all in one state, by hosts. */
static json_t *hosts_json(const struct jobs *j, size_t first, size_t end)
{
    json_t *list = json_array();

    for (size_t i = first, next; i < end; i = next) {
        const struct member *m = &j->members[i];
        json_t *host = json_object(), *processes = json_array();

        for (next = i;
             next < end && j->members[next].host == m->host && j->members[next].boot_id == m->boot_id;
             next++) {
            const struct member *one = &j->members[next];
            json_t *row = json_array();

            json_array_append_new(row, natural(one->rank));
            json_array_append_new(row, known(one->pid));
            json_array_append_new(row, known(one->start));
            json_array_append_new(row, known(one->taken));
            json_array_append_new(processes, row);
        }
        put_text(host, "host", m->host);
        put_text(host, "boot_id", m->boot_id);
        put(host, "processes", processes);
        json_array_append_new(list, host);
    }
    return list;
}

static json_t *ranks_json(const struct jobs *j, size_t first, size_t end)
{
    int64_t *ranks = calloc(end - first + 1, sizeof(*ranks));
    size_t n = 0;
    json_t *list;

    for (size_t i = first; ranks && i < end; i++)
        if (j->members[i].rank >= 0)
            ranks[n++] = j->members[i].rank;
    list = ranges_json(ranks, n);
    free(ranks);
    return list;
}

void part_put_keys(json_t *o, const struct kept_state *kept)
{
    json_t *keys = json_array();

    for (int i = 0; i < STATE_ZOOMS; i++)
        json_array_append_new(keys, json_string(kept->keys.key[i]));
    put(o, "keys", keys);
}

static json_t *state_json(const struct jobs *j, size_t first, size_t end)
{
    const struct kept_state *kept = &j->states[j->members[first].state];
    json_t *o = json_object();

    part_put_keys(o, kept);
    put(o, "count", json_integer((json_int_t)(end - first)));
    put(o, "ranks", ranks_json(j, first, end));
    put(o, "state", json_incref(kept->state));
    put(o, "hosts", hosts_json(j, first, end));
    return o;
}

void part_put_name(json_t *o, const struct section *s)
{
    put_text(o, "job", s->job);
    put_text(o, "step", s->step);
    put_text(o, "namespace", s->name_space);
}

static json_t *section_json(const struct jobs *j, size_t first, size_t end)
{
    const struct section *s = &j->sections[j->members[first].section];
    json_t *o = json_object(), *states = json_array();

    part_put_name(o, s);
    put(o, "size", known(s->size));
    put(o, "answered", json_integer((json_int_t)(end - first)));
    put(o, "missing", jobs_missing(j, first, end));
    put(o, "sampled_again", json_incref(s->again));
    put(o, "others_again", json_boolean(s->others));
    for (size_t i = first, next; i < end; i = next) {
        for (next = i; next < end && j->members[next].state == j->members[i].state; next++)
            ;
        json_array_append_new(states, state_json(j, i, next));
    }
    put(o, "states", states);
    return o;
}

json_t *part_failed(const struct jobs *j)
{
    json_t *list = json_array();

    for (size_t i = 0; i < j->failure_count; i++) {
        json_t *o = json_object();

        put_text(o, "host", j->failures[i].host);
        put_text(o, "why", j->failures[i].why);
        json_array_append_new(list, o);
    }
    return list;
}

char *jobs_json(struct jobs *j)
{
    json_t *root = json_object(), *jobs = json_array();
    bool complete = jobs_complete(j);

    put(root, "schema", json_integer(1));
    put(root, "kind", json_string("job"));
    put(root, "complete", json_boolean(complete));
    for (size_t i = 0, next; i < j->member_count; i = next) {
        next = jobs_section_end(j, i);
        json_array_append_new(jobs, section_json(j, i, next));
    }
    put(root, "jobs", jobs);
    put(root, "failed", part_failed(j));
    return j->oom ? (json_decref(root), NULL) : dump_document(root);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* -1: it is no number that can be one. */
static int64_t number(const struct doc *value)
{
    return doc_is(value, PULL_INTEGER) && doc_integer(value) >= 0 ? doc_integer(value) : -1;
}

/* The same value, for those that compare and write it. No part of a state is a real. */
static json_t *json_of(const struct doc *d)
{
    json_t *list;

    if (doc_is(d, PULL_OBJECT)) {
        list = json_object();
        for (size_t i = 0; i < doc_members(d); i++)
            put(list, doc_member(d, i)->key, json_of(doc_member(d, i)));
        return list;
    }
    if (doc_is(d, PULL_ARRAY)) {
        list = json_array();
        for (size_t i = 0; i < doc_rows(d); i++)
            json_array_append_new(list, json_of(doc_row(d, i)));
        return list;
    }
    if (doc_is(d, PULL_TEXT))
        return json_string(doc_text(d));
    if (doc_is(d, PULL_INTEGER))
        return json_integer(doc_integer(d));
    return doc_is(d, PULL_TRUE) ? json_true() : doc_is(d, PULL_FALSE) ? json_false() : json_null();
}

static const char *text(struct jobs *j, const struct doc *o, const char *key)
{
    return jobs_name(j, doc_text(doc_get(o, key)));
}

/* Of one machine in one document; Linux has no more processes on a machine of usual size. */
enum { PROCESSES_MAX = 1 << 17 };

static void read_processes(struct jobs *j, const struct doc *list, struct member *m)
{
    if (doc_rows(list) > PROCESSES_MAX) {
        jobs_failed(j, m->host, "a document names more processes than a machine has");
        return;
    }
    for (size_t i = 0; i < doc_rows(list); i++) {
        const struct doc *row = doc_row(list, i);
        int64_t values[4];

        for (size_t k = 0; k < 4; k++)
            values[k] = number(doc_row(row, k));
        m->rank = values[0] < INT32_MAX ? values[0] : -1;
        m->pid = values[1] > 0 ? values[1] : 0;
        m->start = values[2] > 0 ? values[2] : 0;
        m->taken = values[3] > 0 ? values[3] : 0;
        if (doc_rows(row) == 4)
            jobs_member(j, m);
    }
}

static bool read_state(struct jobs *j, const struct doc *o, struct member *m)
{
    const struct doc *hosts = doc_get(o, "hosts");
    json_t *given = json_of(doc_get(o, "state")), *state = state_read(given);

    json_decref(given);
    if (!state)
        return false;
    m->state = jobs_state(j, state);
    for (size_t i = 0; m->state >= 0 && i < doc_rows(hosts); i++) {
        const struct doc *host = doc_row(hosts, i);

        m->host = text(j, host, "host");
        m->boot_id = text(j, host, "boot_id");
        read_processes(j, doc_get(host, "processes"), m);
    }
    return true;
}

static void read_again(struct jobs *j, const struct doc *o, int section)
{
    json_t *list = json_of(doc_get(o, "sampled_again"));
    struct section *s = &j->sections[section];

    s->others |= doc_is(doc_get(o, "others_again"), PULL_TRUE);
    if (ranges_good(list)) {
        json_t *both = ranges_union(s->again, list);

        json_decref(s->again);
        s->again = both;
    }
    json_decref(list);
}

bool part_add(struct jobs *j, const struct doc *root)
{
    const struct doc *jobs = doc_get(root, "jobs"), *failed = doc_get(root, "failed");
    bool good = doc_is(jobs, PULL_ARRAY) && doc_integer(doc_get(root, "schema")) == 1;

    for (size_t i = 0; good && i < doc_rows(jobs); i++) {
        const struct doc *o = doc_row(jobs, i), *states = doc_get(o, "states");
        struct member m = {
            .section = jobs_section(j, text(j, o, "job"), text(j, o, "step"), text(j, o, "namespace"))};
        int64_t size = number(doc_get(o, "size"));

        if (m.section < 0)
            return false;
        if (size > j->sections[m.section].size && size <= INT32_MAX)
            j->sections[m.section].size = size;
        for (size_t k = 0; good && k < doc_rows(states); k++)
            good = read_state(j, doc_row(states, k), &m);
        read_again(j, o, m.section);
    }
    for (size_t i = 0; good && i < doc_rows(failed); i++) {
        const struct doc *o = doc_row(failed, i);
        const char *why = doc_text(doc_get(o, "why"));

        jobs_failed(j, doc_text(doc_get(o, "host")), why ? why : "it is not said why");
    }
    return good;
}
