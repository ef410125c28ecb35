/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_states.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)MDL_WAIT_LOCK == (int)ompdx_wait_lock &&
                   (int)MDL_WAIT_UNKNOWN == (int)ompdx_wait_unknown &&
                   (int)MDL_WAIT_BARRIER == (int)ompdx_wait_barrier,
               "ompdx_wait_kind_t has the same order");

const char *snap_owner_doubt(uint64_t uncertain)
{
    if (uncertain & OMPDX_OWNER_SHARED)
        return "another copy of the runtime is in the process, and a thread of that one may hold it";
    return uncertain ? "lock owner numbers have been reused, so a thread that has ended may hold it" : NULL;
}

enum mdl_wait_kind snap_wait_kind(int wait_kind, int64_t state)
{
    if (wait_kind)
        return wait_kind > 0 && wait_kind < MDL_WAITS ? (enum mdl_wait_kind)wait_kind : MDL_WAIT_UNKNOWN;
    switch (state) {
    case ompt_state_wait_taskwait:
        return MDL_WAIT_TASKWAIT;
    case ompt_state_wait_taskgroup:
        return MDL_WAIT_TASKGROUP;
    case ompt_state_wait_lock:
        return MDL_WAIT_LOCK;
    case ompt_state_wait_critical:
        return MDL_WAIT_CRITICAL;
    case ompt_state_wait_atomic:
        return MDL_WAIT_ATOMIC;
    case ompt_state_wait_ordered:
        return MDL_WAIT_ORDERED;
    case ompt_state_wait_mutex:
        return MDL_WAIT_UNKNOWN;
    case ompt_state_wait_target:
    case ompt_state_wait_target_map:
    case ompt_state_wait_target_update:
        return MDL_WAIT_TARGET;
    default:
        return state >= ompt_state_wait_barrier && state <= ompt_state_wait_barrier_teams ? MDL_WAIT_BARRIER
                                                                                          : MDL_WAIT_NONE;
    }
}

enum mdl_barrier snap_barrier_kind(int64_t state)
{
    switch (state) {
    case ompt_state_wait_barrier_explicit:
        return MDL_BARRIER_EXPLICIT;
    case ompt_state_wait_barrier_implicit_parallel:
        return MDL_BARRIER_REGION_END;
    case ompt_state_wait_barrier_implicit_workshare:
        return MDL_BARRIER_WORKSHARE;
    case ompt_state_wait_barrier_teams:
        return MDL_BARRIER_TEAMS;
    default:
        return MDL_BARRIER_UNKNOWN;
    }
}

/* The library's own states, at 0x200 and above. */
static const char *library_state(struct snap_run *run, int64_t state)
{
    ompd_word_t at = ompt_state_undefined, more = 1;

    for (int i = 0; run->lib->ompd_enumerate_states && more && i < 1000; i++) {
        const char *name = NULL, *word = NULL;

        if (run->lib->ompd_enumerate_states(run->context->aspace, at, &at, &name, &more) != ompd_rc_ok)
            return NULL;
        if (name && at == state)
            word = arena_str(&run->snap->arena, strncmp(name, "ompt_state_", 11) ? name : name + 11);
        free((void *)name);
        if (word)
            return word;
    }
    return NULL;
}

void snap_state(struct snap_run *run, int64_t state, struct mdl_thread *t)
{
    t->other_state = NULL;
    switch (state) {
#define STATE(name, word)            \
    case ompt_state_##word:          \
        t->state = MDL_STATE_##name; \
        return;
        MDL_STATE_LIST(STATE)
#undef STATE
    default:
        t->other_state = library_state(run, state);
        t->state = t->other_state ? MDL_STATE_OTHER : MDL_STATE_UNKNOWN;
    }
}
