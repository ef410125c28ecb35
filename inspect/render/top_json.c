/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/json.h"
#include "inspect/render/json_put.h"
#include "inspect/render/top.h"

static json_t *usage_json(const struct top_usage *u)
{
    const char state[2] = {u->state, '\0'};
    json_t *o = json_object();

    put(o, "percent", u->tenths >= 0 ? json_real(u->tenths / 10.0) : NULL);
    put(o, "cpu_ns", json_integer((json_int_t)u->cpu_ns));
    put(o, "processor", natural(u->processor));
    put(o, "kernel_state", u->state ? json_string(state) : NULL);
    return o;
}

char *top_json(const struct top_sample *sample)
{
    const struct insp_render_options o = {.view = INSP_VIEW_THREADS, .format = INSP_JSON};
    json_t *root = json_document(sample->snapshot, &o), *threads, *thread, *own = json_object();
    size_t i;

    put(own, "number", json_integer((json_int_t)sample->number));
    put(own, "pid", positive((uint64_t)sample->snapshot->process.pid));
    put(own, "interval_ns", positive(sample->interval));
    put(own, "stopped_ns", sample->snapshot->moving ? NULL : json_integer((json_int_t)sample->stopped_ns));
    put(root, "sample", own);
    threads = json_object_get(root, "threads");
    json_array_foreach(threads, i, thread)
    {
        const struct top_usage *u = top_usage_of(sample, json_integer_value(json_object_get(thread, "lwp")));

        put(thread, "usage", u ? usage_json(u) : NULL);
    }
    return dump_line(root);
}
