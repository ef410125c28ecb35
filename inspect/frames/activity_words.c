/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames/activity_words.h"

#include <inttypes.h>

static const char *const objects[MDL_ACTIVITIES] = {
    [MDL_ACTIVITY_MUTEX] = "mutex",
    [MDL_ACTIVITY_RWLOCK] = "rwlock",
    [MDL_ACTIVITY_SPINLOCK] = "spinlock",
    [MDL_ACTIVITY_CONDITION] = "condition variable",
    [MDL_ACTIVITY_BARRIER] = "pthread barrier",
    [MDL_ACTIVITY_SEMAPHORE] = "semaphore",
    [MDL_ACTIVITY_ONCE] = "once flag",
    [MDL_ACTIVITY_ATOMIC] = "atomic",
    [MDL_ACTIVITY_FUTURE] = "future",
    [MDL_ACTIVITY_FUTEX] = "futex",
};

static bool is_lock(enum mdl_activity_kind kind)
{
    return kind == MDL_ACTIVITY_MUTEX || kind == MDL_ACTIVITY_RWLOCK || kind == MDL_ACTIVITY_SPINLOCK;
}

const char *activity_object(struct arena *a, const struct mdl_activity *t)
{
    const char *kind = objects[t->kind], *text;

    if (t->kind == MDL_ACTIVITY_LOADER)
        return "a lock of the dynamic linker";
    if (t->kind == MDL_ACTIVITY_MALLOC)
        return "a lock of malloc";
    if (!kind)
        return NULL;
    if (t->name && t->name[0] == '(' && t->object) /* where it is, not what it is called */
        text = arena_printf(a, "%s 0x%" PRIx64 " %s", kind, t->object, t->name);
    else if (t->name)
        text = arena_printf(a, "%s %s", kind, t->name);
    else if (t->object)
        text = arena_printf(a, "%s 0x%" PRIx64, kind, t->object);
    else
        text = arena_printf(a, "a %s", kind);
    return text ? text : kind;
}

bool activity_names_object(const struct mdl_activity *t)
{
    return t->kind == MDL_ACTIVITY_LOADER || t->kind == MDL_ACTIVITY_MALLOC || is_lock(t->kind) ||
           (objects[t->kind] && t->name && t->name[0] != '(');
}

/* What a call waits for, to follow its name. */
static const char *call_for(struct arena *a, const struct mdl_activity *t)
{
    const char *text = "";

    if (t->kind == MDL_ACTIVITY_JOIN && t->owner_lwp)
        text = arena_printf(a, " for the end of LWP %" PRId64, t->owner_lwp);
    else if (t->kind == MDL_ACTIVITY_JOIN)
        text = " for the end of a thread";
    else if (t->kind == MDL_ACTIVITY_CHILD && t->child > 0)
        text = arena_printf(a, " for process %" PRId64, t->child);
    else if (t->kind == MDL_ACTIVITY_CHILD)
        text = " for a child process";
    else if (t->descriptor >= 0 && (t->kind == MDL_ACTIVITY_READ || t->kind == MDL_ACTIVITY_WRITE ||
                                    t->kind == MDL_ACTIVITY_POLL || t->kind == MDL_ACTIVITY_IO_URING))
        text = arena_printf(a, t->file ? " for descriptor %d (%s)" : " for descriptor %d", t->descriptor,
                            t->file ? t->file : "");
    return text ? text : "";
}

/* " for at most 5 s", of what does not sleep for that time anyway. */
static const char *limit(struct arena *a, const struct mdl_activity *t)
{
    const char *text = "";

    if (t->timeout_ns == MDL_TIMEOUT_SOME)
        text = t->kind == MDL_ACTIVITY_SLEEP ? "" : ", with a timeout";
    else if (t->timeout_ns >= 0)
        text = arena_printf(a, t->kind == MDL_ACTIVITY_SLEEP ? " for %.9g s" : " for at most %.9g s",
                            (double)t->timeout_ns / 1e9);
    return text ? text : "";
}

const char *activity_verb(struct arena *a, const struct mdl_activity *t)
{
    const char *call = t->call, *text = NULL, *what = limit(a, t);
    bool sleeps = t->kind == MDL_ACTIVITY_SLEEP;

    switch (t->kind) {
    case MDL_ACTIVITY_UNKNOWN:
    case MDL_ACTIVITY_COMPUTES:
    case MDL_ACTIVITY_OPENMP:
    case MDL_ACTIVITIES:
        return NULL;
    case MDL_ACTIVITY_STOPPED:
        return "is stopped by a signal";
    case MDL_ACTIVITY_TRACED:
        return "is stopped by another debugger";
    case MDL_ACTIVITY_ZOMBIE:
        return "has ended";
    case MDL_ACTIVITY_KERNEL:
        text = arena_printf(a, call ? "waits in the kernel, in %s" : "waits in the kernel", call ? call : "");
        break;
    default:
        if (activity_names_object(t) || (!call && objects[t->kind]))
            text = arena_printf(a, "waits for %s%s", activity_object(a, t), what);
        else if (call)
            text = arena_printf(a, "%s in %s%s%s", sleeps ? "sleeps" : "waits", call, call_for(a, t), what);
        else
            text = arena_printf(a, "%s%s%s", sleeps ? "sleeps" : "waits", call_for(a, t), what);
    }
    return text ? text : "waits";
}
