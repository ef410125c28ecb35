/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/model/phrases.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The signals of Linux by number, on x86-64 and aarch64; the program's, not those of the machine that asks.
   (sigabbrev_np came with glibc 2.32.) */
const char *mdl_signal_name(struct arena *a, int signal)
{
    static const char *const names[] = {
        "",          "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
        "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
        "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
        "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGPOLL", "SIGPWR",  "SIGSYS",
    };
    const bool known = signal > 0 && (size_t)signal < sizeof(names) / sizeof(*names);
    const char *name = known && *names[signal] ? names[signal] : arena_printf(a, "signal %d", signal);

    return name ? name : "a signal";
}

const char *mdl_thread_name(struct arena *a, const struct insp_snapshot *s, int64_t lwp)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(s, lwp);
    const char *name;

    if (t && t->stable)
        return t->stable;
    if (s && s->stable)
        return "a thread that is not listed";
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

    address &= wait->id != 0 && !wait->stable;
    if (wait->stable && (!wait->name || wait->name[0] == '('))
        return wait->name ? arena_printf(a, "%s %s", kind, wait->name) : kind;
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
        if (wait->object && !wait->stable)
            name = arena_printf(a, "%s of region %" PRIu64, name, wait->object);
        break;
    case MDL_WAIT_TASKWAIT:
        if (wait->object && !wait->stable)
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

const char *mdl_called_from(struct arena *a, const struct mdl_place *caller)
{
    const char *function = caller->function ? caller->function : "", *at = *function ? " at " : "";
    const char *text = "";

    if (caller->file && caller->line > 0)
        text = arena_printf(a, ", called from %s%s%s:%d", function, at, mdl_base_name(caller->file),
                            caller->line);
    else if (*function)
        text = arena_printf(a, ", called from %s", function);
    return text ? text : "";
}

/* ---- outside of OpenMP --------------------------------------------------------------------------------- */

static const char *const activity_names[MDL_ACTIVITIES] = {
    [MDL_ACTIVITY_MUTEX] = "mutex",
    [MDL_ACTIVITY_RWLOCK] = "rwlock",
    [MDL_ACTIVITY_SPINLOCK] = "spinlock",
    [MDL_ACTIVITY_CONDITION] = "condition variable",
    [MDL_ACTIVITY_BARRIER] = "pthread barrier",
    [MDL_ACTIVITY_SEMAPHORE] = "semaphore",
    [MDL_ACTIVITY_ONCE] = "once flag",
    [MDL_ACTIVITY_ATOMIC] = "atomic",
    [MDL_ACTIVITY_FUTURE] = "future",
    [MDL_ACTIVITY_LOADER] = "lock of the dynamic linker",
    [MDL_ACTIVITY_MALLOC] = "lock of malloc",
    [MDL_ACTIVITY_FUTEX] = "futex",
};

const char *mdl_activity_names(enum mdl_activity_kind kind)
{
    switch (kind) {
    case MDL_ACTIVITY_CONDITION:
        return "condition variables";
    case MDL_ACTIVITY_BARRIER:
        return "pthread barriers";
    case MDL_ACTIVITY_SEMAPHORE:
        return "semaphores";
    case MDL_ACTIVITY_ATOMIC:
        return "atomics";
    case MDL_ACTIVITY_FUTURE:
        return "futures";
    case MDL_ACTIVITY_FUTEX:
        return "futexes";
    default:
        return NULL;
    }
}

bool mdl_activity_known(const struct mdl_activity *activity)
{
    return activity->kind != MDL_ACTIVITY_UNKNOWN || activity->why;
}

bool mdl_activity_waits(const struct mdl_activity *activity)
{
    return activity->kind >= MDL_ACTIVITY_MUTEX && activity->kind <= MDL_ACTIVITY_FUTEX;
}

static const char *in_call(struct arena *a, const struct mdl_activity *activity)
{
    const char *text = activity->call ? arena_printf(a, "in %s", activity->call) : "in a system call";

    return text ? text : "in a system call";
}

const char *mdl_activity_state(struct arena *a, const struct mdl_activity *activity)
{
    switch (activity->kind) {
    case MDL_ACTIVITY_UNKNOWN:
        return activity->why ? "unknown" : NULL;
    case MDL_ACTIVITY_COMPUTES:
        return activity->asleep ? in_call(a, activity) : "computes";
    case MDL_ACTIVITY_OPENMP:
        return NULL;
    case MDL_ACTIVITY_SLEEP:
        return "sleeps";
    case MDL_ACTIVITY_MPI:
        return activity->call ? in_call(a, activity) : "in MPI";
    case MDL_ACTIVITY_STOPPED:
        return "stopped";
    case MDL_ACTIVITY_TRACED:
        return "traced";
    case MDL_ACTIVITY_ZOMBIE:
        return "has ended";
    case MDL_ACTIVITY_KERNEL:
        return activity->call ? in_call(a, activity) : "in the kernel";
    default:
        return mdl_activity_waits(activity) ? "waiting" : in_call(a, activity);
    }
}

static const char *descriptor_name(struct arena *a, const struct mdl_activity *activity)
{
    if (activity->descriptor < 0)
        return "";
    /* Which number a file or a connection gets differs from run to run. */
    if (activity->stable && activity->descriptor > 2)
        return activity->file ? activity->file : "a descriptor";
    if (activity->file)
        return arena_printf(a, "descriptor %d (%s)", activity->descriptor, activity->file);
    return arena_printf(a, "descriptor %d", activity->descriptor);
}

const char *mdl_activity_name(struct arena *a, const struct insp_snapshot *s,
                              const struct mdl_activity *activity, bool address)
{
    const char *kind = activity_names[activity->kind], *name = activity->name, *text = kind;
    bool named = name && name[0] != '(';

    if (activity->kind == MDL_ACTIVITY_JOIN && activity->owner_lwp)
        text = arena_printf(a, "the end of %s", mdl_thread_name(a, s, activity->owner_lwp));
    else if (activity->kind == MDL_ACTIVITY_JOIN)
        text = "the end of a thread";
    else if (activity->kind == MDL_ACTIVITY_CHILD)
        text = activity->child > 0   ? arena_printf(a, "child %" PRId64, activity->child)
               : activity->child < 0 ? "any child"
                                     : "a child";
    else if (activity->kind == MDL_ACTIVITY_SIGNAL)
        text = "a signal";
    else if (!kind)
        text = descriptor_name(a, activity);
    else if (activity->stable && !named)
        text = name ? arena_printf(a, "%s %s", kind, name) : kind;
    else if (named && address && activity->object && !activity->stable)
        text = arena_printf(a, "%s %s at 0x%" PRIx64, kind, name, activity->object);
    else if (named)
        text = arena_printf(a, "%s %s", kind, name);
    else if (activity->object)
        text = arena_printf(a, "%s 0x%" PRIx64 "%s%s", kind, activity->object, name ? " " : "",
                            name ? name : "");
    return text ? text : "?";
}

const char *mdl_activity_holder(struct arena *a, const struct insp_snapshot *s, int64_t lwp,
                                const struct mdl_activity *activity)
{
    const char *text = "";
    const char *held = activity->kind == MDL_ACTIVITY_ONCE ? "run by"
                       : activity->owner_doubt             ? "perhaps held by"
                                                           : "held by";

    if (activity->kind == MDL_ACTIVITY_JOIN)
        return activity->owner == MDL_OWNER_ENDED ? "which has ended" : "";
    switch (activity->owner) {
    case MDL_OWNER_THREAD:
        if (activity->owner_lwp == lwp)
            text = activity->owner_doubt ? "which it perhaps already holds" : "which it already holds";
        else if (activity->owner_lwp)
            text = arena_printf(a, "%s %s", held, mdl_thread_name(a, s, activity->owner_lwp));
        else
            text = arena_printf(a, "%s a thread that is not listed", held);
        break;
    case MDL_OWNER_ENDED:
        text = arena_printf(a, "%s a thread that has ended", held);
        break;
    case MDL_OWNER_PROCESS:
        text = activity->owner_pid > 0 ? arena_printf(a, "%s process %" PRId64, held, activity->owner_pid)
                                       : arena_printf(a, "%s another process", held);
        break;
    case MDL_OWNER_FORK:
        text = activity->owner_pid > 0
                   ? arena_printf(a, "held since before the fork, by a thread of process %" PRId64,
                                  activity->owner_pid)
                   : "held since before the fork";
        break;
    case MDL_OWNER_GONE:
        text = arena_printf(a, "%s a thread that is not in this process", held);
        break;
    default:
        break;
    }
    return text ? text : "";
}

const char *mdl_timeout(struct arena *a, int64_t ns)
{
    const int64_t exact = INT64_C(10000000000);
    static const struct {
        int64_t unit;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    char rest[8];
    size_t i = 0, n;
    const char *text;

    if (ns == MDL_TIMEOUT_SOME)
        return "for a limited time";
    if (ns < 0)
        return "";
    while (i < 3 && ns < units[i].unit)
        i++;
    rest[0] = '\0';
    /* What is left of a longer time is said to the second: nobody compares its milliseconds. */
    if (i == 0 && ns >= exact && ns < INT64_MAX - units[0].unit)
        ns = (ns + units[0].unit - 1) / units[0].unit * units[0].unit;
    if (i < 3)
        snprintf(rest, sizeof(rest), ".%03d", (int)(ns % units[i].unit * 1000 / units[i].unit));
    for (n = strlen(rest); n > 0 && (rest[n - 1] == '0' || rest[n - 1] == '.'); n--)
        rest[n - 1] = '\0';
    text = arena_printf(a, "for at most %" PRId64 "%s %s", ns / units[i].unit, rest, units[i].name);
    return text ? text : "for a limited time";
}
