/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The Argobots tool interface as libompcompanion-abttool.so offers it: OpenMP tasks as work units. Names,
 * numbers and types agree with Argobots' own abt.h, so a tool that was compiled with that header runs
 * unchanged; include one of the two. docs/tools.md says what each event means for a task.
 */
#ifndef ABT_TOOL_H
#define ABT_TOOL_H

#include <stdint.h>

#ifdef ABT_H_INCLUDED
#error "abt.h declares the same: include one of the two headers"
#endif
#define ABT_H_INCLUDED

#ifdef __cplusplus
extern "C" {
#endif

/* ---- handles: addresses, meaningless but for comparing and for the functions below -------------------- */
typedef struct ABT_thread_opaque *ABT_thread;   /**< work unit: an OpenMP task */
typedef struct ABT_xstream_opaque *ABT_xstream; /**< execution stream: an OpenMP thread */
typedef struct ABT_pool_opaque *ABT_pool;       /**< queue of tasks, or the team of an implicit task */
typedef struct ABT_key_opaque *ABT_key;
typedef struct ABT_tool_context_opaque *ABT_tool_context;
typedef int ABT_bool;

#define ABT_TRUE              1
#define ABT_FALSE             0
#define ABT_THREAD_NULL       ((ABT_thread)0)
#define ABT_XSTREAM_NULL      ((ABT_xstream)0)
#define ABT_POOL_NULL         ((ABT_pool)0)
#define ABT_KEY_NULL          ((ABT_key)0)
#define ABT_TOOL_CONTEXT_NULL ((ABT_tool_context)0)

/* ---- error codes that these functions return -------------------- */
#define ABT_SUCCESS              0
#define ABT_ERR_UNINITIALIZED    1  /**< no Companion in this process */
#define ABT_ERR_MEM              2  /**< no memory */
#define ABT_ERR_INV_XSTREAM      4  /**< a null handle of a stream */
#define ABT_ERR_INV_THREAD       16 /**< a null handle of a unit */
#define ABT_ERR_INV_KEY          19 /**< a null key */
#define ABT_ERR_INV_QUERY_KIND   28 /**< what ABT_info_query_config does not know */
#define ABT_ERR_FEATURE_NA       51 /**< no Companion in this process, or Argobots itself */
#define ABT_ERR_INV_TOOL_CONTEXT 52 /**< a null context */
#define ABT_ERR_INV_ARG          53 /**< a query that does not exist, or not for this event */

/* ---- events -------------------- */
#define ABT_TOOL_EVENT_THREAD_NONE    (0)
#define ABT_TOOL_EVENT_THREAD_CREATE  (1 << 0)
#define ABT_TOOL_EVENT_THREAD_JOIN    (1 << 1)
#define ABT_TOOL_EVENT_THREAD_FREE    (1 << 2)
#define ABT_TOOL_EVENT_THREAD_REVIVE  (1 << 3) /**< no task is revived */
#define ABT_TOOL_EVENT_THREAD_RUN     (1 << 4)
#define ABT_TOOL_EVENT_THREAD_FINISH  (1 << 5)
#define ABT_TOOL_EVENT_THREAD_CANCEL  (1 << 6)
#define ABT_TOOL_EVENT_THREAD_YIELD   (1 << 7)
#define ABT_TOOL_EVENT_THREAD_SUSPEND (1 << 8)
#define ABT_TOOL_EVENT_THREAD_RESUME  (1 << 9)
#define ABT_TOOL_EVENT_THREAD_ALL     ((uint64_t)((1 << 12) - 1))

/* ---- what may be asked about an event -------------------- */
typedef enum ABT_tool_query_kind {
    ABT_TOOL_QUERY_KIND_POOL,              /**< ABT_pool; CREATE, REVIVE, YIELD, RESUME */
    ABT_TOOL_QUERY_KIND_STACK_DEPTH,       /**< int, 1 = alone on its thread; RUN, FINISH, YIELD, SUSPEND */
    ABT_TOOL_QUERY_KIND_CALLER_TYPE,       /**< ABT_exec_entity_type; all */
    ABT_TOOL_QUERY_KIND_CALLER_HANDLE,     /**< ABT_thread or NULL; all but CANCEL */
    ABT_TOOL_QUERY_KIND_SYNC_OBJECT_TYPE,  /**< ABT_sync_event_type; YIELD, SUSPEND */
    ABT_TOOL_QUERY_KIND_SYNC_OBJECT_HANDLE /**< void *: the object, as OMPD's wait id; YIELD, SUSPEND */
} ABT_tool_query_kind;

typedef enum ABT_exec_entity_type {
    ABT_EXEC_ENTITY_TYPE_EXT,
    ABT_EXEC_ENTITY_TYPE_THREAD
} ABT_exec_entity_type;

typedef enum ABT_sync_event_type {
    ABT_SYNC_EVENT_TYPE_UNKNOWN = 0,
    ABT_SYNC_EVENT_TYPE_USER,  /**< taskyield; no object */
    ABT_SYNC_EVENT_TYPE_OTHER, /**< an untied task is queued again; no object */
    ABT_SYNC_EVENT_TYPE_XSTREAM_JOIN,
    ABT_SYNC_EVENT_TYPE_THREAD_JOIN, /**< the unit that runs on top: region, undeferred task */
    ABT_SYNC_EVENT_TYPE_MUTEX,       /**< lock, critical, atomic, reduction */
    ABT_SYNC_EVENT_TYPE_COND,        /**< ordered, doacross */
    ABT_SYNC_EVENT_TYPE_RWLOCK,
    ABT_SYNC_EVENT_TYPE_EVENTUAL, /**< taskwait, taskgroup, dependences, event of a detached task */
    ABT_SYNC_EVENT_TYPE_FUTURE,
    ABT_SYNC_EVENT_TYPE_BARRIER
} ABT_sync_event_type;

typedef void (*ABT_tool_thread_callback_fn)(ABT_thread, ABT_xstream, uint64_t event, ABT_tool_context context,
                                            void *user_arg);

/**
 * Function, mask and argument are set at once; an event that is under way may still use the former. NULL or
 * ABT_TOOL_EVENT_THREAD_NONE ends the reports.
 * ABT_SUCCESS; ABT_ERR_FEATURE_NA.
 */
int ABT_tool_register_thread_callback(ABT_tool_thread_callback_fn cb_func, uint64_t event_mask,
                                      void *user_arg);
/**
 * Inside the callback, with its context. *val is untouched on failure.
 * ABT_SUCCESS; ABT_ERR_FEATURE_NA; ABT_ERR_INV_TOOL_CONTEXT; ABT_ERR_INV_ARG.
 */
int ABT_tool_query_thread(ABT_tool_context context, uint64_t event, ABT_tool_query_kind query_kind,
                          void *val);

/* ---- what tools of Argobots need besides -------------------- */
typedef enum ABT_info_query_kind {
    ABT_INFO_QUERY_KIND_ENABLED_TOOL = 21 /**< ABT_bool */
} ABT_info_query_kind;

/** ABT_SUCCESS; ABT_ERR_UNINITIALIZED. */
int ABT_initialized(void);
/** ABT_SUCCESS; ABT_ERR_UNINITIALIZED; ABT_ERR_INV_QUERY_KIND: only the kind above is known. */
int ABT_info_query_config(ABT_info_query_kind query_kind, void *val);
double ABT_get_wtime(void);

/**
 * The calling thread's unit and stream. The null handle with the error: it is no OpenMP thread (Argobots: an
 * external thread), or idle in the pool. Safe in a signal handler of a thread that is not the initial one.
 * ABT_SUCCESS; ABT_ERR_UNINITIALIZED, _INV_THREAD or _INV_XSTREAM.
 */
int ABT_thread_self(ABT_thread *thread);
int ABT_xstream_self(ABT_xstream *xstream);
/** The thread's number in the process, 0 for the first. ABT_SUCCESS; ABT_ERR_UNINITIALIZED, _INV_XSTREAM. */
int ABT_xstream_get_rank(ABT_xstream xstream, int *rank);
/** TRUE for an explicit task: nobody joins it. ABT_SUCCESS; ABT_ERR_UNINITIALIZED, _INV_THREAD. */
int ABT_thread_is_unnamed(ABT_thread thread, ABT_bool *flag);

/** Values by unit; the destructor gets those that are not NULL at FREE. ABT_SUCCESS; ABT_ERR_MEM. */
int ABT_key_create(void (*destructor)(void *value), ABT_key *newkey);
/** Values that are still there are forgotten. *key becomes ABT_KEY_NULL. ABT_SUCCESS; ABT_ERR_INV_KEY. */
int ABT_key_free(ABT_key *key);
/** ABT_SUCCESS; ABT_ERR_INV_THREAD, _INV_KEY, _MEM. */
int ABT_thread_set_specific(ABT_thread thread, ABT_key key, void *value);
/** *value is NULL if none was set. ABT_SUCCESS; ABT_ERR_INV_THREAD, _INV_KEY. */
int ABT_thread_get_specific(ABT_thread thread, ABT_key key, void **value);

#ifdef __cplusplus
}
#endif

#endif
