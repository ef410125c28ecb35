/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: by which call of the user's code a thread came into the library.
 */
#ifndef OMPD_GOMP_CALL_H
#define OMPD_GOMP_CALL_H

#include "runtimes/gomp/gomp.h"

enum gomp_call_how {
    GOMP_CALL_UNKNOWN, /**< the code cannot be read, or is not understood */
    GOMP_CALL_NAMED,   /**< by the exported function `name` */
    /** By a function of the program that has left by a jump to one of the library: which one is not seen. */
    GOMP_CALL_JUMP,
    GOMP_CALL_INNER /**< by a function of the library that it does not export; the user's call is not known */
};

struct gomp_call {
    enum gomp_call_how how;
    const char *name; /**< as in the row; GOMP_CALL_NAMED only */
    uint64_t codeptr; /**< return address in user code, 0 not known */
};

/**
 * The call of a thread that sleeps or spins. FRAMES: its stack is worth walking when the return address of
 * the waiting function is in the library itself. Codes: ok, nomem.
 */
WARN_UNUSED ompd_rc_t gomp_find_call(struct gomp *gomp, const struct gomp_native *native, bool frames,
                                     struct gomp_call *ret);

/**
 * The call that has created the TEAM, by the stack of its primary thread: by which exported function, and
 * where it returns to. Unknown where the stack does not have as many such calls as the thread has created
 * regions; `codeptr` is 0 where the program has jumped there. Codes: ok, nomem.
 */
WARN_UNUSED ompd_rc_t gomp_team_call(struct gomp *gomp, int32_t team, struct gomp_call *ret);

/**
 * Is the thread in the library or in what it calls of the system's, and does not wait there? Then it goes on
 * by itself. Codes: ok, nomem.
 */
WARN_UNUSED ompd_rc_t gomp_is_on_the_way(struct gomp *gomp, const struct gomp_native *native, bool *ret);

/** The exported function at ADDRESS, NULL. */
const char *gomp_function(const struct gomp *gomp, uint64_t address);
/** Does NAME, a function's or NULL, begin with PREFIX? */
bool gomp_begins(const char *name, const char *prefix);

/**
 * The first argument of the call that returns to CODEPTR, where the instruction before the call loads a
 * constant address; else 0. Other instructions may end in the same bytes: the caller checks what it finds
 * there.
 */
uint64_t gomp_constant_argument(struct gomp *gomp, uint64_t codeptr);

#endif
