/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap.h"

#include "inspect/target/hostcall.h"

bool snap_step(struct snap_run *run, const char *what, int done, int total)
{
    if (!run->cancelled && done % 32 == 0)
        run->cancelled = host_progress(run->s, what, (uint64_t)done, (uint64_t)total) != 0;
    return run->cancelled;
}

void snap_problem(struct snap_run *run, const char *what, ompd_rc_t rc)
{
    mdl_problem(run->snap, what ? what : "?", ompdlib_rc(rc),
                rc == ompd_rc_needs_state_tracking ? "Start the program with OMP_DEBUG=enabled." : "");
}
