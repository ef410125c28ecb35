/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/task_groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/hash.h"

/* Characters of the ids of tasks that a group depends on. */
enum { DEPENDS_ROOM = 40 };

const struct mdl_thread *task_runner(const insp_snapshot *s, const struct mdl_task *task)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(s, task->lwp);

    return t && t->task == task->id && t->runtime == task->runtime ? t : NULL;
}

const char *task_state(const struct text_view *v, const struct mdl_task *task)
{
    const struct mdl_thread *t = task_runner(v->snap, task);
    const char *word = mdl_word(&mdl_task_state_words, (int)task->state);

    if (!t || task->state != MDL_TASK_RUNNING)
        return word ? word : "?";
    if (text_is_waiting(t))
        return "waiting";
    /* "computes" is said of a thread; of what it runs, that it runs. */
    if (t->activity.kind == MDL_ACTIVITY_UNKNOWN || !strcmp(text_does(v, t), "computes"))
        return word;
    return text_does(v, t);
}

static bool alike(const struct text_view *v, const bool *parent, int i, int k)
{
    const struct mdl_task *a = &v->snap->tasks[i], *b = &v->snap->tasks[k];
    const struct mdl_thread *t = task_runner(v->snap, a), *u = task_runner(v->snap, b);

    if (parent[i] || parent[k] || a->runtime != b->runtime || a->region != b->region ||
        a->generator != b->generator || a->entry != b->entry || a->kind != b->kind || a->state != b->state ||
        a->creator_thread_num != b->creator_thread_num || a->place.line != b->place.line ||
        !a->depends_count != !b->depends_count || !mdl_same(a->place.file, b->place.file) ||
        !mdl_same(a->place.function, b->place.function))
        return false;
    if (!a->lwp && !b->lwp)
        return true;
    return t && u && !t->current && !u->current && t->wait.kind == u->wait.kind && t->wait.id == u->wait.id &&
           t->activity.object == u->activity.object && !strcmp(text_does(v, t), text_does(v, u));
}

static uint64_t hash_task(const struct mdl_task *t)
{
    uint64_t hash = hash_mix((uint64_t)t->runtime, t->region);

    hash = hash_mix(hash, t->generator);
    hash = hash_mix(hash, t->entry);
    hash = hash_mix(hash, (uint64_t)t->state << 8 | (uint64_t)t->kind);
    hash = hash_mix(hash, (uint64_t)t->place.line);
    hash = hash_mix(hash, !t->lwp);
    return hash_mix(hash, (uint64_t)(int64_t)t->creator_thread_num);
}

/* Different tasks of one hash: beyond these each is alone. */
enum { LOOK = 64 };

static uint64_t *group_of(struct hash *map, const struct text_view *v, const bool *parent,
                          const struct groups *g, int task)
{
    bool alone = parent[task] || v->options->expand;
    uint64_t key = hash_task(&v->snap->tasks[task]), *at;

    for (int look = 0;; look++) {
        if (alone || look == LOOK)
            key = hash_mix(key, (uint64_t)task);
        at = hash_add(map, key++, NULL);
        if (!at || !*at || (!alone && look < LOOK && alike(v, parent, g->first[*at - 1], task)))
            return at;
    }
}

bool task_groups(const struct text_view *v, struct groups *ret)
{
    const insp_snapshot *s = v->snap;
    struct hash map = {.arena = v->arena};
    bool *parent = arena_alloc(v->arena, (size_t)s->task_count + 1);

    if (!parent || !groups_init(ret, v->arena, s->task_count))
        return false;
    for (int i = 0; i < s->task_count; i++) {
        const struct mdl_task *up = mdl_task_by_id(s, s->tasks[i].runtime, s->tasks[i].generator);

        if (up)
            parent[up - s->tasks] = true;
    }
    for (int i = 0; i < s->task_count; i++) {
        uint64_t *at = group_of(&map, v, parent, ret, i);

        if (!at)
            return false;
        groups_add(ret, i, at);
    }
    return true;
}

const char *task_ids(const struct text_view *v, const struct groups *g, int group, size_t room)
{
    int64_t *ids = arena_alloc(v->arena, (size_t)g->size[group] * sizeof(*ids));
    int n = 0;

    for (int i = g->first[group]; ids && i >= 0; i = g->next[i])
        ids[n++] = (int64_t)v->snap->tasks[i].id;
    return ids ? text_short_ranges(v, ids, n, room) : "?";
}

const int64_t *task_group_on(const struct text_view *v, const struct groups *g, int group, int *count,
                             bool *within)
{
    const insp_snapshot *s = v->snap;
    int64_t *ids = NULL;
    int n = 0, unique = 0;

    *within = false;
    for (int i = g->first[group]; i >= 0; i = g->next[i])
        for (int d = 0; d < s->tasks[i].depends_count; d++) {
            uint64_t id = s->tasks[i].depends_on[d];
            const struct mdl_task *on = mdl_task_by_id(s, s->tasks[i].runtime, id);
            int64_t *grown;

            if (on && g->size[group] > 1 && g->of[on - s->tasks] == group) {
                *within = true;
                continue;
            }
            grown = arena_grow(v->arena, ids, (size_t)n, sizeof(*ids));
            if (!grown)
                break; /* out of memory, which the arena says */
            ids = grown;
            ids[n++] = (int64_t)id;
        }
    if (n)
        qsort(ids, (size_t)n, sizeof(*ids), text_by_number);
    for (int i = 0; i < n; i++)
        if (!unique || ids[unique - 1] != ids[i])
            ids[unique++] = ids[i];
    *count = unique;
    return ids;
}

const char *task_group_depends(const struct text_view *v, const struct groups *g, int group)
{
    bool within;
    int count;
    const int64_t *on = task_group_on(v, g, group, &count, &within);
    const char *text;

    if (!count)
        return within ? "one another" : "";
    text = arena_printf(v->arena, "%s %s%s", count == 1 ? "task" : "tasks",
                        text_short_ranges(v, on, count, DEPENDS_ROOM), within ? ", then one another" : "");
    return text ? text : "";
}
