/* SPDX-License-Identifier: Apache-2.0 */
#include "screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "command/cmd.h"

/* The alternate screen, no cursor, and lines that do not go on at the next one. */
static const char enter[] = "\033[?1049h\033[?25l\033[?7l\033[2J";
static const char leave[] = "\033[?7h\033[?25h\033[?1049l";

static struct termios before;
static volatile sig_atomic_t is_open, resized, suspended;
/* Read by nobody but the kernel: a handler may run when the stack has no room. */
static char handler_stack[64 << 10];

/* Only what a handler may call (signal-safety(7)). */
static void restore(void)
{
    ssize_t rc;

    if (!is_open)
        return;
    is_open = 0;
    rc = write(STDOUT_FILENO, leave, sizeof(leave) - 1);
    (void)rc; /* there is nothing else to do */
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static void crash(int sig)
{
    restore();
    signal(sig, SIG_DFL);
    raise(sig);
}

static void note(int sig)
{
    if (sig == SIGWINCH)
        resized = 1;
    else
        suspended = 1;
}

static void write_all(const char *text, size_t size)
{
    while (size) {
        ssize_t n = write(STDOUT_FILENO, text, size);

        if (n < 0 && errno != EINTR)
            return;
        if (n > 0) {
            text += n;
            size -= (size_t)n;
        }
    }
}

static void begin(void)
{
    struct termios keys;

    keys = before;
    keys.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    is_open = 1;
    tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    write_all(enter, sizeof(enter) - 1);
}

/* These two come only while we wait for them. */
static void block(int how)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGWINCH);
    sigaddset(&set, SIGTSTP);
    sigprocmask(how, &set, NULL);
}

bool screen_open(void)
{
    static const int fatal[] = {SIGSEGV, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGQUIT};
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof(handler_stack)};
    struct sigaction notes = {.sa_handler = note},
                     crashes = {.sa_handler = crash, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
    const char *term = getenv("TERM");

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !term || !*term || !strcmp(term, "dumb") ||
        tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &before))
        return false;
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
        sigaction(fatal[i], &crashes, NULL);
    sigaction(SIGWINCH, &notes, NULL);
    sigaction(SIGTSTP, &notes, NULL);
    block(SIG_BLOCK);
    cmd_let_work_end(restore);
    atexit(restore);
    begin();
    return true;
}

void screen_close(void)
{
    restore();
}

void screen_size(int *width, int *height)
{
    struct winsize size = {0};

    (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    *width = size.ws_col ? size.ws_col : 80;
    *height = size.ws_row ? size.ws_row : 24;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

void screen_show(const char *text)
{
    int width, height;
    size_t lines = count_lines(text), room, size;
    char *out = NULL;
    FILE *f = open_memstream(&out, &size);

    if (!f)
        return;
    screen_size(&width, &height);
    room = (size_t)height;
    if (lines > room && room)
        room--;
    fputs("\033[H", f);
    for (size_t i = 0; i < room && i < lines; i++) {
        const size_t n = strcspn(text, "\n");

        /* The rest of a line is wiped, and its colour ends with it. */
        fprintf(f, "%s%.*s\033[0m\033[K", i ? "\r\n" : "", (int)n, text);
        text += n + 1;
    }
    if (lines > room)
        fprintf(f, "%s%zu more lines\033[K", room ? "\r\n" : "", lines - room);
    fputs("\033[J", f);
    if (!fclose(f))
        write_all(out, size);
    free(out);
}

/* Ctrl-Z: as a program that knows nothing of it, until the shell lets us go on. */
static void suspend(void)
{
    sigset_t set;

    suspended = 0;
    restore();
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &set, NULL); /* here we stop */
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGTSTP, note);
    tcgetattr(STDIN_FILENO, &before);
    begin();
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static enum screen_event look(struct pollfd *input, char *key)
{
    if (input->revents & POLLIN && read(STDIN_FILENO, key, 1) == 1)
        return SCREEN_KEY;
    return input->revents ? SCREEN_END : SCREEN_TIME;
}

enum screen_event screen_wait(double seconds, char *key)
{
    const double end = now() + seconds;
    sigset_t asleep, awake;

    /* With all signals blocked but in ppoll none is missed between the question and the wait. */
    sigfillset(&asleep);
    sigprocmask(SIG_SETMASK, &asleep, &awake);
    sigdelset(&awake, SIGWINCH);
    sigdelset(&awake, SIGTSTP);
    for (;;) {
        struct pollfd input = {STDIN_FILENO, POLLIN, 0};
        double left = end - now();
        struct timespec time = {.tv_sec = (time_t)(left > 0 ? left : 0)};
        enum screen_event event = SCREEN_CHANGE;
        int rc = 0;

        time.tv_nsec = left > 0 ? (long)((left - (double)time.tv_sec) * 1e9) : 0;
        if (cmd_cancelled()) {
            event = SCREEN_END;
        } else if (!resized && !suspended) {
            rc = ppoll(&input, 1, &time, &awake);
            if (rc < 0)
                continue;
            event = look(&input, key);
        }
        sigaddset(&awake, SIGWINCH);
        sigaddset(&awake, SIGTSTP);
        sigprocmask(SIG_SETMASK, &awake, NULL);
        if (suspended)
            suspend();
        resized = 0;
        return event;
    }
}
