/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/target/still.h"

#include <string.h>

#include "inspect/model/model.h"
#include "inspect/target/hostcall.h"

enum { PAGE = 4096 };

/* NULL: it cannot be read as a whole, or memory is short. */
static const char *page_of(insp_session *s, uint64_t number)
{
    uint64_t *at = hash_find(&s->still, number, NULL);
    char *bytes;

    if (at)
        return (const char *)(uintptr_t)*at;
    s->still.arena = &s->still_memory;
    bytes = arena_alloc(&s->still_memory, PAGE);
    at = bytes ? hash_add(&s->still, number, NULL) : NULL;
    if (!at || host_read(s, number * PAGE, bytes, PAGE))
        return NULL;
    *at = (uintptr_t)bytes;
    return bytes;
}

int still_read(insp_session *s, uint64_t addr, void *buf, size_t size)
{
    char *to = buf;

    if (!s->taking || s->taking->moving || addr + size < addr)
        return host_read(s, addr, buf, size);
    while (size) {
        const size_t from = addr % PAGE, part = size < PAGE - from ? size : PAGE - from;
        const char *bytes = page_of(s, addr / PAGE);
        /* A core or a file may end within a page. */
        int rc = bytes ? 0 : host_read(s, addr, to, part);

        if (rc)
            return rc;
        if (bytes)
            memcpy(to, bytes + from, part);
        to += part;
        addr += part;
        size -= part;
    }
    return 0;
}

/** A thread's registers, as host_registers has told them. */
struct registers {
    uint64_t reg[27], known;
};

int still_registers(insp_session *s, int64_t lwp, uint64_t reg[27], uint64_t *known)
{
    const bool keep = s->taking && !s->taking->moving;
    uint64_t *at = keep ? hash_find(&s->registers, (uint64_t)lwp, NULL) : NULL;
    const struct registers *had = at ? (const struct registers *)(uintptr_t)*at : NULL;
    struct registers *kept;
    int rc;

    if (had) {
        memcpy(reg, had->reg, sizeof(had->reg));
        *known = had->known;
        return 0;
    }
    rc = host_registers(s, lwp, reg, known);
    kept = keep && !rc ? arena_alloc(&s->still_memory, sizeof(*kept)) : NULL;
    s->registers.arena = &s->still_memory;
    at = kept ? hash_add(&s->registers, (uint64_t)lwp, NULL) : NULL;
    if (at) {
        memcpy(kept->reg, reg, sizeof(kept->reg));
        kept->known = *known;
        *at = (uintptr_t)kept;
    }
    return rc;
}

bool still_has(const insp_session *s, uint64_t addr, void *buf, size_t size)
{
    char *to = buf;

    if (!s->still.count || addr + size < addr)
        return false;
    while (size) {
        const size_t from = addr % PAGE, part = size < PAGE - from ? size : PAGE - from;
        const uint64_t *at = hash_find(&s->still, addr / PAGE, NULL);

        if (!at || !*at)
            return false;
        memcpy(to, (const char *)(uintptr_t)*at + from, part);
        to += part;
        addr += part;
        size -= part;
    }
    return true;
}

void still_forget(insp_session *s)
{
    arena_free(&s->still_memory);
    s->still = s->unwind_rules = s->unwound = s->registers = (struct hash){0};
    s->still_memory = (struct arena){0};
}
