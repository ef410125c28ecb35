/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "corefiles/strings.h"

/* The kernel's headers may be newer than those of glibc. */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

int cf_temporary(char **error)
{
    const char *named = getenv("TMPDIR"), *dir = named && *named ? named : "/var/tmp";
    /* It never has a name, so no signal can leave it behind. */
    int fd = open(dir, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    sigset_t all, mask;
    char *path;

    if (fd >= 0)
        return fd;
    /* Not every file system can do that. */
    path = cf_format("%s/ompd-core-XXXXXX", dir);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask);
    fd = path ? mkostemp(path, O_CLOEXEC) : -1;
    if (fd < 0)
        *error = cf_format(
            "A temporary file for the core cannot be made as %s: %s. TMPDIR names another directory.",
            path ? path : "?", strerror(errno));
    else
        unlink(path);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    free(path);
    return fd;
}

/* Waits until the write end of the pipe is gone with the process that has it. */
static _Noreturn void hold(int fd, const int ends[2])
{
    int low = fd < ends[0] ? fd : ends[0], high = fd < ends[0] ? ends[0] : fd;
    char nothing;

    /* Whoever waits for the end of our output is not to wait for this. */
    if (low > 0)
        (void)syscall(SYS_close_range, 0U, (unsigned)low - 1, 0U);
    if (high - low > 1)
        (void)syscall(SYS_close_range, (unsigned)low + 1, (unsigned)high - 1, 0U);
    (void)syscall(SYS_close_range, (unsigned)high + 1, ~0U, 0U);
    while (read(ends[0], &nothing, 1) < 0 && errno == EINTR)
        ;
    _exit(0);
}

void cf_temporary_free_later(int fd)
{
    sigset_t all, mask;
    int ends[2];
    pid_t child;

    if (pipe2(ends, O_CLOEXEC))
        return;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask); /* the child's stay blocked: the terminal's Ctrl-C is for all */
    child = fork();
    if (!child)
        hold(fd, ends);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(ends[0]);
    if (child < 0)
        close(ends[1]); /* else it stays open as long as this process lives */
}
