/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/calls.h"

#include "ompd/fuzz/runners.h"

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
