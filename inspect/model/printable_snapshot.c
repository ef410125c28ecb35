/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/model/printable_snapshot.h"

#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/model/crash.h"

char *insp_printable(const char *text)
{
    char *copy = text ? strdup(text) : NULL;

    printable_fix(copy);
    return copy;
}

/* Visits strings: looks whether one has to be replaced, or, with an arena, replaces them. */
struct visit {
    struct arena *arena;
    bool bad;
    const char *last; /* looked at: neighbours often share a string */
};

static void string(struct visit *v, const char **s)
{
    if (v->arena)
        *s = printable_str(v->arena, *s);
    else if (*s != v->last)
        v->bad |= !printable_all(*s);
    v->last = *s;
}

/* A list of a row about to be changed becomes the copy's own. */
static void *own(struct arena *a, const void *list, size_t size)
{
    void *copy = arena_alloc(a, size ? size : 1);

    if (copy && size)
        memcpy(copy, list, size);
    return copy;
}
#define OWN(v, list, count)                                                      \
    do {                                                                         \
        if ((v)->arena) {                                                        \
            (list) = own((v)->arena, (list), (size_t)(count) * sizeof(*(list))); \
            (count) = (list) ? (count) : 0;                                      \
        }                                                                        \
    } while (0)

static void place(struct visit *v, struct mdl_place *p)
{
    string(v, &p->function);
    string(v, &p->file);
    string(v, &p->module);
}

static void unknowns(struct visit *v, struct mdl_unknown *list, int count)
{
    for (int i = 0; i < count; i++) {
        string(v, &list[i].field);
        string(v, &list[i].reason);
    }
}

static void activity(struct visit *v, struct mdl_activity *a)
{
    string(v, &a->call);
    string(v, &a->name);
    string(v, &a->pool);
    string(v, &a->owner_doubt);
    string(v, &a->file);
    place(v, &a->at);
    string(v, &a->why);
}

static void locals(struct visit *v, struct mdl_local *list, int count)
{
    for (int i = 0; i < count; i++) {
        string(v, &list[i].name);
        string(v, &list[i].type);
        string(v, &list[i].value);
        string(v, &list[i].why);
    }
}

static void thread(struct visit *v, struct mdl_thread *t)
{
    activity(v, &t->activity);
    string(v, &t->other_state);
    string(v, &t->wait.name);
    place(v, &t->wait.at);
    place(v, &t->wait.caller);
    place(v, &t->wait.taken_at);
    OWN(v, t->frames, t->frame_count);
    for (int i = 0; i < t->frame_count; i++) {
        place(v, &t->frames[i].place);
        string(v, &t->frames[i].module);
        string(v, &t->frames[i].symbol);
        OWN(v, t->frames[i].locals, t->frames[i].local_count);
        locals(v, t->frames[i].locals, t->frames[i].local_count);
    }
    OWN(v, t->placement_unknown, t->placement_unknown_count);
    unknowns(v, t->placement_unknown, t->placement_unknown_count);
    OWN(v, t->unknown, t->unknown_count);
    unknowns(v, t->unknown, t->unknown_count);
}

static void region(struct visit *v, struct mdl_region *r)
{
    place(v, &r->place);
    OWN(v, r->unknown, r->unknown_count);
    unknowns(v, r->unknown, r->unknown_count);
}

static void task(struct visit *v, struct mdl_task *t)
{
    place(v, &t->place);
    OWN(v, t->unknown, t->unknown_count);
    unknowns(v, t->unknown, t->unknown_count);
}

static void loop(struct visit *v, struct mdl_loop *l)
{
    OWN(v, l->unknown, l->unknown_count);
    unknowns(v, l->unknown, l->unknown_count);
}

static void runtime(struct visit *v, struct mdl_runtime *r)
{
    string(v, &r->kind);
    string(v, &r->library);
    string(v, &r->version);
    string(v, &r->found_how);
    string(v, &r->row);
    string(v, &r->build_id);
    OWN(v, r->abilities, r->ability_count);
    for (int i = 0; i < r->ability_count; i++) {
        string(v, &r->abilities[i].what);
        string(v, &r->abilities[i].why);
    }
    OWN(v, r->missing, r->missing_count);
    for (int i = 0; i < r->missing_count; i++) {
        string(v, &r->missing[i].fact);
        string(v, &r->missing[i].cost);
    }
}

static void problem(struct visit *v, struct mdl_problem *p)
{
    string(v, &p->what);
    string(v, &p->why);
    string(v, &p->remedy);
}

static void icv(struct visit *v, struct mdl_icv *i)
{
    string(v, &i->name);
    string(v, &i->value);
    string(v, &i->why);
}

static void edge(struct visit *v, struct mdl_edge *e)
{
    string(v, &e->because);
}

static void crash(struct visit *v, struct mdl_crash **list)
{
    int count = 1;

    OWN(v, *list, count);
    if (!count)
        return;
    string(v, &(*list)->file);
    string(v, &(*list)->message);
    string(v, &(*list)->type);
    string(v, &(*list)->what);
    string(v, &(*list)->what_why);
}

#define EACH(v, s, row)                               \
    do {                                              \
        OWN((v), (s)->row##s, (s)->row##_count);      \
        for (int i_ = 0; i_ < (s)->row##_count; i_++) \
            row((v), &(s)->row##s[i_]);               \
    } while (0)

static void each_string(struct visit *v, struct insp_snapshot *s)
{
    EACH(v, s, problem);
    EACH(v, s, runtime);
    EACH(v, s, thread);
    EACH(v, s, region);
    EACH(v, s, task);
    EACH(v, s, loop);
    EACH(v, s, edge);
    EACH(v, s, icv);
    string(v, &s->process.exe);
    string(v, &s->process.core);
    string(v, &s->process.host);
    if (s->process.crash)
        crash(v, &s->process.crash);
    string(v, &s->process.job);
    string(v, &s->process.step);
    string(v, &s->process.name_space);
    string(v, &s->process.boot_id);
    string(v, &s->verdict.sentence);
    string(v, &s->ompd_library);
    string(v, &s->ompd_version);
    string(v, &s->ompd_why);
}

const insp_snapshot *printable_snapshot(struct arena *a, const insp_snapshot *s)
{
    struct visit v = {0};
    struct insp_snapshot *copy = arena_alloc(a, sizeof(*copy));

    if (!copy)
        return NULL;
    *copy = *s;
    copy->arena = (struct arena){0};
    each_string(&v, copy); /* without an arena nothing is written */
    if (!v.bad)
        return s;
    v.arena = a;
    each_string(&v, copy);
    return a->oom ? NULL : copy;
}
