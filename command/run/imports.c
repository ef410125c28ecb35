/* SPDX-License-Identifier: Apache-2.0 */
#include "imports.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool only_libgomp_has(const char *name)
{
    static const char *const begins[] = {"GOMP_offload_register", "GOACC_", "acc_"};

    for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
        if (!strncmp(name, begins[i], strlen(begins[i])))
            return true;
    return false;
}

static char *import_of_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    const size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    GElf_Sym symbol;

    for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &symbol); i++) {
        const char *name =
            symbol.st_shndx == SHN_UNDEF ? elf_strptr(elf, header->sh_link, symbol.st_name) : NULL;

        if (name && only_libgomp_has(name))
            return strdup(name);
    }
    return NULL;
}

/* The loader that a program asks for; malloc'ed, NULL: none. */
static char *interpreter(Elf *elf, int fd)
{
    GElf_Phdr part;
    size_t parts = 0;

    if (elf_getphdrnum(elf, &parts))
        return NULL;
    for (size_t i = 0; i < parts; i++) {
        char path[4096];

        if (!gelf_getphdr(elf, (int)i, &part) || part.p_type != PT_INTERP)
            continue;
        if (part.p_filesz > sizeof(path) ||
            pread(fd, path, part.p_filesz, (off_t)part.p_offset) != (ssize_t)part.p_filesz)
            return NULL;
        return strndup(path, part.p_filesz);
    }
    return NULL;
}

/* *loader may be NULL. */
static char *import_of(const char *path, char **loader)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    Elf *elf = fd >= 0 && elf_version(EV_CURRENT) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    char *found = NULL;
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    if (elf && elf_kind(elf) == ELF_K_ELF && loader)
        *loader = interpreter(elf, fd);
    while (elf && !found && (section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
            found = import_of_table(elf, section, &header);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return found;
}

/* What LOADER would load for FILE, which is not run: --list is glibc's and musl's, and
   LD_TRACE_LOADED_OBJECTS is not musl's. NULL: it has not been started. */
static FILE *list_libraries(char *loader, const char *file, pid_t *pid)
{
    char list[] = "--list", *name = strdup(file);
    char *arguments[] = {loader, list, name, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2], error = -1;

    if (!name || pipe2(ends, O_CLOEXEC)) {
        free(name);
        return NULL;
    }
    if (!posix_spawn_file_actions_init(&actions)) {
        if (!posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) &&
            !posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) &&
            !posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0))
            error = posix_spawn(pid, loader, &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(name);
    close(ends[1]);
    if (!error)
        return fdopen(ends[0], "r");
    close(ends[0]);
    return NULL;
}

/* "\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f...)", "\t./libmine.so (0x00007f...)" */
static char *import_of_libraries(char *loader, const char *file, char **where)
{
    pid_t pid = 0;
    char line[4096], *found = NULL;
    FILE *list = list_libraries(loader, file, &pid);

    while (list && fgets(line, sizeof(line), list)) {
        char *arrow = strstr(line, "=> "), *path = arrow ? arrow + 3 : line + strspn(line, " \t");
        char *end = strchr(path, '/') ? strstr(path, " (0x") : NULL;

        if (!end || found)
            continue;
        *end = '\0';
        found = import_of(path, NULL);
        *where = found ? strdup(path) : NULL;
    }
    if (list)
        fclose(list);
    if (pid)
        (void)waitpid(pid, NULL, 0);
    return found;
}

char *imports_of_libgomp(const char *file, char **where)
{
    char *loader = NULL, *found = import_of(file, &loader);

    *where = found ? strdup(file) : NULL;
    if (!found && loader)
        found = import_of_libraries(loader, file, where);
    free(loader);
    return found;
}
