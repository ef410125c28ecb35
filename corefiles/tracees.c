/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads that were seized and did not stop in time: one in an uninterruptible wait (the parent of a vfork, a
 * dead NFS server). ptrace(2) detaches stopped threads only, so each of them is let go when it does stop, in
 * the handler of the SIGCHLD that its stop sends: whatever this process is doing then. They outlive the
 * target that seized them.
 */
#include "corefiles/tracees.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "corefiles/procfs.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"

/** Seized, and not stopped when its target was let go. */
struct tracee {
    pid_t tid;
    bool child; /**< of this process: its end is for others to wait for */
};

static struct tracee *tracees;
static volatile uint32_t count;

static void hold(sigset_t *mask)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, mask);
}

/* True when it is no longer ours: let go, or ended. */
static bool release(const struct tracee *one)
{
    siginfo_t info = {0};

    if (waitid(P_PID, (id_t)one->tid, &info, WSTOPPED | WNOHANG | __WALL) == 0 && info.si_pid == one->tid) {
        /* The event is above the signal. Without one it is a signal on its way, which is given back. */
        int signal = info.si_status >> 8 ? 0 : info.si_status;

        return ptrace(PTRACE_DETACH, one->tid, NULL, (void *)(uintptr_t)signal) == 0 || errno == ESRCH;
    }
    /* Nobody learns of the end of a traced thread before its tracer has. */
    return !one->child && waitpid(one->tid, NULL, WNOHANG | __WALL) != 0;
}

/* With SIGCHLD blocked. */
static void settle(void)
{
    uint32_t left = 0;
    int error = errno;

    for (uint32_t i = 0; i < count; i++)
        if (!release(&tracees[i]))
            tracees[left++] = tracees[i];
    count = left;
    errno = error;
}

static void stopped(int signal)
{
    (void)signal;
    settle();
}

void cf_tracee_leave(struct cf_target *t, int64_t tid)
{
    struct sigaction action = {.sa_handler = stopped, .sa_flags = SA_RESTART};
    sigset_t mask;

    hold(&mask);
    /* Out of memory: our own end lets it go. */
    if (cf_grow(&tracees, count, sizeof(*tracees))) {
        tracees[count++] = (struct tracee){(pid_t)tid, tid == t->live_pid &&
                                                           cf_proc_status(t->live_pid, "PPid") == getpid()};
        if (count == 1)
            sigaction(SIGCHLD, &action, NULL);
        settle(); /* it may have stopped since */
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
}

bool cf_tracee_take(int64_t tid)
{
    bool found = false;
    sigset_t mask;

    if (!count)
        return false;
    hold(&mask);
    for (uint32_t i = 0; i < count; i++)
        if (tracees[i].tid == tid) {
            tracees[i] = tracees[--count];
            found = true;
            break;
        }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return found;
}
