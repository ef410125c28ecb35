/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/unwind/unwind.h"

#include "inspect/model/model.h"
#include "inspect/unwind/caller.h"
#include "inspect/unwind/eh_frame.h"
#include "inspect/unwind/frame_rules.h"
#include "inspect/target/hostcall.h"
#include "inspect/target/still.h"
#include "ompdx.h"

/* As in the hosts: a recursion that ran away is told by these. */
enum { FRAMES_MAX = 1024 };

struct unwound {
    struct insp_frame_registers *frames;
    uint32_t count;
    bool ended;   /* there are no more */
    bool unknown; /* the host is asked for what comes next */
};

/* The rules for the code at ADDR: many threads are at few places. NULL: none that can be followed. */
static const struct eh_rules *rules_at(insp_session *s, uint64_t addr)
{
    uint64_t *at = hash_find(&s->unwind_rules, addr, NULL);
    struct eh_rules *rules;

    if (at)
        return (const struct eh_rules *)(uintptr_t)*at;
    s->unwind_rules.arena = &s->still_memory;
    rules = arena_alloc(&s->still_memory, sizeof(*rules));
    if (!rules || (!eh_frame_rules(s, addr, rules) && !frame_rules_find(s, addr, rules)))
        rules = NULL;
    at = hash_add(&s->unwind_rules, addr, NULL);
    if (at)
        *at = (uintptr_t)rules;
    return rules;
}

static bool innermost(insp_session *s, int64_t lwp, struct insp_frame_registers *ret)
{
    uint64_t reg[ompdx_registers], known = 0;

    if (still_registers(s, lwp, reg, &known) || !(known >> ompdx_reg_rip & 1))
        return false;
    *ret = (struct insp_frame_registers){
        .pc = reg[ompdx_reg_rip], .known = UINT64_C(1) << ompdx_reg_rip, .exact = 1};
    caller_put_all(ret, reg, known);
    return true;
}

static int read_still(void *session, uint64_t addr, void *buf, uint64_t size)
{
    return still_read(session, addr, buf, size);
}

static void extend(insp_session *s, int64_t lwp, struct unwound *u)
{
    struct insp_frame_registers *rows = arena_grow(&s->still_memory, u->frames, u->count, sizeof(*rows));
    enum caller_found found;

    if (!rows || u->count >= FRAMES_MAX) {
        u->ended = true;
        return;
    }
    u->frames = rows;
    if (u->count) {
        const struct insp_frame_registers *inner = &rows[u->count - 1];

        const struct eh_rules *rules = rules_at(s, inner->pc - !inner->exact);

        found = caller_find(rules, read_still, s, inner, &rows[u->count]);
        if (found == CALLER_FOUND && rules->layout &&
            !frame_rules_lead_to(s, read_still, s, rows[u->count].pc))
            found = CALLER_UNKNOWN;
    } else {
        found = innermost(s, lwp, &rows[0]) ? CALLER_FOUND : CALLER_UNKNOWN;
    }
    u->ended = found == CALLER_NONE;
    u->unknown = found == CALLER_UNKNOWN;
    u->count += found == CALLER_FOUND;
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
