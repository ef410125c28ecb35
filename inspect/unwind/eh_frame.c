/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/unwind/eh_frame.h"

#include <elf.h>
#include <string.h>

#include "inspect/target/mapped.h"
#include "inspect/target/still.h"

enum {
    PAGE = 4096,
    /* "DWARF Exception Header Encoding": relative to the table and to itself, and plain numbers of 4 bytes */
    TABLE_ENCODING = 0x3b,
    POINTER_ENCODING = 0x1b,
    COUNT_ENCODING = 0x03,
    ENTRIES_MAX = 1 << 24
};

/* ---- which description --------------------------------------------------------------------------------- */

struct header {
    uint8_t version, pointer_encoding, count_encoding, table_encoding;
    int32_t pointer;
    uint32_t count;
};

/* One row of the table, sorted by `start`; both relative to the header. */
struct row {
    int32_t start, fde;
};

/* The address of .eh_frame_hdr of a module; 0: it has none. */
static uint64_t find_header(insp_session *s, const struct insp_known_module *m)
{
    uint8_t page[PAGE];
    Elf64_Ehdr head;
    Elf64_Phdr segment;

    if (still_read(s, m->base, page, sizeof(page)))
        return 0;
    memcpy(&head, page, sizeof(head));
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_machine != EM_X86_64 ||
        head.e_phentsize != sizeof(segment) || head.e_phoff > PAGE)
        return 0;
    for (size_t n = 0; n < head.e_phnum && head.e_phoff + (n + 1) * sizeof(segment) <= PAGE; n++) {
        memcpy(&segment, page + head.e_phoff + n * sizeof(segment), sizeof(segment));
        if (segment.p_type == PT_GNU_EH_FRAME)
            return segment.p_vaddr + m->bias;
    }
    return 0;
}

/* The last row that begins at or before ADDR. */
static bool find_row(insp_session *s, uint64_t header, uint32_t count, uint64_t addr, struct row *ret)
{
    const uint64_t table = header + sizeof(struct header);
    uint32_t low = 0, high = count;
    struct row row;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (still_read(s, table + middle * sizeof(row), &row, sizeof(row)))
            return false;
        if (header + (uint64_t)(int64_t)row.start <= addr) {
            *ret = row;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0;
}

bool eh_frame_find(insp_session *s, uint64_t addr, uint64_t *fde, uint64_t *start)
{
    const struct insp_known_module *m = mapped_at(s, addr);
    const uint64_t at = m ? find_header(s, m) : 0;
    struct header header;
    struct row row = {0, 0};

    if (!at || still_read(s, at, &header, sizeof(header)) || header.version != 1 ||
        header.table_encoding != TABLE_ENCODING || header.count_encoding != COUNT_ENCODING ||
        header.count > ENTRIES_MAX || !find_row(s, at, header.count, addr, &row))
        return false;
    *fde = at + (uint64_t)(int64_t)row.fde;
    *start = at + (uint64_t)(int64_t)row.start;
    return true;
}

/* ---- reading one --------------------------------------------------------------------------------------- */

/* Bytes of a description; `bad` once it has ended too early, or has what is not known here. */
struct bytes {
    const uint8_t *at, *end;
    bool bad;
};

static uint64_t take(struct bytes *b, size_t size)
{
    uint64_t value = 0;

    if (b->bad || (size_t)(b->end - b->at) < size) {
        b->bad = true;
        return 0;
    }
    memcpy(&value, b->at, size);
    b->at += size;
    return value;
}

static uint64_t leb(struct bytes *b, bool is_signed)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;

    do {
        byte = take(b, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && shift < 70);
    b->bad |= byte >> 7;
    if (is_signed && byte & 0x40 && shift < 64)
        value |= ~UINT64_C(0) << shift;
    return value;
}

/* What all descriptions of a sort have in common (CIE). */
struct common {
    uint64_t code_unit;
    int64_t data_unit;
    uint8_t program[256];
    size_t program_size;
};

enum { DESCRIPTION_MAX = 4096 };

/* The description at ADDR, without its length; 0: none. */
static size_t read_description(insp_session *s, uint64_t addr, uint8_t *buf, size_t size)
{
    uint32_t length;

    if (still_read(s, addr, &length, sizeof(length)) || length < 8 || length > size ||
        still_read(s, addr + sizeof(length), buf, length))
        return 0;
    return length;
}

/* The pointer to a personality routine is skipped. */
static void skip_pointer(struct bytes *b, uint64_t encoding)
{
    static const uint8_t sizes[16] = {[0] = 8, [2] = 2, [3] = 4, [4] = 8, [10] = 2, [11] = 4, [12] = 8};

    b->bad |= encoding == 0x50 || !sizes[encoding & 0xf]; /* 0x50: aligned */
    (void)take(b, sizes[encoding & 0xf]);
}

static bool read_common(insp_session *s, uint64_t addr, struct common *ret)
{
    uint8_t buf[256];
    struct bytes b = {buf, buf + read_description(s, addr, buf, sizeof(buf)), false};
    const uint64_t id = take(&b, 4), version = take(&b, 1);
    const char *letters = (const char *)b.at;
    uint64_t encoding = 0, size;
    const uint8_t *program;

    while (take(&b, 1))
        ;
    ret->code_unit = leb(&b, false);
    ret->data_unit = (int64_t)leb(&b, true);
    if (b.bad || id || (version != 1 && version != 3) || *letters != 'z' ||
        (version == 1 ? take(&b, 1) : leb(&b, false)) != EH_PC)
        return false;
    size = leb(&b, false);
    if (b.bad || size > (size_t)(b.end - b.at))
        return false;
    program = b.at + size;
    for (const char *letter = letters + 1; *letter; letter++) {
        if (*letter == 'R')
            encoding = take(&b, 1);
        else if (*letter == 'P')
            skip_pointer(&b, take(&b, 1));
        else if (*letter == 'L')
            (void)take(&b, 1);
        else
            return false; /* 'S' too: what a signal has interrupted is no call */
    }
    ret->program_size = (size_t)(b.end - program);
    memcpy(ret->program, program, ret->program_size);
    return !b.bad && encoding == POINTER_ENCODING;
}

/* ---- its instructions ---------------------------------------------------------------------------------- */

struct machine {
    const struct common *common;
    struct eh_rules rules, first, kept[8];
    int kept_count;
    uint64_t at, wanted; /* addresses of code */
    bool over;           /* what follows is of later code */
};

static void set(struct machine *m, struct bytes *b, uint64_t reg, enum eh_where where, int64_t offset)
{
    if (reg >= EH_REGISTERS) {
        b->bad |= where == EH_COMPLEX; /* others, as those of vectors, are nobody's concern */
        return;
    }
    m->rules.of[reg].where = where;
    m->rules.of[reg].offset = offset;
}

static void base(struct machine *m, uint64_t reg)
{
    m->rules.base = reg < EH_PC ? (uint8_t)reg : EH_PC;
}

static void advance(struct machine *m, uint64_t units)
{
    m->at += units * m->common->code_unit;
    m->over = m->at > m->wanted;
}

static void restore(struct machine *m, uint64_t reg)
{
    if (reg < EH_REGISTERS)
        m->rules.of[reg] = m->first.of[reg];
}

/* Those with an expression: which register it is for, if any, matters; the expression does not. */
static void expression(struct machine *m, struct bytes *b, bool of_register)
{
    const uint64_t reg = of_register ? leb(b, false) : EH_PC;
    const uint64_t size = leb(b, false);

    if (b->bad || size > (size_t)(b->end - b->at)) {
        b->bad = true;
        return;
    }
    b->at += size;
    if (of_register)
        set(m, b, reg, EH_COMPLEX, 0);
    else
        m->rules.base = EH_PC;
}

static void keep(struct machine *m, struct bytes *b)
{
    const int most = (int)(sizeof(m->kept) / sizeof(*m->kept));

    if (m->kept_count == most)
        b->bad = true;
    else
        m->kept[m->kept_count++] = m->rules;
}

static void bring_back(struct machine *m, struct bytes *b)
{
    if (!m->kept_count)
        b->bad = true;
    else
        m->rules = m->kept[--m->kept_count];
}

/* An offset in units of the common part; one that is too large wraps around, and is read from nowhere. */
static int64_t factored(const struct machine *m, struct bytes *b)
{
    return (int64_t)(leb(b, false) * (uint64_t)m->common->data_unit);
}

/* Instructions without an operand in their first byte (DWARF 5, table 7.29). */
static void extended(struct machine *m, struct bytes *b, uint64_t code)
{
    uint64_t reg;

    switch (code) {
    case 0x00: /* nop */
        break;
    case 0x02: /* advance_loc1, 2, 4 */
    case 0x03:
    case 0x04:
        advance(m, take(b, (size_t)1 << (code - 2)));
        break;
    case 0x05: /* offset_extended */
        reg = leb(b, false);
        set(m, b, reg, EH_SAVED, factored(m, b));
        break;
    case 0x06: /* restore_extended */
        restore(m, leb(b, false));
        break;
    case 0x07: /* undefined */
        set(m, b, leb(b, false), EH_LOST, 0);
        break;
    case 0x08: /* same_value */
        set(m, b, leb(b, false), EH_SAME, 0);
        break;
    case 0x0a:
        keep(m, b);
        break;
    case 0x0b:
        bring_back(m, b);
        break;
    case 0x0c: /* def_cfa */
        base(m, leb(b, false));
        m->rules.offset = (int64_t)leb(b, false);
        break;
    case 0x0d: /* def_cfa_register */
        base(m, leb(b, false));
        break;
    case 0x0e: /* def_cfa_offset */
        m->rules.offset = (int64_t)leb(b, false);
        break;
    case 0x0f: /* def_cfa_expression */
        expression(m, b, false);
        break;
    case 0x10: /* expression, val_expression */
    case 0x16:
        expression(m, b, true);
        break;
    case 0x2e: /* GNU_args_size */
        (void)leb(b, false);
        break;
    default:
        b->bad = true;
    }
}

static bool run(struct machine *m, const uint8_t *program, size_t size)
{
    struct bytes b = {program, program + size, false};

    while (b.at < b.end && !b.bad && !m->over) {
        const uint64_t code = take(&b, 1), operand = code & 0x3f;

        if (code >> 6 == 1)
            advance(m, operand);
        else if (code >> 6 == 2)
            set(m, &b, operand, EH_SAVED, factored(m, &b));
        else if (code >> 6 == 3)
            restore(m, operand);
        else
            extended(m, &b, code);
    }
    return !b.bad;
}

bool eh_frame_rules(insp_session *s, uint64_t addr, struct eh_rules *ret)
{
    uint8_t buf[DESCRIPTION_MAX];
    struct machine m = {.wanted = addr, .rules.base = EH_PC};
    struct common common;
    struct bytes b;
    uint64_t fde, start, range, size;

    if (!eh_frame_find(s, addr, &fde, &start))
        return false;
    b = (struct bytes){buf, buf + read_description(s, fde, buf, sizeof(buf)), false};
    if (!read_common(s, fde + 4 - take(&b, 4), &common) || b.bad)
        return false;
    /* Its numbers are encoded as they are expected to be if it says the same as the table. */
    if (fde + 8 + (uint64_t)(int64_t)(int32_t)take(&b, 4) != start)
        return false;
    range = take(&b, 4);
    size = leb(&b, false);
    if (b.bad || addr < start || addr - start >= range || size > (size_t)(b.end - b.at))
        return false;
    b.at += size;
    m.common = &common;
    m.at = start;
    if (!run(&m, common.program, common.program_size) || m.over)
        return false;
    m.first = m.rules;
    if (!run(&m, b.at, (size_t)(b.end - b.at)))
        return false;
    *ret = m.rules;
    return true;
}
