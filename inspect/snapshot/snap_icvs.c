/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_icvs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/snapshot/snap_handles.h"

enum { MAX_ICVS = 1000 };

static void read_definitions(struct snap_run *run)
{
    ompd_address_space_context_t *context = run->context;
    ompd_icv_id_t at = 0;
    int more = 1;

    if (context->icvs_read || !run->lib->ompd_enumerate_icvs)
        return;
    while (more && context->icv_count < MAX_ICVS) {
        struct insp_icv_def *grown;
        const char *name = NULL;
        ompd_scope_t scope = 0;

        if (run->lib->ompd_enumerate_icvs(context->aspace, at, &at, &name, &scope, &more) != ompd_rc_ok)
            return; /* tried again at the next stop */
        if (!name)
            continue;
        grown = array_grow(context->icvs, (size_t)context->icv_count, sizeof(*grown));
        if (!grown) {
            free((void *)name);
            run->snap->arena.oom = true;
            return;
        }
        context->icvs = grown;
        grown[context->icv_count++] = (struct insp_icv_def){(char *)name, at, scope};
    }
    context->icvs_read = true;
}

static void *scope_handle(const struct snap_run *run, ompd_scope_t scope, const struct icv_handles *handles)
{
    switch (scope) {
    case ompd_scope_global:
    case ompd_scope_address_space:
        return run->context->aspace;
    case ompd_scope_thread:
        return handles->thread;
    case ompd_scope_parallel:
    case ompd_scope_teams:
    case ompd_scope_target:
        return handles->region;
    default:
        return handles->task;
    }
}

/* The list of OpenMP 5.0 has some ICVs under other names: ompd-final-var is final-task-var. */
static bool same_icv(const char *plain, const char *old)
{
    size_t n;

    if (strncmp(old, "ompd-", 5))
        return false;
    old += 5;
    if (!strcmp(plain, old))
        return true;
    n = strlen(old) < 4 ? 0 : strlen(old) - 4; /* without "-var" */
    return n && !strncmp(plain, old, n) && !strcmp(plain + n, "-task-var");
}

bool icv_number(struct snap_run *run, const char *name, const struct icv_handles *handles, int64_t *ret)
{
    read_definitions(run);
    for (int i = 0; run->lib->ompd_get_icv_from_scope && i < run->context->icv_count; i++) {
        const struct insp_icv_def *def = &run->context->icvs[i];
        void *handle = scope_handle(run, def->scope, handles);
        ompd_word_t value = 0;
        ompd_rc_t rc;

        if ((strcmp(def->name, name) && !same_icv(name, def->name)) || !handle)
            continue;
        rc = run->lib->ompd_get_icv_from_scope(handle, def->scope, def->id, &value);
        if (rc == ompd_rc_ok || rc == ompd_rc_incomplete) {
            *ret = value;
            return true;
        }
    }
    return false;
}

_Static_assert((int)MDL_SCOPE_GLOBAL == (int)ompd_scope_global &&
                   (int)MDL_SCOPE_TARGET == (int)ompd_scope_target &&
                   (int)MDL_SCOPE_TASK == (int)ompd_scope_task,
               "ompd_scope_t has the same order");

static enum mdl_scope icv_scope(ompd_scope_t scope)
{
    return (int)scope > 0 && (int)scope < MDL_SCOPES ? (enum mdl_scope)scope : MDL_SCOPE_UNKNOWN;
}

/* The implicit task in whose region the current task runs. */
static ompd_task_handle_t *implicit_task(struct snap_run *run, const struct icv_handles *handles,
                                         int thread_num)
{
    ompd_task_handle_t *task = NULL;

    if (!handles->region || thread_num < 0 || !run->lib->ompd_get_task_in_parallel ||
        run->lib->ompd_get_task_in_parallel(handles->region, thread_num, &task) != ompd_rc_ok)
        return NULL;
    return task;
}

/* KNOWN: the thread whose values are wanted is one of this runtime's. */
static void fill_value(struct snap_run *run, const struct insp_icv_def *def, void *handle, bool known,
                       struct mdl_icv *row)
{
    struct arena *arena = &run->snap->arena;
    const char *text = NULL;
    ompd_word_t value = 0;
    ompd_rc_t rc = ompd_rc_unsupported;

    if (!handle) {
        row->why = known ? "the thread is in no such scope" : "the thread is not one of this runtime's";
        return;
    }
    if (run->lib->ompd_get_icv_string_from_scope)
        rc = run->lib->ompd_get_icv_string_from_scope(handle, def->scope, def->id, &text);
    if ((rc == ompd_rc_ok || rc == ompd_rc_incomplete) && text) {
        row->value = arena_str(arena, text);
        free((void *)text);
        return;
    }
    if (run->lib->ompd_get_icv_from_scope)
        rc = run->lib->ompd_get_icv_from_scope(handle, def->scope, def->id, &value);
    if (rc == ompd_rc_ok)
        row->value = arena_printf(arena, "%" PRId64, value);
    else if (rc == ompd_rc_incomplete)
        row->value = arena_printf(arena, "%" PRId64 ",...", value);
    else
        row->why = ompdlib_rc(rc);
}

/* 30 rows for 23 values confuse: an old name is left out when the library has the new one as well. */
static bool is_old_name(const ompd_address_space_context_t *context, const char *name)
{
    for (int i = 0; i < context->icv_count; i++)
        if (same_icv(context->icvs[i].name, name))
            return true;
    return false;
}

static int64_t id_of(struct snap_run *run, enum handle_sort sort, void *handle)
{
    const struct handle_set *set = sort == HANDLE_REGION ? &run->regions : &run->tasks;
    int at = handle ? handle_set_find(run, sort, handle) : -1;

    return at < 0 ? 0 : (int64_t)set->id[at];
}

/* Ids come from the handles: the row of a thread of two runtimes has only one runtime's. */
static void set_owner(struct snap_run *run, ompd_scope_t scope, const struct icv_handles *handles, void *task,
                      struct mdl_icv *row)
{
    const insp_snapshot *snap = run->snap;

    row->of = MDL_ICV_OF_PROCESS;
    switch (scope) {
    case ompd_scope_global:
    case ompd_scope_address_space:
        break;
    case ompd_scope_thread:
        row->of = MDL_ICV_OF_THREAD;
        row->of_id = handles->thread ? snap->threads[mdl_icv_thread(snap)].lwp : 0;
        break;
    case ompd_scope_parallel:
    case ompd_scope_teams:
    case ompd_scope_target:
        row->of = MDL_ICV_OF_REGION;
        row->of_id = id_of(run, HANDLE_REGION, handles->region);
        break;
    default:
        row->of = MDL_ICV_OF_TASK;
        row->of_id = id_of(run, HANDLE_TASK, task);
    }
}

void snap_icvs(struct snap_run *run)
{
    insp_snapshot *snap = run->snap;
    struct icv_handles handles = {0};
    ompd_task_handle_t *implicit = NULL;
    int64_t thread_num = -1;

    /* An old library's names are understood, so it cannot lack enumerations as a rule. */
    read_definitions(run);
    if (!run->context->icvs_read)
        mdl_problem(snap, "the ICVs are not all known", "the OMPD library could not list them", "");
    /* A thread's row is the first runtime's that it is busy in, but it may be a thread of this one as well.
     */
    if (mdl_icv_thread(snap) >= 0)
        handles.thread = run->threads[mdl_icv_thread(snap)];
    if (handles.thread) {
        if (run->lib->ompd_get_curr_parallel_handle(handles.thread, &handles.region) != ompd_rc_ok)
            handles.region = NULL;
        if (run->lib->ompd_get_curr_task_handle(handles.thread, &handles.task) != ompd_rc_ok)
            handles.task = NULL;
        if (icv_number(run, "thread-num-var", &handles, &thread_num))
            implicit = implicit_task(run, &handles, (int)thread_num);
    }
    for (int i = 0; i < run->context->icv_count; i++) {
        const struct insp_icv_def *def = &run->context->icvs[i];
        struct mdl_icv *rows;
        void *handle = scope_handle(run, def->scope, &handles);

        if (is_old_name(run->context, def->name))
            continue;
        rows = arena_grow(&snap->arena, snap->icvs, (size_t)snap->icv_count, sizeof(*rows));
        if (!rows)
            break;
        snap->icvs = rows;
        rows += snap->icv_count++;
        *rows = (struct mdl_icv){.runtime = run->id, .name = arena_str(&snap->arena, def->name)};
        rows->scope = icv_scope(def->scope);
        if (def->scope == ompd_scope_implicit_task && implicit)
            handle = implicit;
        set_owner(run, def->scope, &handles, handle, rows);
        fill_value(run, def, handle, handles.thread != NULL, rows);
    }
    if (implicit)
        run->lib->ompd_rel_task_handle(implicit);
    if (handles.task)
        run->lib->ompd_rel_task_handle(handles.task);
    if (handles.region)
        run->lib->ompd_rel_parallel_handle(handles.region);
}
