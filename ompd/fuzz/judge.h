/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The judgement of one call (calls.h says of what). For the runners alone.
 */
#ifndef OMPD_FUZZ_JUDGE_H
#define OMPD_FUZZ_JUDGE_H

#include "ompd/fuzz/call.h"

struct judge_out {
    void *at;
    size_t size;
};
/** An output parameter, an array as well; filled with a pattern. */
#define OUT(object)               \
    {                             \
        &(object), sizeof(object) \
    }
#define OUT_NONE \
    {            \
        NULL, 0  \
    }
#define JUDGE_BEGIN(...)                     \
    struct judge_out outs[] = {__VA_ARGS__}; \
    judge_begin(outs, sizeof outs / sizeof outs[0])

/** Fills the outputs and clears the counts of callbacks. */
void judge_begin(const struct judge_out *outs, size_t count);
/** Returns RC when all is well. IN_BRACKET: the call may keep memory. */
ompd_rc_t judge(unsigned function, ompd_rc_t rc, const struct judge_out *outs, size_t count, bool in_bracket);
void judge_untouched(unsigned function, const void *bytes, size_t size);
/** Memory that the library gave has a value (under MemorySanitizer, and under valgrind by the branch). */
void judge_initialised(const void *bytes, size_t size);
void judge_text(unsigned function, const char *text);
/** As judge_text; frees. */
void judge_owned_text(unsigned function, const char *text);

/** A call that fills `info`, whose first member is its size. A[1] 1: a size that is too small. */
#define JUDGED_INFO(name, handle)                                                                 \
    struct judge_out outs[] = {{(char *)&info + 8, sizeof info - 8}};                             \
    judge_begin(outs, 1);                                                                         \
    info.size = a[1] == 1 ? a[2] : sizeof info;                                                   \
    const ompd_rc_t rc = judge(CALL_##name, name(handle, output(a, &info)), outs, 1, is_open(c)); \
    if (info.size != (a[1] == 1 ? a[2] : sizeof info))                                            \
    call_violation(CALL_##name, "the size was changed")

#endif
