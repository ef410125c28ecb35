/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads on stacks of their own making, all in one mapping with guard pages that the kernel has put there
 * (MADV_GUARD_INSTALL, Linux 6.13): /proc/PID/maps has no word of them, and a read of one fails. It writes
 * one "!" when each thread waits, or "-" where the kernel has no such guards.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS = 8, PAGE = 4096, EVERY = 8, STACK = 7 * PAGE, EACH = 8 << 20, GUARD_INSTALL = 102 };

static char *memory;
static pthread_barrier_t all_there;

static void wait_there(void)
{
    pthread_barrier_wait(&all_there);
    for (;;)
        pause();
}

static void *run(void *number)
{
    ucontext_t here, there;

    getcontext(&there);
    there.uc_stack.ss_sp = memory + (intptr_t)number * EACH + PAGE;
    there.uc_stack.ss_size = STACK;
    there.uc_link = NULL;
    makecontext(&there, wait_there, 0);
    swapcontext(&here, &there);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    memory =
        mmap(NULL, (size_t)(THREADS + 1) * EACH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    for (char *at = memory; at < memory + (size_t)(THREADS + 1) * EACH; at += EVERY * PAGE)
        if (madvise(at, PAGE, GUARD_INSTALL))
            return write(1, "-", 1) != 1;
    pthread_barrier_init(&all_there, NULL, THREADS + 1);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread, NULL, run, (void *)i);
    pthread_barrier_wait(&all_there);
    if (write(1, "!", 1) != 1)
        return 1;
    for (;;)
        pause();
}
