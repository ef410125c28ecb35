/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd run`: a program on Companion or on its own runtime, with a limit of time. Statuses as timeout(1) has
 * them.
 */
#include "command/cmd.h"
#include "imports.h"
#include "keeper.h"
#include "command/processes.h"
#include "program.h"
#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
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
    struct keeper keeper;
    int keeper_status; /**< of waitpid(2), once it has been lost */
    struct program program;
    int signals;      /**< signalfd(2): it can be waited for that one comes */
    bool has_ended;   /**< the program */
    int status;       /**< then of it: as a shell has it */
    bool interrupted; /**< by Ctrl-C, once */
    bool told;        /**< that it has another runtime than Companion */
};

/* How long to wait for a report before signals are looked for; when the program has loaded its libraries. */
enum { LOOK_MS = 20, LOADED_S = 1 };

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

/* What only libgomp has would keep the program from starting, or take its device from it. */
static bool needs_libgomp(const struct cmd_args *args)
{
    char *file = program_find(args->program[0]), *who = NULL;
    char *name = file ? imports_of_libgomp(file, &who) : NULL;
    const bool found = name != NULL;

    if (found && !args->quiet)
        cmd_say("%s imports %s, which Companion does not have (offloading by gcc, OpenACC): %s keeps its own "
                "runtime.",
                who ? who : "It", name, args->program[0]);
    free(name);
    free(who);
    free(file);
    return found;
}

/* The program gets Companion, or it keeps what it has. */
static int choose_runtime(struct cmd_args *args)
{
    char *why;

    if (args->own_runtime)
        return CMD_ALL;
    if (program_cannot_be_served(args->program[0], &why)) {
        cmd_say("%s", why ? why : "Out of memory.");
        free(why);
        return CMD_CANNOT_RUN;
    }
    args->own_runtime = needs_libgomp(args);
    return args->own_runtime ? CMD_ALL : set_environment();
}

static int start(struct run *r, const sigset_t *mask)
{
    bool within;
    int error = keeper_start(&r->keeper, r->args, &r->terminal, mask, &r->program, &within);

    if (!error)
        return CMD_ALL;
    cmd_say("%s cannot be started: %s.", r->args->program[0], strerror(error));
    return within ? CMD_CANNOT_RUN : error == ENOENT ? CMD_NOT_FOUND : CMD_NOT_EXECUTABLE;
}

/* ---- what has become of the program -------------------------------------------------------------------- */

static void take_news(struct run *r, const struct keeper_news *news)
{
    switch (news->kind) {
    case KEEPER_STOPPED:
        terminal_program_stopped(&r->terminal, news->value);
        break;
    case KEEPER_ENDED:
        r->status = news->value;
        r->has_ended = true;
        break;
    default:
        break;
    }
}

/* What it has said before it was lost still counts. */
static void forget_keeper(struct run *r)
{
    struct keeper_news news;

    while (keeper_hear(&r->keeper, &news))
        take_news(r, &news);
    (void)keeper_end(&r->keeper);
    r->program.keeper = 0;
}

/* True when the program has ended; other children were adopted and are only buried. */
static bool ended(struct run *r)
{
    struct keeper_news news;
    pid_t which;
    int one;

    while (keeper_hear(&r->keeper, &news))
        take_news(r, &news);
    while ((which = waitpid(-1, &one, WNOHANG | WUNTRACED)) > 0)
        if (which == r->keeper.pid && !WIFSTOPPED(one)) {
            r->keeper.pid = 0;
            r->keeper_status = one;
        } else if (which == r->program.pid && WIFSTOPPED(one)) {
            /* It is our child, unless its keeper has started it. */
            terminal_program_stopped(&r->terminal, WSTOPSIG(one));
        } else if (which == r->program.pid) {
            r->status = keeper_shell_status(one);
            r->has_ended = true;
        }
    if (!r->keeper.pid)
        forget_keeper(r);
    /* It may have buried the program before it was lost. */
    if (!r->has_ended && !r->keeper.pid && kill(r->program.pid, 0) && errno == ESRCH) {
        r->status = 128 + SIGKILL;
        r->has_ended = true;
    }
    return r->has_ended;
}

/* ---- reports ------------------------------------------------------------------------------------------- */

static int kill_and_end(struct run *r, int status)
{
    (void)keeper_end(&r->keeper);
    r->program.keeper = 0;
    terminal_take_back(&r->terminal);
    program_kill(&r->program);
    return status;
}

/* A signal that ends the program has come; 0 none. */
static int impatient(void)
{
    const struct timespec now = {0};
    sigset_t set;
    int sig;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sig = sigtimedwait(&set, NULL, &now);
    return sig > 0 ? sig : 0;
}

/* Why there is no report; what else its process has had to say it has said itself. */
static void tell_lost(const struct run *r, bool late)
{
    const int status = r->keeper_status;

    if (late)
        cmd_say("The report is given up: it was not made within %u seconds.",
                cmd_cpu_limit(r->args, CMD_CPU_SHORT));
    else if (WIFSIGNALED(status))
        cmd_say("The report is given up: the process that made it was ended by signal %d (%s).",
                WTERMSIG(status), strsignal(WTERMSIG(status)));
}

/* A program that finds a library in its own way has another runtime than it was started with. */
static void tell_other_runtime(struct run *r)
{
    pid_t *family = NULL;
    size_t count =
        r->told || r->args->own_runtime || r->args->quiet ? 0 : program_family(&r->program, &family);

    for (size_t i = 0; i < count && !r->told; i++) {
        char *path = process_other_runtime(family[i]);

        r->told = path != NULL;
        if (path)
            cmd_say("Process %d has loaded another OpenMP runtime, %s: what runs there is not on Companion.",
                    (int)family[i], path);
        free(path);
    }
    free(family);
}

/*
 * The keeper reports on each process of the family in its own time. HASTY: what ends a program ends this
 * process meanwhile; else it waits for the report.
 */
static int report(struct run *r, bool hold, bool hasty)
{
    const double seconds = cmd_cpu_limit(r->args, CMD_CPU_SHORT);
    double until = now() + seconds;

    if (!r->keeper.pid) {
        cmd_say("There is no report: the process that made the one before has been lost with it.");
        return CMD_NOTHING;
    }
    tell_other_runtime(r);
    keeper_ask(&r->keeper, hold);
    while (r->keeper.pid && now() < until) {
        struct pollfd fd = {.fd = r->keeper.socket, .events = POLLIN};
        struct keeper_news news;
        int sig;

        while (keeper_hear(&r->keeper, &news)) {
            if (news.kind == KEEPER_REPORTED)
                return news.value;
            if (news.kind == KEEPER_SHOWN)
                until = now() + seconds;
            take_news(r, &news);
        }
        sig = hasty ? impatient() : 0;
        if (sig) { /* the user has no patience */
            (void)kill_and_end(r, 0);
            cmd_end_by(sig);
        }
        (void)poll(&fd, 1, LOOK_MS);
        if (waitpid(r->keeper.pid, &r->keeper_status, WNOHANG) == r->keeper.pid)
            r->keeper.pid = 0;
    }
    tell_lost(r, r->keeper.pid != 0);
    forget_keeper(r);
    return CMD_NOTHING;
}

/* The program is held, and reported on, before it gets the signal. */
static void interrupt(struct run *r)
{
    const pid_t whom = r->terminal.program ? -r->terminal.program : r->program.pid;

    r->interrupted = true;
    if (!r->args->quiet)
        cmd_say("%s is held for its report, then it gets the signal. Ctrl-C again ends it at once.",
                r->args->program[0]);
    (void)report(r, true, true);
    kill(whom, SIGINT);
    program_continue(&r->program);
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
        (void)report(r, false, false);
        break;
    case SIGTSTP:
        terminal_suspend(&r->terminal);
        break;
    default:
        /* What the terminal sends, it sends to a program of our group too. */
        if (info->si_code != SI_KERNEL || r->terminal.program)
            kill(r->program.pid, sig);
    }
    return false;
}

/* True when the program has ended before the time. */
static bool wait_for(struct run *r)
{
    const double seconds = r->args->timeout, until = now() + seconds;
    const struct timespec none = {0};
    double look = now() + LOADED_S;
    sigset_t set;

    watched(&set);
    while (!ended(r)) {
        struct pollfd fds[] = {{.fd = r->signals, .events = POLLIN},
                               {.fd = r->keeper.socket, .events = POLLIN}};
        const double end = seconds > 0 && until < look ? until : look, left = end - now();
        siginfo_t info;
        int sig;

        (void)poll(fds, 2, left > 0 ? (int)(left * 1e3 < 3.6e6 ? left * 1e3 + 1 : 3.6e6) : 0);
        sig = sigtimedwait(&set, &info, &none);
        if (sig > 0 && take_signal(r, sig, &info))
            return true;
        if (now() >= look) {
            tell_other_runtime(r);
            look += 3600;
        }
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
    rc = report(r, false, true);
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
    r.signals = signalfd(-1, &set, SFD_CLOEXEC);
    rc = start(&r, &before);
    if (rc)
        return rc;
    if (!args->own_runtime && !args->quiet)
        cmd_say("%s is started with Companion as its OpenMP runtime; --runtime=own leaves it on its own.",
                args->program[0]);
    if (!wait_for(&r))
        return time_over(&r);
    (void)keeper_end(&r.keeper);
    terminal_take_back(&r.terminal);
    return r.status;
}
