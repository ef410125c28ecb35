/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * usage: ompd-dwarf dump FILE [ALTERNATE-FILE]
 *        ompd-dwarf layout FILE TYPE...
 *
 * What libdwarf reads, in a process of its own (docs/debuginfo.md). `dump` prints all that debuginfo.h tells
 * of FILE, a line for each DIE; `layout` the size of each structure and where its members lie. The same
 * program with libdw serves for the comparison. Exit: 0; 1 when FILE has no such type; 2 when it has no debug
 * information that the library reads; 64 usage.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "corefiles/debuginfo/class_layout.h"
#include "corefiles/debuginfo/print.h"

static struct debuginfo *open_file(const char *path, struct debuginfo *alt, int *fd)
{
    struct debuginfo *of;
    const char *why = "it cannot be opened";

    *fd = open(path, O_RDONLY | O_CLOEXEC);
    of = *fd >= 0 ? debuginfo_open(*fd, alt, &why) : NULL;
    if (!of)
        fprintf(stderr, "ompd-dwarf: %s: %s\n", path, why);
    return of;
}

static int dump(const char *path, const char *alternate)
{
    int fd, alt_fd = -1;
    struct debuginfo *alt = alternate ? open_file(alternate, NULL, &alt_fd) : NULL;
    struct debuginfo *of = alternate && !alt ? NULL : open_file(path, alt, &fd);

    if (!of)
        return 2;
    debuginfo_print(of, stdout);
    debuginfo_close(of);
    debuginfo_close(alt);
    close(fd);
    if (alt_fd >= 0)
        close(alt_fd);
    return 0;
}

static int layout(const char *path, char **types)
{
    int fd, rc = 0;
    struct debuginfo *of = open_file(path, NULL, &fd);

    if (!of)
        return 2;
    for (; *types; types++)
        if (debuginfo_layout(of, *types, stdout)) {
            fprintf(stderr, "ompd-dwarf: %s: it has no definition of the type %s\n", path, *types);
            rc = 1;
        }
    debuginfo_close(of);
    close(fd);
    return rc;
}

int main(int argc, char **argv)
{
    if ((argc == 3 || argc == 4) && !strcmp(argv[1], "dump"))
        return dump(argv[2], argv[3]);
    if (argc > 3 && !strcmp(argv[1], "layout"))
        return layout(argv[2], argv + 3);
    fprintf(stderr, "usage: ompd-dwarf dump FILE [ALTERNATE-FILE]\n       ompd-dwarf layout FILE TYPE...\n");
    return 64;
}
