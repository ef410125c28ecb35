/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON, schema 1. A key that a row lacks is null when there is no such thing, and listed in `unknown` when it
 * cannot be known. Failed allocations: jansson's functions pass NULL on, and json_dumps of NULL is NULL.
 */
#include "inspect/render/json.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/model/phrases.h"
#include "inspect/render/crash_json.h"
#include "inspect/render/icv_filter.h"
#include "inspect/render/json_put.h"
#include "inspect/render/placement_json.h"
#include "inspect/render/stacks_json.h"
#include "inspect/render/tasks_json.h"

static json_t *wait_json(const struct mdl_wait *w)
{
    json_t *o, *at, *list;

    if (!w->kind)
        return json_null();
    o = json_object();
    put_word(o, "kind", &mdl_wait_words, (int)w->kind);
    put(o, "id", hex(w->id));
    put(o, "object", positive(w->object));
    put_text(o, "name", w->name);
    put_word(o, "owner", &mdl_owner_words, (int)w->owner);
    put(o, "owner_ended", json_boolean(w->owner == MDL_OWNER_ENDED));
    put(o, "owner_lwp", positive((uint64_t)w->owner_lwp));
    put_word(o, "owner_how", &mdl_owner_how_words, (int)w->owner_how);
    put(o, "owner_candidates", list = json_array());
    for (int i = 0; i < w->candidate_count; i++)
        json_array_append_new(list, json_integer(w->candidates[i]));
    put(o, "owner_task", NULL);
    put(o, "for_itself", json_boolean(w->for_itself));
    put(o, "uncancelled", json_boolean(w->uncancelled));
    put(o, "lasts", json_boolean(w->lasts));
    put_word(o, "barrier", &mdl_barrier_words, (int)w->barrier);
    put(o, "arrived", w->arrivals_known ? int_list(w->arrived, w->arrived_count) : NULL);
    put(o, "missing", w->arrivals_known ? int_list(w->missing, w->missing_count) : NULL);
    if (w->arrivals_known) {
        put(o, "missing_lwp", list = json_array());
        for (int i = 0; i < w->missing_count; i++)
            json_array_append_new(list, positive((uint64_t)w->missing_lwp[i]));
    }
    at = json_object();
    put_place(at, &w->at);
    put(o, "at", at);
    put_known_place(o, "caller", &w->caller);
    put_known_place(o, "taken_at", &w->taken_at);
    return o;
}

static json_t *timeout_json(int64_t ns)
{
    return ns == MDL_TIMEOUT_SOME ? json_string("some") : natural(ns);
}

/* null: nobody asked what the thread does. */
static json_t *activity_json(const struct mdl_activity *a)
{
    json_t *o, *at;

    if (!mdl_activity_known(a))
        return json_null();
    o = json_object();
    put_word(o, "kind", &mdl_activity_words, (int)a->kind);
    put_text(o, "call", a->call);
    put(o, "object", hex(a->object));
    put_text(o, "name", a->name);
    put_text(o, "pool", a->pool);
    put_word(o, "owner", &mdl_owner_words, (int)a->owner);
    put(o, "owner_lwp", positive((uint64_t)a->owner_lwp));
    put(o, "owner_tid", positive((uint64_t)a->owner_tid));
    put(o, "owner_pid", positive((uint64_t)a->owner_pid));
    put_word(o, "owner_how", &mdl_owner_how_words, (int)a->owner_how);
    put_text(o, "owner_doubt", a->owner_doubt);
    put(o, "timeout", timeout_json(a->timeout_ns));
    put(o, "descriptor", natural(a->descriptor));
    put_text(o, "file", a->file);
    put(o, "child", a->child < 0 ? json_string("any") : positive((uint64_t)a->child));
    put(o, "asleep", json_boolean(a->asleep));
    put(o, "at", at = json_object());
    put_place(at, &a->at);
    put_text(o, "why", a->why);
    return o;
}

static json_t *thread_json(const insp_snapshot *s, const struct mdl_thread *t, bool placement)
{
    json_t *o = json_object();

    put(o, "lwp", json_integer(t->lwp));
    put(o, "target_tid", positive((uint64_t)t->target_tid));
    put(o, "pthread", hex(t->pthread));
    put(o, "gdb_num", positive((uint64_t)t->gdb_num));
    put(o, "current", json_boolean(t->current));
    put(o, "running", json_boolean(t->running));
    put(o, "asleep", t->asleep < 0 ? NULL : json_boolean(t->asleep));
    put(o, "released", json_boolean(t->released));
    put(o, "moving", json_boolean(t->moving));
    put(o, "openmp", json_boolean(t->openmp));
    put(o, "runtime", positive((uint64_t)t->runtime));
    put(o, "thread_num", natural(t->thread_num));
    put(o, "team_size", natural(t->team_size));
    put(o, "level", natural(t->level));
    put(o, "active_level", natural(t->active_level));
    put(o, "region", positive(t->region));
    put(o, "task", positive(t->task));
    if (t->state == MDL_STATE_OTHER)
        put_text(o, "state", t->other_state);
    else
        put_word(o, "state", &mdl_state_words, (int)t->state);
    put(o, "wait", wait_json(&t->wait));
    put(o, "activity", activity_json(&t->activity));
    put(o, "cpu_ns", positive(t->cpu_ns));
    put_unknown(o, t->unknown, t->unknown_count);
    if (placement)
        put_placement(o, s, t);
    return o;
}

static json_t *region_json(const struct mdl_region *r)
{
    json_t *o = json_object(), *members = json_array();

    put(o, "id", json_integer((json_int_t)r->id));
    put(o, "runtime", json_integer(r->runtime));
    put_word(o, "kind", &mdl_region_words, (int)r->kind);
    put(o, "parent", positive(r->parent));
    put(o, "parent_task", positive(r->parent_task));
    put(o, "level", natural(r->level));
    put(o, "active_level", natural(r->active_level));
    put(o, "team_size", natural(r->team_size));
    put(o, "league_size", natural(r->league_size));
    put(o, "team_num", natural(r->team_num));
    put(o, "entry", hex(r->entry));
    put(o, "codeptr", hex(r->codeptr));
    put_place(o, &r->place);
    for (int i = 0; i < r->member_count; i++) {
        json_t *m = json_object();

        put(m, "thread_num", json_integer(r->members[i].thread_num));
        put(m, "lwp", positive((uint64_t)r->members[i].lwp));
        put(m, "gone", json_boolean(r->members[i].gone));
        json_array_append_new(members, m);
    }
    put(o, "members", members);
    put_unknown(o, r->unknown, r->unknown_count);
    return o;
}

/* A number that is null where it is not known, or where THERE is none. */
static json_t *loop_number(const struct mdl_loop *l, const char *fact, bool there, int64_t number)
{
    return there && !mdl_unknown_reason(l->unknown, l->unknown_count, fact) ? json_integer(number) : NULL;
}

static json_t *loop_json(const struct mdl_loop *l)
{
    json_t *o = json_object(), *has = NULL;

    put(o, "runtime", json_integer(l->runtime));
    put(o, "region", positive(l->region));
    put(o, "task", positive(l->task));
    put(o, "lwp", positive((uint64_t)l->lwp));
    put(o, "thread_num", natural(l->thread_num));
    put(o, "id", hex(l->id));
    put(o, "sequence", positive(l->sequence));
    put_word(o, "schedule", &mdl_schedule_words, (int)l->schedule);
    put(o, "shares", json_boolean(l->flags & MDL_LOOP_SHARES));
    put(o, "ordered", json_boolean(l->flags & MDL_LOOP_ORDERED));
    put(o, "doacross", json_boolean(l->flags & MDL_LOOP_DOACROSS));
    put(o, "or_sections", json_boolean(l->flags & MDL_LOOP_OR_SECTIONS));
    put(o, "iterations", loop_number(l, "iterations", true, (int64_t)l->iterations));
    put(o, "first", loop_number(l, "iterations", true, l->first));
    put(o, "step", loop_number(l, "step", true, l->step));
    put(o, "chunk", loop_number(l, "chunk", l->chunk > 0, (int64_t)l->chunk));
    put(o, "left", loop_number(l, "left", true, (int64_t)l->left));
    put(o, "next", loop_number(l, "left", l->left && !(l->flags & MDL_LOOP_SHARES), l->next));
    put_word(o, "source", &mdl_loop_source_words, (int)l->source);
    if (l->has_count && !mdl_unknown_reason(l->unknown, l->unknown_count, "has")) {
        has = json_object();
        put(has, "first", json_integer(l->has_first));
        put(has, "last", json_integer(l->has_last));
        put(has, "count", json_integer((json_int_t)l->has_count));
    }
    put(o, "has", has);
    put(o, "at", loop_number(l, "at", has, l->at));
    put(o, "share", loop_number(l, "share", true, (int64_t)l->share));
    put(o, "turn", loop_number(l, "turn", l->flags & MDL_LOOP_ORDERED, l->turn));
    put(o, "waits_for", loop_number(l, "waits_for", l->waits, l->waits_for));
    put_unknown(o, l->unknown, l->unknown_count);
    return o;
}

static json_t *icv_json(const struct mdl_icv *icv)
{
    json_t *o = json_object(), *of = json_object();

    put_text(o, "name", icv->name);
    put_word(o, "scope", &mdl_scope_words, (int)icv->scope);
    put_text(o, "value", icv->value);
    put(of,
        icv->of == MDL_ICV_OF_TASK     ? "task"
        : icv->of == MDL_ICV_OF_REGION ? "region"
        : icv->of == MDL_ICV_OF_THREAD ? "lwp"
                                       : "runtime",
        icv->of == MDL_ICV_OF_PROCESS ? json_integer(icv->runtime) : positive((uint64_t)icv->of_id));
    put(o, "of", of);
    put(o, "runtime", json_integer(icv->runtime));
    if (!icv->value)
        put_text(o, "why", icv->why);
    return o;
}

static json_t *end_json(const struct mdl_end *end)
{
    json_t *o = json_object();

    if (end->task) {
        put(o, "task", json_integer((json_int_t)end->task));
        put(o, "runtime", json_integer(end->runtime));
    } else if (end->pid) {
        put(o, "pid", json_integer(end->pid));
    } else {
        put(o, "lwp", json_integer(end->lwp));
    }
    return o;
}

static json_t *edge_json(const struct mdl_edge *e)
{
    json_t *o = json_object();

    put(o, "id", json_integer(e->id));
    put(o, "from", end_json(&e->from));
    put(o, "to", end_json(&e->to));
    put_text(o, "because", e->because);
    put(o, "proved", json_boolean(e->proved));
    return o;
}

static json_t *runtime_json(const struct mdl_runtime *r, bool verdict, bool abilities)
{
    json_t *o = json_object(), *list;

    put(o, "id", json_integer(r->id));
    put_text(o, "kind", r->kind);
    put_text(o, "library", r->library);
    put_text(o, "version", r->version);
    put(o, "openmp_version", positive((uint64_t)r->openmp_version));
    put(o, "base", hex(r->base));
    if (verdict) {
        put(o, "queue_limit", positive((uint64_t)r->queue_limit));
        put(o, "cancellation", r->cancellation < 0 ? NULL : json_boolean(r->cancellation));
    }
    if (!abilities)
        return o;
    list = json_array();
    for (int i = 0; i < r->ability_count; i++) {
        json_t *a = json_object();

        put_text(a, "what", r->abilities[i].what);
        put(a, "available", json_boolean(r->abilities[i].available));
        put_text(a, "why", r->abilities[i].why);
        json_array_append_new(list, a);
    }
    put(o, "abilities", list);
    list = json_array();
    for (int i = 0; i < r->missing_count; i++) {
        json_t *m = json_object();

        put_text(m, "fact", r->missing[i].fact);
        put_text(m, "cost", r->missing[i].cost);
        json_array_append_new(list, m);
    }
    put(o, "missing", list);
    put_text(o, "found_how", r->found_how);
    put_text(o, "row", r->row);
    put_text(o, "build_id", r->build_id);
    put(o, "ids_of_stop", json_boolean(r->ids_of_stop));
    if (r->layout_major >= 0) {
        put(o, "layout_major", json_integer(r->layout_major));
        put(o, "layout_minor", json_integer(r->layout_minor));
    }
    return o;
}

static void put_process(json_t *root, const insp_snapshot *s, bool report)
{
    const struct mdl_process *p = &s->process;
    json_t *o = json_object();

    put(o, "pid", positive((uint64_t)p->pid));
    put_text(o, "exe", p->exe);
    put_text(o, "core", p->core);
    put_text(o, "host", p->host);
    put(o, "rank", natural(p->rank));
    put(o, "size", natural(p->size));
    put_text(o, "job", p->job);
    put_text(o, "step", p->step);
    put_text(o, "namespace", p->name_space);
    put_text(o, "boot_id", p->boot_id);
    put(o, "start", positive(p->start));
    put(o, "taken", positive((uint64_t)p->taken));
    put(o, "forked", p->forked < 0 ? NULL : json_boolean(p->forked));
    put(o, "forked_from", positive((uint64_t)p->forked_from));
    put(o, "signal", p->signal > 0 ? json_integer(p->signal) : NULL);
    put(o, "crashed_lwp", positive((uint64_t)p->crashed_lwp));
    if (report)
        put(o, "crash", crash_json(s));
    put(root, "process", o);
}

static void put_verdict(json_t *root, const struct mdl_verdict *verdict)
{
    json_t *o = json_object();

    put_word(o, "kind", &mdl_verdict_words, (int)verdict->kind);
    put_text(o, "sentence", verdict->sentence);
    put(o, "edges", int_list(verdict->edges, verdict->edge_count));
    put(root, "verdict", o);
}

static void put_problems(json_t *root, const insp_snapshot *s)
{
    json_t *list = json_array();

    put(root, "complete", json_boolean(s->complete));
    for (int i = 0; i < s->problem_count; i++) {
        json_t *o = json_object();

        put_text(o, "what", s->problems[i].what);
        put_text(o, "why", s->problems[i].why);
        put_text(o, "remedy", s->problems[i].remedy && *s->problems[i].remedy ? s->problems[i].remedy : NULL);
        json_array_append_new(list, o);
    }
    put(root, "problems", list);
}

static void put_status(json_t *root, const insp_snapshot *s, bool stats)
{
    json_t *o = json_object();

    put_text(o, "library", s->ompd_library);
    put_text(o, "version", s->ompd_version);
    put(o, "api", positive((uint64_t)s->ompd_api));
    put_text(o, "why", s->ompd_why);
    put(root, "ompd", o);
    if (!stats)
        return;
    o = json_object();
    put(o, "lookups", json_integer((json_int_t)s->stats.lookups));
    put(o, "reads", json_integer((json_int_t)s->stats.reads));
    put(o, "bytes", json_integer((json_int_t)s->stats.bytes));
    put(o, "thread_contexts", json_integer((json_int_t)s->stats.thread_contexts));
    put(root, "stats", o);
}

/* No part of a report, which does not ask for them. */
static void put_loops(json_t *root, const insp_snapshot *s)
{
    json_t *list = json_array();

    for (int i = 0; i < s->loop_count; i++)
        json_array_append_new(list, loop_json(&s->loops[i]));
    put(root, "loops", list);
}

static void put_lists(json_t *root, const insp_snapshot *s, const struct insp_render_options *o)
{
    bool all = o->view == INSP_VIEW_REPORT, placement = o->verbose && s->want & INSP_PLACEMENT;
    json_t *list;

    if (all || o->view == INSP_VIEW_THREADS) {
        put(root, "threads", list = json_array());
        for (int i = 0; i < s->thread_count; i++)
            json_array_append_new(list, thread_json(s, &s->threads[i], placement));
        if (placement)
            put(root, "findings", findings_json(s));
    }
    if (all || o->view == INSP_VIEW_PARALLEL) {
        put(root, "regions", list = json_array());
        for (int i = 0; i < s->region_count; i++)
            json_array_append_new(list, region_json(&s->regions[i]));
    }
    if (all || o->view == INSP_VIEW_TASKS)
        put_tasks(root, s, o);
    if (all || o->view == INSP_VIEW_WAITS) {
        put(root, "edges", list = json_array());
        for (int i = 0; i < s->edge_count; i++)
            json_array_append_new(list, edge_json(&s->edges[i]));
    }
    if (all || o->view == INSP_VIEW_ICVS) {
        put(root, "icvs", list = json_array());
        for (int i = 0; i < s->icv_count; i++)
            if (all || icv_wanted(o, &s->icvs[i]))
                json_array_append_new(list, icv_json(&s->icvs[i]));
    }
    if (all || o->view == INSP_VIEW_STACKS)
        put(root, "stacks", stacks_json(s, o->locals));
}

static json_t *document(const insp_snapshot *s, const struct insp_render_options *o, bool record)
{
    json_t *root = json_object(), *runtimes = json_array();
    bool status = o->view == INSP_VIEW_STATUS;
    bool verdict = o->view == INSP_VIEW_REPORT || o->view == INSP_VIEW_WAITS;

    put(root, "schema", json_integer(1));
    put(root, "moving", json_boolean(s->moving));
    put_problems(root, s);
    if (o->view == INSP_VIEW_REPORT || status)
        put_process(root, s, !status);
    if (verdict)
        put_verdict(root, &s->verdict);
    if (status || record)
        put_status(root, s, o->stats || record);
    for (int i = 0; i < s->runtime_count; i++)
        json_array_append_new(runtimes, runtime_json(&s->runtimes[i], verdict, status || record));
    put(root, "runtimes", runtimes);
    put_lists(root, s, o);
    if ((record || o->view == INSP_VIEW_LOOPS) && s->want & INSP_LOOPS)
        put_loops(root, s);
    if (record)
        put(root, "snapshot", snapshot_json(s));
    return root;
}

json_t *json_document(const insp_snapshot *s, const struct insp_render_options *o)
{
    return document(s, o, false);
}

char *render_json(const insp_snapshot *s, const struct insp_render_options *o)
{
    return dump_document(document(s, o, false));
}

char *insp_record(const insp_snapshot *s, char **error)
{
    struct insp_render_options o = {.size = sizeof(o), .view = INSP_VIEW_REPORT, .format = INSP_JSON};
    char *text = s ? dump_document(document(s, &o, true)) : NULL;

    if (error)
        *error = text ? NULL : insp_sentence(s ? "Out of memory." : "There is no snapshot.");
    return text;
}
