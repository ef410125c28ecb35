/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the files of calls share: a function run_NAME for each function of the API, and the registers they
 * work on.
 */
#ifndef OMPD_FUZZ_RUNNERS_H
#define OMPD_FUZZ_RUNNERS_H

#include "ompd/fuzz/call.h"
#include "ompd/fuzz/judge.h"
#include "ompd/fuzz/session.h"

#define X(name) ompd_rc_t run_##name(struct calls *c, const uint8_t *a);
#include "ompd/tests/api_list.def"
#undef X

static inline bool is_wrong(const uint8_t *a)
{
    return (a[0] & 0x60) != 0;
}

/** The handle to pass: the proper one, NULL, or one of another sort. */
static inline void *given(const uint8_t *a, void *proper, void *other)
{
    return (a[0] & 0x20) != 0 ? NULL : (a[0] & 0x40) != 0 ? other : proper;
}

static inline ompd_address_space_handle_t *aspace_of(struct calls *c, const uint8_t *a)
{
    ompd_address_space_handle_t *aspace = c->aspace[a[0] >> 4 & 1];
    return given(a, aspace != NULL ? aspace : c->aspace[0], c->thread[0]);
}
static inline ompd_thread_handle_t *thread_of(struct calls *c, const uint8_t *a)
{
    return given(a, c->thread[a[0] & 3], c->task[0]);
}
static inline ompd_parallel_handle_t *parallel_of(struct calls *c, const uint8_t *a)
{
    return given(a, c->parallel[a[0] & 3], c->thread[0]);
}
static inline ompd_task_handle_t *task_of(struct calls *c, const uint8_t *a)
{
    return given(a, c->task[a[0] & 3], c->aspace[0]);
}

static inline void *output(const uint8_t *a, void *out)
{
    return (a[0] & 0x80) != 0 ? NULL : out;
}

/** The register for the result. */
#define TO(a) ((unsigned)(a)[0] >> 2 & 3)

static inline bool is_given(ompd_rc_t rc)
{
    return rc == ompd_rc_ok || rc == ompd_rc_incomplete;
}

#define RUN(name) ompd_rc_t run_##name(struct calls *c, const uint8_t *a)
#define JUDGED(name, call, ...)                                                                    \
    JUDGE_BEGIN(__VA_ARGS__);                                                                      \
    const ompd_rc_t rc = judge(CALL_##name, call, outs, sizeof outs / sizeof outs[0], is_open(c)); \
    (void)a

static inline bool is_open(const struct calls *c)
{
    return c->bracket[0] || c->bracket[1];
}

#endif
