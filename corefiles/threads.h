/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads, and how one is found by its number or by its stack.
 */
#ifndef COREFILES_THREADS_H
#define COREFILES_THREADS_H

#include "machine/arch.h"
#include "corefiles/target.h"

/** A thread, its registers by DWARF number. */
struct cf_thread {
    int64_t lwp;
    int64_t tid; /**< its own number: inside a container not the lwp */
    uint64_t pthread, tp;
    bool has_regs, running;
    bool ended;  /**< live: the first thread, which has ended before the others */
    int pending; /**< live: signal that the stop has held back, given back by the detach */
    uint64_t reg[CF_REGISTERS];
    uint64_t user[CF_X86_64_USER]; /**< x86-64: as the kernel has them, orig_rax among them */
    int call_known; /**< 0: `call` is its system call, 1: it is in none, negative: that is not known */
    struct insp_system_call call;
    struct insp_kernel kernel;
};

/** Fills the registers of TH from the kernel's user_regs. */
void cf_registers(const struct cf_arch *arch, const uint64_t *gregs, struct cf_thread *th);
/** From here to cf_threads_collected it is noted which numbers, all below CF_THREADS_MAX, are known. False:
 *  out of memory. */
bool cf_threads_collect(struct cf_target *t) CF_WARN_UNUSED;
bool cf_thread_known(const struct cf_target *t, int64_t tid);
void cf_thread_mark(struct cf_target *t, int64_t tid, bool known);
void cf_threads_collected(struct cf_target *t);
/** All threads are known: from now on they are found fast. False: out of memory. */
bool cf_threads_sort(struct cf_target *t) CF_WARN_UNUSED;
struct cf_thread *cf_thread_of(struct cf_target *t, int64_t lwp);
/** The thread whose stack it is, in a region from START: the nearest stack pointer below; NULL none. */
struct cf_thread *cf_stack_owner(struct cf_target *t, uint64_t addr, uint64_t start);
/** The registers of an x86-64 thread: insp_host.registers. */
int cf_host_registers(struct cf_target *t, int64_t lwp, uint64_t reg[CF_X86_64_USER],
                      uint64_t *known) CF_WARN_UNUSED;
void cf_threads_free(struct cf_thread_index *index);

#endif
