/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory of the target: from the core, from the process, and where a core leaves out unwritten pages of a file, from
 * that file, if it is the same. A byte that none of them has is missing.
 */
#include "internal.h"

#include <string.h>
#include <sys/uio.h>

const struct cf_segment *cf_segment_at(const struct cf_target *t, uint64_t addr)
{
    uint32_t low = 0, high = t->segment_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->segments[mid].vaddr <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low && addr - t->segments[low - 1].vaddr < t->segments[low - 1].memsz ? &t->segments[low - 1]
                                                                                 : NULL;
}

const struct cf_map *cf_map_at(const struct cf_target *t, uint64_t addr)
{
    uint32_t low = 0, high = t->map_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->maps[mid].start <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low && addr < t->maps[low - 1].end ? &t->maps[low - 1] : NULL;
}

/* How many of SIZE bytes at ADDR the core's own file has; they are in BUF then. */
static uint64_t from_core(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    const struct cf_segment *s = cf_segment_at(t, addr);
    uint64_t at, offset;

    if (!s)
        return 0;
    at = addr - s->vaddr;
    offset = s->offset + at;
    if (at >= s->filesz || offset < at || offset >= t->core_size)
        return 0;
    if (size > s->filesz - at)
        size = s->filesz - at;
    if (size > t->core_size - offset)
        size = t->core_size - offset;
    return cf_pread(t->core_fd, buf, size, offset) ? size : 0;
}

/* The same from the file that is mapped there. Only parts that nobody could write: a page of data that the core has
   lost may have been written. */
static uint64_t from_file(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    const struct cf_segment *s = cf_segment_at(t, addr);
    struct cf_mod *m = cf_module_at(t, addr);

    if (!m || (s && (s->flags & PF_W)))
        return 0;
    cf_module_file(t, m);
    if (m->check != CF_CHECK_MATCHES)
        return 0;
    for (uint32_t i = 0; i < m->part_count; i++) {
        const struct cf_segment *p = &m->parts[i];
        uint64_t at = addr - m->bias - p->vaddr;

        if (at >= p->filesz || (p->flags & PF_W))
            continue;
        if (size > p->filesz - at)
            size = p->filesz - at;
        /* What the core has is to be taken from the core. */
        if (s && s->vaddr + s->memsz - addr < size)
            size = s->vaddr + s->memsz - addr;
        return cf_pread(m->fd, buf, size, p->offset + at) ? size : 0;
    }
    return 0;
}

static int read_live(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    struct iovec local = {buf, size}, remote = {(void *)(uintptr_t)addr, size};

    if (!t->info.moving)
        return cf_pages_read(t, addr, buf, size);
    if (t->resumed)
        return -1;
    return process_vm_readv((pid_t)t->live_task, &local, 1, &remote, 1, 0) == (ssize_t)size ? 0 : -1;
}

static int read_core(struct cf_target *t, uint64_t addr, void *buf, uint64_t size, bool files)
{
    while (size) {
        uint64_t n = from_core(t, addr, buf, size);

        if (!n && files)
            n = from_file(t, addr, buf, size);
        if (!n)
            return -1;
        buf = (char *)buf + n;
        addr += n;
        size -= n;
    }
    return 0;
}

int cf_read_target(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    return t->live_pid ? read_live(t, addr, buf, size) : read_core(t, addr, buf, size, false);
}

int cf_read(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    return t->live_pid ? read_live(t, addr, buf, size) : read_core(t, addr, buf, size, true);
}
