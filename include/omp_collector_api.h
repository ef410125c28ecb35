/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The collector API: how a performance tool in the program's process asks the OpenMP runtime for events and
 * for the state of a thread (OpenMP ARB white paper of 2006, in the form that has parent regions, atomic
 * waits, pause and resume). docs/tools.md says what Companion does where the paper leaves a choice.
 *
 * A tool finds the one function by its name, OMP_COLLECTOR_API, with dlsym(). It hands over a list of
 * requests, and answers are written into the same memory:
 *
 *     offset 0  int sz    bytes of this entry, header included; a multiple of 4, at least 16; 0 ends the list
 *            4  int r     OMP_COLLECTORAPI_REQUEST
 *            8  int ec    out: OMP_COLLECTORAPI_EC
 *           12  int rsz   out: bytes of the answer in mem; with OMP_ERRCODE_MEM_TOO_SMALL bytes that it needs
 *           16  char mem[sz - 16], arguments and answer, packed: of OMP_REQ_REGISTER an int and, at once
 *               behind it, a pointer
 *
 * The end of the list is 4 bytes long. Entries must be aligned to 4 bytes; what is in mem need not be.
 */
#ifndef OMP_COLLECTOR_API_H
#define OMP_COLLECTOR_API_H

#define OMP_COLLECTOR_API "__omp_collector_api"

/** Requests. Sizes are those of mem. */
typedef enum {
    OMP_REQ_START = 0,        /**< opens a session: before any other request, and again after a stop */
    OMP_REQ_REGISTER = 1,     /**< in: event, callback (12 bytes) */
    OMP_REQ_UNREGISTER = 2,   /**< in: event (4 bytes) */
    OMP_REQ_STATE = 3,        /**< out: state, wait id (4 + 8 bytes, 4 will do where nothing is waited for) */
    OMP_REQ_CURRENT_PRID = 4, /**< out: id of the region that the thread is in, 0 none (8 bytes) */
    OMP_REQ_PARENT_PRID = 5,  /**< out: id of the region around that; for its first thread (8 bytes) */
    OMP_REQ_STOP = 6,         /**< ends the session and all registrations */
    OMP_REQ_PAUSE = 7,        /**< no events until OMP_REQ_RESUME; they are lost */
    OMP_REQ_RESUME = 8,
    OMP_REQ_LAST
} OMP_COLLECTORAPI_REQUEST;

typedef enum {
    OMP_ERRCODE_OK = 0,
    OMP_ERRCODE_ERROR = 1,         /**< mem has not the size of the arguments */
    OMP_ERRCODE_UNKNOWN = 2,       /**< no such request or event */
    OMP_ERRCODE_UNSUPPORTED = 3,   /**< there is such an event, but it cannot be reported */
    OMP_ERRCODE_SEQUENCE_ERR = 4,  /**< no session is open; or one is, and another was to be opened */
    OMP_ERRCODE_OBSOLETE = 5,      /**< not used */
    OMP_ERRCODE_THREAD_ERR = 6,    /**< this thread has no such thing */
    OMP_ERRCODE_MEM_TOO_SMALL = 7, /**< mem has no room for the answer */
    OMP_ERRCODE_LAST
} OMP_COLLECTORAPI_EC;

/** Events, each reported by the thread that it happens to. */
typedef enum {
    OMP_EVENT_FORK = 1, /**< a parallel region begins: its id is the current one already */
    OMP_EVENT_JOIN = 2, /**< it is over: its id is still the current one */
    OMP_EVENT_THR_BEGIN_IDLE = 3,
    OMP_EVENT_THR_END_IDLE = 4,
    OMP_EVENT_THR_BEGIN_IBAR = 5,
    OMP_EVENT_THR_END_IBAR = 6,
    OMP_EVENT_THR_BEGIN_EBAR = 7,
    OMP_EVENT_THR_END_EBAR = 8,
    OMP_EVENT_THR_BEGIN_LKWT = 9,
    OMP_EVENT_THR_END_LKWT = 10,
    OMP_EVENT_THR_BEGIN_CTWT = 11,
    OMP_EVENT_THR_END_CTWT = 12,
    OMP_EVENT_THR_BEGIN_ODWT = 13,
    OMP_EVENT_THR_END_ODWT = 14,
    OMP_EVENT_THR_BEGIN_MASTER = 15,
    OMP_EVENT_THR_END_MASTER = 16,
    OMP_EVENT_THR_BEGIN_SINGLE = 17,
    OMP_EVENT_THR_END_SINGLE = 18,
    OMP_EVENT_THR_BEGIN_ORDERED = 19,
    OMP_EVENT_THR_END_ORDERED = 20,
    OMP_EVENT_THR_BEGIN_ATWT = 21,
    OMP_EVENT_THR_END_ATWT = 22,
    OMP_EVENT_THR_RESERVED_IMPL = 4096, /**< from here on an implementation may have its own; none here */
    OMP_EVENT_LAST
} OMP_COLLECTORAPI_EVENT;

/** States of a thread. The wait id is the address of what is waited for; 0 where nothing is. */
typedef enum {
    THR_OVHD_STATE = 1,   /**< in a region, in the runtime */
    THR_WORK_STATE = 2,   /**< in a region, in the program's code */
    THR_IBAR_STATE = 3,   /**< waits in an implicit barrier; id of the barrier */
    THR_EBAR_STATE = 4,   /**< waits in an explicit barrier; id of the barrier */
    THR_IDLE_STATE = 5,   /**< one of the runtime's threads that is in no region */
    THR_SERIAL_STATE = 6, /**< one of the program's threads that is in no region */
    THR_REDUC_STATE = 7,  /**< combines values of a reduction */
    THR_LKWT_STATE = 8,   /**< waits for a lock; the lock */
    THR_CTWT_STATE = 9,   /**< waits to enter a critical region; its name's word */
    THR_ODWT_STATE = 10,  /**< waits for its turn in an ordered loop; the loop */
    THR_ATWT_STATE = 11,  /**< waits to enter an atomic region; the runtime's lock for those */
    THR_LAST_STATE
} OMP_COLLECTOR_API_THR_STATE;

#ifdef __cplusplus
extern "C" {
#endif

/** What OMP_REQ_REGISTER registers. */
typedef void (*OMP_COLLECTORAPI_CALLBACK)(OMP_COLLECTORAPI_EVENT event);

/**
 * Handles a list of requests, from any thread, also inside a callback. OMP_REQ_STATE and
 * OMP_REQ_CURRENT_PRID are async-signal-safe. 0: each entry was handled and has its ec; -1: one was malformed
 * (sz or alignment), or list is NULL. Entries before a malformed one are handled, those after it not.
 */
int __omp_collector_api(void *list);

#ifdef __cplusplus
}
#endif

#endif
