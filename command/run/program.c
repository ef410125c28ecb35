/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "command/cmd.h"

char *program_find(const char *name)
{
    const char *path = getenv("PATH");

    if (strchr(name, '/'))
        return strdup(name);
    /* execvp(3): without PATH it looks there. */
    for (path = path ? path : "/bin:/usr/bin"; path;
         path = strchr(path, ':') ? strchr(path, ':') + 1 : NULL) {
        int n = (int)strcspn(path, ":");
        char *file = cf_format("%.*s%s%s", n, path, n ? "/" : "", name);
        struct stat s;

        if (file && !stat(file, &s) && S_ISREG(s.st_mode) && !access(file, X_OK))
            return file;
        free(file);
    }
    return NULL;
}

/* Then the loader ignores LD_LIBRARY_PATH, ld.so(8) "secure-execution mode". */
static bool gains_rights(const char *file, const struct stat *s)
{
    if (s->st_mode & S_ISUID && s->st_uid != getuid())
        return true;
    if (s->st_mode & S_ISGID && s->st_mode & S_IXGRP && s->st_gid != getgid())
        return true;
    return getuid() && getxattr(file, "security.capability", NULL, 0) > 0;
}

/* Does this PT_NOTE hold Companion's note, docs/core-note.md? */
static bool has_companion(Elf *elf, const GElf_Phdr *part)
{
    Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)part->p_offset, part->p_filesz,
                                          part->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
    size_t at = 0, name, desc;
    GElf_Nhdr note;

    while (data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0)
        if (note.n_namesz == sizeof("OMPC") && !memcmp((char *)data->d_buf + name, "OMPC", sizeof("OMPC")))
            return true;
    return false;
}

/* A program of ELF that asks for no loader, and has not got Companion linked in. */
static bool is_static(const char *file)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd >= 0 && elf_version(EV_CURRENT) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    bool alone = elf && elf_kind(elf) == ELF_K_ELF;
    GElf_Phdr part;
    size_t n = 0;

    if (alone && elf_getphdrnum(elf, &n))
        alone = false;
    for (size_t i = 0; alone && i < n; i++)
        if (gelf_getphdr(elf, (int)i, &part) && (part.p_type == PT_INTERP || part.p_type == PT_NOTE))
            alone = part.p_type == PT_NOTE && !has_companion(elf, &part);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return alone;
}

bool program_cannot_be_served(const char *name, char **why)
{
    char *file = program_find(name);
    bool refused = true;
    struct stat s;

    if (!file || stat(file, &s) || !S_ISREG(s.st_mode))
        refused = false; /* execvp will say it */
    else if (gains_rights(file, &s))
        *why = cf_format(
            "%s runs with more rights than yours (setuid, setgid or capabilities), so the loader "
            "lets nobody give it another runtime. Start a copy without these rights, or leave it on "
            "its own with --runtime=own.",
            file);
    else if (is_static(file))
        *why = cf_format("%s is linked statically: its runtime is part of it and cannot be exchanged. "
                         "Link it dynamically, or with libompcompanion.a; --runtime=own starts it as it is.",
                         file);
    else
        refused = false;
    free(file);
    return refused;
}
