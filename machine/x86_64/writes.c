/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/x86_64/writes.h"

#define BIT(register) ((uint16_t)(1U << (register)))

enum {
    RAX = 1 << X86_RAX,
    RCX = 1 << X86_RCX,
    RDX = 1 << X86_RDX,
    RBX = 1 << X86_RBX,
    RSP = 1 << X86_RSP,
    RBP = 1 << X86_RBP,
    RSI = 1 << X86_RSI,
    RDI = 1 << X86_RDI,
    /** psABI, "Register Usage": what a called function may change */
    CALLED = RAX | RCX | RDX | RSI | RDI | 1 << X86_R8 | 1 << X86_R9 | 1 << X86_R10 | 1 << X86_R11,
    ALL = 0xffff
};

/* A register of one byte: without REX, 4 to 7 are the second bytes of the first four. */
static uint16_t part(const struct x86_instruction *i, uint8_t number)
{
    return i->size == 1 && !(i->prefixes & X86_REX) && number >= 4 ? BIT(number & 3) : BIT(number & 15);
}

static uint16_t reg_of(const struct x86_instruction *i)
{
    return part(i, i->reg);
}

static uint16_t rm_of(const struct x86_instruction *i)
{
    return i->mod == 3 ? part(i, i->rm) : 0;
}

static uint16_t arithmetic(const struct x86_instruction *i)
{
    if (i->opcode >= 0x38)
        return 0; /* cmp */
    return (i->opcode & 7) < 2 ? rm_of(i) : (i->opcode & 7) < 4 ? reg_of(i) : RAX;
}

static uint16_t group(const struct x86_instruction *i)
{
    uint8_t reg = i->reg & 7;

    switch (i->opcode) {
    case 0xf6:
    case 0xf7:
        return reg < 2 ? 0 : reg < 4 ? rm_of(i) : RAX | RDX;
    case 0xfe:
        return rm_of(i);
    default: /* 0xff */
        return reg < 2 ? rm_of(i) : reg < 4 ? CALLED : reg == 6 ? RSP : 0;
    }
}

/* 80 to 9F */
static uint16_t moves(const struct x86_instruction *i, uint8_t rex_b)
{
    switch (i->opcode) {
    case 0x80:
    case 0x81:
    case 0x83:
        return (i->reg & 7) == 7 ? 0 : rm_of(i);
    case 0x84:
    case 0x85:
    case 0x8e:
    case 0x9b:
    case 0x9e:
        return 0;
    case 0x86:
    case 0x87:
        return reg_of(i) | rm_of(i);
    case 0x8a:
    case 0x8b:
        return reg_of(i);
    case 0x8d:
        return BIT(i->reg);
    case 0x8f:
        return (i->mod == 3 ? BIT(i->rm) : 0) | RSP;
    case 0x90:
        return rex_b ? RAX | BIT(X86_R8) : 0;
    case 0x98:
    case 0x9f:
        return RAX;
    case 0x99:
        return RDX;
    case 0x9c:
    case 0x9d:
        return RSP;
    default:
        return i->opcode > 0x90 && i->opcode < 0x98 ? RAX | BIT((i->opcode & 7) | rex_b) : rm_of(i);
    }
}

/* A0 to FF */
static uint16_t upper(const struct x86_instruction *i, uint8_t rex_b)
{
    uint8_t opcode = i->opcode;

    if (opcode < 0xb0)
        return opcode < 0xa2                                       ? RAX
               : opcode < 0xa4 || opcode == 0xa8 || opcode == 0xa9 ? 0
                                                                   : RAX | RCX | RSI | RDI;
    if (opcode < 0xb8)
        return part(i, (opcode & 7) | rex_b);
    if (opcode < 0xc0)
        return BIT((opcode & 7) | rex_b);
    switch (opcode) {
    case 0xc0:
    case 0xc1:
    case 0xc6:
    case 0xc7:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return rm_of(i) | (opcode == 0xc7 && i->kind == X86_JUMP_IF ? RAX : 0);
    case 0xc8:
    case 0xc9:
        return RSP | RBP;
    case 0xcc:
    case 0xcd:
        return ALL;
    case 0xd7:
        return RAX;
    case 0xdf:
        return i->mod == 3 ? RAX : 0; /* fnstsw */
    case 0xe8:
        return CALLED;
    case 0xf6:
    case 0xf7:
    case 0xfe:
    case 0xff:
        return group(i);
    default:
        return opcode >= 0xe0 && opcode < 0xe4                                        ? RCX
               : opcode == 0xe4 || opcode == 0xe5 || opcode == 0xec || opcode == 0xed ? RAX
               : i->kind == X86_RETURN                                                ? RSP
                                                                                      : 0;
    }
}

static uint16_t one_byte(const struct x86_instruction *i, uint8_t rex_b)
{
    uint8_t opcode = i->opcode;

    if (opcode < 0x40)
        return arithmetic(i);
    if (opcode < 0x58)
        return RSP;
    if (opcode < 0x60)
        return RSP | BIT((opcode & 7) | rex_b);
    if (opcode < 0x70)
        return opcode == 0x63 || opcode == 0x69 || opcode == 0x6b ? BIT(i->reg)
               : opcode == 0x68 || opcode == 0x6a                 ? RSP
                                                                  : RCX | RSI | RDI;
    if (opcode < 0x80)
        return 0;
    return opcode < 0xa0 ? moves(i, rex_b) : upper(i, rex_b);
}

/* Of 0F xx, those that write the register of ModRM's reg (also from xmm: 2c, 2d, 50, c5, d7) ... */
static const uint8_t to_reg[] = {0x02, 0x03, 0x2c, 0x2d, 0x50, 0xaf, 0xb2, 0xb4, 0xb5,
                                 0xb6, 0xb7, 0xb8, 0xbc, 0xbd, 0xbe, 0xbf, 0xc5, 0xd7};
/* ... and that of its rm (from xmm: 7e). */
static const uint8_t to_rm[] = {0x20, 0x21, 0x78, 0x7e, 0xa4, 0xa5, 0xab, 0xac, 0xad, 0xb3, 0xbb};

static int is_one_of(uint8_t opcode, const uint8_t *list, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (list[n] == opcode)
            return 1;
    return 0;
}

/* Of 0F xx, those that are not about xmm registers. */
static uint16_t system_and_bits(const struct x86_instruction *i)
{
    uint16_t reg = BIT(i->reg), rm = i->mod == 3 ? BIT(i->rm) : 0;

    if (is_one_of(i->opcode, to_reg, sizeof to_reg))
        return reg;
    if (is_one_of(i->opcode, to_rm, sizeof to_rm))
        return rm;
    switch (i->opcode) {
    case 0x00:
    case 0x01: /* xgetbv, rdtscp and the like too */
        return rm | RAX | RBX | RCX | RDX;
    case 0x05:
        return RAX | RCX | BIT(X86_R11);
    case 0x1e: /* rdssp; its neighbours, endbr64 among them, are no-operations */
        return i->prefixes & X86_REPEAT && (i->reg & 7) == 1 ? rm : 0;
    case 0xae: /* rdfsbase, rdgsbase */
        return i->prefixes & X86_REPEAT ? rm : 0;
    case 0xa0:
    case 0xa1:
    case 0xa8:
    case 0xa9:
        return RSP;
    case 0xa2:
        return RAX | RBX | RCX | RDX;
    case 0xb0:
    case 0xb1:
        return (i->opcode == 0xb0 ? part(i, i->rm) : rm) | RAX;
    case 0xba:
        return (i->reg & 7) == 4 ? 0 : rm;
    case 0xc0:
    case 0xc1:
        return rm | reg | (i->opcode == 0xc0 ? BIT(i->reg & 3) | BIT(i->rm & 3) : 0);
    case 0xc7:
        return rm | ((i->reg & 7) == 1 ? RAX | RDX : 0);
    default:
        return 0;
    }
}

static uint16_t two_bytes(const struct x86_instruction *i, uint8_t rex_b)
{
    uint8_t opcode = i->opcode, high = opcode & 0xf0;

    if (i->encoding != X86_LEGACY)
        switch (opcode) {
        case 0x2c:
        case 0x2d:
        case 0x50:
        case 0x78:
        case 0x79:
        case 0x93: /* kmov */
        case 0xc5:
        case 0xd7:
            return BIT(i->reg);
        case 0x7e:
            return i->mod == 3 ? BIT(i->rm) : 0;
        default:
            return 0;
        }
    if (high == 0x30)
        return opcode < 0x34 ? RAX | RDX : ALL;
    if (high == 0x40)
        return BIT(i->reg);
    if (high == 0x90)
        return i->mod == 3 ? BIT(i->rm) | (i->prefixes & X86_REX ? 0 : BIT(i->rm & 3)) : 0;
    if (opcode >= 0xc8 && opcode <= 0xcf)
        return BIT((opcode & 7) | rex_b);
    return system_and_bits(i);
}

uint16_t x86_writes(const struct x86_instruction *i, uint8_t rex_b, uint8_t vvvv)
{
    uint8_t opcode = i->opcode;

    switch (i->map) {
    case 0:
        return one_byte(i, rex_b);
    case 1:
        return two_bytes(i, rex_b);
    case 2: /* what is not about xmm registers is at the end: movbe, crc32, the bits */
        return opcode < 0xf0 ? 0 : BIT(i->reg) | (i->encoding == X86_VEX ? BIT(vvvv) : 0);
    case 3:
        if (opcode >= 0x14 && opcode <= 0x17)
            return i->mod == 3 ? BIT(i->rm) : 0;
        return opcode == 0x61 || opcode == 0x63 ? RCX : opcode == 0xf0 ? BIT(i->reg) : 0;
    default:
        if (opcode == 0x7e)
            return i->mod == 3 ? BIT(i->rm) : 0;
        return opcode == 0x2c || opcode == 0x2d || opcode == 0x78 || opcode == 0x79 ? BIT(i->reg) : 0;
    }
}
