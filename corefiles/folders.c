/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where the files that a target names may lie: below the sysroot or in the process's own root, and in debug
 * directories. No name from the target, and no link, leads out of these.
 */
#include "corefiles/folders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corefiles/file.h"
#include "corefiles/shared.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"

/* The path of what FD refers to; false if it has none that this process can see. */
static bool path_of(int fd, char *path, size_t size)
{
    char link[64];
    ssize_t length;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    length = readlink(link, path, size);
    if (length <= 0 || (size_t)length >= size || *path != '/')
        return false;
    path[length] = '\0';
    return true;
}

char *cf_path_below(int root, int fd)
{
    char above[4096], path[4096];
    size_t length;

    if (!path_of(root, above, sizeof(above)) || !path_of(fd, path, sizeof(path)))
        return NULL;
    length = strcmp(above, "/") ? strlen(above) : 0;
    if (strncmp(path, above, length) || (path[length] && path[length] != '/'))
        return NULL;
    return strdup(path + length);
}

/* Takes over FD and the malloc'ed DIR. False out of memory. */
static bool add_folder(struct cf_target *t, int fd, const char *root, char *dir)
{
    struct cf_folders *f = t->folders;
    struct cf_folder folder = {fd, root, cf_keep(t, dir)};

    if (!root || !folder.dir || !cf_grow(&f->debug, f->debug_count, sizeof(*f->debug))) {
        close(fd);
        return false;
    }
    f->debug[f->debug_count++] = folder;
    return true;
}

static bool add_below(struct cf_target *t, const struct cf_folder *root, char *dir)
{
    int fd = dup(root->fd);

    if (fd >= 0)
        return add_folder(t, fd, root->root, dir);
    free(dir);
    return false;
}

/* One that the user names. Links in it may lead anywhere; with a sysroot not out of that, or, if it lies
   elsewhere, not out of itself. */
static bool add_named(struct cf_target *t, const char *dir)
{
    const struct cf_folder *above = t->options.sysroot ? &t->folders->home : &t->folders->host;
    int fd = cf_open_folder(dir);
    char *below;

    if (fd < 0)
        return true;
    below = cf_path_below(above->fd, fd);
    if (!below)
        return add_folder(t, fd, cf_keep(t, strdup(dir)), strdup(""));
    close(fd);
    return add_below(t, above, below);
}

/* The kernel may be too old, or a container's filter may forbid the one call by which a root can be kept
   to. */
static void say_refused(struct cf_target *t)
{
    t->folders->no_openat2 = cf_open_refused();
    if (t->folders->no_openat2)
        cf_add_problem(
            t, cf_format("The files that the process names are not opened."),
            cf_format("The system call openat2 is refused (%s), and without it a name can lead anywhere.",
                      strerror(t->folders->no_openat2)),
            cf_format("It needs Linux 5.6; in a container, a seccomp profile that allows openat2. "
                      "--executable names the program."));
}

int cf_folders_load(struct cf_target *t)
{
    char *list = strdup(t->options.debug_dirs ? t->options.debug_dirs : ""), *rest = list, *dir;
    const char *root = t->options.sysroot ? t->options.sysroot : "";
    bool good = list != NULL;

    if (t->live_pid && !t->options.sysroot)
        root = cf_keep(t, cf_format("/proc/%lld/root", (long long)t->live_task));
    t->folders = calloc(1, sizeof(*t->folders));
    if (!good || !root || !t->folders) {
        free(t->folders);
        t->folders = NULL;
        free(list);
        return -1;
    }
    t->folders->own.fd = -1;
    say_refused(t);
    t->folders->host = (struct cf_folder){cf_open_folder("/"), "", ""};
    t->folders->home = (struct cf_folder){cf_open_folder(*root ? root : "/"), root, ""};
    while (good && (dir = strsep(&rest, ":")) != NULL)
        good = !*dir || add_named(t, dir);
    free(list);
    if (good && t->folders->home.fd >= 0)
        good = add_below(t, &t->folders->home, strdup("/usr/lib/debug"));
    /* The process may be in a container that has no debug files; they are checked all the same. */
    if (good && t->live_pid && !t->options.sysroot && t->folders->host.fd >= 0)
        good = add_below(t, &t->folders->host, strdup("/usr/lib/debug"));
    return good ? 0 : -1;
}

void cf_folders_free(struct cf_folders *f)
{
    if (!f)
        return;
    for (uint32_t i = 0; i < f->debug_count; i++)
        close(f->debug[i].fd);
    free(f->debug);
    for (int i = 0; i < 3; i++) {
        int fd = (const int[]){f->home.fd, f->host.fd, f->own.fd}[i];

        if (fd >= 0)
            close(fd);
    }
    free(f);
}

int cf_open_in(struct cf_target *t, const struct cf_folder *folder, const char *path, char **name)
{
    char *below = cf_format("%s%s%s", folder->dir, *path == '/' ? "" : "/", path);
    int fd = -1;

    *name = below ? cf_format("%s%s", folder->root, below) : NULL;
    if (!*name)
        errno = ENOMEM;
    else if (t->folders->no_openat2)
        errno = t->folders->no_openat2;
    else
        fd = cf_shared_open(t, folder->fd, below);
    free(below);
    return fd;
}

const struct cf_folder *cf_folder_of_own(struct cf_target *t, int fd)
{
    const struct cf_folder *above = t->options.sysroot ? &t->folders->home : &t->folders->host;
    char path[4096], *below = cf_path_below(above->fd, fd), *end;

    if (below) {
        free(below);
        return above;
    }
    if (t->folders->own.fd >= 0 || !path_of(fd, path, sizeof(path)) || !(end = strrchr(path, '/')))
        return t->folders->own.fd >= 0 ? &t->folders->own : NULL;
    *end = '\0';
    t->folders->own = (struct cf_folder){cf_open_folder(*path ? path : "/"), cf_keep(t, strdup(path)), ""};
    return t->folders->own.fd >= 0 && t->folders->own.root ? &t->folders->own : NULL;
}
