/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: an input is the code of a function, and a place in it. What inspect/owner says of that
 * place is compared with some ways through the code, taken one instruction after the other with values in the
 * registers: on none of them may be otherwise what is said of all.
 *
 * Bytes: how (bit 0: the place is the next instruction, else where a call returns to; bits 1 to 3: the parts
 * that begin a function), the place, where the second and the third part start, then the code.
 */
#include <stdlib.h>
#include <string.h>

#include "inspect/owner/flow.h"
#include "machine/x86_64/x86.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 4, PARTS = 3, WAYS = 6, STEPS = 80 };
enum { CODE = 0x1000, DATA = 0x2000, MUTEX = 0x3000, OTHER = 0x3008, FUNCTIONS = 0x4000 };

struct world {
    const uint8_t *code;
    size_t size;
    uint64_t start[PARTS + 1];
    uint8_t how;
    uint64_t random;
};

/* A way through the code. */
struct way {
    uint64_t pc, reg[16];
    bool holds;
};

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* ---- the code ------------------------------------------------------------------------------------------ */

static bool read_world(void *arg, uint64_t addr, void *buf, size_t size)
{
    static const uint64_t words[] = {MUTEX, OTHER, FUNCTIONS, FUNCTIONS + 1, FUNCTIONS + 2};
    const struct world *w = arg;

    if (addr >= CODE && addr - CODE <= w->size && size <= w->size - (addr - CODE))
        memcpy(buf, w->code + (addr - CODE), size);
    else if (addr >= DATA && addr - DATA <= sizeof(words) && size <= sizeof(words) - (addr - DATA))
        memcpy(buf, (const char *)words + (addr - DATA), size);
    else
        return false;
    return true;
}

static bool part_of(void *arg, uint64_t addr, uint64_t *start, uint64_t *end, bool *entry)
{
    const struct world *w = arg;

    for (int n = 0; n < PARTS; n++)
        if (addr >= w->start[n] && addr < w->start[n + 1]) {
            *start = w->start[n];
            *end = w->start[n + 1];
            *entry = w->how >> (n + 1) & 1;
            return true;
        }
    return false;
}

static struct flow_call effect_of(void *arg, uint64_t target)
{
    static const struct flow_call calls[] = {{FLOW_TAKES, X86_RDI},    {FLOW_GIVES, X86_RDI},
                                             {FLOW_MAY_TAKE, X86_RDI}, {FLOW_TAKES, X86_NONE},
                                             {FLOW_GIVES, X86_NONE},   {FLOW_GIVES, X86_RDX}};
    const struct flow_call nothing = {FLOW_NOTHING, X86_NONE};

    (void)arg;
    return target % 8 < sizeof(calls) / sizeof(*calls) ? calls[target % 8] : nothing;
}

/* ---- ways ---------------------------------------------------------------------------------------------- */

static bool coin(struct world *w)
{
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return w->random >> 63;
}

/* What nobody knows may be the mutex, or something else. */
static uint64_t any_value(struct world *w)
{
    return coin(w) ? MUTEX : OTHER;
}

static bool is_call(const struct x86_instruction *i)
{
    return i->kind == X86_CALL || i->kind == X86_CALL_INDIRECT;
}

static struct flow_call called(struct world *w, const struct x86_instruction *i)
{
    uint64_t target = i->address;

    if (i->kind == X86_CALL ||
        (i->from == X86_NONE && target && read_world(w, target, &target, sizeof(target))))
        return effect_of(w, target);
    return (struct flow_call){FLOW_NOTHING, X86_NONE};
}

static void call(struct world *w, struct way *way, struct flow_call effect)
{
    if (effect.argument != X86_NONE && way->reg[effect.argument] != MUTEX)
        return;
    if (effect.effect == FLOW_TAKES || (effect.effect == FLOW_MAY_TAKE && coin(w)))
        way->holds = true;
    else if (effect.effect == FLOW_GIVES)
        way->holds = false;
}

static void compute(struct world *w, struct way *way, const struct x86_instruction *i)
{
    const struct x86_memory *m = &i->memory;
    uint64_t value = any_value(w), base = 0;

    if (i->kind == X86_SET)
        value = (uint64_t)i->immediate;
    else if (i->kind == X86_MOVE)
        value = way->reg[i->from];
    else if (i->kind == X86_LOAD && i->map == 0 && i->size == 8 && i->address)
        value = read_world(w, i->address, &base, sizeof(base)) ? base : value;
    else if (i->kind == X86_LEA && i->address)
        value = i->address;
    else if (i->kind == X86_LEA && m->base < 16) {
        value = way->reg[m->base] + (uint64_t)(int64_t)m->displacement;
        if (m->index < 16)
            value += way->reg[m->index] * m->scale;
        if (i->prefixes & X86_ADDRESS_32)
            value = (uint32_t)value;
    }
    for (int r = 0; r < 16; r++)
        if (i->writes >> r & 1 && r != i->to)
            way->reg[r] = any_value(w);
    if (i->to < 16)
        way->reg[i->to] = i->size == 4 ? (uint32_t)value : value;
}

/* To where the way goes on behind I; false: it ends, or nothing is said of where it goes. */
static bool go_on(struct world *w, struct way *way, const struct x86_instruction *i, uint64_t end)
{
    uint64_t start, jump_end;
    bool entry;

    if (i->kind == X86_RETURN || i->kind == X86_STOP || i->kind == X86_JUMP_INDIRECT)
        return false;
    if (is_call(i))
        call(w, way, called(w, i));
    compute(w, way, i);
    if (i->kind == X86_JUMP || (i->kind == X86_JUMP_IF && coin(w))) {
        way->pc = i->address;
        return part_of(w, way->pc, &start, &jump_end, &entry) && !(entry && way->pc == start);
    }
    way->pc += i->length;
    return way->pc < end;
}

/* One way, and what it says about the answer. */
static void follow(struct world *w, const struct flow_question *q, enum flow_answer answer)
{
    struct way way = {.pc = q->entry};
    struct x86_instruction i;
    uint64_t start, end;
    bool entry;

    for (int r = 0; r < 16; r++)
        way.reg[r] = any_value(w);
    for (int n = 0; n < STEPS && part_of(w, way.pc, &start, &end, &entry); n++) {
        if (x86_decode(w->code + (way.pc - CODE), (size_t)(end - way.pc), way.pc, &i))
            return;
        /* Within the call that gives it back it may be free already. */
        if (q->exact ? way.pc == q->pc
                     : way.pc + i.length == q->pc && is_call(&i) && called(w, &i).effect != FLOW_GIVES)
            must(answer != (way.holds ? FLOW_OUTSIDE : FLOW_INSIDE));
        if (!go_on(w, &way, &i, end))
            return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct world w = {.code = data + HEAD, .size = size - HEAD};
    const struct flow_code code = {&w, read_world, part_of, effect_of};
    enum flow_answer answer;

    if (size <= HEAD)
        return 0;
    w.how = data[0];
    w.start[0] = CODE;
    w.start[1] = CODE + data[2] % w.size;
    w.start[2] = w.start[1] + data[3] % (CODE + w.size - w.start[1]);
    w.start[3] = CODE + w.size;
    const struct flow_question question = {CODE, CODE + data[1], data[0] & 1, MUTEX, NULL};
    answer = flow_ask(&code, &question);
    must(answer == flow_ask(&code, &question));
    for (int n = 0; n < WAYS && answer != FLOW_UNKNOWN; n++) {
        w.random = data[0] + 256U * (unsigned)n + size;
        follow(&w, &question, answer);
    }
    return 0;
}
