/* SPDX-License-Identifier: Apache-2.0 */
#include "versions.h"

#include <gelf.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "corefiles/file.h"

enum { LENGTH = 64 };

/* The version that TEXT begins with, or null: what follows may be a path. */
static json_t *number(const char *text)
{
    const size_t n = strspn(text, "0123456789.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-~_");

    return n && n < LENGTH && *text >= '0' && *text <= '9' ? json_stringn(text, n) : json_null();
}

static json_t *last_word(char *line)
{
    char *space;

    line[strcspn(line, "\n")] = '\0';
    space = strrchr(line, ' ');
    return number(space ? space + 1 : line);
}

/* Of the GDB that a shell would find. */
static json_t *gdb(void)
{
    char line[256] = "";
    FILE *in = popen("gdb -nx --version </dev/null 2>/dev/null", "re");

    if (in && !fgets(line, sizeof(line), in))
        *line = '\0';
    if (in)
        pclose(in);
    return last_word(line);
}

/* The executable, -1: there is none that may be opened. */
static int executable(const struct cmd_args *args, const json_t *document)
{
    const char *exe = json_string_value(json_object_get(json_object_get(document, "process"), "exe"));
    char own[64];
    int root, fd = -1;

    if (args->executable)
        return cf_open_own(args->executable);
    if (args->pid) {
        snprintf(own, sizeof(own), "/proc/%lld/exe", (long long)args->pid);
        return cf_open_own(own);
    }
    root = args->core && exe ? cf_open_folder(args->sysroot ? args->sysroot : "/") : -1;
    if (root >= 0) {
        fd = cf_open_file(root, exe);
        close(root);
    }
    return fd;
}

/* "gcc 12.2.0" for "GCC: (Debian 12.2.0-14) 12.2.0", and the like; NULL: it is none that is known. */
static json_t *compiler(const char *comment)
{
    static const struct {
        const char *mark, *name;
    } known[] = {{"flang version ", "flang"}, {"clang version ", "clang"}, {"GCC: ", "gcc"}};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        const char *at = strstr(comment, known[i].mark), *space = strrchr(comment, ' ');
        json_t *version, *ret;

        if (!at)
            continue;
        version = number(i < 2 ? at + strlen(known[i].mark) : space + 1);
        ret =
            json_is_string(version) ? json_sprintf("%s %s", known[i].name, json_string_value(version)) : NULL;
        json_decref(version);
        return ret;
    }
    return NULL;
}

/* .comment: a text of each compiler, one behind the other. */
static json_t *compilers_in(Elf *elf)
{
    json_t *list = json_array();
    Elf_Scn *section = NULL;
    size_t names = 0;

    while (!elf_getshdrstrndx(elf, &names) && (section = elf_nextscn(elf, section))) {
        Elf_Data *data = elf_rawdata(section, NULL);
        const char *text, *end, *name;
        GElf_Shdr head;

        name = gelf_getshdr(section, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;
        if (!name || strcmp(name, ".comment") || !data || !data->d_buf)
            continue;
        text = data->d_buf;
        end = text + data->d_size;
        for (size_t n; (n = strnlen(text, (size_t)(end - text))) < (size_t)(end - text); text += n + 1) {
            json_t *one = compiler(text);

            if (one)
                json_array_append_new(list, one);
        }
    }
    return list;
}

static json_t *compilers(const struct cmd_args *args, const json_t *document)
{
    const int fd = executable(args, document);
    Elf *elf = fd >= 0 && elf_version(EV_CURRENT) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    json_t *list = elf && elf_kind(elf) == ELF_K_ELF ? compilers_in(elf) : json_null();

    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return list;
}

json_t *versions(const struct cmd_args *args, const json_t *document)
{
    const char *libompd = json_string_value(json_object_get(json_object_get(document, "ompd"), "version"));
    json_t *o = json_object();
    struct utsname kernel;

    libompd = libompd && !strncmp(libompd, "libompd ", 8) ? libompd + 8 : "";
    json_object_set_new(o, "ompd", json_string(CMD_VERSION));
    json_object_set_new(o, "libompd", number(libompd));
    json_object_set_new(o, "gdb", gdb());
    json_object_set_new(o, "kernel", uname(&kernel) ? json_null() : number(kernel.release));
    json_object_set_new(o, "machine", uname(&kernel) ? json_null() : json_string(kernel.machine));
    json_object_set_new(o, "libc", number(gnu_get_libc_version()));
    json_object_set_new(o, "compilers", compilers(args, document));
    return o;
}
