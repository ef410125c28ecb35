/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Taking a snapshot: one runtime during one insp_take. Each snap_*.c collects or fills one part of its rows.
 */
#ifndef INSPECT_SNAP_H
#define INSPECT_SNAP_H

#include "inspect/frames/construct.h"
#include "inspect/model/model.h"
#include "inspect/names/names.h"
#include "inspect/ompd/ompdlib.h"
#include "inspect/target/session.h"

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

/** One runtime during one insp_take. */
struct snap_run {
    insp_session *s;
    insp_snapshot *snap;
    struct places *places;
    ompd_address_space_context_t *context;
    const struct ompdlib *lib;
    int id; /* of the runtime, from 1 */
    bool bracket, cancelled;
    bool ids_of_stop;                        /* the library's ids are no numbers to show: snap_ids.h */
    int first_region, first_task, first_icv; /* of the snapshot's rows: those of this runtime */
    bool thread_ext, region_ext, task_ext;   /* the library has ompdx_get_*_info */
    ompd_thread_handle_t **threads;          /* for each of snap->threads: its handle or NULL */
    struct handle_set regions, tasks;
    struct snap_index members;
    uint64_t *depend_tasks; /* sorted ids of the tasks whose threads wait for dependences; NULL none listed */
    int depend_count;
};

/** Reports the progress of a long loop now and then. True: stop. */
bool snap_step(struct snap_run *run, const char *what, int done, int total);
/** A problem with a part of this runtime. */
void snap_problem(struct snap_run *run, const char *what, ompd_rc_t rc);

#endif
