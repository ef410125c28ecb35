/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/owner/calls.h"

#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/session/hostcall.h"
#include "inspect/session/mapped.h"
#include "inspect/session/still.h"
#include "x86/x86.h"

struct row {
    const char *name;
    enum mdl_wait_kind kind;
    enum flow_effect effect;
    uint8_t argument; /* X86_NONE: the one of its kind that has no name, which the runtime has itself */
};

/* In clang's calls the source location and the thread's number come before the mutex. */
static const struct row table[] = {
    {"GOMP_critical_start", MDL_WAIT_CRITICAL, FLOW_TAKES, X86_NONE},
    {"GOMP_critical_end", MDL_WAIT_CRITICAL, FLOW_GIVES, X86_NONE},
    {"GOMP_critical_name_start", MDL_WAIT_CRITICAL, FLOW_TAKES, X86_RDI},
    {"GOMP_critical_name_end", MDL_WAIT_CRITICAL, FLOW_GIVES, X86_RDI},
    {"__kmpc_critical", MDL_WAIT_CRITICAL, FLOW_TAKES, X86_RDX},
    {"__kmpc_critical_with_hint", MDL_WAIT_CRITICAL, FLOW_TAKES, X86_RDX},
    {"__kmpc_end_critical", MDL_WAIT_CRITICAL, FLOW_GIVES, X86_RDX},
    {"GOMP_atomic_start", MDL_WAIT_ATOMIC, FLOW_TAKES, X86_NONE},
    {"GOMP_atomic_end", MDL_WAIT_ATOMIC, FLOW_GIVES, X86_NONE},
    {"omp_set_lock", MDL_WAIT_LOCK, FLOW_TAKES, X86_RDI},
    {"omp_set_lock_", MDL_WAIT_LOCK, FLOW_TAKES, X86_RDI},
    {"omp_test_lock", MDL_WAIT_LOCK, FLOW_MAY_TAKE, X86_RDI},
    {"omp_test_lock_", MDL_WAIT_LOCK, FLOW_MAY_TAKE, X86_RDI},
    {"omp_unset_lock", MDL_WAIT_LOCK, FLOW_GIVES, X86_RDI},
    {"omp_unset_lock_", MDL_WAIT_LOCK, FLOW_GIVES, X86_RDI},
    {"__kmpc_set_lock", MDL_WAIT_LOCK, FLOW_TAKES, X86_RDX},
    {"__kmpc_test_lock", MDL_WAIT_LOCK, FLOW_MAY_TAKE, X86_RDX},
    {"__kmpc_unset_lock", MDL_WAIT_LOCK, FLOW_GIVES, X86_RDX},
};

enum { ROWS = sizeof(table) / sizeof(*table), STUB = 32, NAME = 64 };

/* What an entry of a linkage table jumps to, [endbr64] [bnd] jmp *SLOT(%rip); else TARGET itself. */
static uint64_t through_stub(insp_session *s, uint64_t target)
{
    struct x86_instruction i;
    uint8_t code[STUB];
    size_t at = 0;
    uint64_t found;

    if (still_read(s, target, code, sizeof(code)))
        return target;
    for (int n = 0; n < 2 && !x86_decode(code + at, sizeof(code) - at, target + at, &i); n++) {
        if (i.kind == X86_JUMP_INDIRECT && i.from == X86_NONE && i.address &&
            !still_read(s, i.address, &found, sizeof(found)))
            return found;
        if (i.map != 1 || i.opcode != 0x1e) /* endbr64 */
            break;
        at += i.length;
    }
    return target;
}

/* The row of the function at TARGET, -1. */
static int find(insp_session *s, uint64_t target)
{
    struct insp_place place;
    char name[NAME];
    size_t length;

    if (code_at(s, target, NULL) != INSP_CODE_OPENMP || host_place(s, target, &place) || !place.symbol ||
        place.offset)
        return -1;
    length = strcspn(place.symbol, "@");
    if (length >= sizeof(name))
        return -1;
    memcpy(name, place.symbol, length);
    name[length] = 0;
    for (int r = 0; r < ROWS; r++)
        if (!strcmp(table[r].name, name))
            return r;
    return -1;
}

/* Is the mutex one that the runtime which has TARGET has itself? */
static bool is_runtimes_own(insp_session *s, uint64_t target, uint64_t mutex)
{
    const struct insp_known_module *m = mapped_at(s, through_stub(s, target));

    return m && m == mapped_at(s, mutex);
}

struct flow_call calls_effect(struct calls *c, uint64_t target, enum mdl_wait_kind kind, uint64_t mutex)
{
    const struct flow_call nothing = {FLOW_NOTHING, X86_NONE};
    const uint64_t *known = hash_find(&c->known, target, NULL);
    int r = known ? (int)*known - 1 : find(c->session, through_stub(c->session, target));

    if (!known) {
        uint64_t *at = hash_add(&c->known, target, NULL);

        if (at)
            *at = (uint64_t)((int64_t)r + 1);
    }
    if (r < 0 || table[r].kind != kind)
        return nothing;
    if (table[r].argument == X86_NONE && !is_runtimes_own(c->session, target, mutex))
        return nothing;
    return (struct flow_call){table[r].effect, table[r].argument};
}
