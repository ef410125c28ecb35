/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user's wish to end. The first signal is remembered, so that work which looks at it now and then ends in
 * order. Work that does not is ended half a second later; the second signal ends it at once. Nothing is left
 * behind either way: the kernel lets go what its tracer no longer holds (ptrace(2)), and temporary files have
 * no names.
 */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "cmd.h"
#include "inspect/render/svg.h"

enum { PATIENCE_US = 500 * 1000 };

static volatile sig_atomic_t caught, impatient, patient;
static void (*volatile restore)(void);

void cmd_leave_nothing(void)
{
    if (svg_child)
        kill((pid_t)svg_child, SIGKILL);
    if (restore)
        restore();
}

void cmd_end_by(int sig)
{
    sigset_t set;

    cmd_leave_nothing();
    signal(sig, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(sig);
    _exit(128 + sig);
}

static void remember(int sig)
{
    const struct itimerval soon = {.it_value = {.tv_usec = PATIENCE_US}};

    if (caught || impatient)
        cmd_end_by(sig);
    caught = sig;
    if (!patient)
        setitimer(ITIMER_REAL, &soon, NULL);
}

static void lose_patience(int sig)
{
    (void)sig;
    cmd_end_by(caught);
}

void cmd_catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remember}, late = {.sa_handler = lose_patience}, before;
    sigset_t set;

    /* Whoever started this may have had it blocked, or ignored. */
    sigaction(SIGALRM, &late, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
        if (!sigaction(signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

void cmd_let_work_end(void (*before_end)(void))
{
    restore = before_end;
    patient = 1;
}

int cmd_caught(void)
{
    return caught;
}

void cmd_heeded(void)
{
    caught = 0;
}

void cmd_end_at_once(void)
{
    impatient = 1;
}

bool cmd_cancelled(void)
{
    return caught;
}

void cmd_end_by_signal(void)
{
    if (caught)
        cmd_end_by(caught);
}
