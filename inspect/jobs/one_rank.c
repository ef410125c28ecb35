/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/one_rank.h"

#include "inspect/jobs/rows.h"

static void add_row(struct job_view *v, const json_t *row)
{
    const json_t *stack = json_object_get(row, "stack");
    const char *region = view_string(row, "region"), *does = view_string(row, "does");
    bool numbered = json_array_size(json_object_get(row, "numbers")) > 0;

    sbuf_printf(&v->out, "\n%s%s: %s%s%s\n", numbered ? "Threads " : "", rows_threads(v, row),
                does ? does : "?", region ? ", in " : "", region ? region : "");
    for (size_t i = 0; i < json_array_size(stack); i++)
        sbuf_printf(&v->out, "    #%-2zu %s\n", i, json_string_value(json_array_get(stack, i)));
}

static void add_member(struct job_view *v, const struct member *m)
{
    const json_t *state = v->j->states[m->state].state, *rows = json_object_get(state, "threads");
    const json_t *problems = json_object_get(state, "problems"), *tasks = json_object_get(state, "tasks");
    const char *program = view_string(state, "program"), *sentence = view_string(state, "sentence");
    size_t alike = 0;

    for (size_t i = 0; i < v->j->member_count; i++)
        alike += v->j->members[i].state == m->state && v->j->members[i].section == m->section;
    sbuf_add(&v->out, view_process(v, m));
    if (program)
        sbuf_printf(&v->out, ", %s", program);
    if (alike > 1)
        sbuf_printf(&v->out, "; %zu more are in the same state", alike - 1);
    sbuf_printf(&v->out, "\n%s\n", sentence ? sentence : "No deadlock.");
    for (size_t i = 0; i < json_array_size(problems); i++)
        sbuf_printf(&v->out, "%s.\n", json_string_value(json_array_get(problems, i)));
    for (size_t i = 0; i < json_array_size(rows); i++)
        add_row(v, json_array_get(rows, i));
    for (size_t i = 0; i < json_array_size(tasks); i++)
        sbuf_printf(&v->out, "%s%" JSON_INTEGER_FORMAT " or more tasks: %s\n", i ? "" : "\n",
                    view_integer(json_array_get(tasks, i), "at_least", 1),
                    view_string(json_array_get(tasks, i), "what"));
}

void one_rank(struct job_view *v, int64_t rank)
{
    bool any = false;

    for (size_t i = 0; i < v->j->member_count; i++) {
        if (v->j->members[i].rank != rank)
            continue;
        sbuf_add(&v->out, any ? "\n" : "");
        add_member(v, &v->j->members[i]);
        any = true;
    }
}
