/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/session/unwind.h"

#include <string.h>

#include "inspect/model/model.h"
#include "inspect/session/eh_frame.h"
#include "inspect/session/hostcall.h"
#include "inspect/session/still.h"
#include "ompdx.h"

/* As in the hosts: a recursion that ran away is told by these. */
enum { FRAMES_MAX = 1024 };

struct unwound {
    struct insp_frame_registers *frames;
    uint32_t count;
    bool ended;   /* there are no more */
    bool unknown; /* the host is asked for what comes next */
};

/* Where struct insp_frame_registers has a register, and its bit. */
static const struct {
    uint8_t dwarf, number;
    size_t member;
} kept[] = {
    {EH_RBX, ompdx_reg_rbx, offsetof(struct insp_frame_registers, rbx)},
    {EH_RBP, ompdx_reg_rbp, offsetof(struct insp_frame_registers, rbp)},
    {EH_RSP, ompdx_reg_rsp, offsetof(struct insp_frame_registers, sp)},
    {EH_R12, ompdx_reg_r12, offsetof(struct insp_frame_registers, r12)},
    {EH_R13, ompdx_reg_r13, offsetof(struct insp_frame_registers, r13)},
    {EH_R14, ompdx_reg_r14, offsetof(struct insp_frame_registers, r14)},
    {EH_R15, ompdx_reg_r15, offsetof(struct insp_frame_registers, r15)},
};
enum { KEPT = sizeof(kept) / sizeof(*kept) };

static bool get(const struct insp_frame_registers *f, uint8_t dwarf, uint64_t *ret)
{
    for (int i = 0; i < KEPT; i++)
        if (kept[i].dwarf == dwarf && f->known >> kept[i].number & 1) {
            memcpy(ret, (const char *)f + kept[i].member, sizeof(*ret));
            return true;
        }
    return false;
}

static void put(struct insp_frame_registers *f, int i, uint64_t value)
{
    memcpy((char *)f + kept[i].member, &value, sizeof(value));
    f->known |= UINT64_C(1) << kept[i].number;
}

/* The rules for the code at ADDR: many threads are at few places. NULL: none that can be followed. */
static const struct eh_rules *rules_at(insp_session *s, uint64_t addr)
{
    uint64_t *at = hash_find(&s->unwind_rules, addr, NULL);
    struct eh_rules *rules;

    if (at)
        return (const struct eh_rules *)(uintptr_t)*at;
    s->unwind_rules.arena = &s->still_memory;
    rules = arena_alloc(&s->still_memory, sizeof(*rules));
    if (!rules || !eh_frame_rules(s, addr, rules))
        rules = NULL;
    at = hash_add(&s->unwind_rules, addr, NULL);
    if (at)
        *at = (uintptr_t)rules;
    return rules;
}

static bool innermost(insp_session *s, int64_t lwp, struct insp_frame_registers *ret)
{
    static const uint8_t numbers[KEPT] = {ompdx_reg_rbx, ompdx_reg_rbp, ompdx_reg_rsp, ompdx_reg_r12,
                                          ompdx_reg_r13, ompdx_reg_r14, ompdx_reg_r15};
    uint64_t reg[ompdx_registers], known = 0;

    if (still_registers(s, lwp, reg, &known) || !(known >> ompdx_reg_rip & 1))
        return false;
    *ret = (struct insp_frame_registers){
        .pc = reg[ompdx_reg_rip], .known = UINT64_C(1) << ompdx_reg_rip, .exact = 1};
    for (int i = 0; i < KEPT; i++)
        if (known >> numbers[i] & 1)
            put(ret, i, reg[numbers[i]]);
    return true;
}

enum found { FOUND, END, UNKNOWN };

/* The frame that has called INNER. */
static enum found caller(insp_session *s, const struct insp_frame_registers *inner,
                         struct insp_frame_registers *ret)
{
    const struct eh_rules *rules = rules_at(s, inner->exact ? inner->pc : inner->pc - 1);
    uint64_t frame, value;

    if (rules && rules->of[EH_PC].where == EH_LOST)
        return END;
    if (!rules || rules->of[EH_PC].where != EH_SAVED || rules->of[EH_RSP].where != EH_SAME ||
        !get(inner, rules->base, &frame))
        return UNKNOWN;
    frame += (uint64_t)rules->offset;
    /* The stack grows downward: each caller's part is further up. */
    if (!(inner->known >> ompdx_reg_rsp & 1) || frame <= inner->sp || frame % 8 ||
        still_read(s, frame + (uint64_t)rules->of[EH_PC].offset, &value, sizeof(value)))
        return UNKNOWN;
    if (!value)
        return END;
    *ret = (struct insp_frame_registers){.pc = value, .known = UINT64_C(1) << ompdx_reg_rip};
    for (int i = 0; i < KEPT; i++) {
        const uint8_t reg = kept[i].dwarf;

        if (reg == EH_RSP)
            put(ret, i, frame);
        else if (rules->of[reg].where == EH_SAME
                     ? get(inner, reg, &value)
                     : rules->of[reg].where == EH_SAVED &&
                           !still_read(s, frame + (uint64_t)rules->of[reg].offset, &value, sizeof(value)))
            put(ret, i, value);
    }
    return FOUND;
}

static void extend(insp_session *s, int64_t lwp, struct unwound *u)
{
    struct insp_frame_registers *rows = arena_grow(&s->still_memory, u->frames, u->count, sizeof(*rows));
    enum found found;

    if (!rows || u->count >= FRAMES_MAX) {
        u->ended = true;
        return;
    }
    u->frames = rows;
    if (u->count)
        found = caller(s, &rows[u->count - 1], &rows[u->count]);
    else
        found = innermost(s, lwp, &rows[0]) ? FOUND : UNKNOWN;
    u->ended = found == END;
    u->unknown = found == UNKNOWN;
    u->count += found == FOUND;
}

static struct unwound *unwound_of(insp_session *s, int64_t lwp)
{
    uint64_t *at;

    s->unwound.arena = &s->still_memory;
    at = hash_add(&s->unwound, (uint64_t)lwp, NULL);
    if (at && !*at)
        *at = (uintptr_t)arena_alloc(&s->still_memory, sizeof(struct unwound));
    return at ? (struct unwound *)(uintptr_t)*at : NULL;
}

int unwind_frame(insp_session *s, int64_t lwp, uint32_t index, struct insp_frame_registers *ret)
{
    struct unwound *u = s->taking && !s->taking->moving ? unwound_of(s, lwp) : NULL;

    if (!u)
        return host_frame_registers(s, lwp, index, ret);
    while (index >= u->count && !u->ended && !u->unknown)
        extend(s, lwp, u);
    if (index >= u->count)
        return u->ended ? 1 : host_frame_registers(s, lwp, index, ret);
    *ret = u->frames[index];
    return 0;
}
