/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/activity/activity.h"
#include "inspect/activity/environment.h"
#include "inspect/base/printable.h"
#include "inspect/graph/verdict.h"
#include "inspect/session/callbacks.h"
#include "inspect/session/discover.h"
#include "inspect/names/object.h"
#include "inspect/session/hostcall.h"
#include "inspect/session/open.h"
#include "inspect/snapshot/snap_handles.h"
#include "inspect/snapshot/snap_icvs.h"
#include "inspect/snapshot/snap_regions.h"
#include "inspect/snapshot/snap_stacks.h"
#include "inspect/snapshot/snap_tasks.h"
#include "inspect/snapshot/snap_threads.h"
#include "inspect/snapshot/snap_waits.h"

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
    };
}

static void add_ability(insp_snapshot *snap, struct mdl_runtime *r, const char *what, bool available,
                        const char *why)
{
    struct mdl_ability *rows =
        arena_grow(&snap->arena, r->abilities, (size_t)r->ability_count, sizeof(*rows));

    if (!rows)
        return;
    r->abilities = rows;
    rows[r->ability_count++] = (struct mdl_ability){what, available, available ? NULL : why};
}

static void describe_runtime(struct snap_run *run, struct mdl_runtime *r)
{
    static const char lacks[] = "this OMPD library has no extension for it";
    const struct ompdlib *lib = run->lib;
    ompd_address_space_handle_t *aspace = run->context->aspace;
    ompdx_runtime_info_t info = {.size = sizeof(info)};
    const char *version = NULL;
    ompd_word_t number = 0;

    *r = (struct mdl_runtime){
        .id = run->id,
        .base = run->context->module.base,
        .layout_major = -1,
        .layout_minor = -1,
        .cancellation = -1,
    };
    if (run->context->module.runtime)
        r->kind = "companion"; /* whose note it is */
    else
        r->kind = strstr(mdl_base_name(run->context->module.path), "gomp") ? "libgomp" : "libomp";
    r->library = arena_str(&run->snap->arena, run->context->module.path);
    if (lib->ompdx_get_runtime_info && lib->ompdx_get_runtime_info(aspace, &info) == ompd_rc_ok) {
        r->kind = info.kind ? arena_str(&run->snap->arena, info.kind) : r->kind;
        r->layout_major = (int)info.layout_major;
        r->layout_minor = (int)info.layout_minor;
    }
    if (lib->ompd_get_omp_version && lib->ompd_get_omp_version(aspace, &number) == ompd_rc_ok)
        r->openmp_version = number;
    if (lib->ompd_get_omp_version_string &&
        lib->ompd_get_omp_version_string(aspace, &version) == ompd_rc_ok) {
        r->version = arena_str(&run->snap->arena, version);
        free((void *)version);
    }
    add_ability(run->snap, r, "threads, states, current regions and tasks", true, NULL);
    add_ability(run->snap, r, "owners of locks and critical regions", run->thread_ext, lacks);
    add_ability(run->snap, r, "all regions of the process", run->region_ext && lib->ompdx_get_all_parallels,
                lacks);
    add_ability(run->snap, r, "all tasks of the process, including queued ones",
                run->task_ext && lib->ompdx_get_all_tasks, lacks);
    add_ability(run->snap, r, "task dependences", lib->ompdx_get_task_predecessors, lacks);
    add_ability(run->snap, r, "arrivals at barriers", lib->ompdx_get_barrier_arrivals, lacks);
    add_ability(run->snap, r, "internal control variables",
                lib->ompd_enumerate_icvs && lib->ompd_get_icv_from_scope,
                "this OMPD library does not list them");
    add_ability(run->snap, r, "one consistent reading of memory", run->bracket,
                lib->ompdx_stop_begin ? "the process is running" : lacks);
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
    /* Without the extension the ids of regions and tasks come from having collected them. */
    if (!run->cancelled && (snap->want & INSP_REGIONS || !run->thread_ext || !run->region_ext))
        snap_collect_regions(run);
    if (!run->cancelled && (snap->want & INSP_TASKS || !run->thread_ext || !run->task_ext))
        snap_collect_tasks(run);
    if (!run->cancelled)
        snap_threads(run);
    if (!run->cancelled)
        snap_barriers(run);
    if (!run->cancelled && snap->want & INSP_REGIONS)
        snap_regions(run);
    if (!run->cancelled && snap->want & INSP_TASKS)
        snap_tasks(run);
    if (!run->cancelled && snap->want & INSP_TASKS)
        take_cancellation(run);
    if (!run->cancelled && snap->want & INSP_ICVS)
        snap_icvs(run);
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

static bool take_runtime(insp_session *s, insp_snapshot *snap, struct places *places,
                         ompd_address_space_context_t *context)
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
    describe_runtime(&run, &rows[snap->runtime_count++]);
    take_parts(&run);
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

/* True for a runtime without our note when the library is a vendor's, which may know it. */
static bool is_for_vendor(const insp_session *s, const struct insp_known_module *m)
{
    return s->lib && !ompdlib_is_ours(s->lib) && !m->runtime && m->readable && discover_foreign(m->path);
}

static void tell_foreign(insp_session *s, insp_snapshot *snap, bool alone)
{
    for (int i = 0; i < s->module_count; i++) {
        const struct insp_known_module *m = &s->modules[i];

        if (m->seen != s->scan || m->runtime || !discover_foreign(m->path) || is_for_vendor(s, m))
            continue;
        if (!m->readable) {
            mdl_problem(snap, arena_printf(&snap->arena, "nothing is known about %s", m->path),
                        "its first page cannot be read", "");
            continue;
        }
        mdl_problem(
            snap,
            arena_printf(&snap->arena,
                         alone ? "The OpenMP runtime of this process is %s"
                               : "This process has loaded another OpenMP runtime too, %s",
                         m->path),
            "it is not supported by this version of ompd",
            alone
                ? "Run the program with Companion: `ompd run -- PROGRAM`, or its directory lib/ompcompanion "
                  "first in "
                  "LD_LIBRARY_PATH. Where that was done, a script has changed the variable, or the program "
                  "has a "
                  "DT_RPATH (`readelf -d`), which counts more."
                : "A copy with a name of its own, as Python wheels have, is replaced by a link to Companion "
                  "in its place.");
    }
}

/* A file whose first page is not there may be a runtime: in a truncated core, without the file. */
static void tell_unread(insp_snapshot *snap, const struct insp_known_module *one, int count)
{
    const char *more =
        count > 1 ? arena_printf(&snap->arena, " and of %d more file%s", count - 1, count == 2 ? "" : "s")
                  : "";

    mdl_problem(snap, "It is not known whether this process has loaded an OpenMP runtime",
                arena_printf(&snap->arena, "the first page of %s%s is missing", one->path, more ? more : ""),
                "");
}

/* The sentence when no runtime could be shown. */
static void tell_nothing(insp_session *s, insp_snapshot *snap, int found, int waiting)
{
    const struct insp_known_module *unread = NULL;
    bool foreign = false;
    int unread_count = 0;

    for (int i = 0; i < s->module_count; i++) {
        const struct insp_known_module *m = &s->modules[i];

        if (m->seen != s->scan || m->runtime || m->skipped)
            continue;
        foreign |= discover_foreign(m->path);
        unread_count += !m->readable;
        /* The likely one is named. */
        if (!m->readable && (!unread || strstr(mdl_base_name(m->path), "omp")))
            unread = m;
    }
    if (s->host_failed || snap->runtime_count)
        return;
    if (waiting)
        mdl_problem(snap, "OpenMP has not started yet in this process",
                    "its runtime is loaded but has not run yet", "");
    else if (!found && !foreign && unread)
        tell_unread(snap, unread, unread_count);
    else if (!found && !foreign)
        mdl_problem(
            snap, "This process has not loaded an OpenMP runtime that ompd knows",
            snap->thread_count ? "none of its files is one" : "it has no threads, so it is not running", "");
}

/* False: cancelled. */
static bool take_runtimes(insp_session *s, insp_snapshot *snap, struct places *places)
{
    int found = 0, waiting = 0;

    for (int i = 0; i < s->module_count && !s->host_failed && found < INSP_RUNTIMES_MAX; i++) {
        const struct insp_known_module *m = &s->modules[i];
        ompd_address_space_context_t *context = NULL;
        char *why = NULL;

        if (m->seen != s->scan || (!m->runtime && !is_for_vendor(s, m)))
            continue;
        found++;
        if (m->runtime && !is_started(s, snap, m, &waiting))
            continue;
        if (!s->lib) {
            mdl_problem(snap, "the OpenMP runtime cannot be read", s->lib_why ? s->lib_why : "out of memory",
                        "Name a libompd.so that exists.");
            continue;
        }
        if (insp_session_context(s, m, &context, &why)) {
            mdl_problem(
                snap,
                arena_printf(&snap->arena, "the OpenMP runtime in %s cannot be read", mdl_base_name(m->path)),
                why ? why : "out of memory", "");
            free(why);
            continue;
        }
        if (!take_runtime(s, snap, places, context))
            return false;
    }
    tell_foreign(s, snap, snap->runtime_count == 0 && !found);
    tell_nothing(s, snap, found, waiting);
    return true;
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

insp_snapshot *insp_take(insp_session *s, unsigned want, char **error)
{
    insp_snapshot *snap = calloc(1, sizeof(*snap));
    struct places places;
    insp_session *before;
    bool whole = true;

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
    if (host_progress(s, "runtimes", 0, 1))
        whole = false;
    if (whole && discover_scan(s) && !s->host_failed)
        mdl_problem(snap, "not all mapped files are known", "listing them failed", "");
    if (s->more_runtimes)
        mdl_problem(snap, "not all OpenMP runtimes of this process are examined",
                    arena_printf(&snap->arena, "there are more than %d", INSP_RUNTIMES_MAX), "");
    insp_session_prune(s);
    if (whole)
        whole = take_runtimes(s, snap, &places);
    if (whole) {
        snap_finish_waits(snap, &places);
        whole = snap_stacks(s, snap);
    }
    if (whole)
        activity_find(s, snap, &places);
    if (whole && snap->want & INSP_STACKS)
        environment_find(s, snap);
    s->taking = NULL;
    callbacks_restore(before);
    if (!whole)
        return give_up(snap, error, "Cancelled.");
    if (s->host_failed)
        mdl_problem(snap,
                    arena_printf(&snap->arena, "the debugger failed: %s",
                                 s->host_failure ? s->host_failure : "out of memory"),
                    "it reported an error of its own", "What is shown was read before that.");
    verdict_make(snap);
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
