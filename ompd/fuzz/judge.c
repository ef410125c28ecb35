/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/judge.h"

#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "ompd/fuzz/bounds.h"

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define MSAN 1
#endif
#endif

#define PATTERN  0x5a
#define TEXT_MAX ((1u << 20) + 1)

static int64_t live_before;

/** Blocks that the library has, without what handles remember; that goes with them (session.c). */
static int64_t live(void)
{
    return host.live - (int64_t)kept_blocks();
}

void judge_begin(const struct judge_out *outs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (outs[i].at != NULL)
            memset(outs[i].at, PATTERN, outs[i].size);
    host_clear_counts();
    live_before = live();
}

void judge_untouched(unsigned function, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((const uint8_t *)bytes)[i] != PATTERN)
            call_violation(function, "an output was touched, though the call failed");
}

void judge_initialised(const void *bytes, size_t size)
{
#ifdef MSAN
    if (bytes != NULL)
        __msan_check_mem_is_initialized(bytes, size);
#else
    static volatile uint8_t sink; /* so that the reading stays */
    uint8_t all = 0;
    for (size_t i = 0; bytes != NULL && i < size; i++)
        all |= ((const uint8_t *)bytes)[i];
    if (all != 0)
        sink = (uint8_t)(sink + all);
#endif
}

ompd_rc_t judge(unsigned function, ompd_rc_t rc, const struct judge_out *outs, size_t count, bool in_bracket)
{
    if ((int)rc < 0 || (int)rc >= CALL_CODES)
        call_violation(function, "returned no code of OMPD");
    const bool given = rc == ompd_rc_ok || rc == ompd_rc_incomplete;
    for (size_t i = 0; i < count; i++) {
        if (outs[i].at == NULL)
            continue;
        if (given)
            judge_initialised(outs[i].at, outs[i].size);
        else
            judge_untouched(function, outs[i].at, outs[i].size);
    }
    if (!given && !in_bracket && live() != live_before)
        call_violation(function, "failed and kept memory");
    const uint64_t reads = host.count[HOST_READ];
    if (reads > bounds_reads(function, in_bracket))
        call_violation(function, "read too often");
    if (host.count[HOST_SYMBOL] > (function == CALL_ompd_process_initialize ? 1 : 0))
        call_violation(function, "looked up a symbol");
    if (reads > call_reads[function][in_bracket])
        call_reads[function][in_bracket] = reads;
    return rc;
}

void judge_text(unsigned function, const char *text)
{
    if (strnlen(text, TEXT_MAX) == TEXT_MAX)
        call_violation(function, "gave a text without an end");
}

void judge_owned_text(unsigned function, const char *text)
{
    judge_text(function, text);
    host_free(text);
}
