/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What is known of the signal that ended the process, or at which a thread of a living one stands.
 */
#ifndef INSPECT_MODEL_CRASH_H
#define INSPECT_MODEL_CRASH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What has led to the signal, as far as that is certain. words.c has the names in JSON. */
enum mdl_crash_kind {
    MDL_CRASH_UNKNOWN,    /**< no more is known than the signal */
    MDL_CRASH_SENT,       /**< a process, perhaps this one, has sent it (kill, raise) */
    MDL_CRASH_STACK,      /**< the thread's stack is full */
    MDL_CRASH_NULL,       /**< at an offset from the null pointer */
    MDL_CRASH_NO_ADDRESS, /**< the processor tells no address */
    MDL_CRASH_GUARD,      /**< in the guard pages below the stack of `other_lwp` */
    MDL_CRASH_UNMAPPED,
    MDL_CRASH_READ_ONLY,  /**< a write to memory that may only be read */
    MDL_CRASH_NO_EXECUTE, /**< a jump to what may not be executed */
    MDL_CRASH_NO_ACCESS,  /**< mapped without any permission */
    MDL_CRASH_ALLOWED,    /**< the access is allowed by now, or by what the core says */
    MDL_CRASH_FILE_END,   /**< in a mapped file where it has no data */
    MDL_CRASH_NO_MEMORY,  /**< SIGBUS in memory that is no file's */
    MDL_CRASH_ALIGNMENT,
    MDL_CRASH_HARDWARE,   /**< the machine has found broken memory */
    MDL_CRASH_ARITHMETIC, /**< `code` says what */
    MDL_CRASH_TRAP,       /**< an instruction that is always refused, which compilers use as a trap */
    MDL_CRASH_ILLEGAL,
    MDL_CRASH_ABORT,     /**< abort() */
    MDL_CRASH_EXCEPTION, /**< std::terminate, for an exception that nobody has caught */
    MDL_CRASH_TERMINATE, /**< std::terminate, while `type` was handled or for another reason */
    MDL_CRASH_KINDS
};

/** Whose stack it is; each kind gets its size elsewhere. */
enum mdl_stack_of { MDL_STACK_OTHER, MDL_STACK_WORKER, MDL_STACK_INITIAL };

struct mdl_crash {
    enum mdl_crash_kind kind;
    int64_t lwp;
    int signal;
    bool live;       /**< the process still lives, and the signal was not delivered yet */
    bool code_known; /**< `code` is the kernel's */
    int code;        /**< si_code */
    bool address_known;
    uint64_t address;
    bool raised_again; /**< by a handler of the program's; `code` and `address` are those of the first one */
    bool jump;         /**< the thread tried to execute what is at the address */
    int64_t other_lwp; /**< of MDL_CRASH_GUARD */
    const char *file;  /**< whose mapping the address is in; NULL none, or not known */
    /** The thread's stack, without its guard pages; 0 not known. */
    uint64_t stack_low, stack_high;
    enum mdl_stack_of stack_of;
    uint64_t stack_beyond; /**< bytes by which its stack pointer is below stack_low, 0 none */
    const char *message;   /**< glibc's last words before abort(); NULL none */
    const char *type;      /**< of an exception, for people; NULL none */
    const char *what;      /**< its text; NULL none, or not known */
    const char *what_why;  /**< why `what` is not known */
};

#ifdef __cplusplus
}
#endif
#endif
