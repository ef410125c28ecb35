/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Does a thread that is at a place in a function hold a mutex there? Answered from the function's
 * instructions: on all ways from its beginning to the place, or on some, the mutex has been taken and not
 * given back.
 *
 * A way leaves the function by a return, or by a jump to the beginning of another one. Of a jump by register,
 * as switch has it, it is not known where it goes: it may go to each block of the function's code. Nobody
 * enters a function but at its beginning, which holds for what compilers make of structured blocks: OpenMP
 * forbids to leave one by an exception or longjmp.
 */
#ifndef INSPECT_OWNER_FLOW_H
#define INSPECT_OWNER_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum flow_effect {
    FLOW_NOTHING,
    FLOW_TAKES,
    FLOW_MAY_TAKE, /**< its result says whether it did */
    FLOW_GIVES
};

/** What a call does. */
struct flow_call {
    enum flow_effect effect;
    uint8_t
        argument; /**< register that has the mutex (enum x86_register); X86_NONE: it is the one asked for */
};

/** Where the code is read from. */
struct flow_code {
    void *arg;
    bool (*read)(void *arg, uint64_t addr, void *buf, size_t size);
    /** The part of a function that has ADDR. *entry: the function begins where it starts; else it is one that
     *  is jumped to, as a function's unlikely code. False: not known. */
    bool (*part)(void *arg, uint64_t addr, uint64_t *start, uint64_t *end, bool *entry);
    /** What a call of the function at TARGET does to the mutex asked for. */
    struct flow_call (*call)(void *arg, uint64_t target);
};

struct flow_question {
    uint64_t entry; /**< where the function begins */
    uint64_t pc;
    bool exact; /**< PC is the instruction that comes next; else where a call that has not ended returns to */
    uint64_t mutex;
    /** NULL, or with FLOW_INSIDE: where the call that took it returns to, 0 if there are several. */
    uint64_t *taken;
};

enum flow_answer {
    FLOW_UNKNOWN,
    FLOW_OUTSIDE,
    FLOW_PERHAPS, /**< on some ways to that place it holds the mutex */
    FLOW_INSIDE   /**< on all */
};

/** FLOW_UNKNOWN also where memory is short. */
enum flow_answer flow_ask(const struct flow_code *code, const struct flow_question *question);

#ifdef __cplusplus
}
#endif
#endif
