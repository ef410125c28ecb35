/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_held.h"

#include <stdlib.h>

#include "inspect/snapshot/snap_icvs.h"
#include "inspect/snapshot/snap_states.h"

static void not_known(struct snap_run *run, struct mdl_thread *t, const char *field, const char *why)
{
    mdl_unknown(run->snap, &t->placement_unknown, &t->placement_unknown_count, field, why);
}

static void take_held(struct snap_run *run, struct mdl_thread *t, ompd_thread_handle_t *handle)
{
    ompdx_held_t *held = NULL;
    int count = 0;
    ompd_rc_t rc =
        run->lib->ompdx_get_held ? run->lib->ompdx_get_held(handle, &held, &count) : ompd_rc_unsupported;

    if (rc == ompd_rc_incomplete)
        not_known(run, t, "holds", "its list of what it holds is full, or one of these could not be read");
    else if (rc == ompd_rc_unsupported)
        not_known(run, t, "holds",
                  "only what others wait for is known: Companion keeps a list with OMP_DEBUG=enabled, "
                  "other runtimes keep none");
    else if (rc != ompd_rc_ok)
        not_known(run, t, "holds", ompdlib_rc(rc));
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return;
    t->held = arena_alloc(&run->snap->arena, ((size_t)count + 1) * sizeof(*t->held));
    for (int i = 0; t->held && i < count; i++) {
        struct mdl_wait *w = &t->held[t->held_count++];

        *w = (struct mdl_wait){
            .kind = snap_wait_kind(held[i].kind, 0),
            .id = held[i].object,
            .owner = MDL_OWNER_THREAD,
            .owner_lwp = t->lwp,
            .owner_how = MDL_HOW_RECORDED,
            .owner_doubt = snap_owner_doubt((uint32_t)held[i].uncertain),
        };
        if (held[i].codeptr)
            construct_call(run->places, held[i].codeptr, &w->taken_at);
    }
    free(held);
}

static void take_place(struct snap_run *run, struct mdl_thread *t, ompd_thread_handle_t *handle)
{
    const char *processors = NULL;
    int place = -1;
    ompd_rc_t rc = run->lib->ompdx_get_place ? run->lib->ompdx_get_place(handle, &place, &processors)
                                             : ompd_rc_unsupported;

    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete) {
        t->place_num = place;
        t->place = arena_str(&run->snap->arena, processors);
        free((void *)processors);
    } else if (rc == ompd_rc_unsupported) {
        not_known(
            run, t, "place",
            "it is read of Companion from layout 1.6 on, and of libgomp if the layout says where it is");
    } else if (rc != ompd_rc_unavailable) {
        not_known(run, t, "place", ompdlib_rc(rc));
    }
}

static void take_bind(struct snap_run *run, struct mdl_thread *t, ompd_thread_handle_t *handle)
{
    static const char *const words[] = {"false", "true", "primary", "close", "spread"}; /* omp_proc_bind_t */
    struct icv_handles handles = {.thread = handle};
    int64_t bind;

    if (run->lib->ompd_get_curr_task_handle(handle, &handles.task) != ompd_rc_ok)
        return; /* it is in no region */
    if (icv_number(run, "bind-var", &handles, &bind) && bind >= 0 && bind < 5)
        t->bind = words[bind];
    else
        not_known(run, t, "bind", "the OMPD library does not tell bind-var of its task");
    run->lib->ompd_rel_task_handle(handles.task);
}

void snap_held(struct snap_run *run, struct mdl_thread *t, ompd_thread_handle_t *handle)
{
    t->held_count = 0;
    take_held(run, t, handle);
    take_place(run, t, handle);
    take_bind(run, t, handle);
}
