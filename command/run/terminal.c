/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void terminal_find(struct terminal *t)
{
    *t = (struct terminal){.fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)};
    if (t->fd >= 0 && tcgetpgrp(t->fd) != getpgrp()) {
        close(t->fd);
        t->fd = -1;
    }
}

void terminal_set_apart(struct terminal *t, pid_t pid)
{
    /* The parent's call fails once the child has become the program: then the child's has succeeded. */
    if (t->fd >= 0 && pid > 0) {
        setpgid(pid, pid);
        t->program = pid;
    }
}

/* tcsetpgrp from the background asks for SIGTTOU, which would stop us. */
static void give_to(const struct terminal *t, pid_t group)
{
    sigset_t set, before;

    sigemptyset(&set);
    sigaddset(&set, SIGTTOU);
    sigprocmask(SIG_BLOCK, &set, &before);
    tcsetpgrp(t->fd, group);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static bool has_it(const struct terminal *t, pid_t group)
{
    return t->fd >= 0 && tcgetpgrp(t->fd) == group;
}

/* Until the shell lets us go on. */
static void stop_ourselves(void)
{
    raise(SIGSTOP);
}

void terminal_program_stopped(struct terminal *t, int sig)
{
    bool lent;

    if (!t->program)
        return;
    lent = has_it(t, t->program);
    if (sig == SIGTTIN || sig == SIGTTOU) {
        /* `bg` put us into the background: then the job has to wait for `fg`. */
        while (!has_it(t, getpgrp()) && !lent)
            stop_ourselves();
        lent = true;
    } else if (lent && (sig == SIGTSTP || sig == SIGSTOP)) {
        give_to(t, getpgrp());
        stop_ourselves();
        lent = has_it(t, getpgrp());
    } else {
        return; /* somebody has stopped it, who will let it go on */
    }
    if (lent)
        give_to(t, t->program);
    kill(-t->program, SIGCONT);
}

void terminal_suspend(struct terminal *t)
{
    if (t->program)
        kill(-t->program, SIGTSTP);
    stop_ourselves();
    if (t->program)
        kill(-t->program, SIGCONT);
}

void terminal_take_back(struct terminal *t)
{
    if (t->program && has_it(t, t->program))
        give_to(t, getpgrp());
}
