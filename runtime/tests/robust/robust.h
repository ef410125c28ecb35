/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the robustness programs share: checks that are counted, the program run again in a mode of its own (so
 * that its end can be judged by another process), and the number of threads that the process has.
 */
#ifndef ROBUST_H
#define ROBUST_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int robust_checks, robust_failures;

#define EXPECT(condition)                                              \
    do {                                                               \
        robust_checks++;                                               \
        if (!(condition)) {                                            \
            robust_failures++;                                         \
            printf("FAIL %s:%d %s\n", __FILE__, __LINE__, #condition); \
            fflush(stdout);                                            \
        }                                                              \
    } while (0)

/** The last statement of a program. */
static inline int robust_end(void)
{
    printf("checks %d\n", robust_checks);
    fflush(stdout);
    return robust_failures != 0;
}

/** How a process ended and what it said. */
struct outcome {
    int exited;       /**< its exit status, or -1 */
    int signal;       /**< the signal that ended it, or 0 */
    int late;         /**< it had to be killed: it did not end by itself */
    char words[8192]; /**< its stdout and stderr */
};

static inline double robust_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/** Reads what `child` says until it has ended and closed its end, at most `seconds`. */
static inline void robust_watch(pid_t child, int from, double seconds, struct outcome *outcome)
{
    double end = robust_seconds() + seconds;
    size_t filled = 0;
    int status = 0, open = 1, ended = 0;
    while (!ended || open) {
        struct pollfd ready = {from, POLLIN, 0};
        if (open && poll(&ready, 1, 10) > 0) {
            char scrap[512];
            ssize_t got = read(from, scrap, sizeof scrap);
            for (ssize_t i = 0; i < got && filled + 1 < sizeof outcome->words; i++)
                outcome->words[filled++] = scrap[i];
            open = got > 0;
            continue;
        }
        /* What the child's own children hold open does not matter once it has ended and is silent. */
        if (ended)
            break;
        ended = waitpid(child, &status, WNOHANG) == child;
        if (!ended && robust_seconds() > end) {
            outcome->late = 1;
            kill(child, SIGKILL);
            ended = waitpid(child, &status, 0) == child;
        } else if (!ended && !open) {
            struct timespec pause = {0, 5000000};
            nanosleep(&pause, NULL);
        }
    }
    outcome->words[filled] = 0;
    outcome->exited = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/** Runs this program again with one argument and the settings "NAME=VALUE" given, the last of them NULL. */
static inline struct outcome robust_again(const char *mode, double seconds, const char *const *settings)
{
    static struct outcome outcome;
    int ends[2];
    memset(&outcome, 0, sizeof outcome);
    fflush(NULL);
    if (pipe(ends) != 0)
        abort();
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        for (; settings != NULL && *settings != NULL; settings++)
            putenv((char *)(size_t)*settings);
        execl("/proc/self/exe", "robust", mode, (char *)NULL);
        _exit(126);
    }
    close(ends[1]);
    robust_watch(child, ends[0], seconds, &outcome);
    close(ends[0]);
    return outcome;
}

/**
 * The program said why it ends: a message, and a status or an abort (which leaves a core for the debugger).
 */
static inline int robust_said_why(const struct outcome *outcome)
{
    return !outcome->late && outcome->words[0] != 0 && (outcome->exited > 0 || outcome->signal == SIGABRT);
}

/**
 * Waits for a fork()ed child, at most `seconds`; its exit status, or -1 for a signal, -2 for a child that
 * hangs.
 */
static inline int robust_child_status(pid_t child, double seconds)
{
    double end = robust_seconds() + seconds;
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
        if (robust_seconds() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return -2;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/** How many threads the process has now. */
static inline int robust_threads(void)
{
    char line[256];
    int threads = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "Threads: %d", &threads) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return threads;
}

#endif
