/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads of a team wait for a completion of io_uring that never comes, one of them with a time. Where
 * the kernel has no io_uring they read from a pipe instead. A debugger's stop ends the call with EINTR. */
#define _GNU_SOURCE
#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <omp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "say.h"

static int make_ring(void)
{
    struct io_uring_params params;

    memset(&params, 0, sizeof(params));
    return (int)syscall(SYS_io_uring_setup, 4, &params);
}

static void wait_for_ring(int ring)
{
    SAY("io_uring", "io_uring_enter", "'call':'io_uring_enter','descriptor':%d", ring);
    while (syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
        say_after();
}

static void wait_for_ring_or_time(int ring)
{
    struct __kernel_timespec time = {SAY_LONG, 0};
    struct io_uring_getevents_arg more = {.ts = (unsigned long)&time};
    const unsigned flags = IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG;

    SAY("io_uring", "io_uring_enter", "'call':'io_uring_enter','descriptor':%d,'timeout':%d", ring, SAY_LONG);
    while (syscall(SYS_io_uring_enter, ring, 0, 1, flags, &more, sizeof(more)) < 0)
        say_after();
}

static void wait_for_pipe(int silent)
{
    char byte;

    SAY("read", "read", "'call':'read','descriptor':%d", silent);
    if (read(silent, &byte, 1) == 1)
        say_after();
}

int main(void)
{
    const int ring[2] = {make_ring(), make_ring()}, silent = say_silent();
    const int there = ring[0] >= 0 && ring[1] >= 0;

    say_verdict(2, there ? "none" : "unknown");
#pragma omp parallel num_threads(2)
    {
        if (!there)
            wait_for_pipe(silent);
        else if (omp_get_thread_num() == 0)
            wait_for_ring(ring[0]);
        else
            wait_for_ring_or_time(ring[1]);
    }
}
