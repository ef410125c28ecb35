/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/tasks_json.h"

#include "inspect/render/fields_json.h"
#include "inspect/render/task_groups.h"

static bool task_wanted(const struct insp_render_options *o, const struct mdl_task *t)
{
    return o->view != INSP_VIEW_TASKS || !o->filter ||
           mdl_same(o->filter, mdl_word(&mdl_task_state_words, (int)t->state));
}

/* The first and the last number of each run of the group's ids, which ascend. */
static json_t *id_ranges(const insp_snapshot *s, const struct groups *g, int group)
{
    json_t *list = json_array();

    for (int i = g->first[group], next; i >= 0; i = next) {
        const uint64_t first = s->tasks[i].id;
        uint64_t last = first;

        for (next = g->next[i]; next >= 0 && s->tasks[next].id == last + 1; next = g->next[next])
            last++;
        json_array_append_new(list, json_pack("[I, I]", (json_int_t)first, (json_int_t)last));
    }
    return list;
}

static json_t *group_json(const struct text_view *v, const struct groups *g, int group)
{
    const struct mdl_task *first = &v->snap->tasks[g->first[group]];
    json_t *o = json_object(), *depends = json_array();
    bool within;
    int count;
    const int64_t *on = task_group_on(v, g, group, &count, &within);

    put(o, "runtime", json_integer(first->runtime));
    put(o, "first", json_integer((json_int_t)first->id));
    put(o, "count", json_integer(g->size[group]));
    put(o, "ids", id_ranges(v->snap, g, group));
    for (int i = 0; i < count; i++)
        json_array_append_new(depends, json_integer(on[i]));
    put(o, "depends_on", depends);
    put(o, "one_another", json_boolean(within));
    return o;
}

/*
 * Groups of tasks that no thread has. What a thread does is not known equally well of a process and of its
 * core, so tasks that threads execute would be grouped differently in the two.
 */
static json_t *groups_json(const insp_snapshot *s, const struct insp_render_options *o)
{
    const struct insp_render_options each = {.size = sizeof(each)};
    struct arena arena = {0};
    const struct text_view v = {.snap = s, .options = &each, .arena = &arena};
    json_t *list = json_array();
    struct groups g;

    if (!task_groups(&v, &g)) {
        json_decref(list);
        list = NULL;
    }
    for (int i = 0; list && i < g.count; i++) {
        const struct mdl_task *first = &s->tasks[g.first[i]];

        if (g.size[i] > 1 && !first->lwp && task_wanted(o, first))
            json_array_append_new(list, group_json(&v, &g, i));
    }
    arena_free(&arena);
    return list;
}

void put_tasks(json_t *root, const struct json_of *of, const struct insp_render_options *o)
{
    const insp_snapshot *s = of->s;
    json_t *list = json_array();

    for (int i = 0; i < s->task_count; i++)
        if (task_wanted(o, &s->tasks[i]))
            json_array_append_new(list, object_json(of, MDL_O_task, &s->tasks[i]));
    put(root, "tasks", list);
    put(root, "task_groups", groups_json(s, o));
}
