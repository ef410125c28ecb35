/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/owner/calls.h"

#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/target/dynamic.h"
#include "inspect/target/hostcall.h"
#include "inspect/target/mapped.h"
#include "inspect/target/still.h"
#include "machine/x86_64/x86.h"

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
    {"__cxa_guard_acquire", CALLS_GUARD, FLOW_MAY_TAKE, X86_RDI},
    {"__cxa_guard_release", CALLS_GUARD, FLOW_GIVES, X86_RDI},
    {"__cxa_guard_abort", CALLS_GUARD, FLOW_GIVES, X86_RDI},
};

enum { ROWS = sizeof(table) / sizeof(*table), STUB = 32 };

/* What a call leads to. */
struct callee {
    uint64_t address;
    uint64_t slot; /**< the word of the global offset table that has the address; 0: none */
};

/* What an entry of a linkage table jumps to, [endbr64] [bnd] jmp *SLOT(%rip); else TARGET itself. */
static struct callee through_stub(insp_session *s, uint64_t target)
{
    struct x86_instruction i;
    uint8_t code[STUB];
    size_t at = 0;
    uint64_t found;

    if (still_read(s, target, code, sizeof(code)))
        return (struct callee){target, 0};
    for (int n = 0; n < 2 && !x86_decode(code + at, sizeof(code) - at, target + at, &i); n++) {
        if (i.kind == X86_JUMP_INDIRECT && i.from == X86_NONE && i.address &&
            !still_read(s, i.address, &found, sizeof(found)))
            return (struct callee){found, i.address};
        if (i.map != 1 || i.opcode != 0x1e) /* endbr64 */
            break;
        at += i.length;
    }
    return (struct callee){target, 0};
}

/* The row of a function by its name, which a symbol's may follow with a version; -1. */
static int row_of(const char *symbol)
{
    const size_t length = strcspn(symbol, "@");

    for (int r = 0; r < ROWS; r++)
        if (strlen(table[r].name) == length && !strncmp(table[r].name, symbol, length))
            return r;
    return -1;
}

/* A function that was never called: its slot leads to the code behind its entry, which calls the loader. */
static bool is_unbound(insp_session *s, uint64_t target, const struct callee *callee)
{
    const struct insp_known_module *m = callee->slot ? mapped_at(s, target) : NULL;

    return m && m == mapped_at(s, callee->address);
}

static int find_unbound(insp_session *s, const struct callee *callee)
{
    const struct insp_known_module *m = mapped_at(s, callee->slot);
    struct dynamic d = {0};
    char name[DYNAMIC_NAME];

    return m && dynamic_read(s, m, &d) && dynamic_slot(s, &d, callee->slot, name) ? row_of(name) : -1;
}

/* The row of the function at TARGET, -1. */
static int find(insp_session *s, uint64_t target)
{
    const struct callee callee = through_stub(s, target);
    struct insp_place place;
    enum insp_code code;
    int r;

    if (is_unbound(s, target, &callee))
        return find_unbound(s, &callee);
    code = code_at(s, callee.address, NULL);
    if ((code != INSP_CODE_OPENMP && code_is_users(code)) || host_place(s, callee.address, &place) ||
        !place.symbol || place.offset)
        return -1;
    r = row_of(place.symbol);
    return r < 0 || table[r].kind == CALLS_GUARD || code == INSP_CODE_OPENMP ? r : -1;
}

/* Is the mutex one that the runtime which has TARGET has itself? Of a call that was never made, that any
   runtime has: the loader would find the same one for it as for the other calls. */
static bool is_runtimes_own(insp_session *s, uint64_t target, uint64_t mutex)
{
    const struct callee callee = through_stub(s, target);
    const struct insp_known_module *m = mapped_at(s, callee.address);

    if (is_unbound(s, target, &callee))
        return code_at(s, mutex, NULL) == INSP_CODE_OPENMP;
    return m && m == mapped_at(s, mutex);
}

struct flow_call calls_effect(struct calls *c, uint64_t target, enum mdl_wait_kind kind, uint64_t mutex)
{
    const struct flow_call nothing = {FLOW_NOTHING, X86_NONE};
    const uint64_t *known = hash_find(&c->known, target, NULL);
    int r = known ? (int)*known - 1 : find(c->session, target);

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
