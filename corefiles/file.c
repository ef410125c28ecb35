/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Opening what a target names: regular files only, read-only, never outside a root.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Files of the kernel's own look regular, but a read of one may wait for ever (/proc/kmsg, trace_pipe) or act. */
static bool kernels_own(int fd)
{
    struct statfs fs;

    return fstatfs(fd, &fs) || fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC ||
           fs.f_type == DEBUGFS_MAGIC || fs.f_type == TRACEFS_MAGIC;
}

int cf_open_file(const char *root, const char *path)
{
    /* O_PATH looks without opening: the open of a device or a FIFO may wait or act already. */
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    char own[64];
    struct stat st;
    int fd, looked, base;

    if (root) {
        base = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (base < 0)
            return -1;
        looked = (int)syscall(SYS_openat2, base, path, &how, sizeof(how));
        close(base);
    } else {
        looked = open(path, O_PATH | O_CLOEXEC);
    }
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
