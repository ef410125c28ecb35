/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What lives from insp_open to insp_close: the host, the OMPD library, the runtimes found so far. Only data:
 * the functions are in open.h, discover.h, hostcall.h and callbacks.h.
 */
#ifndef INSPECT_SESSION_H
#define INSPECT_SESSION_H

#include "inspect/base/hash.h"
#include "inspect/inspect.h"
#include "omp-tools.h"
#include "ompdx.h"

#ifdef __cplusplus
extern "C" {
#endif

struct objects;
struct ompdlib;

/** Each runtime is asked about each thread; a process has one or two. */
enum { INSP_RUNTIMES_MAX = 16 };
/** Bytes of a build-id; ld makes 20, lld 8 or 20. */
enum { INSP_BUILD_ID = 64 };

/** A stock runtime that is linked into a program statically: embedded.h. */
enum insp_embedded {
    INSP_EMBEDDED_NOT_ASKED,
    INSP_EMBEDDED_NONE,
    INSP_EMBEDDED_UNREAD, /**< none was found, but not all of the program could be looked through */
    INSP_EMBEDDED_GOMP,
    INSP_EMBEDDED_KMP
};

/** What discover.c and frames/code.c found out about one mapped file; also when it is no runtime. */
struct insp_known_module {
    uint64_t base;
    char *path;
    uint64_t seen;  /**< scan in which the host listed it */
    uint64_t tried; /**< scan in which its first page was last asked for */
    bool skipped;   /**< no runtime by its name: the scan does not read it */
    bool readable;  /**< its first page could be read: what follows is valid */
    bool runtime;   /**< it carries the note */
    bool stock;     /**< it is a runtime without the note, or may be one: discover_stock */
    uint64_t table; /**< address of the layout table */
    uint32_t table_size, table_major;
    uint64_t start, end;            /**< its mapping, from the program headers; equal: unknown */
    uint64_t bias;                  /**< what is added to the addresses in its headers */
    uint64_t dynamic, dynamic_size; /**< its dynamic section in memory, 0 none */
    bool fixed;                     /**< ET_EXEC: a program that is not position independent */
    bool interpreted;               /**< it names a dynamic linker: a program that is not static */
    uint8_t build_id[INSP_BUILD_ID];
    uint32_t build_id_size; /**< 0 not known, or not asked for behind the first page */
    bool build_id_asked;
    enum insp_embedded embedded; /**< what is in it, of a program */

    bool judged;                   /**< the next two are valid */
    enum insp_code code;           /**< whose it is, apart from a runtime in it */
    bool is_static;                /**< a static program: libraries are in it */
    uint64_t code_asked;           /**< scan in which the OMPD library was asked for the next two */
    uint64_t code_start, code_end; /**< the code of the runtime in it; equal: unknown */
};

/** Index of a module, to look it up by its base: mapped.h. */
struct insp_module_base {
    uint64_t base;
    int index;
};

/** A scope and a number, as ompd_enumerate_icvs gave them. */
struct insp_icv_def {
    char *name;
    uint64_t id;
    ompd_scope_t scope;
};

/** A runtime in the process, opened with the OMPD library. The context that libompd's callbacks get. */
struct _ompd_aspace_cont {
    insp_session *session;
    struct insp_known_module module; /**< copy; path owned */
    ompd_address_space_handle_t *aspace;
    bool stock; /**< the file has no layout table, and our OMPD library explains it: no symbol is looked up */
    struct insp_icv_def *icvs;
    int icv_count;
    bool icvs_read;
    ompdx_frame_rule_t *rules; /**< of the runtime's layout, by address (frame_rules.h) */
    int rule_count;
};

/** A thread of the host. The thread context that libompd's callbacks get. */
struct _ompd_thread_cont {
    struct insp_thread thread;
};

struct insp_session {
    struct insp_host host;
    struct insp_stats stats;
    uint64_t reads_before, bytes_before;    /**< what insp_host.reads said when `stats` was reset */
    uint64_t registers_asked, frames_asked; /**< of the host: threads, and frames with registers */
    char *ompd_path;
    struct ompdlib *lib;
    char *lib_why; /**< the reason when lib is NULL */

    struct insp_known_module *modules;
    int module_count;
    struct hash module_index;         /**< (base, path) -> index in modules + 1 */
    struct insp_module_base *by_base; /**< the modules that the scan BY_BASE_SCAN has seen; mapped.c */
    int by_base_count;
    uint64_t by_base_scan;
    int runtimes[INSP_RUNTIMES_MAX]; /**< those of the modules that are runtimes */
    int runtime_count;
    bool more_runtimes; /**< there are more, which are not looked at */
    uint64_t scan;

    ompd_address_space_context_t **contexts;
    int context_count;

    struct _ompd_thread_cont *threads; /**< of the current take */
    int thread_count;
    const insp_snapshot *taking; /**< whose threads these are, row for row; NULL outside a take */

    struct hash still; /**< still.c: number of a page -> its bytes; 0: it cannot be read as a whole */
    struct hash unwind_rules, unwound; /**< unwind.c: by address; by the number of the thread */
    struct hash registers;             /**< still.c: by the number of the thread */
    struct arena still_memory;

    struct objects *objects; /**< names/object.c: of the last take; NULL none asked for yet */
    void (*objects_free)(struct objects *objects);

    uint64_t unknown[INSP_RUNTIMES_MAX]; /**< bases of those that the library has no layout for */
    int unknown_count;
    uint64_t unknown_scan;         /**< in which that was found out */
    char *made[INSP_RUNTIMES_MAX]; /**< names of the layouts that a tool has made of files */
    int made_count;

    uint64_t start_routine_scan;   /**< in which the next one was looked for */
    uint32_t start_routine_offset; /**< start_routine.c: in a thread's descriptor; 0 not known */

    bool opening; /**< what the OMPD library prints is kept in `said`: it may be why it refuses */
    char *said;

    bool host_failed;   /**< stop asking */
    char *host_failure; /**< what it failed at */
};

#ifdef __cplusplus
}
#endif
#endif
