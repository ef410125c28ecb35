/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames/frame_pointer.h"

#include <string.h>

enum {
    FRAME_MAX = 1 << 24,   /* no stack frame of the runtime is larger */
    FUNCTION_MAX = 1 << 12 /* a pc further from the beginning of a function is taken for another one's */
};

struct step {
    insp_read *read;
    void *ctx;
    uint64_t from, to;
    const struct frame_step *at;
};

static bool word(const struct step *s, uint64_t addr, uint64_t *ret)
{
    return !s->read(s->ctx, addr, ret, sizeof(*ret));
}

/* Is the word at ADDR the return address of a call to the function that the pc is in? */
static bool is_entered_from(const struct step *s, uint64_t addr)
{
    struct call_target call;
    uint64_t back, function;

    if (!word(s, addr, &back) || !call_target_find(s->read, s->ctx, back, &call))
        return false;
    function = call_target_function(s->read, s->ctx, &call);
    return function >= s->from && function <= s->at->pc && s->at->pc - function < FUNCTION_MAX;
}

/* Where the return address lies while the frame pointer is still, or again, the caller's; 0: it is not. */
static uint64_t before_frame(const struct step *s, bool *pushed)
{
    const uint64_t sp = s->at->sp;
    uint8_t code[4] = {0};
    uint64_t top;

    *pushed = false;
    if (s->read(s->ctx, s->at->pc, code, sizeof(code)))
        memset(code, 0, sizeof(code));
    if (code[0] == 0x55 || !memcmp(code, "\xf3\x0f\x1e\xfa", 4) || code[0] == 0xc3)
        return sp; /* before `push %rbp`, or at `ret` */
    *pushed = !memcmp(code, "\x48\x89\xe5", 3);
    if (*pushed)
        return sp + 8; /* between `push %rbp` and `mov %rsp,%rbp` */
    if (is_entered_from(s, s->at->fp + 8))
        return 0;
    if (is_entered_from(s, sp))
        return sp;
    *pushed = word(s, sp, &top) && top == s->at->fp && is_entered_from(s, sp + 8);
    return *pushed ? sp + 8 : 0;
}

bool frame_pointer_step(insp_read *read, void *ctx, uint64_t from, uint64_t to, bool newest, bool x86,
                        struct frame_step *frame)
{
    const struct step s = {read, ctx, from, to, frame};
    struct frame_step caller = {.fp = frame->fp};
    bool pushed = false;
    /* After a call comes whatever the compiler put there: its bytes say nothing of the frame. */
    uint64_t back = newest && x86 ? before_frame(&s, &pushed) : 0;

    if (!back) {
        if (frame->fp % 8 || frame->fp < frame->sp || frame->fp - frame->sp >= FRAME_MAX)
            return false;
        back = frame->fp + 8;
        pushed = true;
    }
    if (back % 8 || !word(&s, back, &caller.pc) || !caller.pc || (pushed && !word(&s, back - 8, &caller.fp)))
        return false;
    caller.sp = back + 8;
    *frame = caller;
    return true;
}
