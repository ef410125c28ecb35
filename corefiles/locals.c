/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The variables of the function of a frame, through DWARF. inspect asks for one after the other: a stack is
 * unwound once.
 */
#include "corefiles/locals.h"

#include <stdlib.h>

#include "corefiles/arch.h"
#include "corefiles/stack.h"
#include "corefiles/text.h"
#include "corefiles/threads.h"
#include "corefiles/units.h"
#include "corefiles/unwind.h"
#include "corefiles/variables.h"

/** As cf_host_frame lists them. */
enum { FRAMES_MAX = 1024 };

/** A frame of the machine's, with its registers. */
struct machine_frame {
    struct cf_raw_frame raw;
    uint64_t reg[CF_REGISTERS];
    uint32_t
        first; /**< the index of what is inlined into it most deeply, or its own, as cf_host_frame counts */
};

/** One thread's frames, and the variables of one of them. */
struct cf_locals {
    int64_t lwp;
    struct machine_frame *frames;
    uint32_t frame_count, count; /**< count: with those inlined */
    uint32_t frame;              /**< of which the variables are listed */
    bool listed;
    struct cf_variable *list;
    uint32_t variable_count;
};

void cf_locals_free(struct cf_locals *locals)
{
    if (!locals)
        return;
    free(locals->frames);
    free(locals->list);
    free(locals);
}

static uint32_t inlined_count(const struct cf_scopes *scopes)
{
    uint32_t n = 0;

    for (int i = 0; scopes && i < scopes->count && die_tag(&scopes->dies[i]) != TAG_subprogram; i++)
        n += die_tag(&scopes->dies[i]) == TAG_inlined_subroutine;
    return n;
}

struct unwinding {
    struct cf_target *t;
    struct cf_locals *locals;
};

static int note_frame(const struct cf_raw_frame *raw, void *arg)
{
    const struct unwinding *u = arg;
    struct cf_locals *l = u->locals;
    struct machine_frame *f;

    if (!cf_grow(&l->frames, l->frame_count, sizeof(*l->frames)))
        return 1;
    f = &l->frames[l->frame_count++];
    f->raw = *raw;
    for (int i = 0; i < CF_REGISTERS; i++)
        f->reg[i] = raw->known >> i & 1 ? raw->reg[i] : 0;
    f->first = l->count;
    l->count += 1 + inlined_count(cf_scopes_of(u->t, cf_frame_code(raw)));
    return l->count >= FRAMES_MAX;
}

/* A frame base is an address, also where it is said to be in a register. */
static uint64_t frame_base(const struct cf_eval_context *context, const struct die *function, uint64_t pc)
{
    struct cf_location location;

    return cf_evaluate(context, function, ATTR_frame_base, pc, &location) ? 0 : location.at;
}

/* Those of a function or block that have a place now; *LEFT: so many are still looked at. */
static void list_block(const struct cf_eval_context *context, struct die *block, struct cf_variable v,
                       uint64_t pc, uint32_t *left, struct cf_locals *l)
{
    const struct cf_block *of = cf_block_of(context->t, block);

    for (uint32_t i = 0; of && i < of->count && *left; i++, --*left) {
        v.die = of->variables[i];
        if (cf_evaluate(context, &v.die, ATTR_location, pc, &v.location))
            continue;
        if (!cf_grow(&l->list, l->variable_count, sizeof(*l->list)))
            return;
        l->list[l->variable_count++] = v;
    }
}

/* The variables of what is LEVEL inlined functions outside of the innermost one at frame F. */
static void list_frame(struct cf_target *t, struct cf_locals *l, const struct machine_frame *f,
                       uint32_t level)
{
    struct cf_raw_frame raw = f->raw;
    struct cf_eval_context context = {.t = t, .frame = &raw};
    uint64_t pc = cf_frame_code(&raw);
    const struct cf_scopes *scopes = cf_scopes_of(t, pc);
    int function = 0, first = 0, last;
    uint32_t left = CF_VARIABLES_MAX;
    struct die cu;

    raw.reg = f->reg;
    if (!scopes)
        return;
    while (function < scopes->count && die_tag(&scopes->dies[function]) != TAG_subprogram)
        function++;
    if (function == scopes->count || cf_unit_at(t, pc, &cu, &context.bias))
        return;
    pc -= context.bias;
    for (last = 0; last < function; last++)
        if (die_tag(&scopes->dies[last]) == TAG_inlined_subroutine) {
            if (!level--)
                break;
            first = last + 1;
        }
    context.frame_base = frame_base(&context, &scopes->dies[function], pc);
    for (int i = first; i <= last; i++) {
        const struct cf_variable v = {.depth = i - first, .function = cf_function_name(&scopes->dies[last])};

        list_block(&context, &scopes->dies[i], v, pc, &left, l);
    }
}

static struct cf_locals *locals_of(struct cf_target *t, int64_t lwp)
{
    struct cf_thread *th = cf_thread_of(t, lwp);
    const char *why;

    if (t->locals && t->locals->lwp == lwp)
        return t->locals;
    cf_locals_free(t->locals);
    t->locals = calloc(1, sizeof(*t->locals));
    if (t->locals && th) {
        struct unwinding u = {t, t->locals};

        (void)!cf_unwind(t, th, 0, note_frame, &u, &why); /* what there is of the stack */
    }
    if (t->locals)
        t->locals->lwp = lwp;
    return t->locals;
}

int cf_host_frame_variable(struct cf_target *t, int64_t lwp, uint32_t frame, uint32_t index,
                           struct insp_variable *ret)
{
    struct cf_locals *l = t->nameless ? NULL : locals_of(t, lwp);
    uint32_t low = 0, high = l ? l->frame_count : 0;

    if (!l || frame >= l->count)
        return 1;
    if (!l->listed || l->frame != frame) {
        while (high - low > 1) {
            uint32_t mid = low + (high - low) / 2;

            if (l->frames[mid].first <= frame)
                low = mid;
            else
                high = mid;
        }
        l->variable_count = 0;
        free(l->list);
        l->list = NULL;
        list_frame(t, l, &l->frames[low], frame - l->frames[low].first);
        l->frame = frame;
        l->listed = true;
    }
    if (index >= l->variable_count)
        return 1;
    /* One without a name or a type is listed all the same: others are behind it. */
    if (cf_variable(t, &l->list[index], ret))
        *ret = (struct insp_variable){0};
    return 0;
}
