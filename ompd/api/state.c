/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Thread states. OpenMP 6.0 section 41.9; the numbers are those of OMPT (6.0 section 33.31).
 */
#include "api/api.h"

struct state {
    ompd_word_t value;
    ompd_word_t since;  /**< API version that has it */
    ompd_word_t before; /**< what older versions are told */
    const char *name;
};

#define STATE(name, since, before)                                         \
    {                                                                      \
        ompt_state_##name, since, ompt_state_##before, "ompt_state_" #name \
    }
static const struct state states[] = {
    STATE(work_serial, OMPD_VERSION_50, undefined),
    STATE(work_parallel, OMPD_VERSION_50, undefined),
    STATE(work_reduction, OMPD_VERSION_50, undefined),
    STATE(work_free_agent, OMPD_VERSION_60, work_parallel),
    STATE(work_induction, OMPD_VERSION_60, work_parallel),
    STATE(wait_barrier, OMPD_VERSION_50, undefined),
    STATE(wait_barrier_implicit_parallel, OMPD_VERSION_50, undefined),
    STATE(wait_barrier_implicit_workshare, OMPD_VERSION_50, undefined),
    STATE(wait_barrier_implicit, OMPD_VERSION_50, undefined),
    STATE(wait_barrier_explicit, OMPD_VERSION_50, undefined),
    STATE(wait_barrier_implementation, OMPD_VERSION_51, wait_barrier),
    STATE(wait_barrier_teams, OMPD_VERSION_51, wait_barrier),
    STATE(wait_taskwait, OMPD_VERSION_50, undefined),
    STATE(wait_taskgroup, OMPD_VERSION_50, undefined),
    STATE(wait_mutex, OMPD_VERSION_50, undefined),
    STATE(wait_lock, OMPD_VERSION_50, undefined),
    STATE(wait_critical, OMPD_VERSION_50, undefined),
    STATE(wait_atomic, OMPD_VERSION_50, undefined),
    STATE(wait_ordered, OMPD_VERSION_50, undefined),
    STATE(wait_target, OMPD_VERSION_50, undefined),
    STATE(wait_target_map, OMPD_VERSION_50, undefined),
    STATE(wait_target_update, OMPD_VERSION_50, undefined),
    STATE(idle, OMPD_VERSION_50, undefined),
    STATE(overhead, OMPD_VERSION_50, undefined),
};
#define STATES (sizeof states / sizeof states[0])

uint64_t rtm_known_state(uint64_t state)
{
    for (size_t i = 0; i < STATES; i++)
        if ((uint64_t)states[i].value == state)
            return (uint64_t)(states[i].since <= tgt_lib.version ? states[i].value : states[i].before);
    return ompt_state_undefined;
}

/** The first state from FROM on that the caller's version has; STATES: none. */
static size_t next_known(size_t from)
{
    while (from < STATES && states[from].since > tgt_lib.version)
        from++;
    return from;
}

ompd_rc_t ompd_enumerate_states(ompd_address_space_handle_t *address_space_handle, ompd_word_t current_state,
                                ompd_word_t *next_state, const char **next_state_name,
                                ompd_word_t *more_enums)
{
    TRACED(
        ompd_enumerate_states(address_space_handle, current_state, next_state, next_state_name, more_enums),
        ARG(POINTER, address_space_handle), ARG(NUMBER, current_state), ARG(OUT_WORD, next_state),
        ARG(OUT_STRING, next_state_name), ARG(OUT_WORD, more_enums));
    API_ASPACE(aspace);
    size_t next = 0;
    API_TRY(api_enter_aspace(address_space_handle, &aspace));
    API_TRY(api_output(next_state));
    API_TRY(api_output(next_state_name));
    API_TRY(api_output(more_enums));
    if (current_state != ompt_state_undefined) {
        while (next < STATES && states[next].value != current_state)
            next++;
        if (next == STATES || states[next].since > tgt_lib.version)
            return ompd_rc_bad_input;
        next = next_known(next + 1);
    }
    if (next == STATES)
        return ompd_rc_bad_input; /* the last one was answered with *more_enums 0 */
    API_TRY(tgt_strdup(states[next].name, next_state_name));
    *next_state = states[next].value;
    *more_enums = next_known(next + 1) != STATES;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_state(ompd_thread_handle_t *thread_handle, ompd_word_t *state, ompd_wait_id_t *wait_id)
{
    TRACED(ompd_get_state(thread_handle, state, wait_id), ARG(POINTER, thread_handle), ARG(OUT_WORD, state),
           ARG(OUT_HEX, wait_id));
    API_ASPACE(aspace);
    ompd_word_t found;
    uint64_t waited;
    API_TRY(api_enter_thread(thread_handle, &aspace));
    API_TRY(api_output(state));
    API_TRY(aspace->rt->thread_state(aspace, &thread_handle->base.ref, &found, &waited));
    *state = found;
    if (wait_id != NULL)
        *wait_id = waited;
    return ompd_rc_ok;
}
