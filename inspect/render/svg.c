/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphviz as a program of its own: its libraries would bring their faults and their memory into a debugger.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "inspect/base/mem.h"
#include "inspect/base/printable.h"
#include "inspect/inspect.h"
#include "inspect/render/svg.h"

extern char **environ;

enum { SECONDS = 60 };

volatile sig_atomic_t svg_child;

static int start(pid_t *pid, int in, int out)
{
    char *argv[] = {"dot", "-Tsvg", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    int rc;

    if (posix_spawn_file_actions_init(&actions))
        return ENOMEM;
    posix_spawnattr_init(&attributes);
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none); /* a debugger may have blocked what ends a program */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    rc = posix_spawnp(pid, "dot", &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

/* A signal that ends this process finds the child in svg_child, however early it comes. */
static int start_known(int in, int out)
{
    sigset_t all, before;
    pid_t pid = 0;
    int rc;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    rc = start(&pid, in, out);
    svg_child = rc ? 0 : pid;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return rc;
}

/* Writes TEXT to IN and reads OUT, both as they come: two full pipes would wait for each other. */
static bool talk(int *in, int out, const char *text, struct sbuf *ret)
{
    struct timespec begin, now;
    size_t left = strlen(text);

    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (;;) {
        struct pollfd fds[] = {{.fd = out, .events = POLLIN}, {.fd = *in, .events = POLLOUT}};
        char buf[8192];
        ssize_t n;

        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - begin.tv_sec >= SECONDS)
            return false;
        if (poll(fds, 2, 1000) < 0 && errno != EINTR)
            return false;
        if (fds[1].revents) {
            n = write(*in, text, left);
            if (n < 0 && errno != EAGAIN && errno != EINTR)
                left = 0; /* it reads no more; what it wrote says why */
            else if (n > 0) {
                text += n;
                left -= (size_t)n;
            }
            if (!left) {
                close(*in);
                *in = -1;
            }
        }
        if (fds[0].revents) {
            n = read(out, buf, sizeof(buf));
            if (n > 0)
                sbuf_add_n(ret, buf, (size_t)n);
            else if (n == 0 || (errno != EAGAIN && errno != EINTR))
                return n == 0;
        }
    }
}

static char *fail(char **error, const char *sentence)
{
    if (error)
        *error = insp_sentence("%s", sentence);
    return NULL;
}

char *insp_svg(const char *dot, char **error)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    struct sbuf svg = {0};
    int in[2], out[2], status = 0;
    bool ok;
    pid_t pid;

    if (error)
        *error = NULL;
    if (!dot)
        return fail(error, "There is no picture to draw.");
    if (pipe2(in, O_CLOEXEC))
        return fail(error, "No pipe could be made.");
    if (pipe2(out, O_CLOEXEC)) {
        close(in[0]);
        close(in[1]);
        return fail(error, "No pipe could be made.");
    }
    if (start_known(in[0], out[1])) {
        for (int i = 0; i < 2; i++) {
            close(in[i]);
            close(out[i]);
        }
        return fail(error, "The program dot is missing: install graphviz, or take --format=dot.");
    }
    pid = (pid_t)svg_child;
    close(in[0]);
    close(out[1]);
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    sigaction(SIGPIPE, &ignore, &before);
    ok = talk(&in[1], out[0], dot, &svg);
    sigaction(SIGPIPE, &before, NULL);
    close(out[0]);
    if (in[1] >= 0)
        close(in[1]);
    if (!ok)
        kill(pid, SIGKILL);
    /* A debugger may have waited for all its children in the meantime. */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    svg_child = 0;
    if (ok && !svg.oom && svg.len && strstr(svg.text, "</svg>"))
        return sbuf_take(&svg);
    sbuf_free(&svg);
    return fail(error, "The program dot has drawn nothing.");
}
