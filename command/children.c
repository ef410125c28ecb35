/* SPDX-License-Identifier: Apache-2.0 */
#include "children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "broker.h"
#include "cmd.h"

/** AT_ONCE: of files that are open. KEPT: bytes of one child. GRACE: seconds to end in order. */
enum { AT_ONCE = 64, KEPT = 1 << 28, BLOCK = 1 << 16 };
#define GRACE 2.0

struct running {
    bool used;
    size_t index;
    pid_t group;   /**< its process id, and of all that it starts */
    int fd[2];     /**< its stdout and stderr, -1 at the end */
    int socket;    /**< on which it asks, -1 none */
    double killed; /**< when it was asked to end, 0 not yet */
    double gone;   /**< when it had ended, 0 not yet */
    struct child child;
};

/* For a handler. */
static volatile pid_t groups[AT_ONCE];

void children_kill(void)
{
    for (int i = 0; i < AT_ONCE; i++)
        if (groups[i])
            kill(-groups[i], SIGKILL);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* In a child. */
static const struct cf_shared_files *own_files;

const struct cf_shared_files *children_files(void)
{
    return own_files;
}

struct pool {
    const struct children *c;
    struct running running[AT_ONCE];
    size_t next, places;
    double until;          /**< 0 no limit */
    struct broker *broker; /**< NULL: they share no files */
};

static void become(const struct pool *p, size_t index, int out, int err, int socket)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC), rc;

    for (int i = 0; i < AT_ONCE; i++)
        groups[i] = 0; /* the others are not its own */
    own_files = socket >= 0 ? broker_files(p->broker, socket) : NULL;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(err, STDERR_FILENO) < 0)
        _exit(CMD_CANNOT_RUN);
    rc = p->c->work(p->c->arg, index);
    (void)fflush(stdout);
    _exit(rc);
}

static void close_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* False: no process or pipe can be had. */
static bool start(const struct pool *p, size_t index, struct running *r)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1}, asks[2] = {-1, -1};
    pid_t pid = -1;

    if (!pipe2(out, O_CLOEXEC) && !pipe2(err, O_CLOEXEC)) {
        (void)fflush(NULL);
        /* It can do without. */
        if (p->broker && !socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, asks))
            (void)fcntl(asks[0], F_SETFL, O_NONBLOCK);
        pid = fork();
        if (!pid)
            become(p, index, out[1], err[1], asks[1]);
    }
    close(out[1]);
    close(err[1]);
    close_open(asks[1]);
    if (pid < 0) {
        close(out[0]);
        close(err[0]);
        close_open(asks[0]);
        return false;
    }
    setpgid(pid, pid); /* whoever is first */
    *r = (struct running){
        .used = true, .index = index, .group = pid, .fd = {out[0], err[0]}, .socket = asks[0]};
    return true;
}

static void keep(struct child *child, struct child_text *t, const char *bytes, size_t n)
{
    if (t->size + n >= t->room) {
        size_t room = 2 * (t->size + n) + 1;
        char *grown = room <= KEPT ? realloc(t->text, room) : NULL;

        if (!grown) {
            child->too_long = true;
            return;
        }
        t->text = grown;
        t->room = room;
    }
    memcpy(t->text + t->size, bytes, n);
    t->size += n;
    t->text[t->size] = '\0';
}

/* What is there now; at its end the descriptor is closed. True when something was. */
static bool take(struct running *r, int which)
{
    char bytes[BLOCK];
    ssize_t n = read(r->fd[which], bytes, sizeof(bytes));

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return false;
    if (n > 0) {
        keep(&r->child, which ? &r->child.err : &r->child.out, bytes, (size_t)n);
        return true;
    }
    close(r->fd[which]);
    r->fd[which] = -1;
    return false;
}

static void end(struct running *r, enum child_end why)
{
    if (r->killed <= 0) {
        r->child.end = why;
        r->killed = now();
        kill(-r->group, SIGTERM);
        kill(-r->group, SIGCONT);
    } else if (now() - r->killed > GRACE) {
        kill(-r->group, SIGKILL);
    }
}

/* True when it is over: it has ended and all is read, or somebody that it has left behind holds the pipe, or
   it cannot even be killed. */
static bool over(struct running *r)
{
    if (r->gone <= 0 && waitpid(r->group, &r->child.status, WNOHANG))
        r->gone = now();
    if (r->gone > 0)
        return (r->fd[0] < 0 && r->fd[1] < 0) || now() - r->gone > GRACE;
    return r->killed > 0 && now() - r->killed > 2 * GRACE;
}

static void finish(const struct pool *p, struct running *r)
{
    close_open(r->fd[0]);
    close_open(r->fd[1]);
    close_open(r->socket);
    if (p->broker)
        broker_left(p->broker, r->index);
    p->c->ended(p->c->arg, r->index, &r->child);
    free(r->child.out.text);
    free(r->child.err.text);
    *r = (struct running){0};
}

static void not_started(struct pool *p, enum child_end why)
{
    const struct child none = {.end = why};

    p->c->ended(p->c->arg, p->next++, &none);
}

static void start_more(struct pool *p)
{
    for (size_t i = 0; i < p->places && p->next < p->c->count; i++) {
        struct running *r = &p->running[i];

        if (r->used)
            continue;
        if (!start(p, p->next, r)) {
            not_started(p, CHILD_NOT_STARTED);
            continue;
        }
        groups[i] = r->group;
        p->next++;
    }
}

static void serve(struct broker *b, struct running *r)
{
    if (!broker_serve(b, r->index, r->socket)) {
        close(r->socket);
        r->socket = -1;
    }
}

/* Waits for what the children write, a tenth of a second at most. */
static void wait_and_take(struct pool *p)
{
    struct pollfd fds[3 * AT_ONCE];
    nfds_t n = 0;
    bool closing = false;

    for (size_t i = 0; i < p->places; i++) {
        const struct running *r = &p->running[i];

        for (int k = 0; k < 2; k++)
            if (r->used && r->fd[k] >= 0)
                fds[n++] = (struct pollfd){.fd = r->fd[k], .events = POLLIN};
        if (r->used && r->socket >= 0)
            fds[n++] = (struct pollfd){.fd = r->socket, .events = POLLIN};
        closing |= r->used && r->fd[0] < 0 && r->fd[1] < 0; /* it ends at this moment */
    }
    if (poll(fds, n, closing ? 1 : 100) <= 0)
        return;
    n = 0;
    for (size_t i = 0; i < p->places; i++) {
        struct running *r = &p->running[i];
        bool any = false;

        for (int k = 0; k < 2; k++)
            if (r->used && r->fd[k] >= 0 && fds[n++].revents)
                any |= take(r, k);
        if (r->used && r->socket >= 0 && fds[n++].revents)
            serve(p->broker, r);
        if (any && p->c->written && p->c->written(p->c->arg, r->index, &r->child))
            end(r, CHILD_STOPPED);
    }
}

/* True when there is somebody. */
static bool look(struct pool *p)
{
    const bool late = p->until > 0 && now() > p->until, asked = cmd_cancelled();
    bool any = false;

    for (size_t i = 0; i < p->places; i++) {
        struct running *r = &p->running[i];

        if (!r->used)
            continue;
        if (late || asked || r->killed > 0)
            end(r, asked ? CHILD_STOPPED : CHILD_TIME_OVER);
        if (over(r)) {
            groups[i] = 0;
            finish(p, r);
        }
        any |= r->used;
    }
    while ((late || asked) && p->next < p->c->count)
        not_started(p, asked ? CHILD_STOPPED : CHILD_TIME_OVER);
    return any || p->next < p->c->count;
}

void children_run(const struct children *c)
{
    struct pool *p = calloc(1, sizeof(*p));

    if (!p) {
        for (size_t i = 0; i < c->count; i++)
            c->ended(c->arg, i, &(const struct child){.end = CHILD_NOT_STARTED});
        return;
    }
    p->c = c;
    p->places = c->parallel < 1 ? 1 : c->parallel < AT_ONCE ? c->parallel : AT_ONCE;
    p->until = c->seconds > 0 ? now() + c->seconds : 0;
    p->broker = c->shared_room && c->count > 1 ? broker_new(c->shared_room) : NULL;
    while (look(p)) {
        start_more(p);
        wait_and_take(p);
    }
    broker_free(p->broker);
    free(p);
}

char *child_last_line(const struct child_text *text)
{
    const char *end = text->text ? text->text + text->size : NULL, *start;

    while (end && end > text->text && strchr(" \r\n", end[-1]))
        end--;
    for (start = end; start && start > text->text && start[-1] != '\n'; start--)
        ;
    return start && end > start ? strndup(start, (size_t)(end - start)) : NULL;
}

char *child_why(const struct child *child)
{
    static const char own[] = "ompd: ";
    char *line, *text;

    if (child->end == CHILD_STOPPED)
        return cf_format("it was not looked at any more: interrupted");
    if (child->end == CHILD_NOT_STARTED)
        return cf_format("no process can be started that would look at it");
    if (child->end == CHILD_ENDED && WIFSIGNALED(child->status))
        return cf_format("the process that looked at it was ended by signal %d", WTERMSIG(child->status));
    line = child_last_line(&child->err);
    text = cf_format("%s", !line                                 ? "nothing could be found out"
                           : strncmp(line, own, sizeof(own) - 1) ? line
                                                                 : line + sizeof(own) - 1);
    free(line);
    return text;
}

size_t children_parallel(int asked)
{
    enum { MOST = 16 };
    cpu_set_t set;
    int n;

    if (asked > 0)
        return (size_t)asked;
    n = sched_getaffinity(0, sizeof(set), &set) ? MOST : CPU_COUNT(&set);
    return (size_t)(n < MOST ? n : MOST);
}
