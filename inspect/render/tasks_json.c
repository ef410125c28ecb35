/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/tasks_json.h"

#include "inspect/render/task_groups.h"

static json_t *not_taken_json(const struct mdl_not_taken *n)
{
    json_t *o = n->reason ? json_object() : NULL;

    if (o) {
        put_word(o, "reason", &mdl_not_taken_words, (int)n->reason);
        put(o, "lwp", positive((uint64_t)n->lwp));
        put(o, "task", positive(n->task));
        put(o, "computes", json_integer(n->team.computes));
        put(o, "system_call", json_integer(n->team.system_call));
        put(o, "waits", json_integer(n->team.waits));
        put(o, "inside", json_integer(n->team.inside));
        put(o, "before", natural(n->before));
        put(o, "queued", json_integer(n->queued));
        put(o, "queue_full", positive((uint64_t)n->queue_full));
    }
    return o;
}

static json_t *flag_json(const struct mdl_task *t, const char *name, uint32_t flag)
{
    return mdl_unknown_reason(t->unknown, t->unknown_count, name) ? NULL : json_boolean(t->flags & flag);
}

static json_t *task_json(const struct mdl_task *t)
{
    json_t *o = json_object(), *depends = json_array();

    put(o, "id", json_integer((json_int_t)t->id));
    put(o, "runtime", json_integer(t->runtime));
    put_word(o, "kind", &mdl_task_words, (int)t->kind);
    put_word(o, "state", &mdl_task_state_words, (int)t->state);
    put(o, "region", positive(t->region));
    put(o, "generator", positive(t->generator));
    put(o, "scheduled_over", positive(t->scheduled_over));
    put(o, "taskgroup", positive(t->taskgroup));
    put(o, "lwp", positive((uint64_t)t->lwp));
    put(o, "thread_num", natural(t->thread_num));
    put(o, "creator_thread_num", natural(t->creator_thread_num));
    put(o, "children", natural(t->children));
    put(o, "priority", natural(t->priority));
    put(o, "untied", flag_json(t, "untied", MDL_TASK_UNTIED));
    put(o, "final", flag_json(t, "final", MDL_TASK_FINAL));
    put(o, "flags", json_integer(t->flags));
    put(o, "entry", hex(t->entry));
    put(o, "codeptr", hex(t->codeptr));
    put_place(o, &t->place);
    for (int i = 0; i < t->depends_count; i++)
        json_array_append_new(depends, json_integer((json_int_t)t->depends_on[i]));
    put(o, "depends_on", depends);
    put(o, "not_taken", not_taken_json(&t->not_taken));
    put_unknown(o, t->unknown, t->unknown_count);
    return o;
}

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

void put_tasks(json_t *root, const insp_snapshot *s, const struct insp_render_options *o)
{
    json_t *list = json_array();

    for (int i = 0; i < s->task_count; i++)
        if (task_wanted(o, &s->tasks[i]))
            json_array_append_new(list, task_json(&s->tasks[i]));
    put(root, "tasks", list);
    put(root, "task_groups", groups_json(s, o));
}
