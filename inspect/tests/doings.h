// SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A process whose threads do one of everything.
 */
#ifndef INSPECT_TESTS_DOINGS_H
#define INSPECT_TESTS_DOINGS_H

#include "inspect/tests/hand.h"

enum { DOINGS = MDL_ACTIVITIES + 8 };

/** H has DOINGS threads: thread K of the first does the activity K, the others wait for mutexes of all sorts
 *  of owners. */
inline void AllDoings(Hand *h)
{
    for (int k = 0; k < MDL_ACTIVITIES; k++) {
        Foreign(h, k);
        Doing(h, k, static_cast<mdl_activity_kind>(k), "some_call", 10 + k);
    }
    h->s->threads[MDL_ACTIVITY_UNKNOWN].activity.why = "no registers";
    mdl_activity *a = &h->s->threads[MDL_ACTIVITY_READ].activity;
    a->call = "read";
    a->descriptor = 0;
    a->file = "/dev/pts/0";
    h->s->threads[MDL_ACTIVITY_POLL].activity.timeout_ns = MDL_TIMEOUT_SOME;
    h->s->threads[MDL_ACTIVITY_SLEEP].activity.timeout_ns = 1500000000;
    h->s->threads[MDL_ACTIVITY_CHILD].activity.child = 4711;
    h->s->threads[MDL_ACTIVITY_SIGNAL].activity.child = 0;
    a = &h->s->threads[MDL_ACTIVITY_JOIN].activity;
    a->owner = MDL_OWNER_THREAD;
    a->owner_lwp = a->owner_tid = 103;
    a->owner_how = MDL_HOW_KERNEL;
    for (int k = 0; k < DOINGS - MDL_ACTIVITIES; k++) {
        a = Doing(h, MDL_ACTIVITIES + k, MDL_ACTIVITY_MUTEX, "pthread_mutex_lock", 60);
        a->object = 0x5000u + static_cast<uint64_t>(k);
        a->name = k % 2 ? "pool.m" : nullptr;
        a->owner = static_cast<mdl_owner>(k % MDL_OWNER_SOMEBODY);
        if (a->owner == MDL_OWNER_THREAD)
            a->owner_lwp = a->owner_tid = 101;
        if (a->owner == MDL_OWNER_PROCESS || a->owner == MDL_OWNER_FORK)
            a->owner_pid = 77;
        a->owner_how = a->owner == MDL_OWNER_NONE ? MDL_HOW_NONE : MDL_HOW_RECORDED;
        a->owner_doubt = k == 7 ? "it may have been released" : nullptr;
        h->s->threads[MDL_ACTIVITIES + k].cpu_ns = 12345;
    }
    a = Doing(h, DOINGS - 1, MDL_ACTIVITY_CHILD, "wait4", 61);
    a->child = -1;
    h->s->want |= INSP_STACKS;
    h->Frame(MDL_ACTIVITY_COMPUTES, INSP_CODE_USER, "inner", 20, 0x400a00);
    h->Frame(MDL_ACTIVITY_COMPUTES, INSP_CODE_USER, "outer", 21, 0x400a00);
    h->s->threads[MDL_ACTIVITY_COMPUTES].frames[0].inlined = true;
    h->s->threads[MDL_ACTIVITY_COMPUTES].frames[1].symbol = "_Z5outerv";
    h->s->process.rank = 3;
    h->s->process.size = 64;
    h->s->process.job = "4711";
    h->s->process.step = "0";
    verdict_make(h->s);
}

#endif
