/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the host tells inspect of stacks. inspect asks for frames one by one: a stack is unwound once.
 */
#include "corefiles/frames.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "machine/arch.h"
#include "corefiles/strings.h"
#include "corefiles/target.h"
#include "corefiles/threads.h"
#include "corefiles/unwind.h"
#include "ompdx.h"

/* MAX_FRAMES: inspect asks for no more. FEW: frames of the first look; one at a wait has what is asked for
   among the innermost ones. */
enum { MAX_FRAMES = 1024, FEW = 8 };

/** The frames of one thread, no inlined ones. They are good for all stops of the target: there is one. */
struct cf_registers_stack {
    struct insp_frame_registers *frame;
    uint32_t count, looked; /**< looked: frames that were asked of the unwinder */
    int rc;                 /**< negative: there is no stack */
};

struct cf_frames {
    int64_t lwp;
    uint32_t count;
    bool none; /**< the thread has no stack */
    struct insp_frame frame[MAX_FRAMES];
};

static char *copy(const char *text)
{
    return text ? strdup(text) : NULL;
}

static int keep(const struct cf_frame *frame, void *arg)
{
    struct cf_frames *f = arg;

    f->frame[f->count++] = (struct insp_frame){
        .pc = frame->pc,
        .place = {copy(frame->symbol), frame->offset, copy(frame->file), frame->line, frame->module},
        .inlined = frame->inlined,
        .declared = copy(frame->declared),
    };
    return f->count == MAX_FRAMES;
}

static void forget(struct cf_frames *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        free((char *)f->frame[i].place.symbol);
        free((char *)f->frame[i].place.file);
        free((char *)f->frame[i].declared);
    }
    f->count = 0;
}

void cf_frames_free(struct cf_frames *f)
{
    if (f)
        forget(f);
    free(f);
}

int cf_host_frame(struct cf_target *t, int64_t lwp, uint32_t index, struct insp_frame *ret)
{
    const char *why;

    if (t->nameless)
        return 1;
    if (!t->frames)
        t->frames = calloc(1, sizeof(*t->frames));
    if (!t->frames)
        return -1;
    if (t->frames->lwp != lwp) {
        forget(t->frames);
        t->frames->lwp = lwp;
        t->frames->none = cf_stack(t, lwp, MAX_FRAMES, keep, t->frames, &why) < 0;
    }
    if (index >= t->frames->count)
        return t->frames->none ? -1 : 1;
    *ret = t->frames->frame[index];
    return 0;
}

/* ---- registers of frames ---------------------------------------------------------------- */

uint64_t cf_kept_registers(const struct cf_target *t)
{
    uint64_t known = 0;

    for (size_t i = 0; t->arch->machine == EM_X86_64 && i < CF_KEPT; i++)
        known |= UINT64_C(1) << cf_kept[i].dwarf;
    return known;
}

struct register_walk {
    struct cf_target *t;
    struct cf_registers_stack *stack;
    uint64_t inner; /* address in the instruction of the frame before */
};

/* The unwinder leaves out a register that the inner function's rules do not mention: that function has not
   touched it. Where there are no rules nobody knows what it has touched. */
static int keep_registers(const struct cf_raw_frame *raw, void *arg)
{
    struct register_walk *w = arg;
    struct cf_registers_stack *stack = w->stack;
    const struct insp_frame_registers *inner;
    struct insp_frame_registers *one;

    if (!cf_grow(&stack->frame, stack->count, sizeof(*stack->frame)))
        return 1;
    one = &stack->frame[stack->count];
    inner = stack->count ? one - 1 : NULL;
    *one = (struct insp_frame_registers){.pc = raw->pc, .sp = raw->sp, .exact = raw->activation};
    one->known = UINT64_C(1) << ompdx_reg_rip;
    if (raw->known >> w->t->arch->sp & 1)
        one->known |= UINT64_C(1) << ompdx_reg_rsp;
    for (size_t i = 0; i < CF_KEPT; i++) {
        const uint64_t bit = UINT64_C(1) << cf_kept[i].number;
        const bool given = raw->known >> cf_kept[i].dwarf & 1;

        if (!given && !(inner && inner->known & bit && cf_has_rules(w->t, w->inner)))
            continue;
        memcpy((char *)one + cf_kept[i].member,
               given ? (const char *)&raw->reg[cf_kept[i].dwarf] : (const char *)inner + cf_kept[i].member,
               8);
        one->known |= bit;
    }
    w->inner = cf_frame_code(raw);
    stack->count++;
    return 0;
}

int cf_host_frame_registers(struct cf_target *t, int64_t lwp, uint32_t index,
                            struct insp_frame_registers *ret)
{
    struct cf_thread *th = cf_thread_of(t, lwp);
    struct cf_registers_stack *stack;
    const char *why;

    if (!th || t->arch->machine != EM_X86_64)
        return 1;
    if (!t->stacks)
        t->stacks = calloc(t->thread_count, sizeof(*t->stacks));
    if (!t->stacks)
        return -1;
    stack = &t->stacks[th - t->threads];
    while (index >= stack->count && stack->count == stack->looked && stack->looked < MAX_FRAMES) {
        struct register_walk walk = {.t = t, .stack = stack};

        stack->looked = stack->looked ? 8 * stack->looked : FEW;
        stack->count = 0;
        stack->rc = cf_unwind(t, th, stack->looked, keep_registers, &walk, &why);
    }
    if (index >= stack->count)
        return stack->rc < 0 ? -1 : 1;
    *ret = stack->frame[index];
    return 0;
}

void cf_stacks_free(struct cf_target *t)
{
    for (uint32_t i = 0; t->stacks && i < t->thread_count; i++)
        free(t->stacks[i].frame);
    free(t->stacks);
}
