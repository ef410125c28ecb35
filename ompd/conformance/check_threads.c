/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads and their states. OpenMP 6.0 sections 41.4 and 41.9.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"

enum { STATES = 64, MOST_COMPARED = 24 };
static struct {
    ompd_word_t value;
    char name[64];
} states[STATES];
static int state_count;

const char *state_name(ompd_word_t state)
{
    for (int i = 0; i < state_count; i++)
        if (states[i].value == state)
            return states[i].name;
    return NULL;
}

void check_states(const struct scene *scene)
{
    ompd_word_t state = ompt_state_undefined, more = 1;
    state_count = 0;
    while (more && state_count < STATES && HAS(ompd_enumerate_states)) {
        ompd_word_t next = -1;
        const char *name = NULL;
        more = -1;
        if (!check_rc(CALL(ompd_enumerate_states, scene->space, state, &next, &name, &more), ompd_rc_ok,
                      "ompd_enumerate_states"))
            return;
        check(more == 0 || more == 1, "more_enums is %ld", (long)more);
        check(state_name(next) == NULL, "state 0x%lx is listed twice", (long)next);
        const char *prefix = strncmp(name, "ompt_state_", 11) == 0 ? name + 11 : name;
        snprintf(states[state_count].name, sizeof states->name, "%s", prefix);
        states[state_count++].value = next;
        give_back(name);
        state = next;
    }
    /* Numbers that the specification gives (5.0 table 4.1): not the library's own idea. */
    const struct {
        ompd_word_t value;
        const char *name;
    } known[] = {{ompt_state_work_serial, "work_serial"},       {ompt_state_work_parallel, "work_parallel"},
                 {ompt_state_wait_lock, "wait_lock"},           {ompt_state_wait_critical, "wait_critical"},
                 {ompt_state_wait_ordered, "wait_ordered"},     {ompt_state_wait_taskwait, "wait_taskwait"},
                 {ompt_state_wait_taskgroup, "wait_taskgroup"}, {ompt_state_idle, "idle"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *name = state_name(known[i].value);
        check(name && strcmp(name, known[i].name) == 0, "state 0x%lx is called %s", (long)known[i].value,
              name ? name : "nothing");
    }
    if (HAS(ompd_enumerate_states)) {
        ompd_word_t next = -1;
        const char *name = NULL;
        check_rc(CALL(ompd_enumerate_states, scene->space, 0x7777, &next, &name, &more), ompd_rc_bad_input,
                 "ompd_enumerate_states of an unknown state");
        check(next == -1 && name == NULL, "ompd_enumerate_states changed its outputs");
    }
}

ompd_thread_handle_t *thread_of(const struct scene *scene, const struct truth_thread *thread)
{
    ompd_thread_handle_t *handle = NULL;
    check_rc(CALL(ompd_get_thread_handle, scene->space, OMPD_THREAD_ID_PTHREAD, sizeof thread->pthread,
                  &thread->pthread, &handle),
             ompd_rc_ok, "ompd_get_thread_handle by pthread_t");
    return handle;
}

/** Every way to a thread leads to the same thread, and back to its ids. */
static void check_ids(const struct scene *scene, const struct truth_thread *thread,
                      ompd_thread_handle_t *handle)
{
    const int32_t tid = (int32_t)thread->tid;
    ompd_thread_handle_t *other = NULL;
    int order = 99;
    if (check_rc(CALL(ompd_get_thread_handle, scene->space, OMPD_THREAD_ID_LWP, sizeof tid, &tid, &other),
                 ompd_rc_ok, "ompd_get_thread_handle by LWP")) {
        check_rc(CALL(ompd_thread_handle_compare, handle, other, &order), ompd_rc_ok,
                 "ompd_thread_handle_compare");
        check(order == 0, "two handles of thread %d differ by %d", tid, order);
        check_rc(CALL(ompd_rel_thread_handle, other), ompd_rc_ok, "ompd_rel_thread_handle");
    }
    if (HAS(ompd_get_thread_id)) {
        uint64_t pthread = 0;
        int32_t lwp = 0;
        check_rc(CALL(ompd_get_thread_id, handle, OMPD_THREAD_ID_PTHREAD, sizeof pthread, &pthread),
                 ompd_rc_ok, "ompd_get_thread_id as pthread_t");
        check(pthread == thread->pthread, "pthread_t of thread %d is 0x%lx", tid, pthread);
        check_rc(CALL(ompd_get_thread_id, handle, OMPD_THREAD_ID_LWP, sizeof lwp, &lwp), ompd_rc_ok,
                 "ompd_get_thread_id as LWP");
        check(lwp == tid, "thread %d says that it is %d", tid, lwp);
        check_rc(CALL(ompd_get_thread_id, handle, OMPD_THREAD_ID_PTHREAD, (ompd_size_t)3, &lwp),
                 ompd_rc_bad_input, "ompd_get_thread_id with 3 bytes");
        check_rc(CALL(ompd_get_thread_id, handle, OMPD_THREAD_ID_WINTHREAD, sizeof lwp, &lwp),
                 ompd_rc_unsupported, "ompd_get_thread_id of Windows");
        check(lwp == tid, "ompd_get_thread_id changed its output");
    }
    ompd_address_space_handle_t *space = NULL;
    if (HAS(ompd_get_device_from_thread)) {
        check_rc(CALL(ompd_get_device_from_thread, handle, &space), ompd_rc_ok,
                 "ompd_get_device_from_thread");
        check(space == scene->space, "the thread's device is not the process");
    }
}

static void check_state(const struct truth_thread *thread, ompd_thread_handle_t *handle)
{
    ompd_word_t state = -1, alone = -1;
    ompd_wait_id_t wait = 0;
    if (!check_rc(CALL(ompd_get_state, handle, &state, &wait), ompd_rc_ok, "ompd_get_state"))
        return;
    check_rc(CALL(ompd_get_state, handle, &alone, NULL), ompd_rc_ok, "ompd_get_state without wait_id");
    check(alone == state, "two looks at a stopped thread give 0x%lx and 0x%lx", (long)state, (long)alone);
    const char *name = state_name(state);
    if (thread->state)
        check(name && strcmp(name, thread->state) == 0, "thread %ld is in state %s, truth %s",
              (long)thread->tid, name ? name : "that is not listed", thread->state);
    if (thread->wait_id)
        check(wait == thread->wait_id, "thread %ld waits for 0x%lx, truth 0x%lx", (long)thread->tid,
              (unsigned long)wait, (unsigned long)thread->wait_id);
}

static void check_info(const struct truth_thread *thread, ompd_thread_handle_t *handle)
{
    ompdx_thread_info_t info;
    if (!HAS(ompdx_get_thread_info))
        return;
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    if (!check_rc(CALL(ompdx_get_thread_info, handle, &info), ompd_rc_ok, "ompdx_get_thread_info"))
        return;
    check(info.tid == thread->tid && info.pthread == thread->pthread, "ids of thread %ld are %ld and 0x%lx",
          (long)thread->tid, (long)info.tid, (unsigned long)info.pthread);
    check(info.thread_num == thread->thread_num && info.team_size == thread->team_size &&
              info.level == thread->level && info.active_level == thread->active_level,
          "thread %ld is %d of %d at level %d (%d), truth %d of %d at %d (%d)", (long)thread->tid,
          info.thread_num, info.team_size, info.level, info.active_level, thread->thread_num,
          thread->team_size, thread->level, thread->active_level);
    if (thread->owner_ended) {
        check(info.owner_kind == ompdx_owner_ended, "the owner has ended, but is of kind %d",
              info.owner_kind);
    } else if (thread->owner_tid) {
        check(info.owner_kind == ompdx_owner_thread && info.owner_tid == thread->owner_tid,
              "thread %ld waits for %ld (kind %d), truth %ld", (long)thread->tid, (long)info.owner_tid,
              info.owner_kind, (long)thread->owner_tid);
    }
}

/** One order over all of them: never two ways round, and as sorted. */
static void check_order(ompd_thread_handle_t *const *handles, int count)
{
    int less[MOST_COMPARED] = {0};
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            int one = 99, two = 99;
            check_rc(CALL(ompd_thread_handle_compare, handles[i], handles[j], &one), ompd_rc_ok, "compare");
            check_rc(CALL(ompd_thread_handle_compare, handles[j], handles[i], &two), ompd_rc_ok, "compare");
            check((one < 0) == (two > 0) && (one == 0) == (i == j), "threads compare as %d and %d", one, two);
            less[i] += one < 0;
        }
    for (int i = 0; i < count; i++) /* a total order: everyone has another number below it */
        for (int j = 0; j < i; j++)
            check(less[i] != less[j], "the order of threads has a circle");
}

static void check_no_thread(const struct scene *scene, int32_t tid, ompd_rc_t wanted, const char *what)
{
    ompd_thread_handle_t *handle = NULL;
    check_rc(CALL(ompd_get_thread_handle, scene->space, OMPD_THREAD_ID_LWP, sizeof tid, &tid, &handle),
             wanted, what);
    check(handle == NULL, "ompd_get_thread_handle changed its output");
}

static void check_all(const struct scene *scene)
{
    ompd_thread_handle_t **all = NULL;
    int count = -1, openmp = 0;
    if (!HAS(ompdx_get_all_threads))
        return;
    for (int i = 0; i < scene->truth->thread_count; i++)
        openmp += scene->truth->threads[i].openmp;
    if (!check_rc(CALL(ompdx_get_all_threads, scene->space, &all, &count), ompd_rc_ok,
                  "ompdx_get_all_threads"))
        return;
    check(count == openmp, "%d threads, truth %d", count, openmp);
    for (int i = 0; i < count; i++)
        check_rc(CALL(ompd_rel_thread_handle, all[i]), ompd_rc_ok, "ompd_rel_thread_handle");
    give_back(all);
}

void check_threads(const struct scene *scene)
{
    const struct truth *truth = scene->truth;
    ompd_thread_handle_t *handles[MOST_COMPARED];
    int count = 0;
    for (int i = 0; i < truth->thread_count; i++) {
        ompd_thread_handle_t *handle = thread_of(scene, &truth->threads[i]);
        if (!handle)
            continue;
        check_ids(scene, &truth->threads[i], handle);
        check_state(&truth->threads[i], handle);
        check_info(&truth->threads[i], handle);
        if (count < MOST_COMPARED)
            handles[count++] = handle;
        else
            check_rc(CALL(ompd_rel_thread_handle, handle), ompd_rc_ok, "ompd_rel_thread_handle");
    }
    check_order(handles, count);
    for (int i = 0; i < count; i++)
        check_rc(CALL(ompd_rel_thread_handle, handles[i]), ompd_rc_ok, "ompd_rel_thread_handle");
    for (int i = 0; i < truth->other_count; i++)
        check_no_thread(scene, (int32_t)truth->not_openmp[i], ompd_rc_unavailable, "a thread without OpenMP");
    check_no_thread(scene, 1, ompd_rc_unavailable, "a thread of another process");
    ompd_thread_handle_t *none = NULL;
    const uint64_t id = 1;
    check_rc(CALL(ompd_get_thread_handle, scene->space, OMPD_THREAD_ID_PTHREAD, sizeof id, &id, &none),
             ompd_rc_unavailable, "a pthread_t that is none");
    check_rc(CALL(ompd_get_thread_handle, scene->space, OMPD_THREAD_ID_PTHREAD, (ompd_size_t)3, &id, &none),
             ompd_rc_bad_input, "a pthread_t of 3 bytes");
    check_rc(CALL(ompd_get_thread_handle, scene->space, OMPD_THREAD_ID_LWP, (ompd_size_t)2, &id, &none),
             ompd_rc_bad_input, "an LWP of 2 bytes");
    check_rc(CALL(ompd_get_thread_handle, scene->space, OMPD_THREAD_ID_CUDALOGICAL, sizeof id, &id, &none),
             ompd_rc_unsupported, "a thread of CUDA");
    check(none == NULL, "ompd_get_thread_handle changed its output");
    check_all(scene);
}
