/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * An ELF file on disk or mapped, as far as modules need it.
 */
#ifndef COREFILES_ELFFILE_H
#define COREFILES_ELFFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "corefiles/corefiles.h"

enum { CF_ID_MAX = 64 };

typedef bool cf_reader(void *arg, uint64_t at, void *buf, uint64_t size);

struct cf_elf {
    uint16_t type, machine;
    struct cf_segment *parts; /**< PT_LOAD; owned by the caller */
    uint32_t part_count;
    uint64_t first_vaddr; /**< address of file offset 0 */
    uint64_t dynamic;     /**< p_vaddr of PT_DYNAMIC, 0 none */
    uint8_t id[CF_ID_MAX];
    uint32_t id_size;
};

/** READ gives bytes by file offset, or, when MAPPED, by offset from the header in memory. */
int cf_elf_read(cf_reader *read, void *arg, bool mapped, struct cf_elf *ret) CF_WARN_UNUSED;
/** A flag of a segment, beside PF_R: what the linker has not made to be written, in a segment that may be. */
enum { CF_CONSTANT = 1 << 20 };
/**
 * Adds to the parts of ELF, a file's, its sections that nobody writes though they lie in a writable segment:
 * patchelf moves names, notes and hash tables there. No failure: without memory there are none.
 */
void cf_elf_constants(cf_reader *read, void *arg, struct cf_elf *elf);
/** True if FD is an ELF file, also a debug file, with that build-id. */
bool cf_elf_has_id(int fd, const void *id, size_t size);

#endif
