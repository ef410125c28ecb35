/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd run`: a program on Companion or on its own runtime, with a limit of time. Statuses as timeout(1) has
 * them.
 */
#include "cmd.h"
#include "program.h"

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

/* Signals that are passed on to the program; the first three end this process too. */
static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void watched(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (size_t i = 0; i < sizeof(passed) / sizeof(*passed); i++)
        sigaddset(set, passed[i]);
}

/* Companion under the names of the runtimes it stands for: docs/using-companion.md. */
static int set_environment(void)
{
    const char *before = getenv("LD_LIBRARY_PATH");
    char *prefix = cmd_prefix();
    char *dir = prefix ? cf_format("%s/lib/ompcompanion", prefix) : NULL, *path = NULL;
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
    free(prefix);
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
static void become(char **program, const sigset_t *mask, int report)
{
    ssize_t n;
    int error;

    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(program[0], program);
    error = errno;
    n = write(report, &error, sizeof(error));
    _exit(n == sizeof(error) ? CMD_NOT_FOUND : CMD_CANNOT_RUN);
}

static int start(char **program, const sigset_t *mask, pid_t *ret)
{
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
        become(program, mask, ends[1]);
    close(ends[1]);
    if (pid < 0)
        error = errno;
    do
        n = pid > 0 ? read(ends[0], &error, sizeof(error)) : 0;
    while (n < 0 && errno == EINTR);
    close(ends[0]);
    if (!error) {
        *ret = pid;
        return CMD_ALL;
    }
    if (pid > 0)
        waitpid(pid, NULL, 0);
    cmd_say("%s cannot be started: %s.", program[0], strerror(error));
    return pid < 0 ? CMD_CANNOT_RUN : error == ENOENT ? CMD_NOT_FOUND : CMD_NOT_EXECUTABLE;
}

/* True when PID has ended, with its status; other children were adopted and are only buried. */
static bool ended(pid_t pid, int *status)
{
    bool found = false;
    pid_t which;
    int one;

    while ((which = waitpid(-1, &one, WNOHANG)) > 0)
        if (which == pid) {
            *status = one;
            found = true;
        }
    return found;
}

/* True when the program has ended before the time. */
static bool wait_for(pid_t pid, double seconds, int *status)
{
    const double until = now() + seconds;
    sigset_t set;

    watched(&set);
    for (;;) {
        double left = seconds > 0 ? until - now() : 3600;
        struct timespec span = {.tv_sec = (time_t)(left > 0 ? left : 0)};
        siginfo_t info;
        int sig;

        if (left > 0)
            span.tv_nsec = (long)((left - (double)span.tv_sec) * 1e9);
        sig = sigtimedwait(&set, &info, &span);
        if (ended(pid, status))
            return true;
        /* What the terminal sends, it sends to the program too. */
        if (sig > 0 && sig != SIGCHLD && info.si_code != SI_KERNEL)
            kill(pid, sig);
        if (seconds > 0 && now() >= until)
            return false;
    }
}

static int own_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The time is over: what the program did, then its end. */
static int time_over(struct cmd_args *args, pid_t pid)
{
    insp_snapshot *snapshot;
    sigset_t own;
    int rc;

    /* From here on they are for this process again. */
    sigemptyset(&own);
    for (size_t i = 0; i < 3; i++)
        sigaddset(&own, passed[i]);
    sigaddset(&own, SIGCHLD);
    cmd_kill_when_ended(pid);
    cmd_catch_signals();
    sigprocmask(SIG_UNBLOCK, &own, NULL);
    cmd_limit_memory(args);
    args->pid = program_with_runtime(pid);
    if (!args->quiet)
        cmd_say("%s has not ended within %g second%s.", args->program[0], args->timeout,
                args->timeout == 1 ? "" : "s");
    rc = cmd_take(args, args->sub->want, &snapshot);
    if (!rc) {
        rc = cmd_show(args, snapshot);
        insp_free(snapshot);
    }
    program_kill(pid);
    cmd_kill_when_ended(0);
    return rc == CMD_DEADLOCK ? rc : CMD_TIME_OVER;
}

int cmd_run(struct cmd_args *args)
{
    sigset_t set, before;
    int status = 0, rc = choose_runtime(args);
    pid_t pid;

    if (rc)
        return rc;
    watched(&set);
    sigprocmask(SIG_BLOCK, &set, &before);
    /* What the program leaves behind comes to us, to be ended with it. */
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    rc = start(args->program, &before, &pid);
    if (rc)
        return rc;
    if (!args->own_runtime && !args->quiet)
        cmd_say("%s has got Companion as its OpenMP runtime; --runtime=own leaves it on its own.",
                args->program[0]);
    if (wait_for(pid, args->timeout, &status))
        return own_status(status);
    return time_over(args, pid);
}
