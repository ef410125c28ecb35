/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Opening files: regular ones only, read-only, and never so that the opening waits or acts.
 */
#include "corefiles/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The kernel's headers may be newer than those of glibc. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

/* Files of the kernel's own look regular, but a read of one may wait forever (/proc/kmsg, trace_pipe) or
   act. */
static bool kernels_own(int fd)
{
    struct statfs fs;

    return fstatfs(fd, &fs) || fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC ||
           fs.f_type == DEBUGFS_MAGIC || fs.f_type == TRACEFS_MAGIC;
}

/* Opens for reading what LOOKED (O_PATH) refers to, and closes LOOKED. */
static int open_looked(int looked)
{
    char own[64];
    struct stat st;
    int fd;

    if (looked < 0)
        return -1;
    if (fstat(looked, &st) || !S_ISREG(st.st_mode) || kernels_own(looked)) {
        close(looked);
        errno = EINVAL;
        return -1;
    }
    snprintf(own, sizeof(own), "/proc/self/fd/%d", looked);
    fd = open(own, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    close(looked);
    return fd;
}

int cf_open_own(const char *path)
{
    /* O_PATH looks without opening: the open of a device or a FIFO may wait or act already. */
    return open_looked(open(path, O_PATH | O_CLOEXEC));
}

int cf_open_folder(const char *path)
{
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int look(int root, const char *path, uint64_t flags)
{
    enum { TRIES = 100 };
    struct open_how how = {.flags = O_PATH | O_CLOEXEC | flags,
                           .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    int fd = -1;

    /* EAGAIN: something was renamed while ".." was looked up (openat2(2)). */
    for (int i = 0; i < TRIES; i++) {
        fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
        if (fd >= 0 || errno != EAGAIN)
            break;
    }
    return fd;
}

int cf_open_file(int root, const char *path)
{
    int fd = look(root, path, 0);

    if (fd < 0 && (errno == ENOENT || errno == ELOOP)) {
        fd = look(root, path, O_NOFOLLOW);
        if (fd >= 0) {
            close(fd);
            errno = EXDEV;
            return -1;
        }
    }
    return open_looked(fd);
}

int cf_open_refused(void)
{
    int root = cf_open_folder("/"), fd = root < 0 ? -1 : look(root, ".", 0), error = fd < 0 ? errno : 0;

    if (root >= 0)
        close(root);
    if (fd >= 0)
        close(fd);
    return error;
}

bool cf_pread(int fd, void *buf, uint64_t size, uint64_t offset)
{
    while (size) {
        ssize_t n;

        if (offset > INT64_MAX)
            return false;
        n = pread(fd, buf, size, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        buf = (char *)buf + n;
        size -= (uint64_t)n;
        offset += (uint64_t)n;
    }
    return true;
}
