/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What lives from insp_open to insp_close: the host, the OMPD library, the runtimes found so far. Only data:
 * the functions are in open.h, discover.h, hostcall.h and callbacks.h.
 */
#ifndef INSPECT_SESSION_H
#define INSPECT_SESSION_H

#include "inspect/inspect.h"
#include "inspect/base/hash.h"
#include "omp-tools.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ompdlib;

/** Each runtime is asked about each thread; a process has one or two. */
enum { INSP_RUNTIMES_MAX = 16 };

/** What discover.c found out about one mapped file; also when it is no runtime. */
struct insp_known_module {
    uint64_t base;
    char *path;
    bool readable;  /**< its first page could be read */
    bool runtime;   /**< it carries the note */
    uint64_t table; /**< address of the layout table */
    uint32_t table_size, table_major;
    uint64_t start, end; /**< its mapping, from the program headers */
    uint64_t seen;       /**< scan in which the host listed it */
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
    struct insp_icv_def *icvs;
    int icv_count;
    bool icvs_read;
};

/** A thread of the host. The thread context that libompd's callbacks get. */
struct _ompd_thread_cont {
    struct insp_thread thread;
};

struct insp_session {
    struct insp_host host;
    struct insp_stats stats;
    char *ompd_path;
    struct ompdlib *lib;
    char *lib_why; /**< the reason when lib is NULL */

    struct insp_known_module *modules;
    int module_count;
    struct hash module_index;        /**< (base, path) -> index in modules + 1 */
    int runtimes[INSP_RUNTIMES_MAX]; /**< those of the modules that are runtimes */
    int runtime_count;
    bool more_runtimes; /**< there are more, which are not looked at */
    uint64_t scan;

    ompd_address_space_context_t **contexts;
    int context_count;

    struct _ompd_thread_cont *threads; /**< of the current take */
    int thread_count;
    const insp_snapshot *taking; /**< whose threads these are, row for row; NULL outside a take */

    bool host_failed;   /**< stop asking */
    char *host_failure; /**< what it failed at */
};

#ifdef __cplusplus
}
#endif
#endif
