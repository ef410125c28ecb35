/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_about.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/target/discover.h"
#include "inspect/target/embedded.h"
#include "inspect/ompd/layout_file.h"
#include "inspect/target/library.h"

/* ---- a runtime that is shown ------------------------------------------------------------- */

/** A runtime that is described, and what its OMPD library says of it. */
struct about {
    insp_snapshot *snap;
    struct mdl_runtime *runtime;
    ompdx_runtime_info_t info;
};

static void add_ability(const struct about *a, const char *what, const char *why)
{
    struct mdl_runtime *r = a->runtime;
    struct mdl_ability *rows =
        arena_grow(&a->snap->arena, r->abilities, (size_t)r->ability_count, sizeof(*rows));

    if (!rows)
        return;
    r->abilities = rows;
    rows[r->ability_count++] = (struct mdl_ability){what, !why, why ? arena_str(&a->snap->arena, why) : NULL};
}

/* HAS: the library has a function for it; whether it can answer for this runtime is another matter. */
static void add_of_library(const struct about *a, const char *what, bool has, enum ompdx_ability_t ability)
{
    add_ability(a, what, has ? a->info.lacks[ability] : "this OMPD library has no extension for it");
}

static void add_abilities(const struct about *a, const struct snap_run *run)
{
    const struct ompdlib *lib = run->lib;

    add_ability(a, "threads, states, current regions and tasks", a->info.lacks[ompdx_ability_threads]);
    /* A runtime that publishes its state has them with the rest. */
    if (a->info.lacks[ompdx_ability_states])
        add_ability(a, "states, and what is waited for", a->info.lacks[ompdx_ability_states]);
    if (a->info.lacks[ompdx_ability_mutexes])
        add_ability(a, "which lock or critical region is waited for", a->info.lacks[ompdx_ability_mutexes]);
    add_of_library(a, "owners of locks and critical regions", run->thread_ext, ompdx_ability_owners);
    add_of_library(a, "all regions of the process", run->region_ext && lib->ompdx_get_all_parallels,
                   ompdx_ability_regions);
    add_of_library(a, "all tasks of the process, including queued ones",
                   run->task_ext && lib->ompdx_get_all_tasks, ompdx_ability_tasks);
    add_of_library(a, "task dependences", lib->ompdx_get_task_predecessors, ompdx_ability_dependences);
    add_of_library(a, "arrivals at barriers", lib->ompdx_get_barrier_arrivals, ompdx_ability_arrivals);
    add_ability(a, "internal control variables",
                lib->ompd_enumerate_icvs && lib->ompd_get_icv_from_scope
                    ? a->info.lacks[ompdx_ability_icvs]
                    : "this OMPD library does not list them");
    add_ability(a, "one consistent reading of memory",
                run->bracket            ? NULL
                : lib->ompdx_stop_begin ? "the process is running"
                                        : "this OMPD library has no extension for it");
}

/* The tasks in queues are missing then, and a list that seems to be whole would be a lie. */
static void tell_tasks(const struct about *a)
{
    const char *why = a->info.lacks[ompdx_ability_tasks];

    if (!why || !a->snap->tasks_known)
        return;
    a->snap->tasks_known = false;
    mdl_problem(a->snap, "not all tasks are known", why, "");
}

static void copy_missing(const struct about *a)
{
    enum { MOST = 256 }; /* a library that tells of more is damaged */
    struct arena *arena = &a->snap->arena;
    const size_t count = a->info.missing && a->info.missing_count <= MOST ? (size_t)a->info.missing_count : 0;
    struct mdl_missing *rows = count ? arena_alloc(arena, count * sizeof(*rows)) : NULL;

    for (size_t i = 0; rows && i < count; i++)
        rows[i] = (struct mdl_missing){arena_str(arena, a->info.missing[i].fact),
                                       arena_str(arena, a->info.missing[i].cost)};
    a->runtime->missing = rows;
    a->runtime->missing_count = rows ? (int)count : 0;
}

static const char *kind_by_name(const struct insp_known_module *module)
{
    if (module->runtime)
        return "companion"; /* whose note it is */
    return strstr(mdl_base_name(module->path), "gomp") ? "libgomp" : "libomp";
}

/* What the library says of it. */
static void ask_library(struct about *a, struct snap_run *run)
{
    ompd_address_space_handle_t *aspace = run->context->aspace;
    const struct ompdlib *lib = run->lib;
    struct arena *arena = &a->snap->arena;
    struct mdl_runtime *r = a->runtime;
    const char *version = NULL;
    ompd_word_t number = 0;

    if (lib->ompdx_get_runtime_info && lib->ompdx_get_runtime_info(aspace, &a->info) == ompd_rc_ok) {
        r->kind = a->info.kind ? arena_str(arena, a->info.kind) : r->kind;
        /* Only a runtime that publishes a table has a version of it. */
        if (a->info.layout_major) {
            r->layout_major = (int)a->info.layout_major;
            r->layout_minor = (int)a->info.layout_minor;
        }
        r->found_how =
            arena_str(arena, layout_made(run->s, a->info.row) ? "decoded from its code" : a->info.found_how);
        r->row = arena_str(arena, a->info.row);
        r->build_id = arena_str(arena, a->info.build_id);
        r->queue_limit = a->info.queue_limit;
        r->ids_of_stop = a->info.flags & ompdx_runtime_ids_of_stop;
        copy_missing(a);
    }
    if (lib->ompd_get_omp_version && lib->ompd_get_omp_version(aspace, &number) == ompd_rc_ok)
        r->openmp_version = number;
    if (lib->ompd_get_omp_version_string &&
        lib->ompd_get_omp_version_string(aspace, &version) == ompd_rc_ok) {
        r->version = arena_str(arena, version);
        free((void *)version);
    }
}

void snap_describe(struct snap_run *run, struct mdl_runtime *ret)
{
    struct about a = {.snap = run->snap, .runtime = ret, .info = {.size = sizeof(a.info)}};

    *ret = (struct mdl_runtime){
        .id = run->id,
        .base = run->context->module.base,
        .layout_major = -1,
        .layout_minor = -1,
        .cancellation = -1,
    };
    ret->kind = kind_by_name(&run->context->module);
    ret->library = arena_str(&run->snap->arena, run->context->module.path);
    ask_library(&a, run);
    add_abilities(&a, run);
    tell_tasks(&a);
}

/* ---- those that are not ------------------------------------------------------------- */

void snap_tell_refused(insp_snapshot *snap, const struct insp_known_module *module, const char *why,
                       bool alone)
{
    static const char with_companion[] = "Or run the program with Companion: `ompd run -- PROGRAM`, or its "
                                         "directory lib/ompcompanion first in "
                                         "LD_LIBRARY_PATH. Where that was done, a script has changed the "
                                         "variable, or the program has a DT_RPATH "
                                         "(`readelf -d`), which counts more.";
    static const char with_link[] = "A copy with a name of its own, as Python wheels have, can also be "
                                    "replaced by a link to Companion in its "
                                    "place.";
    /* The library may have said the first part itself. */
    const bool said = why && strstr(why, "--layout");
    const char *remedy =
        arena_printf(&snap->arena, "%s%s%s%s", said ? "" : "`ompd layout ", said ? "" : module->path,
                     said ? "" : " >FILE` describes this build, and --layout FILE uses that. ",
                     alone ? with_companion : with_link);

    mdl_problem(snap,
                arena_printf(&snap->arena,
                             alone ? "The OpenMP runtime of this process is %s"
                                   : "This process has loaded another OpenMP runtime too, %s",
                             module->path),
                why ? why : "it is not known to this version of ompd", remedy ? remedy : "");
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

/* No mapped file is a runtime; the program itself may have one in it. */
static void tell_none(insp_session *s, insp_snapshot *snap)
{
    const struct insp_known_module *program = NULL;
    const char *name = NULL;

    embedded_look(s, snap->process.exe, &program);
    if (program)
        name = embedded_name(program->embedded);
    if (name) {
        mdl_problem(snap,
                    arena_printf(&snap->arena,
                                 "The OpenMP runtime of this process is %s, linked statically into %s", name,
                                 program->path),
                    "of a static runtime it is not known where its structures lie, so nothing can be said of "
                    "its teams, tasks and locks, nor which threads are OpenMP's",
                    "Link the program with the shared library, or statically with Companion "
                    "(lib/libompcompanion.a).");
        return;
    }
    mdl_problem(
        snap, "This process has not loaded an OpenMP runtime that ompd knows",
        !snap->thread_count ? "it has no threads, so it is not running"
        : program && program->embedded == INSP_EMBEDDED_UNREAD
            ? "no file that it has mapped is one, and whether its program contains one cannot be said, "
              "because not all of that could be read"
            : "no file that it has mapped is one",
        "");
}

/* What a process maps besides, such as locales, has no code. */
static bool may_have_code(const insp_snapshot *snap, const struct insp_known_module *m)
{
    return library_named(mdl_base_name(m->path)) ||
           (snap->process.exe && !strcmp(m->path, snap->process.exe));
}

void snap_tell_nothing(insp_session *s, insp_snapshot *snap, const struct snap_absent *absent)
{
    const struct insp_known_module *unread = NULL;
    int unread_count = 0;

    for (int i = 0; i < s->module_count; i++) {
        const struct insp_known_module *m = &s->modules[i];

        if (m->seen != s->scan || m->runtime || m->skipped || m->readable || !may_have_code(snap, m))
            continue;
        unread_count++;
        /* The likely one is named. */
        if (!unread || strstr(mdl_base_name(m->path), "omp"))
            unread = m;
    }
    if (s->host_failed || snap->runtime_count)
        return;
    if (absent->waiting)
        mdl_problem(snap, "OpenMP has not started yet in this process",
                    "its runtime is loaded but has not run yet", "");
    else if (!absent->found && unread)
        tell_unread(snap, unread, unread_count);
    else if (!absent->found)
        tell_none(s, snap);
}
