/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/x86_64/x86.h"

#include "machine/x86_64/writes.h"

/*
 * What follows an opcode: '.' nothing, 'm' a ModRM byte, 'b' 'w' 'z' an immediate of 1, 2, 4 bytes (z: 2 with
 * the prefix 66), 'v' one of the operand's size, 'e' those of enter, 'o' an address of 8 bytes, 'M' and 'Z'
 * ModRM and b or z, 'g' and 'G' the same if ModRM.reg is 0 or 1, 'r' and 'R' a jump's distance of 1 and 4
 * bytes, 'p' a prefix or an escape, 'x' it is none.
 */
static const char one_byte[] = "mmmmbzxxmmmmbzxp"
                               "mmmmbzxxmmmmbzxx"
                               "mmmmbzpxmmmmbzpx"
                               "mmmmbzpxmmmmbzpx"
                               "pppppppppppppppp"
                               "................"
                               "xxpmppppzZbM...."
                               "rrrrrrrrrrrrrrrr"
                               "MZxMmmmmmmmmmmmm"
                               "..........x....."
                               "oooo....bz......"
                               "bbbbbbbbvvvvvvvv"
                               "MMw.ppMZe.w..bx."
                               "mmmmxxx.mmmmmmmm"
                               "rrrrbbbbRRxr...."
                               "p.pp..gG......mm";

static const char two_bytes[] = "mmmmx.....x.xm.M"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmxxxxmmmmmmmm"
                                "......x.pxpxxxxx"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm"
                                "MMMMmmm.mmxxmmmm"
                                "RRRRRRRRRRRRRRRR"
                                "mmmmmmmmmmmmmmmm"
                                "...mMmxx...mMmmm"
                                "mmmmmmmmmmMmmmmm"
                                "mmMmMMMm........"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm";

struct reader {
    const uint8_t *bytes;
    size_t size, at;
    uint8_t rex_r, rex_x, rex_b; /* 0 or 8 */
    uint8_t vvvv;                /* of VEX and EVEX */
    char follows;                /* as in the tables */
    struct x86_instruction *i;
};

/* The next COUNT bytes, sign-extended. False: there are no more. */
static int take(struct reader *r, unsigned count, int64_t *ret)
{
    uint64_t value = 0;

    if (r->at + count > r->size)
        return 0;
    for (unsigned n = 0; n < count; n++)
        value |= (uint64_t)r->bytes[r->at + n] << (8 * n);
    if (count && count < 8 && value >> (8 * count - 1) & 1)
        value |= UINT64_MAX << (8 * count);
    r->at += count;
    *ret = (int64_t)value;
    return 1;
}

static int take_byte(struct reader *r, uint8_t *ret)
{
    if (r->at >= r->size)
        return 0;
    *ret = r->bytes[r->at++];
    return 1;
}

/* ---- prefixes and escapes ------------------------------------------------------------------------------ */

static int take_prefix(struct x86_instruction *i, uint8_t byte)
{
    switch (byte) {
    case 0x26: /* the segments that are without effect */
    case 0x2e:
    case 0x36:
    case 0x3e:
        return 1;
    case 0x64:
        i->memory.segment = 'f';
        return 1;
    case 0x65:
        i->memory.segment = 'g';
        return 1;
    case 0x66:
        i->prefixes |= X86_WORD;
        return 1;
    case 0x67:
        i->prefixes |= X86_ADDRESS_32;
        return 1;
    case 0xf0:
        i->prefixes |= X86_LOCKED;
        return 1;
    case 0xf2:
        i->prefixes = (uint8_t)((i->prefixes & ~X86_REPEAT) | X86_REPEAT_NOT);
        return 1;
    case 0xf3:
        i->prefixes = (uint8_t)((i->prefixes & ~X86_REPEAT_NOT) | X86_REPEAT);
        return 1;
    default:
        return 0;
    }
}

static void take_pp(struct x86_instruction *i, uint8_t pp)
{
    i->prefixes |= pp == 1 ? X86_WORD : pp == 2 ? X86_REPEAT : pp == 3 ? X86_REPEAT_NOT : 0;
}

/* C5, C4, 62: the extended prefix FIRST has been read. */
static int take_vex(struct reader *r, uint8_t first)
{
    struct x86_instruction *i = r->i;
    uint8_t p0 = 0, p1, p2 = 0;

    if (i->prefixes & (X86_REX | X86_WORD | X86_REPEAT | X86_REPEAT_NOT | X86_LOCKED))
        return X86_INVALID;
    i->encoding = first == 0x62 ? X86_EVEX : X86_VEX;
    i->map = 1;
    if (first != 0xc5 && !take_byte(r, &p0))
        return X86_TRUNCATED;
    if (!take_byte(r, &p1) || (first == 0x62 && !take_byte(r, &p2)) || !take_byte(r, &i->opcode))
        return X86_TRUNCATED;
    if (first == 0xc5) {
        r->rex_r = p1 & 0x80 ? 0 : 8;
    } else {
        i->map = first == 0x62 ? p0 & 7 : p0 & 0x1f;
        r->rex_r = p0 & 0x80 ? 0 : 8;
        r->rex_x = p0 & 0x40 ? 0 : 8;
        r->rex_b = p0 & 0x20 ? 0 : 8;
        i->prefixes |= p1 & 0x80 ? X86_WIDE : 0;
    }
    if (first == 0x62 && ((p0 & 8) || !(p1 & 4)))
        return X86_INVALID;
    r->vvvv = (uint8_t)(~(p1 >> 3) & 15);
    take_pp(i, p1 & 3);
    if (i->map == 1 && (first != 0x62 && i->opcode == 0x77))
        r->follows = '.';
    else if (i->map == 1)
        r->follows = two_bytes[i->opcode] == 'M' && i->opcode != 0x0f ? 'M' : 'm';
    else if (i->map == 2 || (first == 0x62 && (i->map == 5 || i->map == 6)))
        r->follows = 'm';
    else if (i->map == 3)
        r->follows = 'M';
    else
        return X86_INVALID;
    if (i->map == 1 && (two_bytes[i->opcode] == 'R' || (i->opcode & 0xf0) == 0x00))
        return X86_INVALID;
    return X86_OK;
}

static int take_two_bytes(struct reader *r)
{
    struct x86_instruction *i = r->i;

    i->map = 1;
    if (!take_byte(r, &i->opcode))
        return X86_TRUNCATED;
    r->follows = two_bytes[i->opcode];
    if (i->opcode == 0x78 && i->prefixes & (X86_WORD | X86_REPEAT_NOT))
        return X86_INVALID; /* AMD's SSE4a, with two immediates */
    if (i->opcode == 0x38 || i->opcode == 0x3a) {
        i->map = i->opcode == 0x38 ? 2 : 3;
        r->follows = i->map == 2 ? 'm' : 'M';
        if (!take_byte(r, &i->opcode))
            return X86_TRUNCATED;
    }
    return r->follows == 'x' ? X86_INVALID : X86_OK;
}

/* Prefixes and opcode. */
static int take_opcode(struct reader *r)
{
    struct x86_instruction *i = r->i;
    uint8_t byte;

    do {
        if (!take_byte(r, &byte))
            return X86_TRUNCATED;
    } while (take_prefix(i, byte));
    if ((byte & 0xf0) == 0x40) {
        i->prefixes |= (byte & 8 ? X86_WIDE : 0) | X86_REX;
        r->rex_r = byte & 4 ? 8 : 0;
        r->rex_x = byte & 2 ? 8 : 0;
        r->rex_b = byte & 1 ? 8 : 0;
        if (!take_byte(r, &byte))
            return X86_TRUNCATED;
    }
    if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
        return take_vex(r, byte);
    if (byte == 0x0f)
        return take_two_bytes(r);
    i->opcode = byte;
    r->follows = one_byte[byte];
    /* A prefix after REX makes that one void: no compiler does it. */
    return r->follows == 'x' || r->follows == 'p' ? X86_INVALID : X86_OK;
}

/* ---- operands ------------------------------------------------------------------------------------------ */

static int take_memory(struct reader *r, uint8_t rm)
{
    struct x86_memory *m = &r->i->memory;
    uint8_t sib = 0, size = r->i->mod == 1 ? 1 : r->i->mod == 2 ? 4 : 0;
    int64_t displacement = 0;

    m->base = rm | r->rex_b;
    if (rm == 4) {
        if (!take_byte(r, &sib))
            return X86_TRUNCATED;
        m->scale = (uint8_t)(1 << (sib >> 6));
        m->index = (sib >> 3 & 7) | r->rex_x;
        if (m->index == 4)
            m->index = X86_NONE;
        m->base = (sib & 7) | r->rex_b;
        if ((sib & 7) == 5 && r->i->mod == 0) {
            m->base = X86_NONE;
            size = 4;
        }
    } else if (rm == 5 && r->i->mod == 0) {
        m->base = X86_RIP;
        size = 4;
    }
    if (!take(r, size, &displacement))
        return X86_TRUNCATED;
    m->displacement = (int32_t)displacement;
    return X86_OK;
}

static int take_modrm(struct reader *r)
{
    struct x86_instruction *i = r->i;
    uint8_t modrm;

    if (!take_byte(r, &modrm))
        return X86_TRUNCATED;
    i->has_modrm = 1;
    i->mod = modrm >> 6;
    i->reg = (modrm >> 3 & 7) | r->rex_r;
    i->rm = (modrm & 7) | r->rex_b;
    /* Control and debug registers have no form for memory, whatever mod says. */
    if (i->map == 1 && i->opcode >= 0x20 && i->opcode <= 0x23 && i->encoding == X86_LEGACY)
        i->mod = 3;
    return i->mod == 3 ? X86_OK : take_memory(r, modrm & 7);
}

static unsigned immediate_size(const struct x86_instruction *i, char follows)
{
    unsigned z = i->prefixes & X86_WORD && !(i->prefixes & X86_WIDE) ? 2 : 4;

    switch (follows) {
    case 'b':
    case 'M':
    case 'r':
        return 1;
    case 'w':
        return 2;
    case 'e':
        return 3;
    case 'o':
        return i->prefixes & X86_ADDRESS_32 ? 4 : 8;
    case 'z':
    case 'Z':
        return z;
    case 'v':
        return i->prefixes & X86_WIDE ? 8 : z;
    case 'g':
        return (i->reg & 7) < 2 ? 1 : 0;
    case 'G':
        return (i->reg & 7) < 2 ? z : 0;
    case 'R':
        return 4;
    default:
        return 0;
    }
}

static int has_modrm(char follows)
{
    return follows == 'm' || follows == 'M' || follows == 'Z' || follows == 'g' || follows == 'G';
}

/* Bytes of the operand; of loads that extend, those in memory. */
static uint8_t operand_size(const struct x86_instruction *i)
{
    uint8_t opcode = i->opcode;

    if (i->map == 1 && (opcode == 0xb6 || opcode == 0xbe))
        return 1;
    if (i->map == 1 && (opcode == 0xb7 || opcode == 0xbf))
        return 2;
    if (i->map == 0 && opcode == 0x63)
        return 4;
    if (i->map == 0 && !(opcode & 1) &&
        (opcode < 0x40 || (opcode >= 0x80 && opcode < 0x90) || (opcode >= 0xa0 && opcode < 0xb0) ||
         opcode >= 0xc0))
        return opcode == 0x8c || opcode == 0x8e ? 2 : 1;
    if (i->map == 0 && opcode >= 0xb0 && opcode < 0xb8)
        return 1;
    return i->prefixes & X86_WIDE ? 8 : i->prefixes & X86_WORD ? 2 : 4;
}

/* ---- kinds --------------------------------------------------------------------------------------------- */

static void set_kind(struct x86_instruction *i, enum x86_kind kind, uint8_t to, uint8_t from)
{
    i->kind = (uint8_t)kind;
    i->to = to;
    i->from = from;
}

/* Of moves: 88 to 8B, C6, C7, and those that extend. A move of a part of a register is X86_OTHER. */
static void name_move(struct x86_instruction *i)
{
    uint8_t opcode = i->opcode;

    if (i->map == 1 || opcode == 0x63) {
        if (i->mod != 3 && (i->prefixes & X86_WIDE || !(i->prefixes & X86_WORD)))
            set_kind(i, X86_LOAD, i->reg, X86_NONE);
    } else if (opcode == 0x88 || opcode == 0x89) {
        if (i->mod != 3)
            set_kind(i, X86_STORE, X86_NONE, i->reg);
        else if (i->size >= 4)
            set_kind(i, X86_MOVE, i->rm, i->reg);
    } else if (opcode == 0x8b && i->size >= 4) {
        set_kind(i, i->mod == 3 ? X86_MOVE : X86_LOAD, i->reg, i->mod == 3 ? i->rm : X86_NONE);
    } else if ((opcode == 0xc6 || opcode == 0xc7) && !(i->reg & 7)) {
        if (i->mod != 3)
            set_kind(i, X86_STORE, X86_NONE, X86_NONE);
        else if (i->size >= 4)
            set_kind(i, X86_SET, i->rm, X86_NONE);
    }
}

static void name_group(struct x86_instruction *i)
{
    uint8_t from = i->mod == 3 ? i->rm : X86_NONE;

    switch (i->reg & 7) {
    case 2:
    case 3:
        set_kind(i, X86_CALL_INDIRECT, X86_NONE, from);
        break;
    case 4:
    case 5:
        set_kind(i, X86_JUMP_INDIRECT, X86_NONE, from);
        break;
    case 6:
        set_kind(i, X86_PUSH, X86_NONE, from);
        break;
    default:
        break;
    }
}

static void name_one_byte(struct x86_instruction *i, uint8_t rex_b)
{
    uint8_t opcode = i->opcode;

    if ((opcode >= 0x88 && opcode <= 0x8b) || opcode == 0x63 || opcode == 0xc6 || opcode == 0xc7)
        name_move(i);
    else if (opcode == 0x8d && i->size >= 4 && i->mod != 3)
        set_kind(i, X86_LEA, i->reg, X86_NONE);
    else if (opcode >= 0xb8 && opcode <= 0xbf && i->size >= 4)
        set_kind(i, X86_SET, (opcode & 7) | rex_b, X86_NONE);
    else if (opcode == 0xe8)
        set_kind(i, X86_CALL, X86_NONE, X86_NONE);
    else if (opcode == 0xe9 || opcode == 0xeb)
        set_kind(i, X86_JUMP, X86_NONE, X86_NONE);
    else if (one_byte[opcode] == 'r')
        set_kind(i, X86_JUMP_IF, X86_NONE, X86_NONE);
    else if (opcode == 0xc2 || opcode == 0xc3 || opcode == 0xca || opcode == 0xcb || opcode == 0xcf)
        set_kind(i, X86_RETURN, X86_NONE, X86_NONE);
    else if (opcode == 0xcc || opcode == 0xf4)
        set_kind(i, X86_STOP, X86_NONE, X86_NONE);
    else if (opcode == 0x90 && i->prefixes & X86_REPEAT && !rex_b)
        set_kind(i, X86_PAUSE, X86_NONE, X86_NONE);
    else if (opcode >= 0x50 && opcode <= 0x57)
        set_kind(i, X86_PUSH, X86_NONE, (opcode & 7) | rex_b);
    else if (opcode >= 0x58 && opcode <= 0x5f)
        set_kind(i, X86_POP, (opcode & 7) | rex_b, X86_NONE);
    else if (opcode == 0x68 || opcode == 0x6a)
        set_kind(i, X86_PUSH, X86_NONE, X86_NONE);
    else if (opcode == 0x8f)
        set_kind(i, X86_POP, i->mod == 3 ? i->rm : X86_NONE, X86_NONE);
    else if (opcode == 0xff)
        name_group(i);
    /* 32 bits clear the others. */
    if (i->kind == X86_SET && i->size == 4)
        i->immediate = (int64_t)(uint32_t)i->immediate;
}

static void name_two_bytes(struct x86_instruction *i)
{
    uint8_t opcode = i->opcode;

    if (opcode == 0x05)
        set_kind(i, X86_SYSCALL, X86_NONE, X86_NONE);
    else if (opcode == 0x0b || opcode == 0xb9 || opcode == 0xff)
        set_kind(i, X86_STOP, X86_NONE, X86_NONE);
    else if (two_bytes[opcode] == 'R')
        set_kind(i, X86_JUMP_IF, X86_NONE, X86_NONE);
    else if (opcode == 0xb6 || opcode == 0xb7 || opcode == 0xbe || opcode == 0xbf)
        name_move(i);
}

static void find_address(struct x86_instruction *i, char follows, uint64_t pc)
{
    const struct x86_memory *m = &i->memory;

    /* C7 F8, xbegin, goes on elsewhere when the transaction fails. */
    if (i->encoding == X86_LEGACY && i->map == 0 && i->opcode == 0xc7 && i->mod == 3 && (i->reg & 7) == 7) {
        set_kind(i, X86_JUMP_IF, X86_NONE, X86_NONE);
        follows = 'R';
    }
    if (follows == 'r' || follows == 'R')
        i->address = pc + i->length + (uint64_t)i->immediate;
    else if (i->has_modrm && i->mod != 3 && !m->segment && !(i->prefixes & X86_ADDRESS_32) &&
             m->index == X86_NONE && i->encoding != X86_EVEX && (m->base == X86_RIP || m->base == X86_NONE))
        i->address = (m->base == X86_RIP ? pc + i->length : 0) + (uint64_t)(int64_t)m->displacement;
}

int x86_decode(const uint8_t *bytes, size_t size, uint64_t pc, struct x86_instruction *ret)
{
    struct x86_instruction i = {
        .to = X86_NONE, .from = X86_NONE, .memory = {.base = X86_NONE, .index = X86_NONE, .scale = 1}};
    struct reader r = {.bytes = bytes, .size = size < X86_MAX ? size : X86_MAX, .i = &i};
    int rc = take_opcode(&r), cut = size < X86_MAX ? X86_TRUNCATED : X86_INVALID;

    if (!rc && has_modrm(r.follows))
        rc = take_modrm(&r);
    /* AMD and Intel differ on a distance with the prefix 66. */
    if (!rc && r.follows == 'R' && i.prefixes & X86_WORD && !(i.prefixes & X86_WIDE))
        rc = X86_INVALID;
    if (!rc && !take(&r, immediate_size(&i, r.follows), &i.immediate))
        rc = X86_TRUNCATED;
    if (rc)
        return rc == X86_TRUNCATED ? cut : rc;
    i.length = (uint8_t)r.at;
    i.size = operand_size(&i);
    if (i.encoding == X86_LEGACY && i.map == 0)
        name_one_byte(&i, r.rex_b);
    else if (i.encoding == X86_LEGACY && i.map == 1)
        name_two_bytes(&i);
    find_address(&i, r.follows, pc);
    i.writes = x86_writes(&i, r.rex_b, r.vvvv);
    *ret = i;
    return X86_OK;
}
