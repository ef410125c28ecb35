/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a profile is made of. Texts, frames and stacks are there once and have numbers.
 */
#ifndef INSPECT_PROFILE_STORE_H
#define INSPECT_PROFILE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "inspect/base/hash.h"
#include "inspect/base/mem.h"
#include "inspect/inspect.h"
#include "inspect/profile/totals.h"

/** What time can be counted by. */
enum profile_by { PROFILE_ACTIVITY, PROFILE_REGION, PROFILE_CONSTRUCT, PROFILE_LINE, PROFILE_BYS };

struct profile_frame {
    const char *name, *file; /**< file: NULL not known */
    int line;                /**< 0 not known */
};

/** What a thread did in a sample. */
struct profile_stack {
    const uint32_t *frame; /**< numbers of frames, root first */
    uint32_t count;
    uint32_t by[PROFILE_BYS]; /**< numbers of texts */
};

/** So many samples one after the other with the same stack. */
struct profile_run {
    uint32_t stack, count;
};

struct profile_thread {
    int64_t lwp;
    bool initial;
    struct profile_run *runs;
    size_t run_count;
    uint64_t samples;
};

struct profile {
    struct arena arena; /**< all of it lives there */
    double rate;
    int64_t pid;
    const char *exe; /**< NULL not known */
    struct profile_totals totals;
    struct hash by_text, by_frame, by_stack, by_lwp; /**< numbers + 1 */
    const char **texts;
    size_t text_count;
    struct profile_frame *frames;
    size_t frame_count;
    struct profile_stack *stacks;
    size_t stack_count;
    struct profile_thread *threads;
    size_t thread_count;
};

/** The number of a text, a frame, a stack. Negative out of memory. What is new is copied. */
int64_t store_text(struct profile *p, const char *text) INSP_WARN_UNUSED;
int64_t store_frame(struct profile *p, const struct profile_frame *frame) INSP_WARN_UNUSED;
int64_t store_stack(struct profile *p, const struct profile_stack *stack) INSP_WARN_UNUSED;
/** Thread LWP did that in the next sample. False out of memory. */
bool store_sample(struct profile *p, int64_t lwp, bool initial, uint32_t stack) INSP_WARN_UNUSED;

/** How many samples had each stack: of THREAD, NULL of all. One number for each stack, malloc'ed; NULL out of
 *  memory. */
uint64_t *store_counts(const struct profile *p, const struct profile_thread *thread) INSP_WARN_UNUSED;
/** "LWP 4243", "LWP 4242 (initial thread)". In A; NULL out of memory. */
const char *store_thread_name(struct arena *a, const struct profile_thread *thread);

#endif
