/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/unwind/caller.h"

#include <string.h>

#include "ompdx.h"

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

void caller_put(struct insp_frame_registers *f, uint8_t dwarf, uint64_t value)
{
    for (int i = 0; i < KEPT; i++)
        if (kept[i].dwarf == dwarf) {
            memcpy((char *)f + kept[i].member, &value, sizeof(value));
            f->known |= UINT64_C(1) << kept[i].number;
        }
}

void caller_put_all(struct insp_frame_registers *f, const uint64_t *reg, uint64_t known)
{
    for (int i = 0; i < KEPT; i++)
        if (known >> kept[i].number & 1)
            caller_put(f, kept[i].dwarf, reg[kept[i].number]);
}

enum caller_found caller_find(const struct eh_rules *rules, insp_read *read, void *ctx,
                              const struct insp_frame_registers *inner, struct insp_frame_registers *ret)
{
    uint64_t frame, value;

    if (rules && rules->of[EH_PC].where == EH_LOST)
        return CALLER_NONE;
    if (!rules || rules->of[EH_PC].where != EH_SAVED || rules->of[EH_RSP].where != EH_SAME ||
        !get(inner, rules->base, &frame))
        return CALLER_UNKNOWN;
    frame += (uint64_t)rules->offset;
    /* The stack grows downward: each caller's part is further up. */
    if (!(inner->known >> ompdx_reg_rsp & 1) || frame <= inner->sp || frame % 8 ||
        read(ctx, frame + (uint64_t)rules->of[EH_PC].offset, &value, sizeof(value)))
        return CALLER_UNKNOWN;
    if (!value)
        return CALLER_NONE;
    *ret = (struct insp_frame_registers){.pc = value, .known = UINT64_C(1) << ompdx_reg_rip};
    caller_put(ret, EH_RSP, frame);
    for (int i = 0; i < KEPT; i++) {
        const uint8_t reg = kept[i].dwarf;

        if (reg == EH_RSP)
            continue;
        if (rules->of[reg].where == EH_SAME
                ? get(inner, reg, &value)
                : rules->of[reg].where == EH_SAVED &&
                      !read(ctx, frame + (uint64_t)rules->of[reg].offset, &value, sizeof(value)))
            caller_put(ret, reg, value);
    }
    return CALLER_FOUND;
}
