/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/owner/flow.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/base/mem.h"
#include "machine/x86_64/x86.h"

/* Larger functions are left alone. */
enum { CODE_MAX = 1 << 16, PARTS_MAX = 16 };

/* Bits of `hold`: there is a way on which the mutex is not held, and one on which it is. */
enum { NOT_HELD = 1, HELD = 2 };

/* What is known before an instruction, on all ways that lead to it. */
struct state {
    uint8_t hold;
    uint16_t known; /* registers */
    uint64_t taken; /* where the call that took it returns to; 0: there are several, or none */
    uint64_t value[16];
};

struct node {
    uint64_t pc;
    struct x86_instruction i;
    struct state before;
    bool queued;
    bool target; /* of a jump */
};

struct part {
    uint64_t start, end;
    uint8_t *bytes;
    int *node; /* offset -> index of the instruction there + 1 */
};

struct flow {
    const struct flow_code *code;
    const struct flow_question *question;
    struct part part[PARTS_MAX];
    int part_count;
    size_t size; /* of all parts */
    struct node *nodes;
    int node_count;
    int *queue;
    int queued;
    bool indirect;     /* there is a jump to nobody knows where */
    struct state wild; /* what is known at all such jumps */
    bool blind;        /* some call may be about the mutex, or about another one */
    bool failed;
};

/* ---- the code ------------------------------------------------------------------------------------------ */

static struct part *part_at(struct flow *f, uint64_t pc)
{
    for (int p = 0; p < f->part_count; p++)
        if (pc >= f->part[p].start && pc < f->part[p].end)
            return &f->part[p];
    return NULL;
}

static struct part *add_part(struct flow *f, uint64_t start, uint64_t end)
{
    struct part *p = &f->part[f->part_count];
    size_t size = (size_t)(end - start);

    if (f->part_count == PARTS_MAX || end <= start || end - start > CODE_MAX || f->size + size > CODE_MAX)
        return NULL;
    *p = (struct part){start, end, malloc(size), calloc(size, sizeof(*p->node))};
    f->part_count++;
    f->size += size;
    return p->bytes && p->node && f->code->read(f->code->arg, start, p->bytes, size) ? p : NULL;
}

/* The part that a jump goes to. NULL: it leaves the function, or f->failed. */
static struct part *part_of_jump(struct flow *f, uint64_t pc)
{
    struct part *p = part_at(f, pc);
    uint64_t start, end;
    bool entry;

    if (p)
        return p;
    if (!f->code->part(f->code->arg, pc, &start, &end, &entry) || (entry && pc == start))
        return NULL;
    p = pc >= start && pc < end ? add_part(f, start, end) : NULL;
    f->failed |= !p;
    return p;
}

static void free_all(struct flow *f)
{
    for (int p = 0; p < f->part_count; p++) {
        free(f->part[p].bytes);
        free(f->part[p].node);
    }
    free(f->nodes);
    free(f->queue);
}

static struct node *add_node(struct flow *f, struct part *p, uint64_t pc)
{
    size_t offset = (size_t)(pc - p->start);
    struct node *grown = array_grow(f->nodes, (size_t)f->node_count, sizeof(*grown));
    int *queue;

    if (!grown)
        return NULL;
    f->nodes = grown;
    queue = array_grow(f->queue, (size_t)f->node_count, sizeof(*queue));
    if (!queue)
        return NULL;
    f->queue = queue;
    grown += f->node_count;
    *grown = (struct node){.pc = pc};
    if (x86_decode(p->bytes + offset, (size_t)(p->end - pc), pc, &grown->i))
        return NULL;
    p->node[offset] = ++f->node_count;
    return grown;
}

/* ---- ways ---------------------------------------------------------------------------------------------- */

/* True: *to has become another. */
static bool merge(struct state *to, const struct state *from)
{
    struct state before = *to;

    to->hold |= from->hold;
    to->known &= from->known;
    if (to->taken != from->taken)
        to->taken = 0;
    for (int r = 0; r < 16; r++)
        if (to->known >> r & 1 && to->value[r] != from->value[r])
            to->known = (uint16_t)(to->known & ~(1U << r));
    return to->hold != before.hold || to->known != before.known || to->taken != before.taken;
}

/* A way leads to the instruction at PC of part P. */
static void reach(struct flow *f, struct part *p, uint64_t pc, const struct state *state)
{
    int at = p->node[pc - p->start];
    struct node *n = at ? &f->nodes[at - 1] : add_node(f, p, pc);

    if (!n) {
        f->failed = true;
        return;
    }
    if (!at)
        n->before = *state;
    else if (!merge(&n->before, state))
        return;
    if (n->queued)
        return;
    n->queued = true;
    f->queue[f->queued++] = (int)(n - f->nodes);
}

static void jump(struct flow *f, uint64_t pc, const struct state *state)
{
    struct part *p = part_of_jump(f, pc);

    if (!p)
        return;
    reach(f, p, pc, state);
    if (!f->failed)
        f->nodes[p->node[pc - p->start] - 1].target = true;
}

static void after_call(struct flow *f, const struct flow_call *call, uint64_t returns, struct state *s)
{
    bool is_known = call->argument == X86_NONE || s->known >> call->argument & 1;
    bool is_it = call->argument == X86_NONE || s->value[call->argument & 15] == f->question->mutex;

    if (call->effect == FLOW_NOTHING || (is_known && !is_it))
        return;
    f->blind |= !is_known;
    if (!is_known || call->effect == FLOW_MAY_TAKE)
        s->hold |= call->effect == FLOW_GIVES ? NOT_HELD : HELD;
    else
        s->hold = call->effect == FLOW_GIVES ? NOT_HELD : HELD;
    s->taken = call->effect == FLOW_TAKES && is_known ? returns : 0;
}

/* What the instruction, a call, calls. */
static struct flow_call called(struct flow *f, const struct x86_instruction *i)
{
    const struct flow_call nothing = {FLOW_NOTHING, X86_NONE};
    uint64_t target = i->address;

    if (i->kind == X86_CALL_INDIRECT && (i->from != X86_NONE || !i->address ||
                                         !f->code->read(f->code->arg, i->address, &target, sizeof(target))))
        return nothing;
    return f->code->call(f->code->arg, target);
}

/* The registers behind an instruction that goes on with the next. */
static void compute(struct flow *f, const struct x86_instruction *i, struct state *s)
{
    struct state before = *s;
    uint64_t value = 0;
    bool known = false;

    s->known &= (uint16_t)~i->writes;
    if (i->to >= 16)
        return;
    if (i->kind == X86_SET) {
        value = (uint64_t)i->immediate;
        known = true;
    } else if (i->kind == X86_MOVE) {
        value = before.value[i->from & 15];
        known = before.known >> i->from & 1;
    } else if (i->kind == X86_LEA && i->address) {
        value = i->address;
        known = true;
    } else if (i->kind == X86_LEA && i->memory.base < 16 && i->memory.index == X86_NONE &&
               !(i->prefixes & X86_ADDRESS_32)) {
        value = before.value[i->memory.base] + (uint64_t)(int64_t)i->memory.displacement;
        known = before.known >> i->memory.base & 1;
    } else if (i->kind == X86_LOAD && i->map == 0 && i->size == 8 && i->memory.base == X86_RIP &&
               i->address) {
        known = f->code->read(f->code->arg, i->address, &value, sizeof(value));
    }
    if (!known)
        return;
    s->value[i->to] = i->size == 4 ? (uint32_t)value : value;
    s->known |= (uint16_t)(1U << i->to);
}

/* A jump by register: its table is not read. */
static void jump_anywhere(struct flow *f, const struct state *state)
{
    if (f->indirect)
        (void)merge(&f->wild, state);
    else
        f->wild = *state;
    f->indirect = true;
}

/* Does code go on behind it? */
static bool goes_on(const struct x86_instruction *i)
{
    return i->kind != X86_JUMP && i->kind != X86_JUMP_INDIRECT && i->kind != X86_RETURN &&
           i->kind != X86_STOP;
}

/*
 * Such jumps lead to where a block of code begins: behind what does not go on, and where other jumps lead to.
 * That a block which the one before it runs into is missing makes no difference: no jump enters a structured
 * block.
 */
static void spread(struct flow *f)
{
    for (int n = 0; n < f->part_count; n++) {
        struct part *p = &f->part[n];
        struct x86_instruction i;
        bool begins = true;

        for (uint64_t pc = p->start; pc < p->end && !f->failed; pc += i.length) {
            int at = p->node[pc - p->start];

            if (x86_decode(p->bytes + (pc - p->start), (size_t)(p->end - pc), pc, &i)) {
                f->failed = true;
                return;
            }
            if (begins || (at && f->nodes[at - 1].target))
                reach(f, p, pc, &f->wild);
            begins = !goes_on(&i);
        }
    }
}

static void step(struct flow *f, int index)
{
    /* The array may move. */
    const struct x86_instruction i = f->nodes[index].i;
    const uint64_t pc = f->nodes[index].pc, next = pc + i.length;
    struct state s = f->nodes[index].before;
    struct part *p = part_at(f, pc);
    struct flow_call call;

    switch (i.kind) {
    case X86_RETURN:
    case X86_STOP:
        return;
    case X86_JUMP:
        jump(f, i.address, &s);
        return;
    case X86_JUMP_INDIRECT:
        /* By a pointer at a fixed place it is the call of a function. */
        if (i.from != X86_NONE || !i.address)
            jump_anywhere(f, &s);
        return;
    case X86_JUMP_IF:
        s.known &= (uint16_t)~i.writes;
        jump(f, i.address, &s);
        break;
    case X86_CALL:
    case X86_CALL_INDIRECT:
        call = called(f, &i);
        after_call(f, &call, next, &s);
        s.known &= (uint16_t)~i.writes;
        break;
    default:
        compute(f, &i, &s);
    }
    if (p && next < p->end)
        reach(f, p, next, &s);
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static struct state hold_at(struct flow *f)
{
    const struct flow_question *q = f->question;

    for (int n = 0; n < f->node_count; n++) {
        const struct node *node = &f->nodes[n];
        struct state s = node->before;
        struct flow_call call;

        if (q->exact && node->pc == q->pc)
            return s;
        if (q->exact || node->pc + node->i.length != q->pc ||
            (node->i.kind != X86_CALL && node->i.kind != X86_CALL_INDIRECT))
            continue;
        /* Within the call that gives it back, it may be free already. Within the one that takes it, it is not
           its own before the end. */
        call = called(f, &node->i);
        if (call.effect == FLOW_GIVES)
            after_call(f, &call, q->pc, &s);
        return s;
    }
    return (struct state){.hold = 0};
}

enum flow_answer flow_ask(const struct flow_code *code, const struct flow_question *question)
{
    struct flow f = {.code = code, .question = question};
    struct state start = {.hold = NOT_HELD};
    uint64_t from, to;
    bool entry;
    struct part *p = NULL;
    struct state at = {.hold = 0};

    if (code->part(code->arg, question->entry, &from, &to, &entry) && question->entry >= from)
        p = add_part(&f, from, to);
    if (p && question->entry < to)
        reach(&f, p, question->entry, &start);
    while (f.queued && !f.failed) {
        int index = f.queue[--f.queued];

        f.nodes[index].queued = false;
        step(&f, index);
        if (!f.queued && f.indirect)
            spread(&f);
    }
    if (p && !f.failed)
        at = hold_at(&f);
    free_all(&f);
    if (question->taken)
        *question->taken = at.taken;
    if (!at.hold || (at.hold != HELD && f.blind))
        return FLOW_UNKNOWN;
    return at.hold == NOT_HELD ? FLOW_OUTSIDE : at.hold == HELD ? FLOW_INSIDE : FLOW_PERHAPS;
}
