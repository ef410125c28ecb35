/* SPDX-License-Identifier: Apache-2.0 */
#include "broker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/** KEY_MAX: a path and what it is looked up in. FILES_MAX: the others are not shared. */
enum { KEY_MAX = 4200, FILES_MAX = 1 << 13 };
/** Seconds for which a child waits for what another one opens: it may have come to a dead file server. */
enum { PATIENCE = 5 };

enum verb {
    /* of a child */
    GET = 1, /**< key */
    GIVE,    /**< what it was asked to open */
    /* of the broker */
    HAVE, /**< here it is */
    MAKE, /**< open it, and give it */
    NONE, /**< help yourself */
};

struct message {
    uint32_t verb;
    int32_t error;
    uint64_t room;
    uint8_t key[KEY_MAX];
};

enum { HEADER = offsetof(struct message, key) };

/* *fd: a descriptor that comes or goes with it, -1 none. The length of what has come; 0 the other end is
   closed; -1 with errno. */
static ssize_t hear(int socket, struct message *m, int *fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {m, sizeof(*m)};
    struct msghdr h = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
    const struct cmsghdr *c;
    ssize_t n;

    *fd = -1;
    do
        n = recvmsg(socket, &h, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    c = n > 0 ? CMSG_FIRSTHDR(&h) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(c), sizeof(*fd));
    if (n <= 0 || n >= HEADER)
        return n;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return 0;
}

static bool say(int socket, const struct message *m, size_t key_size, int fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec part = {(void *)m, HEADER + key_size};
    struct msghdr h = {.msg_iov = &part, .msg_iovlen = 1};
    struct cmsghdr *c;
    ssize_t n;

    if (fd >= 0) {
        h.msg_control = &control;
        h.msg_controllen = sizeof(control);
        c = CMSG_FIRSTHDR(&h);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(fd));
        memcpy(CMSG_DATA(c), &fd, sizeof(fd));
    }
    do
        n = sendmsg(socket, &h, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)part.iov_len;
}

/* ---- the broker ---------------------------------------------------------------------------------------- */

struct entry {
    struct entry *next;
    bool made;     /**< fd and error are known */
    size_t maker;  /**< the child that opens it, until then */
    int fd, error; /**< fd -1: it cannot be opened, and `error` why; 0: each helps himself */
    uint64_t room; /**< that it takes */
    size_t key_size;
    uint8_t key[];
};

struct waiting {
    struct waiting *next;
    struct entry *entry;
    size_t index;
    int socket;
};

struct broker {
    struct entry *entries;
    struct waiting *waiting; /**< in the order in which they asked */
    size_t count, count_max;
    uint64_t room; /**< that is left */
};

struct broker *broker_new(uint64_t room)
{
    struct broker *b = calloc(1, sizeof(*b));
    struct rlimit r;

    if (!b)
        return NULL;
    b->room = room;
    /* The pipes of the children need descriptors as well. */
    b->count_max = getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur > 2 * FILES_MAX ? FILES_MAX : r.rlim_cur / 2;
    return b;
}

void broker_free(struct broker *b)
{
    if (!b)
        return;
    for (struct entry *e = b->entries, *next; e; e = next) {
        next = e->next;
        if (e->fd >= 0)
            close(e->fd);
        free(e);
    }
    for (struct waiting *w = b->waiting, *next; w; w = next) {
        next = w->next;
        free(w);
    }
    free(b);
}

/* Who cannot be answered helps himself: the end of the socket tells him. */
static void answer(int socket, enum verb verb, int fd, int error)
{
    const struct message m = {.verb = verb, .error = error};

    if (!say(socket, &m, 0, fd))
        (void)shutdown(socket, SHUT_RDWR);
}

static void hand_over(const struct entry *e, int socket)
{
    answer(socket, e->fd >= 0 || e->error ? HAVE : NONE, e->fd, e->error);
}

static struct entry *find(const struct broker *b, const uint8_t *key, size_t size)
{
    struct entry *e = b->entries;

    while (e && (e->key_size != size || memcmp(e->key, key, size) != 0))
        e = e->next;
    return e;
}

/* NULL: there is no room for another one. */
static struct entry *add(struct broker *b, const struct message *m, size_t size, size_t maker)
{
    struct entry *e = b->count < b->count_max && m->room <= b->room ? malloc(sizeof(*e) + size) : NULL;

    if (!e)
        return NULL;
    *e = (struct entry){.next = b->entries, .maker = maker, .fd = -1, .room = m->room, .key_size = size};
    memcpy(e->key, m->key, size);
    b->entries = e;
    b->room -= e->room;
    b->count++;
    return e;
}

static void drop(struct broker *b, const struct entry *gone)
{
    struct entry **at = &b->entries;

    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    b->room += gone->room;
    b->count--;
    free((void *)gone);
}

static void get(struct broker *b, const struct message *m, size_t size, size_t index, int socket)
{
    struct entry *e = find(b, m->key, size);
    struct waiting *w, **end = &b->waiting;

    if (!e) {
        answer(socket, add(b, m, size, index) ? MAKE : NONE, -1, 0);
    } else if (e->made) {
        hand_over(e, socket);
    } else if ((w = malloc(sizeof(*w))) != NULL) {
        *w = (struct waiting){NULL, e, index, socket};
        while (*end)
            end = &(*end)->next;
        *end = w;
    } else {
        answer(socket, NONE, -1, 0);
    }
}

/* The first that waits for E, or that is INDEX when E is NULL; no longer in the list. */
static bool next_waiting(struct broker *b, const struct entry *e, size_t index, struct waiting *ret)
{
    for (struct waiting **at = &b->waiting; *at; at = &(*at)->next) {
        struct waiting *w = *at;

        if (e ? w->entry != e : w->index != index)
            continue;
        *ret = *w;
        *at = w->next;
        free(w);
        return true;
    }
    return false;
}

static struct entry *made_by(const struct broker *b, size_t index)
{
    struct entry *e = b->entries;

    while (e && (e->made || e->maker != index))
        e = e->next;
    return e;
}

static bool give(struct broker *b, size_t index, int fd, int error)
{
    struct entry *e = made_by(b, index);
    struct waiting w;

    if (!e)
        return false;
    e->made = true;
    e->fd = fd;
    e->error = error;
    if (fd < 0) {
        b->room += e->room;
        e->room = 0;
    }
    while (next_waiting(b, e, 0, &w))
        hand_over(e, w.socket);
    return true;
}

/* Takes FD over if that is what it gives. */
static bool take(struct broker *b, size_t index, int socket, const struct message *m, size_t size, int fd)
{
    if (m->verb == GIVE && give(b, index, fd, m->error))
        return true;
    if (fd >= 0)
        close(fd);
    if (m->verb == GET)
        get(b, m, size, index, socket);
    return m->verb == GET;
}

bool broker_serve(struct broker *b, size_t index, int socket)
{
    struct message m;
    int fd;
    ssize_t n = hear(socket, &m, &fd);

    if (n < 0 ? errno == EAGAIN : n && take(b, index, socket, &m, (size_t)n - HEADER, fd))
        return true;
    broker_left(b, index);
    (void)shutdown(socket, SHUT_RDWR);
    return false;
}

void broker_left(struct broker *b, size_t index)
{
    struct entry *e = made_by(b, index);
    struct waiting w;

    while (next_waiting(b, NULL, index, &w))
        ;
    if (!e)
        return;
    if (next_waiting(b, e, 0, &w)) {
        e->maker = w.index;
        answer(w.socket, MAKE, -1, 0);
    } else {
        drop(b, e);
    }
}

/* ---- in a child ---------------------------------------------------------------------------------------- */

/* The socket; -1: the broker does not answer. */
static int broker_socket = -1;

static int ask(void *arg, const void *key, size_t size, uint64_t room, int *fd, int *error)
{
    struct message m = {.verb = GET, .room = room};
    bool heard;

    (void)arg;
    if (broker_socket < 0 || size > sizeof(m.key))
        return -1;
    memcpy(m.key, key, size);
    heard = say(broker_socket, &m, size, -1) && hear(broker_socket, &m, fd) > 0;
    if (heard && m.verb == MAKE)
        return 1;
    /* A descriptor that has not come: there are too many here. */
    if (heard && m.verb == HAVE && (*fd >= 0 || m.error)) {
        *error = m.error;
        return 0;
    }
    if (!heard) {
        close(broker_socket);
        broker_socket = -1;
    }
    return -1;
}

static void tell(void *arg, int fd, int error)
{
    const struct message m = {.verb = GIVE, .error = error};

    (void)arg;
    (void)say(broker_socket, &m, 0, fd);
}

const struct cf_shared_files *broker_files(struct broker *b, int socket)
{
    static const struct cf_shared_files files = {.get = ask, .give = tell};
    static const struct timeval patience = {.tv_sec = PATIENCE};

    /* They are the parent's; this process asks for those that it needs, and has its own limit. */
    broker_free(b);
    broker_socket = socket;
    (void)setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    return &files;
}
