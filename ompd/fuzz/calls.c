/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/calls.h"

#include "ompd/fuzz/runners.h"

void call_must(ompd_rc_t rc, unsigned function)
{
    if (rc != ompd_rc_ok)
        call_violation(function, "a handle of the library's own cannot be released");
}

void call_put_thread(struct calls *c, unsigned i, ompd_thread_handle_t *handle)
{
    if (c->thread[i] != session_of(c->mem)->thread[i] && c->thread[i] != NULL)
        call_must(ompd_rel_thread_handle(c->thread[i]), CALL_ompd_rel_thread_handle);
    c->thread[i] = handle;
}
void call_put_parallel(struct calls *c, unsigned i, ompd_parallel_handle_t *handle)
{
    if (c->parallel[i] != session_of(c->mem)->parallel[i] && c->parallel[i] != NULL)
        call_must(ompd_rel_parallel_handle(c->parallel[i]), CALL_ompd_rel_parallel_handle);
    c->parallel[i] = handle;
}
void call_put_task(struct calls *c, unsigned i, ompd_task_handle_t *handle)
{
    if (c->task[i] != session_of(c->mem)->task[i] && c->task[i] != NULL)
        call_must(ompd_rel_task_handle(c->task[i]), CALL_ompd_rel_task_handle);
    c->task[i] = handle;
}

void calls_clear(struct calls *c)
{
    call_must(ompdx_trace(0), CALL_ompdx_trace);
    for (unsigned i = 0; i < REGISTERS; i++) {
        call_put_thread(c, i, session_of(c->mem)->thread[i]);
        call_put_parallel(c, i, session_of(c->mem)->parallel[i]);
        call_put_task(c, i, session_of(c->mem)->task[i]);
    }
    if (c->bracket[0])
        call_must(ompdx_stop_end(c->aspace[0]), CALL_ompdx_stop_end);
    if (c->aspace[1] != NULL)
        call_must(ompd_rel_address_space_handle(c->aspace[1]), CALL_ompd_rel_address_space_handle);
    c->aspace[1] = NULL;
    c->bracket[0] = c->bracket[1] = false;
}

static ompd_rc_t (*const runners[CALL_COUNT])(struct calls *, const uint8_t *) = {
#define X(name) run_##name,
#include "ompd/tests/api_list.def"
#undef X
};

ompd_rc_t call_run(struct calls *c, unsigned function, const uint8_t argument[3])
{
    const ompd_rc_t rc = runners[function](c, argument);
    call_codes[function][rc]++;
    if (mem_is_damaged(c->mem) && call_damaged[function][rc] < UINT8_MAX)
        call_damaged[function][rc]++;
    return rc;
}

bool call_can_succeed(unsigned function)
{
    return function != CALL_ompd_device_initialize && function != CALL_ompd_get_tool_data;
}
