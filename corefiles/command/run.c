/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd run`: a program on Companion or on its own runtime, with a limit of time. Statuses as timeout(1) has
 * them.
 */
#include "cmd.h"
#include "program.h"
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * SIGQUIT and SIGUSR1 ask for a report, SIGINT for one before it reaches the program, SIGTSTP is the
 * terminal's; the others are passed on.
 */
static const int watched_signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP};

struct run {
    struct cmd_args *args;
    struct terminal terminal;
    pid_t pid;
    int status;       /**< of the program, when it has ended: as a shell has it */
    bool interrupted; /**< by Ctrl-C, once */
    bool limited;     /**< our memory */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void watched(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < sizeof(watched_signals) / sizeof(*watched_signals); i++)
        sigaddset(set, watched_signals[i]);
}

/* Companion under the names of the runtimes it stands for: docs/using-companion.md. */
static int set_environment(void)
{
    const char *before = getenv("LD_LIBRARY_PATH");
    char *dir = cmd_installed("ompcompanion"), *path = NULL;
    int rc = CMD_CANNOT_RUN;

    if (dir && access(dir, X_OK)) {
        cmd_say("Companion is not installed: %s: %s.", dir, strerror(errno));
    } else {
        path = dir ? cf_format("%s%s%s", dir, before && *before ? ":" : "", before ? before : "") : NULL;
        if (!path || setenv("LD_LIBRARY_PATH", path, 1) || setenv("OMP_DEBUG", "enabled", 0))
            cmd_say("Out of memory.");
        else
            rc = CMD_ALL;
    }
    free(path);
    free(dir);
    return rc;
}

/* The program gets Companion, or it keeps what it has. */
static int choose_runtime(const struct cmd_args *args)
{
    char *why;

    if (args->own_runtime)
        return CMD_ALL;
    if (program_cannot_be_served(args->program[0], &why)) {
        cmd_say("%s", why ? why : "Out of memory.");
        free(why);
        return CMD_CANNOT_RUN;
    }
    return set_environment();
}

/* In the child: becomes the program, or tells the parent the errno. */
static void become(struct run *r, const sigset_t *mask, int report)
{
    char **program = r->args->program;
    ssize_t n;
    int error;

    terminal_set_apart(&r->terminal, getpid());
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(program[0], program);
    error = errno;
    n = write(report, &error, sizeof(error));
    _exit(n == sizeof(error) ? CMD_NOT_FOUND : CMD_CANNOT_RUN);
}

static int start(struct run *r, const sigset_t *mask)
{
    char **program = r->args->program;
    int ends[2], error = 0;
    ssize_t n;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC)) {
        cmd_say("No pipe can be made: %s.", strerror(errno));
        return CMD_CANNOT_RUN;
    }
    fflush(stdout);
    pid = fork();
    if (!pid)
        become(r, mask, ends[1]);
    terminal_set_apart(&r->terminal, pid);
    close(ends[1]);
    if (pid < 0)
        error = errno;
    do
        n = pid > 0 ? read(ends[0], &error, sizeof(error)) : 0;
    while (n < 0 && errno == EINTR);
    close(ends[0]);
    if (!error) {
        r->pid = pid;
        return CMD_ALL;
    }
    if (pid > 0)
        waitpid(pid, NULL, 0);
    cmd_say("%s cannot be started: %s.", program[0], strerror(error));
    return pid < 0 ? CMD_CANNOT_RUN : error == ENOENT ? CMD_NOT_FOUND : CMD_NOT_EXECUTABLE;
}

/* True when the program has ended; other children were adopted and are only buried. */
static bool ended(struct run *r)
{
    bool found = false;
    pid_t which;
    int one;

    while ((which = waitpid(-1, &one, WNOHANG | WUNTRACED)) > 0)
        if (which == r->pid && WIFSTOPPED(one)) {
            terminal_program_stopped(&r->terminal, WSTOPSIG(one));
        } else if (which == r->pid) {
            r->status = WIFSIGNALED(one) ? 128 + WTERMSIG(one) : WEXITSTATUS(one);
            found = true;
        }
    /* Our reader may have buried it; while it is held, SIGKILL alone can end it. */
    if (!found && kill(r->pid, 0) && errno == ESRCH) {
        r->status = 128 + SIGKILL;
        found = true;
    }
    return found;
}

/* LAST: what ends a program ends this process meanwhile; else it waits for the report. */
static int report(struct run *r, bool last)
{
    sigset_t own, before;
    int rc;

    sigemptyset(&own);
    sigaddset(&own, SIGCHLD);
    if (last) {
        sigaddset(&own, SIGINT);
        sigaddset(&own, SIGTERM);
        sigaddset(&own, SIGHUP);
        cmd_kill_when_ended(r->terminal.program ? -r->pid : r->pid);
        cmd_catch_signals();
    }
    if (!r->limited)
        cmd_limit_memory(r->args);
    r->limited = true;
    sigprocmask(SIG_UNBLOCK, &own, &before);
    rc = cmd_report_family(r->args, r->pid);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (last)
        cmd_kill_when_ended(0);
    return rc;
}

static int kill_and_end(struct run *r, int status)
{
    terminal_take_back(&r->terminal);
    program_kill(r->pid);
    return status;
}

/* The program is held, and reported on, before it gets the signal. */
static void interrupt(struct run *r)
{
    const pid_t whom = r->terminal.program ? -r->terminal.program : r->pid;

    r->interrupted = true;
    if (!r->args->quiet)
        cmd_say("%s is held for its report, then it gets the signal. Ctrl-C again ends it at once.",
                r->args->program[0]);
    r->args->hold = true;
    cmd_end_at_once();
    (void)report(r, true);
    r->args->hold = false;
    kill(whom, SIGINT);
    program_continue(r->pid);
}

/* True when the program has been ended for it. */
static bool take_signal(struct run *r, int sig, const siginfo_t *info)
{
    switch (sig) {
    case SIGCHLD:
        break;
    case SIGINT:
        if (r->interrupted) {
            r->status = kill_and_end(r, 128 + SIGINT);
            return true;
        }
        interrupt(r);
        break;
    case SIGQUIT:
    case SIGUSR1:
        (void)report(r, false);
        break;
    case SIGTSTP:
        terminal_suspend(&r->terminal);
        break;
    default:
        /* What the terminal sends, it sends to a program of our group too. */
        if (info->si_code != SI_KERNEL || r->terminal.program)
            kill(r->pid, sig);
    }
    return false;
}

/* True when the program has ended before the time. */
static bool wait_for(struct run *r)
{
    const double seconds = r->args->timeout, until = now() + seconds;
    sigset_t set;

    watched(&set);
    while (!ended(r)) {
        double left = seconds > 0 ? until - now() : 3600;
        struct timespec span = {.tv_sec = (time_t)(left > 0 ? left : 0)};
        siginfo_t info;
        int sig;

        if (left > 0)
            span.tv_nsec = (long)((left - (double)span.tv_sec) * 1e9);
        sig = sigtimedwait(&set, &info, &span);
        if (sig > 0 && take_signal(r, sig, &info))
            return true;
        if (seconds > 0 && now() >= until)
            return ended(r);
    }
    return true;
}

/* The time is over: what the program did, then its end. */
static int time_over(struct run *r)
{
    const struct cmd_args *args = r->args;
    int rc;

    if (!args->quiet)
        cmd_say("%s has not ended within %g second%s.", args->program[0], args->timeout,
                args->timeout == 1 ? "" : "s");
    rc = report(r, true);
    return kill_and_end(r, rc == CMD_DEADLOCK ? rc : CMD_TIME_OVER);
}

int cmd_run(struct cmd_args *args)
{
    struct run r = {.args = args};
    sigset_t set, before;
    int rc = cmd_check_output(args) ? CMD_CANNOT_RUN : choose_runtime(args);

    if (rc)
        return rc;
    terminal_find(&r.terminal);
    watched(&set);
    sigprocmask(SIG_BLOCK, &set, &before);
    /* What the program leaves behind comes to us, to be ended with it. */
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    rc = start(&r, &before);
    if (rc)
        return rc;
    if (!args->own_runtime && !args->quiet)
        cmd_say("%s has got Companion as its OpenMP runtime; --runtime=own leaves it on its own.",
                args->program[0]);
    if (!wait_for(&r))
        return time_over(&r);
    terminal_take_back(&r.terminal);
    return r.status;
}
