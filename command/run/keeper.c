/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/cmd.h"
#include "terminal.h"

/* ---- in the keeper ------------------------------------------------------------------------------------- */

struct kept {
    struct cmd_args *args;
    struct program program;
    int socket;
    bool between;   /**< it has started the program, and so tells its end */
    bool has_ended; /**< the program, which has been told */
};

static void tell(int socket, enum keeper_kind kind, int value)
{
    const struct keeper_news news = {kind, value};

    if (send(socket, &news, sizeof(news), MSG_NOSIGNAL) != sizeof(news))
        _exit(CMD_CANNOT_RUN); /* nobody is left who would listen */
}

int keeper_shell_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void has_ended(struct kept *k, int status)
{
    tell(k->socket, KEEPER_ENDED, status);
    k->has_ended = true;
}

static void look_for_the_end(struct kept *k)
{
    pid_t which;
    int one;

    if (!k->between)
        return;
    while ((which = waitpid(-1, &one, WNOHANG | WUNTRACED)) > 0)
        if (which == k->program.pid && WIFSTOPPED(one))
            tell(k->socket, KEEPER_STOPPED, WSTOPSIG(one));
        else if (which == k->program.pid)
            has_ended(k, keeper_shell_status(one));
    /* Our reader may have buried it; while it is held, SIGKILL alone can end it. */
    if (!k->has_ended && kill(k->program.pid, 0) && errno == ESRCH)
        has_ended(k, 128 + SIGKILL);
}

static void one_shown(void *arg)
{
    const struct kept *k = arg;

    tell(k->socket, KEEPER_SHOWN, 0);
}

static void report(struct kept *k, bool hold)
{
    sigset_t children, before;

    cmd_limit(k->args);
    k->args->hold = hold;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_UNBLOCK, &children, &before);
    const int rc = cmd_report_family(k->args, &k->program, one_shown, k);
    sigprocmask(SIG_SETMASK, &before, NULL);
    tell(k->socket, KEEPER_REPORTED, rc);
}

/* The program takes its parent for `ompd run`, and may ask it for a report. What the terminal sends, it
   sends to both. */
static void pass_on(const struct kept *k, int signals)
{
    struct signalfd_siginfo info;

    while (read(signals, &info, sizeof(info)) == sizeof(info))
        if (info.ssi_signo != SIGCHLD && info.ssi_code <= 0)
            kill(k->program.reaper, (int)info.ssi_signo);
}

static void keep(struct kept *k)
{
    sigset_t blocked;
    int signals;

    /* Those that `ompd run` watches. */
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    signals = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
    for (;;) {
        struct pollfd fds[] = {{.fd = k->socket, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
        bool hold;

        look_for_the_end(k);
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            _exit(CMD_CANNOT_RUN);
        pass_on(k, signals);
        if (!fds[0].revents)
            continue;
        if (read(k->socket, &hold, sizeof(hold)) != sizeof(hold))
            _exit(CMD_ALL); /* `ompd run` has ended */
        report(k, hold);
    }
}

/* In the program's process: becomes it, or tells the keeper the errno. */
static void become(char **program, struct terminal *terminal, const sigset_t *mask, int pipe)
{
    int error;
    ssize_t n;

    terminal_set_apart(terminal, getpid());
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(program[0], program);
    error = errno;
    n = write(pipe, &error, sizeof(error));
    _exit(n == sizeof(error) ? CMD_NOT_FOUND : CMD_CANNOT_RUN);
}

/* 0 and the process, or an errno; *within: there is no process. */
static int start(const struct kept *k, struct terminal *terminal, const sigset_t *mask, pid_t *ret,
                 bool *within)
{
    int ends[2], error = 0;
    ssize_t n;
    pid_t pid;

    *within = true;
    if (pipe2(ends, O_CLOEXEC))
        return errno;
    pid = fork();
    if (!pid)
        become(k->args->program, terminal, mask, ends[1]);
    error = pid < 0 ? errno : 0;
    terminal_set_apart(terminal, pid);
    close(ends[1]);
    do
        n = pid > 0 ? read(ends[0], &error, sizeof(error)) : 0;
    while (n < 0 && errno == EINTR);
    close(ends[0]);
    if (error && pid > 0)
        waitpid(pid, NULL, 0);
    *within = pid < 0;
    *ret = pid;
    return error;
}

static void be_keeper(struct kept *k, struct terminal *terminal, const sigset_t *mask)
{
    bool within = true;
    int error = 0;

    k->args->cpu_limit = cmd_cpu_limit(k->args, CMD_CPU_SHORT);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != k->program.reaper)
        _exit(CMD_CANNOT_RUN);
    if (k->between)
        error = start(k, terminal, mask, &k->program.pid, &within);
    if (error) {
        /* Whose error it was is in its sign. */
        tell(k->socket, KEEPER_FAILED, within ? -error : error);
        _exit(CMD_ALL);
    }
    tell(k->socket, KEEPER_STARTED, k->program.pid);
    keep(k);
}

/* ---- in `ompd run` ------------------------------------------------------------------------------------- */

/* May a process trace only those that it has started? Yama's ptrace_scope, where there is Yama; root may
   trace all the same (CAP_SYS_PTRACE). */
static bool only_ancestors_trace(void)
{
    enum { SYS_PTRACE = 19 };
    static const char effective[] = "CapEff:";
    FILE *scope = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    FILE *status = fopen("/proc/self/status", "re");
    unsigned long long capabilities = 0;
    char line[256];
    long value = 0;

    if (scope)
        value = fgets(line, sizeof(line), scope) ? strtol(line, NULL, 10) : 1;
    while (status && fgets(line, sizeof(line), status))
        if (!strncmp(line, effective, strlen(effective)))
            capabilities = strtoull(line + strlen(effective), NULL, 16);
    if (scope)
        fclose(scope);
    if (status)
        fclose(status);
    return value > 0 && !(capabilities >> SYS_PTRACE & 1);
}

int keeper_start(struct keeper *k, struct cmd_args *args, struct terminal *terminal, const sigset_t *mask,
                 struct program *program, bool *within)
{
    struct kept kept = {.args = args, .program = {.reaper = getpid()}, .between = only_ancestors_trace()};
    struct keeper_news news;
    int ends[2], error = 0;

    *within = true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return errno;
    if (!kept.between)
        error = start(&kept, terminal, mask, &kept.program.pid, within);
    if (error) {
        close(ends[0]);
        close(ends[1]);
        return error;
    }
    fflush(stdout);
    k->pid = fork();
    if (!k->pid) {
        close(ends[0]);
        kept.socket = ends[1];
        kept.program.keeper = getpid();
        be_keeper(&kept, terminal, mask);
    }
    close(ends[1]);
    k->socket = ends[0];
    error = k->pid < 0 ? errno : EAGAIN;
    ssize_t n;
    do
        n = k->pid > 0 ? read(k->socket, &news, sizeof(news)) : 0;
    while (n < 0 && errno == EINTR);
    if (n == sizeof(news) && news.kind == KEEPER_STARTED) {
        *program = (struct program){.pid = news.value, .reaper = getpid(), .keeper = k->pid};
        terminal_set_apart(terminal, program->pid);
        return 0;
    }
    (void)keeper_end(k);
    if (kept.program.pid > 0)
        program_kill(&kept.program);
    *within = true;
    if (n != sizeof(news))
        return error;
    *within = news.value < 0;
    return news.value < 0 ? -news.value : news.value;
}

bool keeper_hear(struct keeper *k, struct keeper_news *ret)
{
    return k->socket >= 0 && recv(k->socket, ret, sizeof(*ret), MSG_DONTWAIT) == sizeof(*ret);
}

void keeper_ask(struct keeper *k, bool hold)
{
    /* Of one that has gone there is no answer, which is noticed. */
    (void)!send(k->socket, &hold, sizeof(hold), MSG_NOSIGNAL);
}

int keeper_end(struct keeper *k)
{
    int status = 0;

    if (k->pid > 0) {
        kill(k->pid, SIGKILL);
        while (waitpid(k->pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    if (k->socket >= 0)
        close(k->socket);
    *k = (struct keeper){.socket = -1};
    return status;
}
