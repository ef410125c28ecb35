/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread of a team waits for a descriptor in another way. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include "say.h"

static int pipe_full(void)
{
    static const char block[4096];
    int ends[2] = {-1, -1};

    if (pipe(ends))
        return -1;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while (write(ends[1], block, sizeof(block)) > 0)
        ;
    fcntl(ends[1], F_SETFL, 0);
    return ends[1];
}

static int wait_for(int me, int silent, int many, int full)
{
    struct pollfd one = {silent, POLLIN, 0};
    struct epoll_event event = {EPOLLIN, {.fd = silent}};
    int done = 0;
    char byte = 0;

    switch (me) {
    case 0:
        SAY("poll", "poll", "'call':'poll','descriptor':%d", silent);
        done = poll(&one, 1, -1);
        break;
    case 1:
        SAY("poll", "epoll_wait", "'call':'epoll_wait','descriptor':%d", many);
        while ((done = epoll_wait(many, &event, 1, -1)) < 0 && errno == EINTR) /* a debugger's stop */
            ;
        break;
    case 2:
        SAY("write", "write", "'call':'write','descriptor':%d", full);
        done = (int)write(full, &byte, 1);
        break;
    default:
        SAY("read", "read", "'call':'read','descriptor':%d", silent);
        done = (int)read(silent, &byte, 1);
    }
    return done + byte;
}

int main(void)
{
    const int silent = say_silent(), many = epoll_create1(0), full = pipe_full();
    struct epoll_event event = {EPOLLIN, {.fd = silent}};
    int sum = 0;

    say_verdict(4, "unknown");
    epoll_ctl(many, EPOLL_CTL_ADD, silent, &event);
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += wait_for(omp_get_thread_num(), silent, many, full);
    return sum;
}
