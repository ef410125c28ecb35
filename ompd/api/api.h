/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What every routine of the API does first and last.
 *
 * First: the library must be initialised (callback_error), handles must be ours and alive as objects
 * (stale_handle for NULL, released ones and those from before the last ompd_finalize, incompatible_handle for
 * another sort), output pointers must not be NULL (bad_input). Last: codes that the negotiated version of
 * OMPD does not have are replaced, and what was read is forgotten outside a bracket.
 */
#ifndef OMPD_API_H
#define OMPD_API_H

#include "runtimes/base/runtime.h"
#include "trace.h"

#define OMPD_VERSION_50 201811
#define OMPD_VERSION_51 202011
#define OMPD_VERSION_52 202111
#define OMPD_VERSION_60 202411

/**
 * RC as the caller's version knows it: incomplete (5.1) -> ok, callback_error (5.1) -> error,
 * incompatible_handle (6.0) -> stale_handle, the older code for "not valid" (bad_input is for what is no
 * handle).
 */
ompd_rc_t api_code(ompd_rc_t rc);

/** Leaves the routine with a mapped code when STEP fails. */
#define API_TRY(step)                \
    do {                             \
        ompd_rc_t api_rc = (step);   \
        if (api_rc != ompd_rc_ok)    \
            return api_code(api_rc); \
    } while (0)

/**
 * Declares the address space of the call; at the end of scope what it read is dropped, unless a bracket is
 * open.
 */
#define API_ASPACE(name) __attribute__((cleanup(api_leave))) aspace_t *name = NULL
void api_leave(aspace_t **aspace);

/* Codes: ok, callback_error, stale_handle, incompatible_handle. */
WARN_UNUSED ompd_rc_t api_enter_aspace(const ompd_address_space_handle_t *handle, aspace_t **ret);
WARN_UNUSED ompd_rc_t api_enter_thread(const ompd_thread_handle_t *handle, aspace_t **ret);
WARN_UNUSED ompd_rc_t api_enter_parallel(const ompd_parallel_handle_t *handle, aspace_t **ret);
WARN_UNUSED ompd_rc_t api_enter_task(const ompd_task_handle_t *handle, aspace_t **ret);
/** For routines whose handle has no type: which sort it is, and its entity (NULL for an address space). */
WARN_UNUSED ompd_rc_t api_enter_any(const void *handle, enum handle_tag *tag, const struct rtm_ref **ref,
                                    aspace_t **ret);

static inline ompd_rc_t api_output(const void *pointer)
{
    return pointer != NULL ? ompd_rc_ok : ompd_rc_bad_input;
}

/**
 * ompd_rel_*_handle of the sort TAG. The order of release does not matter: the handle may be released after
 * its address space. Codes: as api_enter_*, mapped.
 */
WARN_UNUSED ompd_rc_t api_release(void *handle, enum handle_tag tag);

/**
 * The order of entities of one sort: by address space, then in the order in which they came to be. It needs
 * no look at the target, so it stays what it was when entities end, and a tool may keep handles sorted.
 */
int api_compare(const aspace_t *aspace_1, const struct rtm_ref *ref_1, const aspace_t *aspace_2,
                const struct rtm_ref *ref_2);

#endif
