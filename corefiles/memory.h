/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory that the target itself has: segments of a core, mappings, pages of a process.
 */
#ifndef COREFILES_MEMORY_H
#define COREFILES_MEMORY_H

#include "corefiles/target.h"

/** A loadable part of a core or of an ELF file. */
struct cf_segment {
    uint64_t vaddr, memsz, offset, filesz;
    uint32_t flags; /**< PF_* */
};

/** A mapping that the target's kernel has noted. */
struct cf_map {
    uint64_t start, end, offset;
    uint32_t flags; /**< PF_*, live only */
    uint64_t inode; /**< of the file, live only; 0 none */
    char *path;     /**< of the file, "[heap]", "" */
};
void cf_maps_free(struct cf_map *maps, uint32_t count);

/** Without the help of files. */
int cf_read_target(struct cf_target *t, uint64_t addr, void *buf, uint64_t size) CF_WARN_UNUSED;
/** How many of SIZE bytes at ADDR the core's own file has; they are in BUF then. */
uint64_t cf_read_core(struct cf_target *t, uint64_t addr, void *buf, uint64_t size) CF_WARN_UNUSED;
const struct cf_segment *cf_segment_at(const struct cf_target *t, uint64_t addr);
const struct cf_map *cf_map_at(const struct cf_target *t, uint64_t addr);
/** [start, end) of the memory around ADDR that was mapped at one go. */
bool cf_region(const struct cf_target *t, uint64_t addr, uint64_t *start, uint64_t *end) CF_WARN_UNUSED;

#endif
