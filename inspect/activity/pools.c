/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/pools.h"

#include <string.h>

#include "inspect/frames/code.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof(*(array)))

/**
 * A function of a pool in which its workers wait for work, or call what waits, by a part of its name; and a
 * part of the name of the file that it is in, where others may have such a function too. NULL: any. Where a
 * library is stripped, FUNCTION is NULL: nothing but that library is on the worker's stack.
 */
static const struct row {
    const char *function, *module, *pool;
} rows[] = {
    {"blas_thread_server", NULL, "OpenBLAS"},
    {NULL, "libopenblas", "OpenBLAS"},
    {NULL, "libscipy_openblas", "OpenBLAS"},
    {"Eigen::EventCount::", NULL, "Eigen"},
    {"::WaitForWork", NULL, "Eigen"},
    {"wait_for_new_command", NULL, "pthreadpool"},
    {"thread_main", "pthreadpool", "pthreadpool"},
    {"thread_main", "libtorch", "pthreadpool"},
    {"rml::private_worker::", NULL, "TBB"},
    {"rml::internal::thread_monitor", NULL, "TBB"},
    {"sleep_node<", NULL, "TBB"},
    {NULL, "libtbb.so", "TBB"},
    {NULL, "libtbb-", "TBB"},
    {"tsl::UnboundedWorkQueue::", NULL, "XLA"},
};

/* What the pools wait by, between their functions and the kernel. */
static const char *const waiters[] = {"std::", "nsync", "absl::", "tbb::detail::d0::", "syscall"};

/* Of the C library or the C++ library, or what a pool's function waits by. */
static bool is_passed(const struct mdl_frame *f)
{
    if (f->code == INSP_CODE_LIBC || f->code == INSP_CODE_CXX)
        return true;
    for (size_t i = 0; f->place.function && i < ARRAY_SIZE(waiters); i++)
        if (!strncmp(f->place.function, waiters[i], strlen(waiters[i])))
            return true;
    return false;
}

static bool in_module(const struct mdl_frame *f, const char *part)
{
    return !part || (f->module && strstr(mdl_base_name(f->module), part));
}

/* From frame AT on, are all of this library, or of the C library? */
static bool alone_on_stack(const struct mdl_thread *t, int at, const char *library)
{
    for (; at < t->frame_count; at++)
        if (t->frames[at].code != INSP_CODE_LIBC && !in_module(&t->frames[at], library))
            return false;
    return t->frame_count > 0 && t->frames[t->frame_count - 1].code == INSP_CODE_LIBC;
}

static bool fits(const struct row *row, const struct mdl_thread *t, int at)
{
    const struct mdl_frame *f = &t->frames[at];

    if (!in_module(f, row->module))
        return false;
    return row->function ? f->place.function && strstr(f->place.function, row->function)
                         : alone_on_stack(t, at, row->module);
}

const char *pool_of(const struct mdl_thread *t)
{
    const struct mdl_activity *a = &t->activity;
    int at = 0;

    if (t->wait.kind || t->released || !a->asleep || a->owner == MDL_OWNER_THREAD ||
        (a->kind != MDL_ACTIVITY_CONDITION && a->kind != MDL_ACTIVITY_SEMAPHORE &&
         a->kind != MDL_ACTIVITY_ATOMIC && a->kind != MDL_ACTIVITY_FUTEX))
        return NULL;
    while (at < t->frame_count && is_passed(&t->frames[at]))
        at++;
    for (size_t i = 0; at < t->frame_count && i < ARRAY_SIZE(rows); i++)
        if (fits(&rows[i], t, at))
            return rows[i].pool;
    return NULL;
}
