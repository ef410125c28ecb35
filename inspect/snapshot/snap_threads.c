/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_threads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/phrases.h"
#include "inspect/target/hostcall.h"
#include "inspect/snapshot/snap_handles.h"
#include "inspect/snapshot/snap_held.h"
#include "inspect/snapshot/snap_icvs.h"
#include "inspect/snapshot/snap_index.h"
#include "inspect/snapshot/snap_members.h"
#include "inspect/snapshot/snap_states.h"

static void add_host_thread(insp_session *s, insp_snapshot *snap, const struct insp_thread *t)
{
    struct mdl_thread *rows =
        arena_grow(&snap->arena, snap->threads, (size_t)snap->thread_count, sizeof(*rows));
    struct _ompd_thread_cont *conts = NULL;

    if (rows)
        conts = array_grow(s->threads, (size_t)s->thread_count, sizeof(*conts));
    if (!conts) {
        snap->arena.oom = true;
        return;
    }
    s->threads = conts;
    s->threads[s->thread_count++].thread = *t;
    snap->threads = rows;
    rows += snap->thread_count++;
    *rows = (struct mdl_thread){
        .lwp = t->lwp,
        .pthread = t->pthread,
        .gdb_num = t->gdb_num > 0 ? t->gdb_num : 0,
        .current = t->is_current != 0,
        .running = t->running != 0,
        .thread_num = -1,
        .team_size = -1,
        .level = -1,
        .active_level = -1,
        .place_num = -1,
        .asleep = -1,
        .activity = {.timeout_ns = MDL_TIMEOUT_NONE, .descriptor = -1},
    };
    if (rows->current)
        snap->current = snap->thread_count - 1;
}

void snap_host_threads(insp_session *s, insp_snapshot *snap)
{
    struct insp_thread thread;
    int rc = 0, running = 0;

    s->thread_count = 0;
    for (uint32_t i = 0; i < UINT32_C(1) << 22 && !snap->arena.oom; i++) {
        thread = (struct insp_thread){0};
        rc = host_thread(s, i, &thread);
        if (rc)
            break;
        add_host_thread(s, snap, &thread);
        running += thread.running != 0;
    }
    mdl_index_threads(snap);
    if (rc < 0 && rc != INSP_HOST_FAILED)
        mdl_problem(snap, "not all threads are listed", "listing them failed before the last", "");
    if (running)
        mdl_problem(
            snap, "some threads are running",
            "nothing can be said about a running thread, and what the others show may change meanwhile",
            "Stop all threads and ask again.");
    for (int i = 0; i < snap->thread_count; i++)
        if (snap->threads[i].running)
            mdl_unknown(snap, &snap->threads[i].unknown, &snap->threads[i].unknown_count, "openmp",
                        "the thread is running");
}

bool snap_is_stranger(const insp_snapshot *snap, uint64_t pthread)
{
    const struct mdl_thread *t = mdl_thread_by_pthread(snap, pthread);

    return t && t->stranger;
}

int64_t snap_lwp(const insp_snapshot *snap, uint64_t pthread, int64_t tid)
{
    const struct mdl_thread *t = mdl_thread_by_pthread(snap, pthread);

    if (t)
        return t->stranger ? 0 : t->lwp;
    /* Thread ids of the target: what the runtime said about a listed thread beats the host's number. In a
       container the two differ, so the plain number counts only for a thread whose pthread_t the host does
       not know. */
    if (tid) {
        const struct snap_key *without = snap_key_first(&snap->by_tid, (uint64_t)tid, 0);
        const struct snap_key *with = pthread ? NULL : snap_key_first(&snap->by_tid, (uint64_t)tid, 1);

        if (without && without->minor && pthread)
            without = NULL;
        if (with && (!without || with->row < without->row))
            without = with;
        if (without)
            return snap->threads[without->row].lwp;
    }
    t = mdl_thread_by_lwp(snap, tid);
    return t && !t->pthread && !t->target_tid ? t->lwp : 0;
}

int64_t snap_handle_lwp(struct snap_run *run, ompd_thread_handle_t *thread)
{
    uint64_t pthread = 0;
    int64_t tid = 0;
    int32_t small = 0;

    if (run->lib->ompd_get_thread_id(thread, OMPD_THREAD_ID_PTHREAD, sizeof(pthread), &pthread) != ompd_rc_ok)
        pthread = 0;
    if (!mdl_thread_by_pthread(run->snap, pthread)) {
        if (run->lib->ompd_get_thread_id(thread, OMPD_THREAD_ID_LWP, sizeof(small), &small) == ompd_rc_ok)
            tid = small;
        else if (run->lib->ompd_get_thread_id(thread, OMPD_THREAD_ID_LWP, sizeof(tid), &tid) != ompd_rc_ok)
            tid = 0;
    }
    run->lib->ompd_rel_thread_handle(thread);
    return snap_lwp(run->snap, pthread, tid);
}

/* The handle of one host thread; ompd_rc_unavailable: the runtime does not know it. */
static ompd_rc_t get_handle(struct snap_run *run, const struct mdl_thread *t, ompd_thread_handle_t **ret)
{
    int32_t small = (int32_t)t->lwp;
    ompd_rc_t rc;

    if (t->pthread)
        return run->lib->ompd_get_thread_handle(run->context->aspace, OMPD_THREAD_ID_PTHREAD,
                                                sizeof(t->pthread), &t->pthread, ret);
    /* The specification leaves the size of an LWP open; pid_t has 4 bytes, some libraries want 8. */
    rc = run->lib->ompd_get_thread_handle(run->context->aspace, OMPD_THREAD_ID_LWP, sizeof(small), &small,
                                          ret);
    if (rc == ompd_rc_bad_input)
        rc = run->lib->ompd_get_thread_handle(run->context->aspace, OMPD_THREAD_ID_LWP, sizeof(t->lwp),
                                              &t->lwp, ret);
    return rc;
}

/* 256 threads that fail alike are one problem. */
struct failures {
    int count;
    int64_t first; /* lwp */
    ompd_rc_t rc;
};

static void note_failure(struct failures *f, int64_t lwp, ompd_rc_t rc)
{
    if (!f->count++) {
        f->first = lwp;
        f->rc = rc;
    }
}

static void tell_failures(struct snap_run *run, const struct failures *f, const char *what)
{
    struct arena *arena = &run->snap->arena;
    const char *name = mdl_thread_name(arena, run->snap, f->first);

    if (f->count == 1)
        snap_problem(run, arena_printf(arena, "%s of %s is not known", what, name), f->rc);
    else if (f->count)
        snap_problem(
            run, arena_printf(arena, "%s of %d threads is not known (%s and others)", what, f->count, name),
            f->rc);
}

void snap_thread_handles(struct snap_run *run)
{
    static const char undecided[] = "what is known of the runtime's structures does not tell";
    struct failures failures = {0};

    for (int i = 0; i < run->snap->thread_count; i++) {
        struct mdl_thread *t = &run->snap->threads[i];
        ompd_rc_t rc;

        if (snap_step(run, "OpenMP threads", i, run->snap->thread_count))
            return;
        if (t->running)
            continue;
        rc = get_handle(run, t, &run->threads[i]);
        if (rc == ompd_rc_ok)
            continue;
        run->threads[i] = NULL;
        if (rc != ompd_rc_unavailable) {
            note_failure(&failures, t->lwp, rc);
            mdl_unknown(run->snap, &t->unknown, &t->unknown_count, "openmp",
                        rc == ompd_rc_unsupported ? undecided : ompdlib_rc(rc));
        }
    }
    tell_failures(run, &failures, "the OpenMP handle");
}

/* What the library keeps to itself, under the path that the fact has in JSON. What waits for nothing may have
   such reasons too. */
static void copy_reasons(struct snap_run *run, struct mdl_thread *t, const ompdx_thread_info_t *info)
{
    static const char *const fields[] = {
        [ompdx_fact_thread_num] = "thread_num", [ompdx_fact_team_size] = "team_size",
        [ompdx_fact_level] = "level",           [ompdx_fact_active_level] = "active_level",
        [ompdx_fact_region] = "region",         [ompdx_fact_task] = "task",
        [ompdx_fact_state] = "state",           [ompdx_fact_wait_kind] = "wait.kind",
        [ompdx_fact_wait_id] = "wait.id",       [ompdx_fact_wait_object] = "wait.object",
        [ompdx_fact_wait_codeptr] = "wait.at",  [ompdx_fact_owner] = "wait.owner_lwp",
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
        if (info->unknown[i])
            mdl_unknown(run->snap, &t->unknown, &t->unknown_count, fields[i],
                        arena_str(&run->snap->arena, info->unknown[i]));
}

/* A number of the thread's row; -1: there is none, or it cannot be known. */
static int number(const ompdx_thread_info_t *info, enum ompdx_thread_fact_t fact, int32_t value)
{
    return value < 0 || info->unknown[fact] ? -1 : value;
}

/* The row from the extension. */
static ompd_rc_t fill_from_info(struct snap_run *run, struct mdl_thread *t, ompd_thread_handle_t *handle)
{
    ompdx_thread_info_t info = {.size = sizeof(info)};
    ompd_rc_t rc = run->lib->ompdx_get_thread_info(handle, &info);
    struct mdl_wait *w = &t->wait;

    if (rc != ompd_rc_ok)
        return rc;
    t->serial = info.id;
    t->target_tid = info.tid;
    t->worker = info.kind == ompt_thread_worker;
    copy_reasons(run, t, &info);
    t->thread_num = number(&info, ompdx_fact_thread_num, info.thread_num);
    t->team_size = number(&info, ompdx_fact_team_size, info.team_size);
    t->level = number(&info, ompdx_fact_level, info.level);
    t->active_level = number(&info, ompdx_fact_active_level, info.active_level);
    t->region = info.unknown[ompdx_fact_region] ? 0 : info.region;
    t->task = info.unknown[ompdx_fact_task] ? 0 : info.task;
    if (info.unknown[ompdx_fact_state])
        t->state = MDL_STATE_UNKNOWN;
    else
        snap_state(run, info.state, t);
    t->released = info.wait_flags & OMPDX_WAIT_OVER;
    w->kind = snap_wait_kind(info.wait_kind, info.unknown[ompdx_fact_state] ? 0 : info.state);
    if (!w->kind)
        return rc;
    w->id = info.unknown[ompdx_fact_wait_id] ? 0 : info.wait_id;
    w->object = info.unknown[ompdx_fact_wait_object] ? 0 : info.wait_object;
    w->barrier = w->kind == MDL_WAIT_BARRIER ? snap_barrier_kind(info.state) : MDL_BARRIER_NONE;
    w->owner = info.owner_kind == ompdx_owner_thread     ? MDL_OWNER_THREAD
               : info.owner_kind == ompdx_owner_ended    ? MDL_OWNER_ENDED
               : info.owner_kind == ompdx_owner_none     ? MDL_OWNER_NONE
               : info.owner_kind == ompdx_owner_somebody ? MDL_OWNER_SOMEBODY
                                                         : MDL_OWNER_UNKNOWN;
    w->owner_how = w->owner == MDL_OWNER_THREAD ? MDL_HOW_RECORDED : MDL_HOW_NONE;
    w->owner_pthread = info.owner_pthread;
    w->owner_tid = info.owner_tid;
    /* An older library leaves it 0, and gives no owner where it would have to set it. */
    if (w->owner == MDL_OWNER_THREAD)
        w->owner_doubt = snap_owner_doubt(info.owner_uncertain);
    w->lasts = info.wait_flags & OMPDX_WAIT_LASTS;
    w->for_itself = info.wait_flags & OMPDX_WAIT_FOR_ITSELF;
    w->uncancelled = info.wait_flags & OMPDX_WAIT_NOT_CANCELLED;
    w->codeptr = info.wait_codeptr;
    construct_call(run->places, info.wait_codeptr, &w->at);
    if (construct_is_jump(run->places, w->codeptr))
        mdl_unknown(
            run->snap, &t->unknown, &t->unknown_count, "wait.at",
            "the compiler turned the call, the last one of its function, into a jump, which has no line");
    /* An older library leaves it 0. */
    if (w->owner == MDL_OWNER_THREAD && info.owner_codeptr)
        construct_call(run->places, info.owner_codeptr, &w->taken_at);
    return rc;
}

/* The row from what every OMPD library has. */
static ompd_rc_t fill_from_standard(struct snap_run *run, struct mdl_thread *t, ompd_thread_handle_t *handle)
{
    static const char no_extension[] = "this OMPD library does not provide it";
    struct icv_handles handles = {.thread = handle};
    ompd_wait_id_t wait_id = 0;
    ompd_word_t state = 0;
    int64_t n;
    ompd_rc_t rc = run->lib->ompd_get_state(handle, &state, &wait_id);

    if (rc != ompd_rc_ok)
        return rc;
    snap_state(run, state, t);
    if (run->lib->ompd_get_curr_parallel_handle(handle, &handles.region) != ompd_rc_ok)
        handles.region = NULL;
    if (run->lib->ompd_get_curr_task_handle(handle, &handles.task) != ompd_rc_ok)
        handles.task = NULL;
    if (handles.region) {
        t->thread_num = icv_number(run, "thread-num-var", &handles, &n) ? (int)n : -1;
        t->team_size = icv_number(run, "team-size-var", &handles, &n) ? (int)n : -1;
        t->level = icv_number(run, "levels-var", &handles, &n) ? (int)n : -1;
        t->active_level = icv_number(run, "active-levels-var", &handles, &n) ? (int)n : -1;
    }
    t->region = handle_set_id(run, HANDLE_REGION, handles.region);
    t->task = handle_set_id(run, HANDLE_TASK, handles.task);
    t->wait.kind = snap_wait_kind(0, state);
    if (!t->wait.kind)
        return rc;
    if (t->wait.kind == MDL_WAIT_BARRIER) {
        t->wait.barrier = snap_barrier_kind(state);
        t->wait.object = t->region;
        mdl_unknown(run->snap, &t->unknown, &t->unknown_count, "wait.arrived", no_extension);
    } else {
        /* For other waits the specification leaves the wait id undefined. */
        if (state >= ompt_state_wait_mutex && state <= ompt_state_wait_ordered)
            t->wait.id = wait_id;
        t->wait.owner = MDL_OWNER_UNKNOWN;
    }
    mdl_unknown(run->snap, &t->unknown, &t->unknown_count, "wait.at", no_extension);
    return rc;
}

/* Threads that the runtime has and the host does not list. */
static void find_hidden(struct snap_run *run, bool running)
{
    ompd_thread_handle_t **all = NULL;
    int count = 0, hidden = 0;
    struct snap_index serials = {0};
    ompdx_thread_info_t info;
    ompd_rc_t rc;

    if (!run->lib->ompdx_get_all_threads || !run->thread_ext)
        return;
    rc = run->lib->ompdx_get_all_threads(run->context->aspace, &all, &count);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return;
    snap_index_serials(run, &serials);
    for (int i = 0; i < count; i++) {
        bool listed = false;

        /* Rows of another runtime in which the same thread is busy count as listed. */
        info = (ompdx_thread_info_t){.size = sizeof(info)};
        if (run->lib->ompdx_get_thread_info(all[i], &info) != ompd_rc_ok)
            listed = true; /* ended in between, or unreadable: its own row would have said so */
        else
            listed =
                snap_lwp(run->snap, info.pthread, info.tid) != 0 || snap_is_stranger(run->snap, info.pthread);
        if (!listed)
            listed = running || snap_key_first(&serials, info.id, 0);
        hidden += !listed;
        run->lib->ompd_rel_thread_handle(all[i]);
    }
    free(all);
    /* With a running or unreadable thread in the host's list, it is not known which threads are hidden. */
    if (hidden)
        mdl_problem(
            run->snap,
            arena_printf(&run->snap->arena,
                         hidden == 1 ? "%d OpenMP thread is not shown" : "%d OpenMP threads are not shown",
                         hidden),
            "known to the runtime, not found in the process", "");
}

/* A thread may use several runtimes and has one row. It can wait in one place only, so that runtime has the
 * row; else the one in whose regions it is; else the first. */
static int rank(const struct mdl_thread *t)
{
    return !t->openmp ? 0 : t->wait.kind ? 4 : t->level > 0 ? 3 : t->region ? 2 : 1;
}

/* Is thread I the one that its row is of? Who is a member by creating its regions is in them by itself. */
static bool is_its_row(struct snap_run *run, int i, const char **why)
{
    static const char either[] = "the process was forked, and neither the function that the thread began "
                                 "with nor its stack tells whether "
                                 "the OpenMP runtime has created it";
    const struct mdl_thread *t = &run->snap->threads[i];
    enum snap_created created;

    *why = NULL;
    if (!t->worker && t->thread_num <= 0 && t->state != MDL_STATE_IDLE)
        return true;
    created = snap_created(run, t);
    if (created == SNAP_CREATED_UNKNOWN && run->snap->process.forked > 0)
        *why = either;
    return created == SNAP_CREATED || (created == SNAP_CREATED_UNKNOWN && !*why);
}

/* The runtime knows nothing of thread I, whatever row its records have for the thread that was there before.
   */
static void disown(struct snap_run *run, int i, const struct mdl_thread *before, const char *why)
{
    struct mdl_thread *t = &run->snap->threads[i];

    *t = *before;
    t->stranger = true;
    if (why)
        mdl_unknown(run->snap, &t->unknown, &t->unknown_count, "openmp", why);
    run->lib->ompd_rel_thread_handle(run->threads[i]);
    run->threads[i] = NULL;
}

void snap_threads(struct snap_run *run)
{
    struct failures failures = {0};
    bool running = false;

    for (int i = 0; i < run->snap->thread_count; i++) {
        struct mdl_thread *t = &run->snap->threads[i], before;
        const char *why;
        ompd_rc_t rc;

        running |= t->running;
        t->stranger = false;
        before = *t;
        if (!run->threads[i])
            continue;
        if (snap_step(run, "OpenMP threads", i, run->snap->thread_count))
            return;
        t->wait = (struct mdl_wait){0};
        rc = run->thread_ext ? fill_from_info(run, t, run->threads[i])
                             : fill_from_standard(run, t, run->threads[i]);
        if (rc != ompd_rc_ok) {
            *t = before;
            note_failure(&failures, t->lwp, rc);
            mdl_unknown(run->snap, &t->unknown, &t->unknown_count, "state", ompdlib_rc(rc));
        } else if (!is_its_row(run, i, &why)) {
            disown(run, i, &before, why);
            continue;
        }
        t->openmp = true;
        t->runtime = run->id;
        if (run->snap->want & INSP_PLACEMENT && rc == ompd_rc_ok)
            snap_held(run, t, run->threads[i]);
        if (before.openmp && (rc != ompd_rc_ok || rank(t) <= rank(&before)))
            *t = before;
    }
    tell_failures(run, &failures, "the state");
    snap_index_tids(run->snap);
    snap_index_members(run);
    find_hidden(run, running);
}
