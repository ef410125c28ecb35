/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/trace.h"

#include <stdlib.h>

#include "corefiles/layout/operation.h"
#include "corefiles/layout/relocations.h"

enum {
    STATES_MAX = 4, /* at one place; more are joined into the last */
    PLACES_MAX = 768,
    CALLS_MAX = 4,      /* within each other */
    STEPS_MAX = 100000, /* of a function; what it calls may take a part of what is left */
    STEPS_SHARE = 4,
};

/* Where ways meet, and with what they came. */
struct place {
    uint64_t pc;
    unsigned count;
    bool followed[STATES_MAX];
    struct ly_state states[STATES_MAX];
};

/* A function that is being followed. */
struct way {
    struct tracing *tracing;
    struct place *places;
    size_t count;
    struct place ends; /* it returns */
    bool is_incomplete;
    unsigned depth;
};

/* Where the third argument is at all calls of a function, wherever it jumps to. */
struct kept {
    const struct ly_function *function;
    bool any;
    uint16_t registers; /* bits */
    unsigned count;
    int32_t slots[LY_SLOTS_MAX]; /* from the stack pointer */
};

struct tracing {
    const struct ly_image *image;
    const struct ly_code *code;
    struct ly_trace *trace;
    unsigned steps_left;
    bool no_memory;
    uint64_t watched; /* where the stack pointer is asked for, 0 nowhere */
    struct ly_word stack;
    struct kept *kept; /* NULL: not asked for */
};

/* ---- places -------------------------------------------------------------------------------------------- */

static void arrive(struct place *place, const struct ly_state *state)
{
    for (unsigned i = 0; i < place->count; i++)
        if (ly_state_equal(&place->states[i], state))
            return;
    if (place->count < STATES_MAX) {
        place->states[place->count] = *state;
        place->followed[place->count++] = false;
        return;
    }
    struct ly_state joined = place->states[STATES_MAX - 1];
    ly_state_join(&joined, state);
    if (ly_state_equal(&joined, &place->states[STATES_MAX - 1]))
        return;
    place->states[STATES_MAX - 1] = joined;
    place->followed[STATES_MAX - 1] = false;
}

static bool new_place(struct way *way, uint64_t pc)
{
    enum { ROOM = 8 };

    if (way->count % ROOM == 0) {
        struct place *larger = reallocarray(way->places, way->count + ROOM, sizeof *larger);
        if (!larger) {
            way->tracing->no_memory = way->is_incomplete = true;
            return false;
        }
        way->places = larger;
    }
    way->places[way->count].pc = pc;
    way->places[way->count++].count = 0;
    return true;
}

static void go_on(struct way *way, uint64_t pc, const struct ly_state *state)
{
    size_t i = 0;

    while (i < way->count && way->places[i].pc != pc)
        i++;
    if (i == PLACES_MAX) {
        way->is_incomplete = true;
        return;
    }
    if (i == way->count && !new_place(way, pc))
        return;
    arrive(&way->places[i], state);
}

/* The nearest state that has not been followed. */
static bool next_state(struct way *way, uint64_t *pc, struct ly_state *ret)
{
    struct place *nearest = NULL;
    unsigned which = 0;

    for (size_t i = 0; i < way->count; i++)
        for (unsigned k = 0; k < way->places[i].count; k++)
            if (!way->places[i].followed[k] &&
                (!nearest || way->places[i].states[k].steps < nearest->states[which].steps)) {
                nearest = &way->places[i];
                which = k;
            }
    if (!nearest)
        return false;
    nearest->followed[which] = true;
    *pc = nearest->pc;
    *ret = nearest->states[which];
    return true;
}

/* ---- calls --------------------------------------------------------------------------------------------- */

static void follow(struct way *way, uint64_t pc, const struct ly_state *state);

/* The registers that a call does not keep, and what it returns. */
static void forget_call(struct tracing *t, uint64_t pc, struct ly_state *state)
{
    enum { NOT_KEPT = 0x0fc7 }; /* psABI, "Register Usage": rax, rcx, rdx, rsi, rdi, r8 to r11 */

    for (unsigned i = 0; i < X86_RIP; i++)
        if (NOT_KEPT & 1u << i)
            state->registers[i] = (struct ly_word){LY_UNKNOWN, 0};
    state->registers[X86_RAX].pointer = ly_returned(&t->trace->pointers, pc);
}

/* GNU's long form of a call of __tls_get_addr, which leaves the linker room for other code. */
static bool is_tls_call(const struct x86_instruction *x86)
{
    return x86->prefixes & X86_WORD && x86->prefixes & X86_WIDE;
}

/* Of a descriptor in the file, whose address rax has; all other registers are kept. (Thread-local storage
   descriptors, -mtls-dialect=gnu2.) */
static bool is_descriptor_call(const struct x86_instruction *x86, const struct ly_state *state)
{
    return x86->kind == X86_CALL_INDIRECT && x86->from == X86_NONE && x86->memory.base == X86_RAX &&
           x86->memory.index == X86_NONE && !x86->memory.displacement &&
           state->registers[X86_RAX].pointer == LY_FILE;
}

static bool is_argument(struct ly_word word)
{
    return word.pointer == LY_THIRD_ARGUMENT && !word.offset;
}

static void note_kept(struct kept *kept, uint64_t pc, const struct ly_state *state)
{
    enum { KEPT = 0xf028 }; /* psABI: rbx, rbp, r12 to r15 are kept by what is called */
    const struct ly_word rsp = state->registers[X86_RSP];
    struct kept here = {.function = kept->function, .any = true};
    unsigned left = 0;

    if (pc < kept->function->start || pc >= kept->function->end)
        return;
    for (unsigned i = 0; i < X86_RIP; i++)
        if (KEPT & 1u << i && is_argument(state->registers[i]))
            here.registers |= (uint16_t)(1u << i);
    for (unsigned i = 0; i < state->slot_count; i++)
        if (rsp.pointer == LY_STACK && state->slots[i].at >= rsp.offset && is_argument(state->slots[i].word))
            here.slots[here.count++] = state->slots[i].at - rsp.offset;
    if (!kept->any) {
        *kept = here;
        return;
    }
    kept->registers &= here.registers;
    for (unsigned i = 0; i < kept->count; i++)
        for (unsigned k = 0; k < here.count; k++)
            if (kept->slots[i] == here.slots[k]) {
                kept->slots[left++] = here.slots[k];
                break;
            }
    kept->count = left;
}

static void call(struct way *way, const struct ly_instruction *at, const struct ly_state *state)
{
    struct tracing *t = way->tracing;
    const uint64_t next = at->pc + at->x86.length;
    struct ly_state after = *state, inside = *state;
    struct way callee = {.tracing = t, .depth = way->depth + 1};
    const uint64_t called = at->x86.kind == X86_CALL   ? at->x86.address
                            : at->x86.from == X86_NONE ? ly_target(t->image, at->x86.address)
                                                       : 0;

    if (t->kept)
        note_kept(t->kept, at->pc, state);
    if (is_descriptor_call(&at->x86, state)) {
        after.registers[X86_RAX] =
            (struct ly_word){ly_loaded(&t->trace->pointers, LY_FILE, state->registers[X86_RAX].offset), 0};
        go_on(way, next, &after);
        return;
    }
    forget_call(t, at->pc, &after);
    if (is_tls_call(&at->x86)) {
        after.registers[X86_RAX] = (struct ly_word){LY_RECORD, 0};
    } else if (called && callee.depth < CALLS_MAX && state->registers[X86_RSP].pointer == LY_STACK) {
        const unsigned share = t->steps_left / STEPS_SHARE, rest = t->steps_left - share;
        ly_push(&inside, (struct ly_word){LY_UNKNOWN, 0});
        t->steps_left = share;
        follow(&callee, called, &inside);
        callee.is_incomplete |= !t->steps_left;
        t->steps_left += rest;
        for (unsigned i = 0; i < callee.ends.count; i++)
            go_on(way, next, &callee.ends.states[i]);
        if (callee.ends.count || !callee.is_incomplete)
            return; /* it never returns if it has no end */
    }
    go_on(way, next, &after);
}

static void end(struct way *way, const struct ly_state *state)
{
    struct ly_state after = *state;

    (void)ly_pop(&after);
    ly_forget_below(&after);
    arrive(&way->ends, &after);
}

/* A jump by a pointer in the file goes to another library's function, as those of the linkage table do, or to
   one of the file's own that is exported. */
static void jump_indirect(struct way *way, const struct ly_instruction *at, struct ly_state *state)
{
    if (at->x86.from != X86_NONE || at->x86.memory.base != X86_RIP) {
        way->is_incomplete = true;
        return;
    }
    const uint64_t own = ly_target(way->tracing->image, at->x86.address);
    if (own) {
        go_on(way, own, state);
        return;
    }
    forget_call(way->tracing, at->pc, state);
    end(way, state);
}

/* ---- ways ---------------------------------------------------------------------------------------------- */

/* Does the way go straight on? */
static bool branch(struct way *way, const struct ly_instruction *at, struct ly_state *state)
{
    const uint64_t next = at->pc + at->x86.length;

    switch (at->x86.kind) {
    case X86_CALL:
    case X86_CALL_INDIRECT:
        call(way, at, state);
        return false;
    case X86_JUMP_IF:
        go_on(way, next, state);
        go_on(way, at->x86.address, state);
        return false;
    case X86_JUMP:
        go_on(way, at->x86.address, state);
        return false;
    case X86_JUMP_INDIRECT:
        jump_indirect(way, at, state);
        return false;
    case X86_RETURN:
        end(way, state);
        return false;
    default:
        return at->x86.kind != X86_STOP;
    }
}

static bool is_same(const struct ly_access *a, const struct ly_access *b)
{
    return a->pointer == b->pointer && a->offset == b->offset && a->size == b->size && a->how == b->how &&
           a->stored.pointer == b->stored.pointer && a->stored.offset == b->stored.offset;
}

static void note(struct ly_trace *trace, const struct ly_access *access)
{
    if (!access->how)
        return;
    for (size_t i = 0; i < trace->count; i++)
        if (is_same(&trace->list[i], access)) {
            if (access->steps < trace->list[i].steps)
                trace->list[i].steps = access->steps;
            return;
        }
    if (trace->count < LY_ACCESSES_MAX)
        trace->list[trace->count++] = *access;
}

/* From PC up to where ways part or meet. */
static void run(struct way *way, uint64_t pc, struct ly_state *state)
{
    struct tracing *t = way->tracing;
    struct ly_access access;
    const size_t first = ly_at(t->code, pc);

    for (size_t i = first; i < t->code->count && t->code->list[i].pc == pc; i++) {
        const struct ly_instruction *at = &t->code->list[i];
        struct ly_state moved;
        if (!t->steps_left || (i > first && ly_is_start(t->image, pc)))
            return; /* into the next function: what was called before it does not return */
        if (pc == t->watched)
            t->stack = state->registers[X86_RSP];
        t->steps_left--;
        state->steps++;
        pc += at->x86.length;
        if (ly_moves_if(&t->trace->pointers, &at->x86, state, &moved))
            go_on(way, pc, &moved);
        ly_operate(&t->trace->pointers, &at->x86, state, &access);
        note(t->trace, &access);
        if (!branch(way, at, state))
            return;
    }
}

static void follow(struct way *way, uint64_t pc, const struct ly_state *start)
{
    struct ly_state state;

    go_on(way, pc, start);
    while (way->tracing->steps_left && next_state(way, &pc, &state))
        run(way, pc, &state);
    free(way->places);
}

static int trace_from(const struct ly_image *image, const struct ly_code *code, uint64_t function,
                      unsigned depth, struct kept *kept, struct ly_trace *ret)
{
    struct ly_trace trace = {.pointers = {.image = image, .count = LY_ROOTS}};
    struct tracing t = {.image = image, .code = code, .trace = &trace, .steps_left = STEPS_MAX, .kept = kept};
    struct way way = {.tracing = &t, .depth = depth};
    struct ly_state start;

    trace.list = calloc(LY_ACCESSES_MAX, sizeof *trace.list);
    if (!trace.list)
        return -1;
    ly_state_start(&start);
    follow(&way, function, &start);
    *ret = trace;
    if (!t.no_memory)
        return 0;
    ly_trace_free(ret);
    return -1;
}

int ly_trace(const struct ly_image *image, const struct ly_code *code, const struct ly_function *function,
             struct ly_trace *ret)
{
    return trace_from(image, code, function->start, 0, NULL, ret);
}

int ly_trace_alone(const struct ly_image *image, const struct ly_code *code, uint64_t function,
                   struct ly_trace *ret)
{
    return trace_from(image, code, function, CALLS_MAX, NULL, ret);
}

int ly_kept(const struct ly_image *image, const struct ly_code *code, const struct ly_function *function,
            struct ly_slot *ret)
{
    struct kept kept = {.function = function};
    struct ly_trace trace;
    uint8_t which = 0;

    if (trace_from(image, code, function->start, CALLS_MAX, &kept, &trace))
        return 1;
    ly_trace_free(&trace);
    while (which < X86_RIP && !(kept.registers & 1u << which))
        which++;
    if (which < X86_RIP)
        *ret = (struct ly_slot){.base = which};
    else if (kept.count)
        *ret = (struct ly_slot){X86_RSP, true, (unsigned)kept.slots[0]};
    else
        return 1;
    return 0;
}

unsigned ly_stack_depth(const struct ly_image *image, const struct ly_code *code, uint64_t pc)
{
    enum { AT_START = 8 }; /* the return address alone; a part of a function that lies elsewhere has more */
    struct ly_trace trace = {.pointers = {.image = image, .count = LY_ROOTS}};
    struct tracing t = {
        .image = image, .code = code, .trace = &trace, .steps_left = STEPS_MAX, .watched = pc};
    struct way way = {.tracing = &t, .depth = CALLS_MAX};
    const uint64_t function = ly_start_before(image, pc);
    struct ly_state start;

    if (!function || ly_frame(image, function) != AT_START)
        return 0;
    trace.list = calloc(LY_ACCESSES_MAX, sizeof *trace.list);
    if (!trace.list)
        return 0;
    ly_state_start(&start);
    follow(&way, function, &start);
    ly_trace_free(&trace);
    return t.stack.pointer == LY_STACK && t.stack.offset <= 0 ? (unsigned)(AT_START - t.stack.offset) : 0;
}

void ly_trace_free(struct ly_trace *trace)
{
    free(trace->list);
}

const struct ly_access *ly_first(const struct ly_trace *trace, uint16_t pointer, unsigned size, unsigned how)
{
    const struct ly_access *first = NULL;

    for (size_t i = 0; pointer != LY_UNKNOWN && i < trace->count; i++) {
        const struct ly_access *access = &trace->list[i];
        if (access->pointer == pointer && (!size || access->size == size) && (access->how & how) == how &&
            (!first || access->steps < first->steps))
            first = access;
    }
    return first;
}

bool ly_reads(const struct ly_trace *trace, uint16_t pointer, int32_t offset, unsigned size)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct ly_access *access = &trace->list[i];
        if (access->pointer == pointer && access->offset == offset && access->size == size &&
            access->how & LY_READS)
            return true;
    }
    return false;
}

uint16_t ly_first_element(const struct ly_trace *trace)
{
    const struct ly_access *first = NULL;

    for (size_t i = 0; i < trace->count; i++) {
        const struct ly_access *access = &trace->list[i];
        const struct ly_pointer *element = &trace->pointers.list[access->pointer];
        if (access->pointer >= LY_ROOTS && access->how == LY_READS && access->size >= 4 && !element->offset &&
            !element->stride && element->parent >= LY_ROOTS &&
            trace->pointers.list[element->parent].parent == LY_FILE &&
            (!first || access->steps < first->steps))
            first = access;
    }
    return first ? first->pointer : LY_UNKNOWN;
}
