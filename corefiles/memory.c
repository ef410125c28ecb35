/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory that the target itself has.
 */
#include "corefiles/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "corefiles/file.h"
#include "corefiles/pages.h"
#include "corefiles/target.h"

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

void cf_maps_free(struct cf_map *maps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(maps[i].path);
    free(maps);
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

uint64_t cf_read_core(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
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
    t->reads++;
    t->bytes += size;
    return cf_pread(t->core_fd, buf, size, offset) ? size : 0;
}

bool cf_region(const struct cf_target *t, uint64_t addr, uint64_t *start, uint64_t *end)
{
    const struct cf_map *map = cf_map_at(t, addr);
    const struct cf_segment *s = cf_segment_at(t, addr);

    if (s) {
        *start = s->vaddr;
        *end = s->vaddr + s->memsz;
    } else if (map) {
        *start = map->start;
        *end = map->end;
    }
    return s || map;
}

static int read_live(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    struct iovec local = {buf, size}, remote = {(void *)(uintptr_t)addr, size};

    if (!t->info.moving)
        return cf_pages_read(t, addr, buf, size);
    if (t->resumed)
        return -1;
    t->reads++;
    t->bytes += size;
    return process_vm_readv((pid_t)t->live_task, &local, 1, &remote, 1, 0) == (ssize_t)size ? 0 : -1;
}

int cf_read_target(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    if (t->live_pid)
        return read_live(t, addr, buf, size);
    while (size) {
        uint64_t n = cf_read_core(t, addr, buf, size);

        if (!n)
            return -1;
        buf = (char *)buf + n;
        addr += n;
        size -= n;
    }
    return 0;
}
