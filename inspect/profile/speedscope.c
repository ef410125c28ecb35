/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file format of speedscope (file-format-schema.json of its package).
 */
#include <stdlib.h>

#include "inspect/profile/profile.h"
#include "inspect/profile/store.h"
#include "inspect/render/json_put.h"

static json_t *frames_json(const struct profile *p)
{
    json_t *list = json_array();

    for (size_t i = 0; i < p->frame_count; i++) {
        json_t *o = json_object();

        put(o, "name", utf8_json(p->frames[i].name));
        if (p->frames[i].file)
            put(o, "file", utf8_json(p->frames[i].file));
        if (p->frames[i].line)
            put(o, "line", json_integer(p->frames[i].line));
        json_array_append_new(list, o);
    }
    return list;
}

/* A profile to which samples are added. */
struct samples {
    json_t *stacks, *weights;
    uint64_t count;
};

static void add(struct samples *s, const struct profile *p, size_t number, uint64_t count)
{
    const struct profile_stack *stack = &p->stacks[number];
    json_t *frames = json_array();

    for (uint32_t i = 0; i < stack->count; i++)
        json_array_append_new(frames, json_integer(stack->frame[i]));
    json_array_append_new(s->stacks, frames);
    json_array_append_new(s->weights, json_real((double)count / p->rate));
    s->count += count;
}

static json_t *profile_json(const struct profile *p, const struct samples *s, const char *name)
{
    json_t *o = json_object();

    put(o, "type", json_string("sampled"));
    put(o, "name", utf8_json(name ? name : "?"));
    put(o, "unit", json_string("seconds"));
    put(o, "startValue", json_integer(0));
    put(o, "endValue", json_real((double)s->count / p->rate));
    put(o, "samples", s->stacks);
    put(o, "weights", s->weights);
    return o;
}

/* The stacks of all threads; their order in time would say nothing. NULL out of memory. */
static json_t *all_json(const struct profile *p)
{
    struct samples s = {json_array(), json_array(), 0};
    uint64_t *counts = store_counts(p, NULL);

    for (size_t i = 0; counts && i < p->stack_count; i++)
        if (counts[i])
            add(&s, p, i, counts[i]);
    free(counts);
    return profile_json(p, &s, "all threads");
}

static json_t *thread_json(const struct profile *p, struct arena *a, const struct profile_thread *t)
{
    struct samples s = {json_array(), json_array(), 0};

    for (size_t i = 0; i < t->run_count; i++)
        add(&s, p, t->runs[i].stack, t->runs[i].count);
    return profile_json(p, &s, store_thread_name(a, t));
}

/* What the format has no key for. */
static json_t *own_json(const struct profile *p)
{
    json_t *o = json_object();

    put(o, "pid", json_integer(p->pid));
    put(o, "rate", json_real(p->rate));
    put(o, "seconds", json_real(p->totals.seconds));
    put(o, "samples", json_integer((json_int_t)p->totals.samples));
    put(o, "lost", json_integer((json_int_t)p->totals.lost));
    put(o, "stopped_seconds", json_real((double)p->totals.stopped_ns / 1e9));
    return o;
}

char *profile_speedscope(const struct profile *p, const char *exporter)
{
    json_t *root = json_object(), *shared = json_object(), *profiles = json_array();
    char *summary = profile_summary(p);
    struct arena arena = {0};

    put(root, "$schema", json_string("https://www.speedscope.app/file-format-schema.json"));
    put(root, "name",
        utf8_json(arena_printf(&arena, "%s (PID %" PRId64 "): %s", p->exe ? p->exe : "?", p->pid,
                               summary ? summary : "")));
    put(root, "exporter", json_string(exporter));
    put(root, "activeProfileIndex", json_integer(0));
    put(root, "ompd", own_json(p));
    put(shared, "frames", frames_json(p));
    put(root, "shared", shared);
    json_array_append_new(profiles, all_json(p));
    for (size_t i = 0; i < p->thread_count; i++)
        json_array_append_new(profiles, thread_json(p, &arena, &p->threads[i]));
    put(root, "profiles", profiles);
    free(summary);
    arena_free(&arena);
    return dump_line(root);
}
