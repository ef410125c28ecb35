/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What an address lies in: a file's memory, a thread's stack, the heap, or what was mapped without a file.
 */
#include "corefiles/regions.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/keep.h"
#include "corefiles/memory.h"
#include "corefiles/modules.h"
#include "corefiles/read.h"
#include "corefiles/symbols.h"
#include "corefiles/threads.h"

struct cf_regions {
    int permissions; /**< 1: a core's are what the process had, -1: they are not; 0 not looked yet */
    bool heap_tried;
    uint64_t heap_end; /**< of a core; 0 not known */
    /* Where the next part with variables is looked for: they are asked for one after the other. */
    uint32_t index, module;
    uint64_t at;
};

void cf_regions_free(struct cf_regions *regions)
{
    free(regions);
}

static struct cf_regions *regions_of(struct cf_target *t)
{
    if (!t->regions)
        t->regions = calloc(1, sizeof(*t->regions));
    return t->regions;
}

/*
 * Is ADDR, in a mapping up to END, in the heap that grows by brk(2)? A core does not say which mapping that
 * is: it ends where glibc's __curbrk stands. The kernel rounds up to a page.
 */
static bool in_heap(struct cf_target *t, uint64_t addr, uint64_t end)
{
    const struct cf_map *map = cf_map_at(t, addr);
    struct cf_regions *r = t->regions;
    uint64_t at;

    if (map)
        return !strcmp(map->path, "[heap]");
    if (!r->heap_tried && (cf_lookup(t, "__curbrk", NULL, &at) || cf_read(t, at, &r->heap_end, 8)))
        r->heap_end = 0;
    r->heap_tried = true;
    return addr < r->heap_end && end - r->heap_end < CF_PAGE;
}

/* What is mapped around ADDR; false: nothing, and *start, *end is the gap. */
static bool mapped(const struct cf_target *t, uint64_t addr, uint64_t *start, uint64_t *end)
{
    uint32_t low = 0, high = t->segment_count;

    if (cf_region(t, addr, start, end))
        return true;
    *start = 0;
    *end = UINT64_MAX;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->segments[mid].vaddr <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    if (low)
        *start = t->segments[low - 1].vaddr + t->segments[low - 1].memsz;
    if (low < t->segment_count)
        *end = t->segments[low].vaddr;
    for (low = 0, high = t->map_count; low < high;) {
        uint32_t mid = low + (high - low) / 2;

        if (t->maps[mid].start <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    if (low && t->maps[low - 1].end > *start)
        *start = t->maps[low - 1].end;
    if (low < t->map_count && t->maps[low].start < *end)
        *end = t->maps[low].start;
    return false;
}

int cf_host_region(struct cf_target *t, uint64_t addr, struct insp_region *ret)
{
    const struct cf_mod *m = cf_module_at(t, addr), *before;
    struct insp_region region = {.memory = INSP_MEMORY_ANONYMOUS};
    const struct cf_thread *th;

    if (t->nameless) {
        cf_heap_note(t, addr);
        return 1;
    }
    if (!regions_of(t))
        return -1;
    if (!mapped(t, addr, &region.start, &region.end)) {
        region.memory = INSP_MEMORY_NONE;
    } else if (m) {
        region.memory = INSP_MEMORY_FILE;
        region.start = region.start > m->base ? region.start : m->base;
        region.end = region.end < m->end ? region.end : m->end;
    } else {
        /* The kernel lets what is mapped next to a file's variables be one with them. */
        before = cf_module_at(t, region.start);
        if (before && before->end <= addr)
            region.start = before->end;
        th = cf_stack_owner(t, addr, region.start);
        if (th) {
            region.memory = INSP_MEMORY_STACK;
            region.lwp = th->lwp;
        } else if (in_heap(t, addr, region.end)) {
            region.memory = INSP_MEMORY_HEAP;
        }
    }
    *ret = region;
    return 0;
}

/*
 * Does the core tell what may not be read? GDB's gcore writes of every mapping that it may; the kernel writes
 * permissions as they are, and a process has always something without: guard pages, the vsyscall page.
 */
static bool has_permissions(struct cf_regions *r, const struct cf_target *t)
{
    for (uint32_t i = 0; !r->permissions && i < t->segment_count; i++)
        if (!(t->segments[i].flags & PF_R))
            r->permissions = 1;
    if (!r->permissions)
        r->permissions = -1;
    return r->permissions > 0;
}

int cf_host_mapping(struct cf_target *t, uint64_t addr, struct insp_mapping *ret)
{
    const struct cf_map *map = cf_map_at(t, addr);
    const struct cf_segment *s = cf_segment_at(t, addr);
    struct insp_mapping found = {.access = -1};

    /* A running process maps and unmaps: the list is of another moment. */
    if (t->info.moving || (!t->segment_count && !t->map_count))
        return 1;
    if (!regions_of(t))
        return -1;
    found.mapped = mapped(t, addr, &found.start, &found.end);
    /* What may be written may be read. */
    if (s && !(s->flags & PF_W) && !has_permissions(t->regions, t))
        s = NULL;
    if (s || (t->live_pid && map)) {
        const uint32_t flags = s ? s->flags : map->flags;

        found.access = (flags & PF_R ? INSP_ACCESS_READ : 0) | (flags & PF_W ? INSP_ACCESS_WRITE : 0) |
                       (flags & PF_X ? INSP_ACCESS_EXECUTE : 0);
    }
    found.path = map ? map->path : NULL;
    *ret = found;
    return 0;
}

/* The first writable memory at or behind AT. */
static bool writable(const struct cf_target *t, uint64_t at, uint64_t *start, uint64_t *end)
{
    uint32_t low = 0, high = t->live_pid ? t->map_count : t->segment_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        uint64_t last = t->live_pid ? t->maps[mid].end : t->segments[mid].vaddr + t->segments[mid].memsz;

        if (last <= at)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < (t->live_pid ? t->map_count : t->segment_count); low++) {
        uint32_t flags = t->live_pid ? t->maps[low].flags : t->segments[low].flags;

        *start = t->live_pid ? t->maps[low].start : t->segments[low].vaddr;
        *end = t->live_pid ? t->maps[low].end : *start + t->segments[low].memsz;
        /* Numbers in a header may lie: one that ends before it begins, or before another that it follows. */
        if (!(flags & PF_W) || *end <= *start || *end <= at)
            continue;
        return true;
    }
    return false;
}

int cf_host_data(struct cf_target *t, uint32_t index, uint64_t *start, uint64_t *end, const char **module)
{
    uint32_t i = 0, k = 0;
    uint64_t at = 0, first, last;

    if (t->nameless)
        return 1;
    if (!regions_of(t))
        return -1;
    if (index && t->regions->index == index) {
        i = index;
        k = t->regions->module;
        at = t->regions->at;
    }
    for (; k < t->module_count; k++) {
        const struct cf_mod *m = &t->modules[k];

        for (at = at > m->base ? at : m->base; writable(t, at, &first, &last) && first < m->end; at = last) {
            if (i++ < index)
                continue;
            *start = first > m->base ? first : m->base;
            *end = last < m->end ? last : m->end;
            *module =
                m->path == t->info.exe || (t->at_entry >= m->base && t->at_entry < m->end) ? NULL : m->path;
            t->regions->index = index + 1;
            t->regions->module = k;
            t->regions->at = last;
            return 0;
        }
    }
    return 1;
}
