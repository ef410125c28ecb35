/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The mapped files of the target, and the file here that is the same: by the target's own name, below a
 * sysroot, in debug directories, from debuginfod. It is used only if its build-id is that in the target's
 * memory.
 */
#include "corefiles/modules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corefiles/elffile.h"
#include "corefiles/memory.h"
#include "corefiles/pages.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/vdso.h"

struct memory_reader {
    struct cf_target *t;
    uint64_t base;
};

static bool memory_read(void *arg, uint64_t at, void *buf, uint64_t size)
{
    struct memory_reader *r = arg;

    return !cf_read_target(r->t, r->base + at, buf, size);
}

char *cf_id_text(const uint8_t *id, uint32_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *text = malloc(2 * (size_t)size + 1);

    if (!text)
        return NULL;
    for (uint32_t i = 0; i < size; i++) {
        text[2 * (size_t)i] = digits[id[i] >> 4];
        text[2 * (size_t)i + 1] = digits[id[i] & 15];
    }
    text[2 * (size_t)size] = '\0';
    return text;
}

/* "libx.so", "libx.so.1.2" */
static bool names_library(const char *path)
{
    const char *base = strrchr(path, '/'), *end = strstr(base ? base : path, ".so");

    return end && (!end[3] || end[3] == '.');
}

/* What the memory of the target says of a module. */
static void look_at_memory(struct cf_target *t, struct cf_mod *m)
{
    struct memory_reader reader = {t, m->base};
    struct cf_elf elf;
    uint8_t first;

    m->bias = m->base;
    if (cf_elf_read(memory_read, &reader, true, &elf)) {
        m->lost = cf_read_target(t, m->base, &first, 1) && names_library(m->path);
        return;
    }
    m->elf = true;
    m->bias = m->base - elf.first_vaddr;
    m->dynamic = elf.dynamic ? m->bias + elf.dynamic : 0;
    m->id_size = elf.id_size;
    memcpy(m->id, elf.id, elf.id_size);
    m->id_text = elf.id_size ? cf_id_text(elf.id, elf.id_size) : NULL;
    for (uint32_t i = 0; i < elf.part_count; i++) {
        uint64_t end = m->bias + elf.parts[i].vaddr + elf.parts[i].memsz;

        /* A module is no larger than what is mapped there; numbers in a header are not. */
        if (end > m->end && end - m->end < UINT64_C(1) << 32)
            m->end = (end + CF_PAGE - 1) & ~(uint64_t)(CF_PAGE - 1);
    }
    free(elf.parts);
}

static void too_many_modules(struct cf_target *t)
{
    cf_add_problem(t, cf_format("Not all mapped files are looked at."),
                   cf_format("There are more than %d of them, which is the limit.", CF_MODULES_MAX),
                   strdup(""));
}

static const char gone[] = " (deleted)";

/* The length of the file's name in PATH. */
static size_t name_length(const char *path)
{
    const size_t length = strlen(path), end = sizeof(gone) - 1;

    return length > end && !strcmp(path + length - end, gone) ? length - end : length;
}

/* Is an ELF file mapped there, which is a module then? */
static bool is_file(const struct cf_map *map)
{
    return map->path[0] == '/' || cf_is_vdso(map->path);
}

/* Does a module begin there? BEFORE: the mapping of a file before it, NULL none. lld lets text share the
   first page with the header, so that page is mapped twice in a row: one module. */
static bool begins(const struct cf_map *map, const struct cf_map *before)
{
    return !map->offset &&
           !(before && before->end == map->start && !before->offset && !strcmp(before->path, map->path));
}

bool cf_modules_same(const struct cf_target *t)
{
    const struct cf_map *before = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < t->map_count; i++) {
        const struct cf_map *map = &t->maps[i];
        const struct cf_mod *m = &t->modules[count];
        size_t length;

        if (!is_file(map))
            continue;
        if (begins(map, before)) {
            if (count == CF_MODULES_MAX)
                break;
            length = name_length(map->path);
            if (count == t->module_count || m->base != map->start || m->inode != map->inode ||
                m->deleted != (map->path[length] != '\0') || strlen(m->path) != length ||
                memcmp(m->path, map->path, length) != 0)
                return false;
            count++;
        }
        before = map;
    }
    return count == t->module_count;
}

static void look_at_all(struct cf_target *t)
{
    for (uint32_t i = 0; i < t->module_count; i++) {
        struct cf_mod *m = &t->modules[i];

        m->listed = i ? m[-1].listed + (m[-1].elf || m[-1].lost) : 0;
        look_at_memory(t, m);
        /* Headers may lie; modules do not overlap. */
        if (i + 1 < t->module_count && t->modules[i].end > t->modules[i + 1].base)
            t->modules[i].end = t->modules[i + 1].base;
        if (t->at_phdr >= t->modules[i].base && t->at_phdr < t->modules[i].end && !t->info.exe)
            t->info.exe = t->modules[i].path;
    }
}

static int list_modules(struct cf_target *t)
{
    const struct cf_map *before = NULL;

    for (uint32_t i = 0; i < t->map_count; i++) {
        struct cf_map *map = &t->maps[i];
        struct cf_mod *last = t->module_count ? &t->modules[t->module_count - 1] : NULL;
        size_t length;

        if (!is_file(map))
            continue;
        const bool first = begins(map, before);

        before = map;
        if (first && t->module_count == CF_MODULES_MAX) {
            too_many_modules(t);
            break;
        }
        if (first) {
            if (!cf_grow(&t->modules, t->module_count, sizeof(*t->modules)))
                return -1;
            last = &t->modules[t->module_count++];
            *last = (struct cf_mod){
                .base = map->start, .end = map->end, .inode = map->inode, .path = map->path, .target = t};
            length = name_length(map->path);
            last->deleted = map->path[length] != '\0';
            map->path[length] = '\0';
        } else if (last && !strncmp(last->path, map->path, strlen(last->path)) && map->end > last->end) {
            last->end = map->end;
        }
    }
    return 0;
}

int cf_modules_load(struct cf_target *t)
{
    if (list_modules(t))
        return -1;
    for (uint32_t i = 0; t->live_pid && i < t->module_count; i++)
        cf_pages_want(t, t->modules[i].base, CF_PAGE);
    cf_pages_fetch(t);
    look_at_all(t);
    /* inspect reads what else tells a runtime, from most of them. */
    for (uint32_t i = 0; t->live_pid && i < t->module_count; i++)
        if (cf_module_at(t, t->modules[i].dynamic) == &t->modules[i])
            cf_pages_want(t, t->modules[i].dynamic, 1);
    cf_pages_fetch(t);
    return 0;
}

struct cf_mod *cf_module_at(struct cf_target *t, uint64_t addr)
{
    uint32_t low = 0, high = t->module_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->modules[mid].base <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low && addr < t->modules[low - 1].end ? &t->modules[low - 1] : NULL;
}

int cf_module(const struct cf_target *t, uint32_t index, struct cf_module *ret)
{
    uint32_t low = 0, high = t->module_count;
    const struct cf_mod *m;

    /* The last before which so many are listed. */
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->modules[mid].listed <= index)
            low = mid + 1;
        else
            high = mid;
    }
    /* Of one that is lost inspect may want to say that it is. */
    m = low ? &t->modules[low - 1] : NULL;
    if (!m || m->listed != index || (!m->elf && !m->lost))
        return 1;
    *ret = (struct cf_module){m->base, m->end, m->path, m->file, m->id_text, m->check != CF_CHECK_NOT_YET};
    return 0;
}
