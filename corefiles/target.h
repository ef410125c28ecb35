/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A target, core or live process. Each part is filled and freed by the file that its comment names; what
 * others may know of a part is in that file's header.
 *
 * Functions of this library return 0, 1 ("there is none") or a negative number, outputs untouched unless 0.
 */
#ifndef COREFILES_TARGET_H
#define COREFILES_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "corefiles/corefiles.h"

/** What is believed of a target: docs/limits.md has these numbers. 2^20 mappings is 16 times the kernel's
 *  default limit (vm.max_map_count), which 65536 mapped ELF files would use up; 2^22 is the most that
 *  kernel.pid_max can be. */
enum {
    CF_SEGMENTS_MAX = 1 << 20, /**< program headers, and mappings of files */
    CF_MODULES_MAX = 1 << 16,  /**< mapped ELF files */
    CF_THREADS_MAX = 1 << 22,  /**< thread numbers are below it */
    CF_PATH_MAX = 4096,        /**< bytes of the name of a mapped file (PATH_MAX) */
    CF_PAGE = 4096,
};

struct cf_target {
    struct cf_options options; /**< open.c; strings kept */
    struct cf_info info;
    const struct cf_arch *arch;
    struct cf_texts *texts; /**< strings.c */

    int core_fd; /**< -1 live */
    uint64_t core_size;
    struct cf_segment *segments; /**< elfcore.c; sorted by vaddr */
    uint32_t segment_count;

    int64_t live_pid;  /**< 0 core */
    int64_t live_task; /**< one of its threads: a first thread that has ended has no memory any more */
    bool stopped;      /**< we hold it */
    bool resumed;      /**< its moment is over: no more memory than what has been read */
    bool nameless;     /**< nothing is named now, see cf_take */
    struct insp_session *session; /**< it has the target for its host; NULL none is open */
    uint64_t stop_start;
    uint64_t started;         /**< live: cf_proc_start */
    uint64_t reads, bytes;    /**< of memory, from the process or the core; what is kept is read once */
    struct cf_kernel *kernel; /**< kernel.c; NULL nothing of it yet */
    struct cf_pages *pages;   /**< pages.c; NULL nothing read yet */

    struct cf_map *maps; /**< notes.c, procfs.c; sorted by start */
    uint32_t map_count;
    struct cf_map *first_maps; /**< again.c; those by which the modules were found, NULL still in maps */
    uint32_t first_map_count;
    struct cf_thread *threads; /**< notes.c, live.c */
    uint32_t thread_count;
    struct cf_thread_index *thread_index; /**< threads.c */
    struct cf_notes *notes;               /**< notes.c, while a core is loaded */
    struct cf_mod *modules;               /**< modules.c */
    uint32_t module_count;
    uint64_t at_phdr, at_phnum, at_entry, at_vdso; /**< of the auxiliary vector */

    struct cf_folders *folders;             /**< folders.c */
    struct cf_file_problems *file_problems; /**< modulefile.c; NULL none yet */
    uint64_t summed;                        /**< debugfile.c: bytes of which the CRC was needed */
    struct Dwfl *dwfl;                      /**< dwfl.c; NULL not yet */
    struct cf_unwinder *unwinder;           /**< unwind.c; NULL not yet */
    struct cf_thread_db *thread_db;         /**< tls.c; NULL not read yet */
    struct cf_symbols *symbols;             /**< symbols.c; NULL none asked for yet */
    struct cf_inlined *inlined;             /**< stack.c; NULL none asked for yet */
    struct cf_frames *frames;               /**< frames.c; NULL none asked for yet */
    struct cf_registers_stack *stacks;      /**< frames.c; one for each thread, NULL none asked for yet */

    struct cf_types *types;                   /**< types.c; NULL none asked for yet */
    struct cf_unit_variables *unit_variables; /**< variables.c; NULL none asked for yet */
    struct cf_locals *locals;                 /**< locals.c; NULL none asked for yet */
    struct cf_regions *regions;               /**< regions.c; NULL none asked for yet */
    /** keep.c: addresses in allocated memory that are to be named later, OpenMP's and others; 0 none. */
    uint64_t heap_asked, wait_asked;
};

#endif
