/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The file of a runtime: its bytes by address, exported functions, unwind tables and build-id.
 */
#ifndef COREFILES_LAYOUT_IMAGE_H
#define COREFILES_LAYOUT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LY_WARN_UNUSED __attribute__((warn_unused_result))

/** [start, end) in the file's own addresses. */
struct ly_function {
    uint64_t start, end;
    const char *name;
};

/** A part of the file that is loaded; all of it lies in the file. */
struct ly_segment {
    uint64_t address, offset, size;
};
enum { LY_SEGMENTS_MAX = 32 };

struct ly_image {
    int fd;
    const uint8_t *bytes; /**< the file, mapped */
    size_t size;
    struct ly_segment segments[LY_SEGMENTS_MAX];
    unsigned segment_count;
    void *elf, *cfi;               /**< Elf *, Dwarf_CFI *; cfi NULL: it has none */
    struct ly_function *functions; /**< exported, by address, disjoint, one name each */
    size_t count;
    struct ly_function *symbols; /**< all exported functions, by address */
    size_t symbol_count;
    uint64_t *starts; /**< of all functions that the unwind table knows, by address */
    size_t start_count;
    struct ly_relocation *relocations; /**< relocations.h; NULL not read */
    size_t relocation_count;
    struct ly_tls *tls;
    size_t tls_count;
    char build_id[129]; /**< hexadecimal, empty: none */
};

/** Returns NULL, or in words that must not be freed why not. */
const char *ly_open(const char *path, struct ly_image *ret) LY_WARN_UNUSED;
/** The same of a file that is open; FD stays the caller's. */
const char *ly_open_fd(int fd, struct ly_image *ret) LY_WARN_UNUSED;
void ly_close(struct ly_image *image);

/** The bytes at ADDRESS up to the end of what the file has there; NULL: nothing. */
const uint8_t *ly_bytes(const struct ly_image *image, uint64_t address, size_t *left);
/** The first function NAME, whatever its version, and whatever other names it has. NULL: none is exported. */
const struct ly_function *ly_function(const struct ly_image *image, const char *name);
/** The exported variable NAME. false: there is none. */
bool ly_object(const struct ly_image *image, const char *name, uint64_t *address, uint64_t *size);
/** Executable sections: the INDEX-th as [start, end). false: there are no more. */
bool ly_code(const struct ly_image *image, unsigned index, uint64_t *start, uint64_t *end);
/** Does a function, exported or not, or an outlined part of one begin there? */
bool ly_is_start(const struct ly_image *image, uint64_t pc);
/** The last such place that is not behind PC; 0: none. */
uint64_t ly_start_before(const struct ly_image *image, uint64_t pc);
/** Bytes from the stack pointer to the caller's at PC. 0: the tables do not say that, or in terms of another
 * register. */
unsigned ly_frame(const struct ly_image *image, uint64_t pc);
/** Of a Dwarf_Frame: the register from which its canonical frame address is counted, and how far; elfutils
 * writes that in two ways. false: by a longer rule. */
bool ly_frame_base(void *frame, uint64_t *number, int64_t *offset);
/** Finds COUNT bytes in what the file loads; 0: they are not there. */
uint64_t ly_find(const struct ly_image *image, const void *bytes, size_t count);

#endif
