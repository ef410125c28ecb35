/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/base/call_target.h"

#include <string.h>

/* -fno-plt calls by the table itself. */
enum { CALL = 0xe8, INDIRECT = 0xff, CALL_TABLE = 0x15, JUMP_TABLE = 0x25, BND = 0xf2, ENTRY = 16 };

static uint64_t relative(uint64_t next, const uint8_t *bytes)
{
    int32_t offset;

    memcpy(&offset, bytes, sizeof(offset));
    return next + (uint64_t)(int64_t)offset;
}

/* An entry of the procedure linkage table: [endbr64] [bnd] jmp *SLOT(%rip) */
static uint64_t slot_of_entry(insp_read *read, void *ctx, uint64_t entry)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    uint8_t code[ENTRY];
    size_t at = 0;

    if (read(ctx, entry, code, sizeof(code)))
        return 0;
    if (!memcmp(code, endbr64, sizeof(endbr64)))
        at = sizeof(endbr64);
    at += code[at] == BND;
    if (code[at] != INDIRECT || code[at + 1] != JUMP_TABLE)
        return 0;
    return relative(entry + at + 6, code + at + 2);
}

bool call_target_find(insp_read *read, void *ctx, uint64_t pc, struct call_target *ret)
{
    struct call_target found = {0, 0};
    uint8_t code[6];

    if (pc < sizeof(code) || read(ctx, pc - sizeof(code), code, sizeof(code)))
        return false;
    if (code[0] == INDIRECT && code[1] == CALL_TABLE) {
        found.slot = relative(pc, code + 2);
    } else if (code[1] == CALL) {
        found.direct = relative(pc, code + 2);
        found.slot = slot_of_entry(read, ctx, found.direct);
    } else {
        return false;
    }
    *ret = found;
    return true;
}

uint64_t call_target_function(insp_read *read, void *ctx, const struct call_target *call)
{
    uint64_t function;

    if (!call->slot)
        return call->direct;
    return read(ctx, call->slot, &function, sizeof(function)) ? 0 : function;
}

/* A call through a register or memory: FF /2, whose operand makes it LENGTH bytes long. */
static bool is_indirect(const uint8_t *code, unsigned length)
{
    const unsigned mod = code[1] >> 6, base = code[1] & 7;
    const unsigned sib = mod != 3 && base == 4;
    const bool wide = mod == 2 || (mod == 0 && (base == 5 || (sib && (code[2] & 7) == 5)));

    return code[0] == INDIRECT && (code[1] >> 3 & 7) == 2 && length == 2 + sib + (mod == 1) + 4 * wide;
}

bool call_target_returns(insp_read *read, void *ctx, uint64_t pc)
{
    uint8_t code[8]; /* the longest has 7 bytes behind its prefixes */

    if (pc < sizeof(code) || read(ctx, pc - sizeof(code), code, sizeof(code)))
        return false;
    if (code[3] == CALL)
        return true;
    for (unsigned length = 2; length <= 7; length++)
        if (is_indirect(code + sizeof(code) - length, length))
            return true;
    return false;
}
