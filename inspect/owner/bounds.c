/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/owner/bounds.h"

#include <string.h>

#include "inspect/unwind/eh_frame.h"
#include "inspect/target/still.h"

/* Of a description (FDE): what is read, and what is before its instructions. */
enum { FDE_READ = 48, FDE_HEAD = 16 };

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

    return !still_read(s, cie + AT, &c, 1) && c == 'z';
}

bool bounds_at(insp_session *s, uint64_t addr, uint64_t *start, uint64_t *end, bool *entry)
{
    uint64_t fde;
    uint8_t bytes[FDE_READ] = {0};
    uint32_t length, cie, range;
    int32_t begin;

    if (!eh_frame_find(s, addr, &fde, start) || still_read(s, fde, bytes, FDE_HEAD))
        return false;
    memcpy(&length, bytes, sizeof(length));
    memcpy(&cie, bytes + 4, sizeof(cie));
    memcpy(&begin, bytes + 8, sizeof(begin));
    memcpy(&range, bytes + 12, sizeof(range));
    /* Its numbers are encoded as they mostly are if it says the same as the table. */
    if (length < FDE_HEAD || fde + 8 + (uint64_t)(int64_t)begin != *start)
        return false;
    *end = *start + range;
    length = length + 4 < FDE_READ ? length + 4 : FDE_READ;
    *entry = has_augmentation(s, fde + 4 - cie) && !still_read(s, fde, bytes, length) &&
             begins_function(bytes, length);
    return addr >= *start && addr < *end;
}
