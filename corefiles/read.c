/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory of the target: where a core leaves out unwritten pages of a file, from that file, if it is the same;
 * so those of a process that goes on, of which no copy was made.
 */
#include "corefiles/read.h"

#include <elf.h>

#include "corefiles/elffile.h"
#include "corefiles/memory.h"
#include "corefiles/modulefile.h"
#include "corefiles/modules.h"
#include "corefiles/target.h"

/* How many of SIZE bytes at ADDR the file that is mapped there has; they are in BUF then. Only parts that
   nobody could write, or that are no data: a page of data that the core has lost may have been written. */
static uint64_t from_file(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    const struct cf_segment *s = cf_segment_at(t, addr);
    const struct cf_map *map = t->live_pid ? cf_map_at(t, addr) : NULL;
    struct cf_mod *m = cf_module_at(t, addr);

    const bool writable = (s && (s->flags & PF_W)) || (map && (map->flags & PF_W));

    if (!m)
        return 0;
    cf_module_file(t, m);
    if (m->check < CF_CHECK_ASSUMED)
        return 0;
    for (uint32_t i = 0; i < m->part_count; i++) {
        const struct cf_segment *p = &m->parts[i];
        uint64_t at = addr - m->bias - p->vaddr;

        if (at >= p->filesz || (p->flags & PF_W) || (writable && !(p->flags & CF_CONSTANT)))
            continue;
        if (size > p->filesz - at)
            size = p->filesz - at;
        /* What the core has is to be taken from the core. */
        if (s && s->vaddr + s->memsz - addr < size)
            size = s->vaddr + s->memsz - addr;
        return cf_module_file_read(m, buf, size, p->offset + at) ? size : 0;
    }
    return 0;
}

int cf_read(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    if (t->live_pid) {
        int rc = cf_read_target(t, addr, buf, size);

        if (!rc || !t->resumed || t->info.moving)
            return rc;
    }
    while (size) {
        uint64_t n = t->live_pid ? 0 : cf_read_core(t, addr, buf, size);

        if (!n)
            n = from_file(t, addr, buf, size);
        if (!n)
            return -1;
        buf = (char *)buf + n;
        addr += n;
        size -= n;
    }
    return 0;
}
