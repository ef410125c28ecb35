/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The kernel's library in each process, as a mapping and as a file.
 */
#include "corefiles/vdso.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "corefiles/memory.h"
#include "corefiles/strings.h"

static const char name[] = "[vdso]";

/* The kernel's have 4 to 16 KB, with pages of 64 KB one such page. */
enum { VDSO_MAX = 1 << 18 };

bool cf_is_vdso(const char *path)
{
    return !strcmp(path, name);
}

int cf_vdso_map(struct cf_target *t)
{
    const struct cf_segment *s = t->at_vdso ? cf_segment_at(t, t->at_vdso) : NULL;
    struct cf_map map = {.start = t->at_vdso};

    if (!s || t->map_count == CF_SEGMENTS_MAX)
        return 0;
    map.end = s->vaddr + s->memsz;
    for (uint32_t i = 0; i < t->map_count; i++)
        if (t->maps[i].start < map.end && map.start < t->maps[i].end)
            return 0; /* a damaged core: a file is mapped there */
    map.path = strdup(name);
    if (!map.path || !cf_grow(&t->maps, t->map_count, sizeof(*t->maps))) {
        free(map.path);
        return -1;
    }
    t->maps[t->map_count++] = map;
    return 0;
}

int cf_vdso_copy(struct cf_target *t, uint64_t base, uint64_t end)
{
    const uint64_t size = end - base;
    void *copy = size <= VDSO_MAX ? malloc(size) : NULL;
    int fd = copy && !cf_read_target(t, base, copy, size) ? memfd_create("vdso", MFD_CLOEXEC) : -1;

    if (fd >= 0 && write(fd, copy, size) != (ssize_t)size) {
        close(fd);
        fd = -1;
    }
    free(copy);
    return fd;
}
