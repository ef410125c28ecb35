/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Finds OpenMP runtimes in a process by the note in the first page of their file (docs/core-note.md): no
 * symbols, no files, so it works on a core whose libraries are gone.
 */
#ifndef INSPECT_DISCOVER_H
#define INSPECT_DISCOVER_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DISCOVER_PAGE = 4096, DISCOVER_ID = INSP_BUILD_ID };

/** What the first page of a mapped file says. Members as in struct insp_known_module. */
struct discover_image {
    uint64_t table;
    uint32_t table_size, table_major;
    uint64_t start, end, bias;
    uint64_t dynamic, dynamic_size;
    bool fixed, interpreted;
    uint8_t build_id[DISCOVER_ID];
    uint32_t build_id_size; /**< 0 it is not in the first page */
};
/** Reads the headers in PAGE, SIZE bytes found at BASE, and looks for the note. False: not a 64-bit
 * little-endian ELF file (*ret is zero then), or no such note. */
bool discover_parse(const void *page, size_t size, uint64_t base, struct discover_image *ret);

enum discover_started { DISCOVER_NOT_STARTED, DISCOVER_STARTED, DISCOVER_DAMAGED, DISCOVER_UNREADABLE };
/** Reads the table's header. */
enum discover_started discover_started(insp_session *s, const struct insp_known_module *module);

/**
 * Asks the host for its modules and reads the first page of those not known yet, those called *omp* first.
 * Afterwards s->modules[i].seen == s->scan for those that are mapped now. Negative when the host could not
 * list them.
 */
int discover_scan(insp_session *s) INSP_WARN_UNUSED;
/** Reads the first page of a module of the last scan, once; one that cannot be read is tried again in the
 * next scan, for the host may get the file later. */
void discover_look(insp_session *s, struct insp_known_module *m);

/** Looks for the build-id of M, whose first page has been read, once, also behind that page. */
void discover_build_id(insp_session *s, struct insp_known_module *m);
/** True for a runtime without our note, by what it exports; or by its name, where only the OMPD library may
 *  know more. */
bool discover_stock(const struct insp_known_module *m);

/** True for a file name of another vendor's OpenMP runtime (libgomp, libomp, libiomp5). */
bool discover_foreign(const char *path);
/** True for files that hold no runtime for certain: the vdso, the C library and the compilers' support
 *  libraries. */
bool discover_skipped(const char *path);

/** Address that a symbol has without asking the host: that of the layout table, which the note gives. False:
 *  the host must be asked. */
bool discover_own_symbol(const ompd_address_space_context_t *context, const char *symbol,
                         uint64_t *addr) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
