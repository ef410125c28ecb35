/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/model/phrases.h"

#include <inttypes.h>

const char *mdl_thread_name(struct arena *a, const struct insp_snapshot *s, int64_t lwp)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(s, lwp);
    const char *name;

    if (t && t->gdb_num > 0)
        name = arena_printf(a, "thread %d (LWP %" PRId64 ")", t->gdb_num, lwp);
    else
        name = arena_printf(a, "LWP %" PRId64, lwp);
    return name ? name : "?";
}

static const char *const kind_names[] = {
    [MDL_WAIT_NONE] = "",
    [MDL_WAIT_LOCK] = "lock",
    [MDL_WAIT_NEST_LOCK] = "nest lock",
    [MDL_WAIT_CRITICAL] = "critical",
    [MDL_WAIT_ORDERED] = "ordered region",
    [MDL_WAIT_ATOMIC] = "atomic",
    [MDL_WAIT_REDUCTION] = "reduction",
    [MDL_WAIT_TASKWAIT] = "taskwait",
    [MDL_WAIT_TASKGROUP] = "taskgroup",
    [MDL_WAIT_DEPEND] = "dependences",
    [MDL_WAIT_EVENT] = "event",
    [MDL_WAIT_TARGET] = "target",
    [MDL_WAIT_UNKNOWN] = "something unknown",
};

static const char *const barrier_names[] = {
    [MDL_BARRIER_NONE] = "barrier",
    [MDL_BARRIER_UNKNOWN] = "barrier",
    [MDL_BARRIER_EXPLICIT] = "explicit barrier",
    [MDL_BARRIER_REGION_END] = "barrier at the end",
    [MDL_BARRIER_WORKSHARE] = "worksharing barrier",
    [MDL_BARRIER_TEAMS] = "teams barrier",
};

/* A mutex, or what is not known: its name, its address where it has none, both where both are wanted. */
static const char *object_name(struct arena *a, const struct mdl_wait *wait, bool address)
{
    const char *kind = kind_names[wait->kind];
    bool critical = wait->kind == MDL_WAIT_CRITICAL;

    address &= wait->id != 0;
    if (!wait->name && wait->id && wait->kind != MDL_WAIT_ORDERED && wait->kind != MDL_WAIT_TARGET)
        return arena_printf(a, "%s 0x%" PRIx64, kind, wait->id);
    if (!wait->name)
        return kind;
    if (critical && wait->name[0] != '(' && address)
        return arena_printf(a, "critical '%s' at 0x%" PRIx64, wait->name, wait->id);
    if (critical && wait->name[0] != '(')
        return arena_printf(a, "critical '%s'", wait->name);
    if (!critical && wait->name[0] == '(' && wait->id) /* where it is, not what it is called */
        return arena_printf(a, "%s 0x%" PRIx64 " %s", kind, wait->id, wait->name);
    if (address)
        return arena_printf(a, "%s %s at 0x%" PRIx64, kind, wait->name, wait->id);
    return arena_printf(a, "%s %s", kind, wait->name);
}

const char *mdl_wait_name(struct arena *a, const struct mdl_wait *wait, bool address)
{
    const char *name = kind_names[wait->kind];

    switch (wait->kind) {
    case MDL_WAIT_BARRIER:
        name = barrier_names[wait->barrier];
        if (wait->object)
            name = arena_printf(a, "%s of region %" PRIu64, name, wait->object);
        break;
    case MDL_WAIT_TASKWAIT:
        if (wait->object)
            name = arena_printf(a, "taskwait of task %" PRIu64, wait->object);
        break;
    case MDL_WAIT_NONE:
    case MDL_WAIT_TASKGROUP:
    case MDL_WAIT_DEPEND:
    case MDL_WAIT_EVENT:
        break;
    default:
        name = object_name(a, wait, address);
    }
    return name ? name : "?";
}
