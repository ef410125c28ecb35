/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/operation.h"

#include "corefiles/layout/relocations.h"

/* Opcodes of one byte, and what the register field of their second byte says. */
enum {
    OP_ADD_TO = 0x01,
    OP_ADD = 0x03,
    OP_ADD_RAX = 0x05,
    OP_SUBTRACT_RAX = 0x2d,
    OP_XOR_TO = 0x31,
    OP_XOR = 0x33,
    OP_COMPARE_FIRST = 0x38,
    OP_COMPARE_LAST = 0x3d,
    OP_MULTIPLY = 0x69,
    OP_MULTIPLY_BYTE = 0x6b,
    OP_GROUP_FIRST = 0x80,
    OP_GROUP = 0x81,
    OP_GROUP_BYTE = 0x83,
    OP_TEST = 0x85,
    OP_EXCHANGE_BYTE = 0x86,
    OP_EXCHANGE = 0x87,
    OP_LOAD_BYTE = 0x8a, /* the rest of the register stays */
    OP_SHIFT = 0xc1,
    OP_LEAVE = 0xc9,
    OP_UNARY_BYTE = 0xf6,
    OP_UNARY = 0xf7,
    GROUP_ADD = 0,
    GROUP_AND = 4,
    GROUP_SHIFT_LEFT = 4,
    GROUP_SUBTRACT = 5,
    GROUP_COMPARE = 7,
    /* of two bytes */
    OP_PREFETCH = 0x18,
    OP_NOTHING = 0x1f,
    OP_MOVE_IF = 0x40,
    OP_COMPARE_EXCHANGE = 0xb1,
    OP_EXCHANGE_ADD = 0xc1,
    OP_COMPARE_EXCHANGE_PAIR = 0xc7, /* and xsavec */
};

static const struct ly_word unknown = {LY_UNKNOWN, 0};

static bool is_plain(const struct x86_instruction *x86)
{
    return x86->encoding == X86_LEGACY && x86->map == 0;
}

static bool is_memory(const struct x86_instruction *x86)
{
    const bool is_hint = x86->encoding == X86_LEGACY && x86->map == 1 && x86->opcode >= OP_PREFETCH &&
                         x86->opcode <= OP_NOTHING;

    return x86->has_modrm && x86->mod != 3 && !is_hint;
}

/* ---- words --------------------------------------------------------------------------------------------- */

static struct ly_word number(int64_t value)
{
    return value == (int32_t)value ? (struct ly_word){LY_NUMBER, (int32_t)value} : unknown;
}

static struct ly_word plus(struct ly_word word, int64_t add)
{
    const int64_t sum = word.offset + add;

    if (word.pointer == LY_UNKNOWN || (word.pointer == LY_MULTIPLE && add) || add != (int32_t)add ||
        sum != (int32_t)sum)
        return unknown;
    return (struct ly_word){word.pointer, (int32_t)sum};
}

static struct ly_word times(struct ly_word word, int64_t factor)
{
    enum { FACTOR_MAX = 1 << 16 }; /* no structure has so many bytes */
    const int64_t product = word.pointer == LY_MULTIPLE ? word.offset * factor : factor;

    if (word.pointer == LY_NUMBER && factor > 0 && factor <= FACTOR_MAX)
        return number(word.offset * factor);
    if ((word.pointer != LY_UNKNOWN && word.pointer != LY_MULTIPLE) || factor <= 0 || factor > FACTOR_MAX ||
        product > FACTOR_MAX)
        return unknown;
    return (struct ly_word){LY_MULTIPLE, (int32_t)product};
}

/* An element of an array of structures at WORD; not of one of words, and of no variable. */
static struct ly_word element(struct ly_pointers *pointers, struct ly_word word, struct ly_word multiple)
{
    enum { STRIDE_MIN = 16 };
    const bool is_array = word.pointer >= LY_ROOTS && multiple.offset >= STRIDE_MIN;
    const uint16_t found = is_array ? ly_element(pointers, word.pointer, multiple.offset) : LY_UNKNOWN;

    return found ? (struct ly_word){found, word.offset} : unknown;
}

/* Is it what the file keeps of how far a thread-local variable is from the thread pointer? */
static bool is_kept_distance(const struct ly_pointers *pointers, struct ly_word word)
{
    return word.pointer >= LY_ROOTS && pointers->list[word.pointer].parent == LY_FILE && !word.offset;
}

static struct ly_word sum(struct ly_pointers *pointers, struct ly_word a, struct ly_word b)
{
    if (a.pointer == LY_THREAD_POINTER && is_kept_distance(pointers, b))
        return (struct ly_word){LY_RECORD, a.offset};
    if (b.pointer == LY_THREAD_POINTER && is_kept_distance(pointers, a))
        return (struct ly_word){LY_RECORD, b.offset};
    if ((a.pointer == LY_MULTIPLE && b.pointer == LY_UNKNOWN) ||
        (b.pointer == LY_MULTIPLE && a.pointer == LY_UNKNOWN))
        return (struct ly_word){LY_MULTIPLE, 0}; /* perhaps of the same number: then it is more of that */
    if (a.pointer == LY_MULTIPLE || b.pointer == LY_MULTIPLE)
        return a.pointer == LY_MULTIPLE ? element(pointers, b, a) : element(pointers, a, b);
    return a.pointer == LY_NUMBER ? plus(b, a.offset) : b.pointer == LY_NUMBER ? plus(a, b.offset) : unknown;
}

/* The address that the instruction's memory operand has. */
static struct ly_word address_of(struct ly_pointers *pointers, const struct x86_instruction *x86,
                                 const struct ly_state *state)
{
    const struct x86_memory *m = &x86->memory;
    struct ly_word base;

    if (x86->encoding == X86_EVEX || m->segment == 'g')
        return unknown;
    if (m->segment == 'f') /* the distance in a register, or in no register */
        return plus((struct ly_word){m->base < X86_RIP ? LY_RECORD : LY_THREAD_POINTER, 0},
                    m->index == X86_NONE ? m->displacement : INT64_MAX);
    if (m->base == X86_RIP)
        return plus((struct ly_word){LY_FILE, 0}, (int64_t)x86->address);
    base = m->base < X86_RIP ? state->registers[m->base] : number(0);
    if (m->index < X86_RIP && m->index == m->base)
        base = times(base, m->scale + 1);
    else if (m->index < X86_RIP && m->base == X86_NONE)
        base = times(state->registers[m->index], m->scale);
    else if (m->index < X86_RIP && m->scale == 1)
        base = sum(pointers, base, state->registers[m->index]);
    else if (m->index < X86_RIP && (state->registers[m->index].pointer == LY_MULTIPLE ||
                                    state->registers[m->index].pointer == LY_NUMBER))
        base = sum(pointers, base, times(state->registers[m->index], m->scale));
    else if (m->index < X86_RIP && (m->scale != 8 || base.pointer < LY_ROOTS))
        base = unknown; /* else an element of a list of pointers, whichever */
    return plus(base, m->displacement);
}

/* The word of 8 bytes at ADDRESS. */
static struct ly_word word_at(struct ly_pointers *pointers, const struct ly_state *state,
                              struct ly_word address)
{
    if (address.pointer == LY_STACK)
        return ly_slot_get(state, address.offset);
    if (address.pointer == LY_THREAD_POINTER)
        return address.offset ? unknown : address; /* it is kept there itself */
    const uint64_t target =
        address.pointer == LY_FILE ? ly_target(pointers->image, (uint64_t)(int64_t)address.offset) : 0;
    if (target)
        return plus((struct ly_word){LY_FILE, 0}, (int64_t)target);
    return (struct ly_word){ly_loaded(pointers, address.pointer, address.offset), 0};
}

/* The operand that is a register or memory. */
static struct ly_word operand(struct ly_pointers *pointers, const struct x86_instruction *x86,
                              const struct ly_state *state)
{
    if (x86->mod == 3)
        return state->registers[x86->rm];
    return word_at(pointers, state, address_of(pointers, x86, state));
}

/* ---- the stack ----------------------------------------------------------------------------------------- */

void ly_push(struct ly_state *state, struct ly_word word)
{
    struct ly_word *rsp = &state->registers[X86_RSP];

    *rsp = plus(*rsp, -8);
    if (rsp->pointer == LY_STACK)
        ly_slot_set(state, rsp->offset, 8, word);
}

struct ly_word ly_pop(struct ly_state *state)
{
    struct ly_word *rsp = &state->registers[X86_RSP];
    const struct ly_word top = rsp->pointer == LY_STACK ? ly_slot_get(state, rsp->offset) : unknown;

    *rsp = plus(*rsp, 8);
    return top;
}

void ly_forget_below(struct ly_state *state)
{
    const struct ly_word rsp = state->registers[X86_RSP];

    if (rsp.pointer != LY_STACK)
        state->slot_count = 0;
    else
        ly_slot_set(state, INT32_MIN, (unsigned)((int64_t)rsp.offset - INT32_MIN), unknown);
}

static struct ly_word pushed(struct ly_pointers *pointers, const struct x86_instruction *x86,
                             const struct ly_state *state)
{
    return x86->from < X86_RIP ? state->registers[x86->from]
           : x86->has_modrm    ? operand(pointers, x86, state)
                               : number(x86->immediate);
}

/* Does it push, pop or leave? Then that is done. */
static bool use_stack(struct ly_pointers *pointers, const struct x86_instruction *x86, struct ly_state *state)
{
    struct ly_word *registers = state->registers;

    if (x86->kind == X86_PUSH) {
        ly_push(state, pushed(pointers, x86, state));
    } else if (x86->kind == X86_POP) {
        const struct ly_word top = ly_pop(state);
        if (x86->to < X86_RIP)
            registers[x86->to] = top;
    } else if (is_plain(x86) && x86->opcode == OP_LEAVE) {
        registers[X86_RSP] = registers[X86_RBP];
        registers[X86_RBP] = ly_pop(state);
    } else {
        return false;
    }
    return true;
}

/* ---- registers ----------------------------------------------------------------------------------------- */

/* The stack pointer is made a multiple: of the multiples that it may be at the start, the usual one. */
static struct ly_word aligned(struct ly_word word, int64_t mask)
{
    return word.pointer == LY_STACK && mask < 0
               ? plus(word, (((int64_t)word.offset + 8) & mask) - 8 - word.offset)
               : unknown;
}

/* Sums and the like of a register of 64 bits, TO. */
static bool calculate(struct ly_pointers *pointers, const struct x86_instruction *x86,
                      const struct ly_state *state, uint8_t *to, struct ly_word *ret)
{
    const uint8_t what = x86->reg & 7;
    const bool is_group = x86->opcode == OP_GROUP || x86->opcode == OP_GROUP_BYTE;
    const bool is_product = x86->opcode == OP_MULTIPLY || x86->opcode == OP_MULTIPLY_BYTE;

    if (!is_plain(x86))
        return false;
    if ((x86->opcode == OP_XOR || x86->opcode == OP_XOR_TO) && x86->mod == 3 && x86->rm == x86->reg) {
        *to = x86->rm;
        *ret = number(0);
        return true;
    }
    if (!(x86->prefixes & X86_WIDE))
        return false;
    *to = X86_RAX;
    if (x86->opcode == OP_ADD_RAX || x86->opcode == OP_SUBTRACT_RAX)
        *ret = plus(state->registers[X86_RAX], x86->opcode == OP_ADD_RAX ? x86->immediate : -x86->immediate);
    else if (x86->opcode == OP_ADD || (x86->opcode == OP_ADD_TO && x86->mod == 3)) {
        *to = x86->opcode == OP_ADD ? x86->reg : x86->rm;
        *ret = sum(pointers, state->registers[x86->reg], operand(pointers, x86, state));
    } else if (is_group && x86->mod == 3) {
        *to = x86->rm;
        *ret = what == GROUP_ADD        ? plus(state->registers[x86->rm], x86->immediate)
               : what == GROUP_SUBTRACT ? plus(state->registers[x86->rm], -x86->immediate)
               : what == GROUP_AND      ? aligned(state->registers[x86->rm], x86->immediate)
                                        : unknown;
        return what != GROUP_COMPARE;
    } else if (is_product) {
        *to = x86->reg;
        *ret = times(operand(pointers, x86, state), x86->immediate);
    } else if (x86->opcode == OP_SHIFT && what == GROUP_SHIFT_LEFT && x86->mod == 3) {
        *to = x86->rm;
        *ret = times(state->registers[x86->rm],
                     x86->immediate >= 0 && x86->immediate < 32 ? (int64_t)1 << x86->immediate : 0);
    } else
        return false;
    return true;
}

/* What one register becomes; false: it is not known. */
static bool result(struct ly_pointers *pointers, const struct x86_instruction *x86,
                   const struct ly_state *state, uint8_t *to, struct ly_word *ret)
{
    *to = x86->to;
    switch (x86->kind) {
    case X86_MOVE:
        *ret = state->registers[x86->from];
        return x86->size == 8 || ret->pointer == LY_NUMBER;
    case X86_SET:
        *ret = number(x86->immediate);
        return true;
    case X86_LEA:
        *ret = address_of(pointers, x86, state);
        return x86->size == 8 || ret->pointer == LY_MULTIPLE;
    case X86_LOAD:
        *ret = operand(pointers, x86, state);
        return x86->size == 8;
    default:
        return calculate(pointers, x86, state, to, ret);
    }
}

static bool is_move_if(const struct x86_instruction *x86)
{
    return x86->encoding == X86_LEGACY && x86->map == 1 && (x86->opcode & 0xf0) == OP_MOVE_IF &&
           x86->size == 8;
}

bool ly_moves_if(struct ly_pointers *pointers, const struct x86_instruction *x86,
                 const struct ly_state *state, struct ly_state *ret)
{
    if (!is_move_if(x86))
        return false;
    *ret = *state;
    ret->registers[x86->reg] = operand(pointers, x86, state);
    return true;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static bool is_comparison(const struct x86_instruction *x86)
{
    const uint8_t opcode = x86->opcode, what = x86->reg & 7;

    return is_plain(x86) && ((opcode >= OP_COMPARE_FIRST && opcode <= OP_COMPARE_LAST) ||
                             (opcode >= OP_GROUP_FIRST && opcode <= OP_GROUP_BYTE && what == GROUP_COMPARE) ||
                             (opcode >= OP_GROUP_BYTE + 1 && opcode <= OP_TEST) ||
                             ((opcode == OP_UNARY_BYTE || opcode == OP_UNARY) && what < 2));
}

/* Of vectors the decoder does not say how much they are. */
static uint8_t bytes_of(const struct x86_instruction *x86)
{
    const bool is_sized = is_plain(x86) || x86->kind == X86_LOAD || is_move_if(x86) ||
                          (x86->encoding == X86_LEGACY && x86->map == 1 &&
                           (x86->opcode == OP_COMPARE_EXCHANGE || x86->opcode == OP_EXCHANGE_ADD));

    return is_sized ? x86->size : 0;
}

/* At most so many are stored: of vectors as many as the encoding has, by fxsave and the like a state. */
static unsigned most_bytes(const struct x86_instruction *x86)
{
    enum { OP_STATES = 0xae, STATE_BYTES = 4096 };

    if (bytes_of(x86))
        return bytes_of(x86);
    if (x86->map == 1 && (x86->opcode == OP_STATES || x86->opcode == OP_COMPARE_EXCHANGE_PAIR))
        return STATE_BYTES;
    return x86->encoding == X86_EVEX ? 64 : x86->encoding == X86_VEX ? 32 : 16;
}

static uint8_t how(const struct x86_instruction *x86)
{
    if (x86->prefixes & X86_LOCKED ||
        (is_plain(x86) && (x86->opcode == OP_EXCHANGE_BYTE || x86->opcode == OP_EXCHANGE)))
        return LY_READS | LY_STORES | LY_ATOMIC;
    if (x86->kind == X86_STORE)
        return LY_STORES;
    if (is_plain(x86) && x86->opcode == OP_LOAD_BYTE)
        return LY_READS;
    return x86->kind == X86_LOAD || is_comparison(x86) || is_move_if(x86) ? LY_READS : LY_READS | LY_STORES;
}

static struct ly_word stored(const struct x86_instruction *x86, const struct ly_state *state)
{
    if (x86->kind != X86_STORE)
        return unknown;
    if (x86->from == X86_NONE)
        return number(x86->immediate);
    const struct ly_word word = state->registers[x86->from % X86_RIP];
    return x86->size == 8 || word.pointer == LY_NUMBER ? word : unknown;
}

static void access_memory(struct ly_pointers *pointers, const struct x86_instruction *x86,
                          struct ly_state *state, struct ly_access *access)
{
    const struct ly_word address = address_of(pointers, x86, state);
    const uint8_t size = bytes_of(x86);

    if (address.pointer == LY_STACK) {
        if (how(x86) & LY_STORES)
            ly_slot_set(state, address.offset, most_bytes(x86), stored(x86, state));
    } else if (address.pointer != LY_UNKNOWN && address.pointer != LY_NUMBER &&
               address.pointer != LY_MULTIPLE) {
        *access = (struct ly_access){.steps = state->steps,
                                     .pointer = address.pointer,
                                     .offset = address.offset,
                                     .size = size,
                                     .how = how(x86),
                                     .stored = stored(x86, state)};
    }
}

void ly_operate(struct ly_pointers *pointers, const struct x86_instruction *x86, struct ly_state *state,
                struct ly_access *access)
{
    struct ly_word word = unknown;
    uint8_t to = X86_NONE;

    *access = (struct ly_access){.how = 0};
    if (x86->kind == X86_CALL || x86->kind == X86_CALL_INDIRECT || x86->kind == X86_JUMP_INDIRECT ||
        x86->kind == X86_RETURN || use_stack(pointers, x86, state))
        return;
    if (x86->kind != X86_LEA && is_memory(x86))
        access_memory(pointers, x86, state, access);
    if (is_move_if(x86))
        return;
    const bool known = result(pointers, x86, state, &to, &word);
    for (unsigned i = 0; i < X86_RIP; i++)
        if (x86->writes & 1u << i)
            state->registers[i] = unknown;
    if (known && to < X86_RIP)
        state->registers[to] = word;
}
