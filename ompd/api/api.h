/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What every routine of the API does first and last.
 *
 * First: the library must be initialised (callback_error), handles must be ours and alive as objects
 * (stale_handle for NULL or released ones, incompatible_handle for another sort), output pointers must not be
 * NULL (bad_input). Last: codes that the negotiated version of OMPD does not have are replaced, and what was
 * read is forgotten outside a bracket.
 */
#ifndef OMPD_API_H
#define OMPD_API_H

#include "runtimes/runtime.h"

#define OMPD_VERSION_50 201811
#define OMPD_VERSION_51 202011
#define OMPD_VERSION_52 202111
#define OMPD_VERSION_60 202411

/**
 * RC as the caller's version knows it: incomplete (5.1) -> ok, callback_error (5.1) -> error, 6.0's ->
 * bad_input.
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

/** -1, 0, 1: differences of 64-bit numbers do not fit an int. */
static inline int api_order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

#endif
