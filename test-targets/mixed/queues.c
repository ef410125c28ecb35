/* SPDX-License-Identifier: Apache-2.0 */
/* A team waits for messages, semaphores and counters of the kernel's. */
#include <errno.h>
#include <omp.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "say.h"

static int event, queue, semaphores, pair[2];

static long wait_for(int me)
{
    struct sembuf down = {0, -1, 0};
    struct {
        long kind;
        char text[8];
    } message;
    long done, number = 0;
    char byte;

    switch (me) {
    case 0:
        SAY("read", "read", "'call':'read','descriptor':%d", event);
        done = read(event, &number, sizeof(number));
        break;
    case 1:
        SAY("system_call", "msgrcv", "'call':'msgrcv'");
        done = msgrcv(queue, &message, sizeof(message.text), 0, 0);
        break;
    case 2:
        SAY("semaphore", "semtimedop", "'call':'semop|semtimedop'");
        while ((done = semop(semaphores, &down, 1)) < 0 && errno == EINTR) /* a debugger's stop */
            ;
        break;
    default:
        SAY("read", "recvfrom", "'call':'recv','descriptor':%d", pair[0]);
        done = recv(pair[0], &byte, 1, 0);
    }
    say_after();
    return done + number;
}

int main(void)
{
    long sum = 0;

    event = eventfd(0, 0);
    queue = msgget(IPC_PRIVATE, 0600);
    semaphores = semget(IPC_PRIVATE, 1, 0600);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || event < 0 || queue < 0 || semaphores < 0)
        return 1;
    say_verdict(4, "unknown");
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += wait_for(omp_get_thread_num());
    return (int)sum;
}
