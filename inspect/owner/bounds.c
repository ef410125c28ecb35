/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/owner/bounds.h"

#include <elf.h>
#include <string.h>

#include "inspect/session/hostcall.h"
#include "inspect/session/mapped.h"

enum {
    PAGE = 4096,
    /* "DWARF Exception Header Encoding": relative to the table and to itself, and plain numbers of 4 bytes */
    TABLE_ENCODING = 0x3b,
    POINTER_ENCODING = 0x1b,
    COUNT_ENCODING = 0x03,
    ENTRIES_MAX = 1 << 24,
    /* Of a description (FDE): what is read, and what is before its instructions */
    FDE_READ = 48,
    FDE_HEAD = 16
};

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

    if (host_read(s, m->base, page, sizeof(page)))
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

        if (host_read(s, table + middle * sizeof(row), &row, sizeof(row)))
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

/*
 * Where a function begins, the stack is as its caller left it: the first thing that is told of it is a later
 * place. What is told at once is of code that other code of the function jumps to.
 */
static bool begins_function(const uint8_t *fde, size_t size)
{
    enum { ADVANCE = 0x40, ADVANCE_LAST = 0x7f, ADVANCE_1 = 2, ADVANCE_4 = 4, NOP = 0, LONG = 0x80 };
    size_t at = FDE_HEAD + 1 + (size_t)fde[FDE_HEAD]; /* behind the augmentation data */

    if (fde[FDE_HEAD] & LONG || at > size)
        return false;
    if (at == size)
        return true;
    return fde[at] == NOP || (fde[at] >= ADVANCE_1 && fde[at] <= ADVANCE_4) ||
           (fde[at] >= ADVANCE && fde[at] <= ADVANCE_LAST);
}

/* Does the common part of a description have augmentation data? CIE: length, id, version, augmentation. */
static bool has_augmentation(insp_session *s, uint64_t cie)
{
    enum { AT = 9 };
    char c;

    return !host_read(s, cie + AT, &c, 1) && c == 'z';
}

bool bounds_at(insp_session *s, uint64_t addr, uint64_t *start, uint64_t *end, bool *entry)
{
    const struct insp_known_module *m = mapped_at(s, addr);
    uint64_t at = m ? find_header(s, m) : 0, fde;
    struct header header;
    struct row row = {0, 0};
    uint8_t bytes[FDE_READ] = {0};
    uint32_t length, cie, range;
    int32_t begin;

    if (!at || host_read(s, at, &header, sizeof(header)) || header.version != 1 ||
        header.table_encoding != TABLE_ENCODING || header.count_encoding != COUNT_ENCODING ||
        header.count > ENTRIES_MAX || !find_row(s, at, header.count, addr, &row))
        return false;
    fde = at + (uint64_t)(int64_t)row.fde;
    if (host_read(s, fde, bytes, FDE_HEAD))
        return false;
    memcpy(&length, bytes, sizeof(length));
    memcpy(&cie, bytes + 4, sizeof(cie));
    memcpy(&begin, bytes + 8, sizeof(begin));
    memcpy(&range, bytes + 12, sizeof(range));
    /* Its numbers are encoded as they mostly are if it says the same as the table. */
    if (length < FDE_HEAD || fde + 8 + (uint64_t)(int64_t)begin != at + (uint64_t)(int64_t)row.start)
        return false;
    *start = at + (uint64_t)(int64_t)row.start;
    *end = *start + range;
    length = length + 4 < FDE_READ ? length + 4 : FDE_READ;
    *entry = has_augmentation(s, fde + 4 - cie) && !host_read(s, fde, bytes, length) &&
             begins_function(bytes, length);
    return addr >= *start && addr < *end;
}
