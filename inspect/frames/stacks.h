/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Call stacks as a user thinks of them: a worker's stack goes on in the stack of the thread that created its
 * region.
 */
#ifndef INSPECT_STACKS_H
#define INSPECT_STACKS_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stack_line {
    const struct mdl_frame *frame;
    int64_t lwp;      /**< on whose stack it is */
    bool interrupted; /**< by a signal, whose handler the line before is in */
};

/** Innermost first. */
struct stack {
    struct stack_line *line;
    int count;
};

/** Regions within regions; more is damage. */
enum { STACK_SEGMENTS = 64 };
/** Part of a joined stack: the frames of THREAD from number FROM outwards. */
struct stack_segment {
    const struct mdl_thread *thread;
    int from;
};
/** The parts of a thread's joined stack, its own first. Returns how many; RET has room for STACK_SEGMENTS. */
int stack_segments(const insp_snapshot *s, const struct mdl_thread *t, struct stack_segment *ret);

/** The joined stack of a thread, in A: the program's frames, and exit(). ALL: the runtime's and the system's
 *  too. */
void stack_join(const insp_snapshot *s, const struct mdl_thread *t, bool all, struct arena *a,
                struct stack *ret);

/** By its activity and its stack: "computes in solve at solve.c:90", "waits in fgets for descriptor 0, called
 *  from main at io.c:12", "waits for mutex m at q.cc:7", "sleeps in usleep, called from main at io.c:9"; of
 *  what is not known, where it is: "is in solve at solve.c:90", "is at an unknown place". */
const char *stack_doing(struct arena *a, const struct mdl_thread *t);
/** The same of what is over: "was in solve at solve.c:90" for what computed there. */
const char *stack_was(struct arena *a, const struct mdl_thread *t);
/** The same of a process that a signal has ended: "was in solve at solve.c:90 when SIGSEGV ended the
 *  process", or what the thread waits for. */
const char *stack_did(struct arena *a, const insp_snapshot *s, const struct mdl_thread *t);
/** Does its stack say what it does? */
bool stack_known(const struct mdl_thread *t);

/** "user" (also for what is not known), "runtime" or "system". */
const char *stack_kind(const struct mdl_frame *frame);

#ifdef __cplusplus
}
#endif
#endif
