/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Taking a snapshot: what the snap_*.c files share.
 */
#ifndef INSPECT_SNAP_H
#define INSPECT_SNAP_H

#include "inspect/frames/construct.h"
#include "inspect/model/model.h"
#include "inspect/names/names.h"
#include "inspect/session/ompdlib.h"
#include "inspect/session/session.h"

/** No machine has more threads; a larger number is a broken target's. */
enum { SNAP_MAX_TEAM = 1 << 20 };

/** Handles of one sort, each thing once, in order of ids (or of the library's compare function where it has
 *  no ids). */
struct handle_set {
    void **handle;
    uint64_t *id; /* valid at once with the extensions, else after handle_set_number */
    int count;
    bool oom;
};

struct snap_run;
/** The first key of MAJOR whose minor is MINOR or more; NULL none. */
const struct snap_key *snap_key_first(const struct snap_index *index, uint64_t major, uint64_t minor);
/** Room for ROWS keys; NULL out of memory, then the index is empty. */
struct snap_key *snap_index_room(struct arena *a, struct snap_index *index, int rows);
void snap_index_sort(struct snap_index *index);
/** snap->by_tid: by the thread's number in the target, those whose pthread_t the host does not know first. */
void snap_index_tids(insp_snapshot *snap);
/** run->members: by region and number in it. */
void snap_index_members(struct snap_run *run);
/** By the runtime's own id of the thread. */
void snap_index_serials(struct snap_run *run, struct snap_index *ret);
/** By the object waited for and the kind of wait. */
void snap_index_waits(insp_snapshot *snap, struct snap_index *ret);

/** One runtime during one insp_take. */
struct snap_run {
    insp_session *s;
    insp_snapshot *snap;
    struct places *places;
    ompd_address_space_context_t *context;
    const struct ompdlib *lib;
    int id; /* of the runtime, from 1 */
    bool bracket, cancelled;
    bool thread_ext, region_ext, task_ext; /* the library has ompdx_get_*_info */
    ompd_thread_handle_t **threads;        /* for each of snap->threads: its handle or NULL */
    struct handle_set regions, tasks;
    struct snap_index members;
    uint64_t *depend_tasks; /* sorted ids of the tasks whose threads wait for dependences; NULL none listed */
    int depend_count;
};

/** Progress of a long loop, told now and then. True: stop. */
bool snap_step(struct snap_run *run, const char *what, int done, int total);
/** A problem with a part of this runtime. */
void snap_problem(struct snap_run *run, const char *what, ompd_rc_t rc);

/* snap_handles.c */
enum handle_sort { HANDLE_REGION, HANDLE_TASK };
/**
 * Adds HANDLE, which the set then owns (a second handle of a thing it has is released). 1: new, 0: known,
 * negative: not possible (released too).
 */
int handle_set_add(struct snap_run *run, enum handle_sort sort, void *handle) INSP_WARN_UNUSED;
/** Index of the thing that HANDLE denotes, -1. */
int handle_set_find(struct snap_run *run, enum handle_sort sort, void *handle) INSP_WARN_UNUSED;
/** Id of the thing that HANDLE denotes, 0; releases HANDLE. NULL is allowed. */
uint64_t handle_set_id(struct snap_run *run, enum handle_sort sort, void *handle) INSP_WARN_UNUSED;
/** Gives ids where the library has none: 1, 2, ... in the order of its compare function. */
void handle_set_number(struct snap_run *run, enum handle_sort sort);
void handle_set_free(struct snap_run *run, enum handle_sort sort);

/* snap_icvs.c */
struct icv_handles {
    ompd_thread_handle_t *thread;
    ompd_parallel_handle_t *region;
    ompd_task_handle_t *task;
};
/** An ICV as a number, by its name or its ompd- name. False when the library has none or not for these
 *  handles. */
bool icv_number(struct snap_run *run, const char *name, const struct icv_handles *handles,
                int64_t *ret) INSP_WARN_UNUSED;
void snap_icvs(struct snap_run *run);

/* snap_threads.c, snap_regions.c, snap_tasks.c: collect, then fill */
void snap_host_threads(insp_session *s, insp_snapshot *snap);
void snap_thread_handles(struct snap_run *run);
void snap_threads(struct snap_run *run);
void snap_collect_regions(struct snap_run *run);
void snap_regions(struct snap_run *run);
void snap_collect_tasks(struct snap_run *run);
void snap_tasks(struct snap_run *run);
/** The lwp of the host's thread that the runtime names so; 0 when the host lists none. */
int64_t snap_lwp(const insp_snapshot *snap, uint64_t pthread, int64_t tid);
/** The same for a thread handle; releases it. */
int64_t snap_handle_lwp(struct snap_run *run, ompd_thread_handle_t *thread);

/* snap_waits.c */
/** What a thread waits for, by ompdx_wait_kind_t, or by ompt_state_t where that is 0. */
enum mdl_wait_kind snap_wait_kind(int wait_kind, int64_t state);
enum mdl_barrier snap_barrier_kind(int64_t state);
/** Fills the state of a thread: unknown for a number that neither the standard nor the library has a name
 *  for. */
void snap_state(struct snap_run *run, int64_t state, struct mdl_thread *t);
/** Who has arrived at each barrier at which a thread of this runtime waits. */
void snap_barriers(struct snap_run *run);
/** Owners and names of what is waited for, of all runtimes. */
void snap_finish_waits(insp_snapshot *snap, struct places *places);

/* snap_stacks.c */
/** Whether waiting threads sleep in the kernel, where the verdict depends on it; call stacks when they are
 *  wanted. False: cancelled. */
bool snap_stacks(insp_session *s, insp_snapshot *snap);

#endif
