/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/call_site.h"

#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/session/hostcall.h"
#include "inspect/session/still.h"

/* Of the instructions of x86-64: psABI, "Procedure Linkage Table"; -fno-plt calls by the table itself. */
enum { CALL = 0xe8, INDIRECT = 0xff, CALL_TABLE = 0x15, JUMP_TABLE = 0x25, BND = 0xf2, STUB = 16 };

static uint64_t relative(uint64_t next, const uint8_t *bytes)
{
    int32_t offset;

    memcpy(&offset, bytes, sizeof(offset));
    return next + (uint64_t)(int64_t)offset;
}

static bool ends(const char *symbol, const char *with)
{
    const size_t n = strlen(symbol), m = strlen(with);

    return n > m && !strcmp(symbol + n - m, with);
}

/* The symbol that begins at ADDR, if it is libc's, or that of an entry for a function of libc's: a debugger
   calls that sem_wait@plt, and its slot in the global offset table sem_wait@got.plt. */
static const char *symbol_at(insp_session *s, struct arena *a, uint64_t addr)
{
    struct insp_place place;

    if (host_place(s, addr, &place) || !place.symbol || !*place.symbol || place.offset)
        return NULL;
    if (ends(place.symbol, "@plt") || ends(place.symbol, "@got.plt"))
        return arena_printf(a, "%.*s", (int)(strrchr(place.symbol, '@') - place.symbol), place.symbol);
    return code_at(s, addr, &place) == INSP_CODE_LIBC ? arena_str(a, place.symbol) : NULL;
}

static const char *by_slot(insp_session *s, struct arena *a, uint64_t slot)
{
    const char *named = symbol_at(s, a, slot);
    uint64_t addr;

    return named || still_read(s, slot, &addr, sizeof(addr)) ? named : symbol_at(s, a, addr);
}

/* An entry of the procedure linkage table: [endbr64] [bnd] jmp *SLOT(%rip) */
static const char *by_stub(insp_session *s, struct arena *a, uint64_t entry)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    uint8_t code[STUB];
    size_t at = 0;

    if (still_read(s, entry, code, sizeof(code)))
        return NULL;
    if (!memcmp(code, endbr64, sizeof(endbr64)))
        at = sizeof(endbr64);
    at += code[at] == BND;
    if (code[at] != INDIRECT || code[at + 1] != JUMP_TABLE)
        return NULL;
    return by_slot(s, a, relative(entry + at + 6, code + at + 2));
}

static const char *called(insp_session *s, struct arena *a, uint64_t pc)
{
    uint8_t code[6];
    const char *direct;
    uint64_t target;

    if (pc < sizeof(code) || still_read(s, pc - sizeof(code), code, sizeof(code)))
        return NULL;
    if (code[0] == INDIRECT && code[1] == CALL_TABLE)
        return by_slot(s, a, relative(pc, code + 2));
    if (code[1] != CALL)
        return NULL;
    target = relative(pc, code + 2);
    direct = symbol_at(s, a, target);
    return direct ? direct : by_stub(s, a, target);
}

const char *call_site_symbol(insp_session *s, struct call_sites *known, uint64_t pc)
{
    uint64_t *at = hash_add(&known->by_address, pc, NULL);
    const char *symbol;

    if (!at)
        return NULL;
    if (!*at) {
        symbol = called(s, known->arena, pc);
        *at = (uintptr_t)(symbol ? symbol : "");
    }
    symbol = (const char *)(uintptr_t)*at;
    return *symbol ? symbol : NULL;
}
