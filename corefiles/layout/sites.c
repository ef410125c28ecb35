/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/sites.h"

#include "corefiles/layout/trace.h"

enum { SYSTEM_CALLS_MAX = 4096 }; /* more than any runtime has; the tables are asked about each */

size_t ly_sites(const struct ly_image *image, const struct ly_code *code, struct ly_site *ret, size_t max)
{
    size_t count = 0, seen = 0;

    for (size_t i = 0; i < code->count && seen < SYSTEM_CALLS_MAX; i++) {
        const struct ly_instruction *at = &code->list[i];
        if (at->x86.kind != X86_SYSCALL)
            continue;
        seen++;
        uint64_t pc = at->pc + at->x86.length;
        unsigned frame = ly_frame(image, pc);
        if (!frame)
            frame = ly_stack_depth(image, code, pc);
        if (!frame)
            continue;
        if (count < max)
            ret[count] = (struct ly_site){pc, frame};
        count++;
    }
    return count;
}

/* The shortest loop around the instruction PAUSE. */
