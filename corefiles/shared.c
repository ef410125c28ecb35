/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which files are the same for several processes is told by the kernel's names for them, never by a path
 * alone: containers may have other files at one path.
 */
#include "corefiles/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "corefiles/file.h"
#include "corefiles/unpack.h"

enum kind { OPENED = 1, UNPACKED };

/** A path looked up in the root of a mount. Two mount namespaces have no mount in common, also when one was
 *  copied from the other. */
struct open_key {
    uint32_t kind, major, minor;
    uint64_t inode, mount;
    char path[CF_PATH_MAX];
};

/** A file at one moment. */
struct unpacked_key {
    uint32_t kind;
    uint64_t device, inode, size;
    int64_t modified, modified_ns, changed, changed_ns;
};

/* What every process would be answered: not that this one has no descriptor left. */
static bool is_lasting(int error)
{
    static const int lasting[] = {ENOENT, ENOTDIR, EACCES, EINVAL, EXDEV, ELOOP, ENAMETOOLONG};

    for (size_t i = 0; i < sizeof(lasting) / sizeof(*lasting); i++)
        if (error == lasting[i])
            return true;
    return false;
}

/* The bytes of *ret that count; 0: there is no key. */
static size_t open_key(int root, const char *path, struct open_key *ret)
{
    const size_t length = strlen(path);
    struct statx st;

    if (length >= sizeof(ret->path) || statx(root, "", AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, &st) ||
        (st.stx_mask & (STATX_INO | STATX_MNT_ID)) != (STATX_INO | STATX_MNT_ID))
        return 0;
    memset(ret, 0, offsetof(struct open_key, path)); /* gaps too: its bytes are compared */
    ret->kind = OPENED;
    ret->major = st.stx_dev_major;
    ret->minor = st.stx_dev_minor;
    ret->inode = st.stx_ino;
    ret->mount = st.stx_mnt_id;
    memcpy(ret->path, path, length);
    return offsetof(struct open_key, path) + length;
}

int cf_shared_open(const struct cf_target *t, int root, const char *path)
{
    const struct cf_shared_files *files = t->options.files;
    struct open_key key;
    size_t size = files ? open_key(root, path, &key) : 0;
    int fd = -1, error = 0, rc = size ? files->get(files->arg, &key, size, 0, &fd, &error) : -1;

    if (!rc) {
        errno = error;
        return fd;
    }
    fd = cf_open_file(root, path);
    error = fd < 0 ? errno : 0;
    if (rc > 0)
        files->give(files->arg, fd, is_lasting(error) ? error : 0);
    errno = error;
    return fd;
}

int cf_shared_unpacked(const struct cf_target *t, int fd)
{
    const struct cf_shared_files *files = t->options.files;
    struct unpacked_key key;
    int made = -1, error, rc;
    uint64_t room;
    struct stat st;

    if (!files || fd < 0 || !cf_is_packed(fd, &room) || fstat(fd, &st))
        return fd;
    memset(&key, 0, sizeof(key)); /* gaps too: its bytes are compared */
    key.kind = UNPACKED;
    key.device = st.st_dev;
    key.inode = st.st_ino;
    key.size = (uint64_t)st.st_size;
    key.modified = st.st_mtim.tv_sec;
    key.modified_ns = st.st_mtim.tv_nsec;
    key.changed = st.st_ctim.tv_sec;
    key.changed_ns = st.st_ctim.tv_nsec;
    rc = files->get(files->arg, &key, sizeof(key), room, &made, &error);
    if (rc > 0) {
        made = cf_unpack(fd);
        files->give(files->arg, made, 0);
    }
    if (made < 0)
        return fd;
    close(fd);
    return made;
}
