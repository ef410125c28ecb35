/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames/activity_words.h"

#include <inttypes.h>

#include "inspect/model/phrases.h"

const char *activity_object(struct arena *a, const struct mdl_activity *t)
{
    const char *name, *text = NULL;

    /* Who is joined is no object. */
    if (t->kind == MDL_ACTIVITY_JOIN || !mdl_activity_waits(t))
        return NULL;
    name = mdl_activity_name(a, NULL, t, false);
    if (!t->name && !t->object)
        text = arena_printf(a, t->kind == MDL_ACTIVITY_ATOMIC ? "an %s" : "a %s", name);
    return text ? text : name;
}

bool activity_names_object(const struct mdl_activity *t)
{
    switch (t->kind) {
    case MDL_ACTIVITY_MUTEX:
    case MDL_ACTIVITY_RWLOCK:
    case MDL_ACTIVITY_SPINLOCK:
    case MDL_ACTIVITY_LOADER:
    case MDL_ACTIVITY_MALLOC:
        return true;
    default:
        return t->kind != MDL_ACTIVITY_JOIN && mdl_activity_waits(t) && t->name && t->name[0] != '(';
    }
}

/* What a call waits for, to follow its name. */
static const char *call_for(struct arena *a, const struct mdl_activity *t)
{
    const char *name, *text = "";

    if (t->kind == MDL_ACTIVITY_JOIN && t->owner_lwp && !t->stable)
        text = arena_printf(a, " for the end of LWP %" PRId64, t->owner_lwp);
    else if (t->kind == MDL_ACTIVITY_JOIN)
        text = " for the end of a thread";
    else if (t->kind > MDL_ACTIVITY_SLEEP && t->kind <= MDL_ACTIVITY_CHILD) {
        name = mdl_activity_name(a, NULL, t, false);
        text = *name ? arena_printf(a, " for %s", name) : "";
    }
    return text ? text : "";
}

/* " for at most 5 s"; that a sleep has an end says its name. */
static const char *limit(struct arena *a, const struct mdl_activity *t)
{
    const char *time = mdl_timeout(a, t->timeout_ns), *text = NULL;

    if (*time && !(t->kind == MDL_ACTIVITY_SLEEP && t->timeout_ns < 0))
        text = arena_printf(a, " %s", time);
    return text ? text : "";
}

const char *activity_verb(struct arena *a, const struct mdl_activity *t)
{
    const char *text = NULL, *what = limit(a, t);
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
        text = arena_printf(a, t->call ? "waits in the kernel, in %s" : "waits in the kernel",
                            t->call ? t->call : "");
        break;
    default:
        if (activity_names_object(t) || (!t->call && activity_object(a, t)))
            text = arena_printf(a, "waits for %s%s", activity_object(a, t), what);
        else if (t->call)
            text =
                arena_printf(a, "%s in %s%s%s", sleeps ? "sleeps" : "waits", t->call, call_for(a, t), what);
        else
            text = arena_printf(a, "%s%s%s", sleeps ? "sleeps" : "waits", call_for(a, t), what);
    }
    return text ? text : "waits";
}
