/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/activity/activity.h"
#include "inspect/activity/environment.h"
#include "inspect/base/printable.h"
#include "inspect/crash/crash.h"
#include "inspect/graph/verdict.h"
#include "inspect/ompd/callbacks.h"
#include "inspect/target/discover.h"
#include "inspect/names/object.h"
#include "inspect/owner/holders.h"
#include "inspect/placement/placement.h"
#include "inspect/target/hostcall.h"
#include "inspect/ompd/open.h"
#include "inspect/target/still.h"
#include "inspect/snapshot/snap_about.h"
#include "inspect/snapshot/snap_calls.h"
#include "inspect/snapshot/snap_handles.h"
#include "inspect/snapshot/snap_icvs.h"
#include "inspect/snapshot/snap_ids.h"
#include "inspect/snapshot/snap_loops.h"
#include "inspect/snapshot/snap_members.h"
#include "inspect/snapshot/snap_regions.h"
#include "inspect/snapshot/snap_stacks.h"
#include "inspect/snapshot/snap_tasks.h"
#include "inspect/snapshot/snap_threads.h"
#include "inspect/snapshot/snap_waits.h"

static void take_identity(insp_session *s, insp_snapshot *snap)
{
    struct mdl_process *p = &snap->process;
    const char *boot_id = NULL;

    if (!host_identity(s, &boot_id, &p->start, &p->taken))
        p->boot_id = arena_str(&snap->arena, boot_id);
}

static void take_origin(insp_session *s, insp_snapshot *snap)
{
    struct mdl_process *p = &snap->process;
    int32_t forked;

    if (host_origin(s, &forked, &p->forked_from))
        return;
    p->forked = forked != 0;
}

static void take_process(insp_session *s, insp_snapshot *snap)
{
    const char *exe = NULL, *core = NULL, *host = NULL;
    int64_t pid = 0, crashed = 0;
    int32_t signal = 0;
    int rc = host_process(s, &pid, &exe, &core, &host, &signal, &crashed);

    if (rc < 0 && rc != INSP_HOST_FAILED)
        mdl_problem(snap, "nothing is known about the process", "asking for it failed", "");
    if (rc)
        return;
    snap->process = (struct mdl_process){
        .pid = pid,
        .exe = arena_str(&snap->arena, exe),
        .core = arena_str(&snap->arena, core),
        .host = arena_str(&snap->arena, host),
        .signal = signal,
        .crashed_lwp = crashed,
        .rank = -1,
        .size = -1,
        .forked = -1,
    };
    take_identity(s, snap);
    take_origin(s, snap);
}

/* The one ICV that a verdict needs, whatever else is wanted. */
static void take_cancellation(struct snap_run *run)
{
    struct icv_handles none = {NULL, NULL, NULL}; /* it is the process' */
    int64_t value;

    if (icv_number(run, "cancel-var", &none, &value))
        run->snap->runtimes[run->id - 1].cancellation = value != 0;
}

/* All that one runtime contributes. Handles live only in here. */
static void take_parts(struct snap_run *run)
{
    insp_snapshot *snap = run->snap;

    snap_thread_handles(run);
    /* Without the extension the ids of regions and tasks come from having collected them, and so do those
       that are made here. A running process is asked for no more than is wanted. */
    if (!run->cancelled && (snap->want & INSP_REGIONS || !run->thread_ext || !run->region_ext ||
                            (run->ids_of_stop && run->bracket)))
        snap_collect_regions(run);
    if (!run->cancelled &&
        (snap->want & INSP_TASKS || !run->thread_ext || !run->task_ext || (run->ids_of_stop && run->bracket)))
        snap_collect_tasks(run);
    if (!run->cancelled)
        snap_threads(run);
    if (!run->cancelled)
        snap_barriers(run);
    if (!run->cancelled && snap->want & INSP_REGIONS)
        snap_regions(run);
    if (!run->cancelled && snap->want & INSP_REGIONS)
        snap_gone(run);
    if (!run->cancelled && snap->want & INSP_TASKS)
        snap_tasks(run);
    if (!run->cancelled && snap->want & INSP_TASKS)
        take_cancellation(run);
    if (!run->cancelled && snap->want & INSP_ICVS)
        snap_icvs(run);
    if (!run->cancelled && run->ids_of_stop)
        snap_number(run);
    if (run->regions.oom || run->tasks.oom)
        snap->arena.oom = true;
}

static bool any_running(const insp_snapshot *snap)
{
    for (int i = 0; i < snap->thread_count; i++)
        if (snap->threads[i].running)
            return true;
    return false;
}

/* A runtime that publishes nothing may be loaded and not in use: it has no thread then. */
static bool has_threads(struct snap_run *run)
{
    ompd_thread_handle_t **all = NULL;
    int count = 0;
    ompd_rc_t rc;

    if (run->context->module.runtime || !run->lib->ompdx_get_all_threads)
        return true;
    rc = run->lib->ompdx_get_all_threads(run->context->aspace, &all, &count);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc != ompd_rc_unavailable;
    for (int i = 0; i < count; i++)
        run->lib->ompd_rel_thread_handle(all[i]);
    free(all);
    return count > 0 || rc == ompd_rc_incomplete;
}

/* The part of take_runtime that is in the bracket. */
static void take_in_bracket(struct snap_run *run, struct snap_absent *absent)
{
    insp_snapshot *snap = run->snap;
    struct mdl_runtime *row = &snap->runtimes[snap->runtime_count];

    if (!has_threads(run)) {
        absent->waiting++;
        return;
    }
    snap_describe(run, row);
    run->ids_of_stop = row->ids_of_stop;
    snap->runtime_count++;
    take_parts(run);
}

static bool take_runtime(insp_session *s, insp_snapshot *snap, struct places *places,
                         ompd_address_space_context_t *context, struct snap_absent *absent)
{
    const struct ompdlib *lib = s->lib;
    struct mdl_runtime *rows;
    struct snap_run run = {
        .s = s,
        .snap = snap,
        .places = places,
        .context = context,
        .lib = lib,
        .id = snap->runtime_count + 1,
        .first_region = snap->region_count,
        .first_task = snap->task_count,
        .first_icv = snap->icv_count,
        .thread_ext = lib->ompdx_get_thread_info,
        .region_ext = lib->ompdx_get_parallel_info,
        .task_ext = lib->ompdx_get_task_info,
    };
    ompd_rc_t rc;

    rows = arena_grow(&snap->arena, snap->runtimes, (size_t)snap->runtime_count, sizeof(*rows));
    run.threads = calloc((size_t)snap->thread_count + 1, sizeof(*run.threads));
    if (!rows || !run.threads) {
        snap->arena.oom = true;
        free(run.threads);
        return true;
    }
    /* The bracket is a promise that nothing runs. */
    if (lib->ompdx_stop_begin && !any_running(snap) && !snap->moving) {
        rc = lib->ompdx_stop_begin(context->aspace);
        run.bracket = rc == ompd_rc_ok;
        if (!run.bracket)
            snap_problem(&run, "the OMPD library cannot read the process as a whole", rc);
    }
    snap->runtimes = rows;
    take_in_bracket(&run, absent);
    for (int i = 0; i < snap->thread_count; i++)
        if (run.threads[i])
            lib->ompd_rel_thread_handle(run.threads[i]);
    free(run.threads);
    handle_set_free(&run, HANDLE_REGION);
    handle_set_free(&run, HANDLE_TASK);
    if (run.bracket)
        lib->ompdx_stop_end(context->aspace);
    return !run.cancelled;
}

/* True when MODULE is a started runtime, with a problem where that cannot be said. */
static bool is_started(insp_session *s, insp_snapshot *snap, const struct insp_known_module *module,
                       int *waiting)
{
    enum discover_started started = discover_started(s, module);

    if (started == DISCOVER_STARTED)
        return true;
    insp_session_drop(s, module->base); /* what was known of it is of an earlier run */
    if (started == DISCOVER_NOT_STARTED)
        ++*waiting;
    else if (!s->host_failed)
        mdl_problem(snap,
                    arena_printf(&snap->arena, "the OpenMP runtime in %s cannot be read",
                                 mdl_base_name(module->path)),
                    started == DISCOVER_UNREADABLE ? "the memory that holds its layout table is missing"
                                                   : "its layout table is damaged",
                    started == DISCOVER_UNREADABLE
                        ? "Write the core with file-backed private pages, see core(5)."
                        : "");
    return false;
}

/* A runtime, or what may be one. */
static bool is_candidate(const struct insp_known_module *m)
{
    return m->runtime || discover_stock(m);
}

/** Runtimes that the OMPD library does not explain; told when it is known what else there is. */
struct refusals {
    const struct insp_known_module *module[INSP_RUNTIMES_MAX];
    char *why[INSP_RUNTIMES_MAX];
    int count;
};

static void tell_refusals(insp_snapshot *snap, struct refusals *list, const struct snap_absent *absent)
{
    const bool alone = !snap->runtime_count && absent->found == absent->refused;

    for (int i = 0; i < list->count; i++) {
        snap_tell_refused(snap, list->module[i], list->why[i], alone);
        free(list->why[i]);
    }
}

/* The context of a runtime that was found; NULL when it is not to be shown, which is told or counted. */
static ompd_address_space_context_t *open_runtime(insp_session *s, insp_snapshot *snap,
                                                  const struct insp_known_module *m,
                                                  struct snap_absent *absent, struct refusals *refusals)
{
    ompd_address_space_context_t *context = NULL;
    char *why = NULL;
    int rc;

    if (m->runtime && !is_started(s, snap, m, &absent->waiting))
        return NULL;
    if (!s->lib) {
        mdl_problem(snap, "the OpenMP runtime cannot be read", s->lib_why ? s->lib_why : "out of memory",
                    "Name a libompd.so that exists.");
        return NULL;
    }
    rc = insp_session_context(s, m, &context, &why);
    if (rc > 0)
        absent->waiting++;
    if (!rc || rc > 0 || s->host_failed) {
        free(why);
        return rc ? NULL : context;
    }
    if (!m->runtime && ompdlib_is_ours(s->lib)) {
        refusals->module[refusals->count] = m;
        refusals->why[refusals->count++] = why;
        absent->refused++;
        return NULL;
    }
    mdl_problem(snap,
                arena_printf(&snap->arena, "the OpenMP runtime in %s cannot be read", mdl_base_name(m->path)),
                why ? why : "out of memory", "");
    free(why);
    return NULL;
}

/* False: cancelled. */
static bool take_runtimes(insp_session *s, insp_snapshot *snap, struct places *places)
{
    struct snap_absent absent = {0};
    struct refusals refusals = {.count = 0};
    bool whole = true;

    if (s->more_runtimes)
        mdl_problem(snap, "not all OpenMP runtimes of this process are examined",
                    arena_printf(&snap->arena, "there are more than %d", INSP_RUNTIMES_MAX), "");
    for (int i = 0; i < s->module_count && !s->host_failed && absent.found < INSP_RUNTIMES_MAX && whole;
         i++) {
        const struct insp_known_module *m = &s->modules[i];
        ompd_address_space_context_t *context;

        if (m->seen != s->scan)
            continue;
        if (!m->readable && discover_foreign(m->path)) {
            mdl_problem(snap, arena_printf(&snap->arena, "nothing is known about %s", m->path),
                        "its first page cannot be read", "");
            absent.found++;
        }
        if (!is_candidate(m))
            continue;
        absent.found++;
        context = open_runtime(s, snap, m, &absent, &refusals);
        if (context)
            whole = take_runtime(s, snap, places, context, &absent);
    }
    tell_refusals(snap, &refusals, &absent);
    if (whole)
        snap_tell_nothing(s, snap, &absent);
    return whole;
}

static void take_library(insp_session *s, insp_snapshot *snap)
{
    snap->ompd_library = arena_str(&snap->arena, s->ompd_path);
    if (s->lib) {
        snap->ompd_version = arena_str(&snap->arena, s->lib->version);
        snap->ompd_api = s->lib->api;
    } else {
        snap->ompd_why = arena_str(&snap->arena, s->lib_why ? s->lib_why : "out of memory");
    }
}

static insp_snapshot *give_up(insp_snapshot *snap, char **error, const char *sentence)
{
    insp_free(snap);
    if (error)
        *error = insp_sentence("%s", sentence);
    return NULL;
}

/* False: cancelled. */
static bool take_all(insp_session *s, insp_snapshot *snap, struct places *places)
{
    if (host_progress(s, "runtimes", 0, 1))
        return false;
    if (discover_scan(s) && !s->host_failed)
        mdl_problem(snap, "not all mapped files are known", "listing them failed", "");
    insp_session_prune(s);
    if (!take_runtimes(s, snap, places))
        return false;
    snap_finish_waits(snap, places);
    if (!snap_stacks(s, snap))
        return false;
    snap_calls_unknown(snap);
    if (snap->want & INSP_LOOPS && !snap->moving)
        snap_loop_frames(s, snap);
    holders_find(s, snap, places);
    activity_find(s, snap, places);
    if (snap->want & INSP_STACKS) {
        environment_find(s, snap);
        crash_find(s, snap);
    }
    if (snap->want & INSP_PLACEMENT)
        placement_find(s, snap, places);
    return true;
}

insp_snapshot *insp_take(insp_session *s, unsigned want, char **error)
{
    insp_snapshot *snap = calloc(1, sizeof(*snap));
    struct places places;
    insp_session *before;
    bool whole;

    if (error)
        *error = NULL;
    if (!snap || !s)
        return give_up(snap, error, s ? "Out of memory." : "There is no session.");
    s->host_failed = false;
    free(s->host_failure);
    s->host_failure = NULL;
    objects_free(s->objects); /* of another moment */
    s->objects = NULL;
    before = callbacks_activate(s);
    places_init(&places, s, &snap->arena);
    snap->want = want;
    snap->complete = true;
    snap->moving = want & INSP_MOVING;
    snap->tasks_known = want & INSP_TASKS;
    snap->current = -1;
    take_library(s, snap);
    take_process(s, snap);
    snap_host_threads(s, snap);
    s->taking = snap;
    whole = take_all(s, snap, &places);
    s->taking = NULL;
    still_forget(s);
    callbacks_restore(before);
    if (!whole)
        return give_up(snap, error, "Cancelled.");
    if (s->host_failed)
        mdl_problem(snap,
                    arena_printf(&snap->arena, "the debugger failed: %s",
                                 s->host_failure ? s->host_failure : "out of memory"),
                    "it reported an error of its own", "What is shown was read before that.");
    verdict_make(snap);
    host_count_reads(s);
    snap->stats = s->stats;
    if (snap->arena.oom)
        return give_up(snap, error, "Out of memory.");
    return snap;
}

void insp_free(insp_snapshot *snap)
{
    struct arena arena;

    if (!snap)
        return;
    arena = snap->arena;
    arena_free(&arena);
    free(snap);
}
