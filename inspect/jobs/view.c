/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/jobs/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "inspect/jobs/ranges.h"
#include "inspect/jobs/state.h"

const char *view_string(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

json_int_t view_integer(const json_t *o, const char *key, json_int_t absent)
{
    const json_t *value = json_object_get(o, key);

    return json_is_integer(value) ? json_integer_value(value) : absent;
}

const char *view_printf(struct job_view *v, const char *format, ...)
{
    const char *copy;
    char *raw = NULL;
    va_list list;
    int n;

    va_start(list, format);
    n = vasprintf(&raw, format, list);
    va_end(list);
    if (n < 0) {
        v->arena.oom = true;
        return "?";
    }
    copy = arena_str(&v->arena, raw);
    free(raw);
    return copy ? copy : "?";
}

const char *view_ranges(struct job_view *v, const json_t *list, size_t most)
{
    struct sbuf text = {0};
    const char *result;

    ranges_add(&text, list, most);
    result = arena_str(&v->arena, text.text ? text.text : "");
    sbuf_free(&text);
    return result ? result : "?";
}

const char *view_noun(const struct jobs *j, const struct job_variant *variant, size_t count)
{
    bool rank = j->members[variant->first].rank >= 0;

    return count == 1 ? (rank ? "rank" : "process") : rank ? "ranks" : "processes";
}

/* "n1:4711": a process without a rank. */
static const char *process_name(struct job_view *v, const struct member *m)
{
    return m->host ? view_printf(v, "%s:%" PRId64, m->host, m->pid)
                   : view_printf(v, "process %" PRId64, m->pid);
}

const char *view_which(struct job_view *v, const struct job_groups *g, size_t first, size_t end, size_t most)
{
    json_t *list = job_groups_ranks(v->j, g, first, end);
    const char *text = view_ranges(v, list, most), *more = *text ? "," : "";
    size_t named = 0;

    for (size_t i = first; i < end; i++)
        for (size_t k = g->variants[i].first; k < g->variants[i].end && named <= most; k++) {
            const struct member *m = &v->j->members[k];

            if (m->rank >= 0)
                continue;
            text = view_printf(v, "%s%s%s", text, more, named == most ? "..." : process_name(v, m));
            more = ",";
            named++;
        }
    json_decref(list);
    return text;
}

const struct member *view_first(const struct jobs *j, const struct job_variant *variant)
{
    const struct member *best = &j->members[variant->first];

    for (size_t i = variant->first; i < variant->end; i++)
        if (j->members[i].rank >= 0 && (best->rank < 0 || j->members[i].rank < best->rank))
            best = &j->members[i];
    return best;
}

const char *view_process(struct job_view *v, const struct member *m)
{
    const char *process = view_printf(v, "%srocess %" PRId64, m->rank >= 0 ? "p" : "P", m->pid);

    if (m->rank >= 0)
        process = view_printf(v, "Rank %" PRId64 ", %s", m->rank, process);
    return m->host ? view_printf(v, "%s on %s", process, m->host) : process;
}

const char *view_mark(const json_t *state)
{
    return state_proved(state) ? "!" : state_suspected(state) ? "?" : "";
}

char *view_take(struct job_view *v)
{
    v->out.oom |= v->arena.oom || v->j->oom;
    arena_free(&v->arena);
    return sbuf_take(&v->out);
}
