/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the sentences of the verdict have in common. A thread is named in full once ("thread 2 (LWP 4243)"),
 * then by its number.
 */
#ifndef INSPECT_SPEECH_H
#define INSPECT_SPEECH_H

#include "inspect/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A sentence in the making; `named` is by thread, NULL out of memory. */
struct speech {
    insp_snapshot *snap;
    const struct graph *g;
    struct sbuf text;
    bool *named;
};

struct speech speech_begin(insp_snapshot *snap, const struct graph *g);
/** Frees it. The text lives in the snapshot; NULL out of memory. */
char *speech_end(struct speech *s);

void speech_thread(struct speech *s, int thread);
/** " at solve.c:17" or " in solve", as far as it is known. */
void speech_place(struct speech *s, const struct mdl_place *at);
/** The same of a wait; of one in a wrapper " at guard.h:7, in Guard::Guard, called from phase at x.c:40". */
void speech_wait_place(struct speech *s, const struct mdl_wait *w);
/** The name of what is waited for, "lock a"; an address only where there is no name. */
const char *speech_wait(struct speech *s, const struct mdl_wait *w);
/** What T waits for, if that is something that one thread at a time holds; else NULL. */
const char *speech_lock(struct speech *s, const struct mdl_thread *t);
/** Where the barrier is. The one at the end of a region has no call, so the region's place stands for it. */
void speech_barrier_place(struct speech *s, const struct mdl_thread *t);

#ifdef __cplusplus
}
#endif
#endif
