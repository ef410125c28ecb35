/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/call_site.h"

#include <string.h>

#include "inspect/base/call_target.h"
#include "inspect/frames/code.h"
#include "inspect/target/hostcall.h"
#include "inspect/target/still.h"

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

static int read_code(void *session, uint64_t addr, void *buf, uint64_t size)
{
    return still_read(session, addr, buf, size);
}

static const char *called(insp_session *s, struct arena *a, uint64_t pc)
{
    struct call_target call;
    const char *direct;

    if (!call_target_find(read_code, s, pc, &call))
        return NULL;
    direct = call.direct ? symbol_at(s, a, call.direct) : NULL;
    return direct || !call.slot ? direct : by_slot(s, a, call.slot);
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
