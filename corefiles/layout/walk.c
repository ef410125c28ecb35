/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/walk.h"

#include <string.h>

/* Opcodes of one byte with a number at their end, and what the register field of their second byte says. */
enum { OP_IMMEDIATE = 0x81, OP_IMMEDIATE_BYTE = 0x83, OP_ADD = 0, OP_SUBTRACT = 5 };

bool ly_is_memory(const struct x86_instruction *x86)
{
    return x86->has_modrm && x86->mod != 3;
}

bool ly_is_record(const struct x86_instruction *x86)
{
    return ly_is_memory(x86) && x86->memory.segment == 'f' && x86->memory.base < X86_RIP;
}

bool ly_uses(const struct x86_instruction *x86, const uint8_t holds[X86_RIP], enum ly_holds what)
{
    return ly_is_memory(x86) && !x86->memory.segment && x86->memory.base < X86_RIP &&
           x86->memory.index == X86_NONE && holds[x86->memory.base] == what;
}

bool ly_is_sum(const struct x86_instruction *x86, int64_t *ret)
{
    const unsigned what = x86->reg & 7u;

    if (x86->encoding != X86_LEGACY || x86->map != 0 || !x86->has_modrm || x86->mod != 3 ||
        (x86->opcode != OP_IMMEDIATE && x86->opcode != OP_IMMEDIATE_BYTE) || !(x86->prefixes & X86_WIDE) ||
        (what != OP_ADD && what != OP_SUBTRACT))
        return false;
    *ret = what == OP_SUBTRACT ? -x86->immediate : x86->immediate;
    return true;
}

bool ly_adds(const struct x86_instruction *x86, const uint8_t holds[X86_RIP], enum ly_holds what,
             int64_t *ret)
{
    if (x86->kind == X86_LEA && ly_uses(x86, holds, what)) {
        *ret = x86->memory.displacement;
        return true;
    }
    return ly_is_sum(x86, ret) && x86->rm < X86_RIP && holds[x86->rm] == what;
}

/* ---- what registers hold ------------------------------------------------------------------------------- */

static bool is_on_stack(const struct x86_instruction *x86)
{
    return ly_is_memory(x86) && x86->memory.base == X86_RSP && x86->memory.index == X86_NONE &&
           !x86->memory.segment;
}

static size_t spill_at(const struct ly_walk *w, const struct x86_instruction *x86)
{
    size_t i = 0;

    while (i < w->spill_count && w->spills[i].at != x86->memory.displacement)
        i++;
    return i;
}

/* A register that is kept on the stack. */
static void keep_spill(struct ly_walk *w, const struct x86_instruction *x86)
{
    if (x86->kind != X86_STORE || !is_on_stack(x86))
        return;
    const size_t i = spill_at(w, x86);
    if (i == LY_SPILLS_MAX)
        return;
    if (i == w->spill_count)
        w->spill_count++;
    w->spills[i].at = x86->memory.displacement;
    w->spills[i].holds = x86->size == 8 && x86->from < X86_RIP ? w->holds[x86->from] : LY_NOTHING;
}

static uint8_t loaded(const struct ly_walk *w, const struct x86_instruction *x86)
{
    const uint64_t at = (uint64_t)(int64_t)x86->memory.displacement;

    if (x86->kind == X86_MOVE)
        return x86->size == 8 && x86->from < X86_RIP ? w->holds[x86->from] : LY_NOTHING;
    if (x86->kind != X86_LOAD || x86->size != 8 || x86->memory.index != X86_NONE)
        return LY_NOTHING;
    if (is_on_stack(x86)) {
        const size_t i = spill_at(w, x86);
        return i < w->spill_count ? w->spills[i].holds : LY_NOTHING;
    }
    if (ly_is_record(x86))
        return at == w->roots.team ? LY_TEAM : at == w->roots.task ? LY_TASK : LY_NOTHING;
    return ly_uses(x86, w->holds, LY_TASK) && at == w->roots.taskgroup ? LY_GROUP : LY_NOTHING;
}

/* Behind a return or a jump: what the registers hold is what they held where that place was jumped to. */
static void come_from_jump(struct ly_walk *w)
{
    const uint64_t pc = w->code->list[w->at].pc;

    w->ended = false;
    memset(w->holds, LY_NOTHING, sizeof w->holds);
    for (unsigned i = 0; i < w->jump_count; i++)
        if (w->jumps[i].to == pc) {
            memcpy(w->holds, w->jumps[i].holds, sizeof w->holds);
            return;
        }
}

static void keep_jump(struct ly_walk *w, const struct x86_instruction *x86)
{
    w->ended = x86->kind == X86_RETURN || x86->kind == X86_JUMP || x86->kind == X86_JUMP_INDIRECT;
    if (x86->kind != X86_JUMP_IF || w->jump_count == LY_JUMPS_MAX)
        return;
    w->jumps[w->jump_count].to = x86->address;
    memcpy(w->jumps[w->jump_count++].holds, w->holds, sizeof w->holds);
}

/* ---- steps --------------------------------------------------------------------------------------------- */

struct ly_walk ly_walk(const struct ly_code *code, const struct ly_function *function,
                       const struct ly_roots *roots)
{
    struct ly_walk w = {.code = code, .roots = *roots, .at = code->count, .left = LY_WALK_MAX};

    if (function) {
        w.at = ly_at(code, function->start);
        w.end = function->end;
    }
    return w;
}

const struct x86_instruction *ly_step(struct ly_walk *w, uint8_t before[X86_RIP])
{
    if (w->at >= w->code->count || w->code->list[w->at].pc >= w->end || !w->left)
        return NULL;
    const struct x86_instruction *x86 = &w->code->list[w->at].x86;
    if (w->ended)
        come_from_jump(w);
    memcpy(before, w->holds, X86_RIP);
    keep_spill(w, x86);
    const uint8_t into = loaded(w, x86);
    for (unsigned reg = 0; reg < X86_RIP; reg++)
        if (x86->writes & 1u << reg)
            w->holds[reg] = LY_NOTHING;
    if ((x86->kind == X86_MOVE || x86->kind == X86_LOAD) && x86->to < X86_RIP)
        w->holds[x86->to] = into;
    keep_jump(w, x86);
    w->at++;
    w->left--;
    return x86;
}
