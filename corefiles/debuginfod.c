/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Files from debuginfod servers, where the user has named some. libdwfl asks them for each module anew, and
 * waits 90 seconds each time for one that does not answer; here that one is asked once, and the answer says
 * so.
 */
#include "corefiles/debuginfod.h"

#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <time.h>

#include "corefiles/debugfile.h"
#include "corefiles/modulefile.h"
#include "corefiles/modules.h"
#include "corefiles/strings.h"

/* Seconds without an answer, and how often to ask again (debuginfod-client-config(7)); what the user has set
   goes before. */
#define PATIENCE "10"
#define AGAIN    "0"

bool cf_debuginfod(void)
{
    const char *urls = getenv("DEBUGINFOD_URLS");

    return urls && *urls && !setenv("DEBUGINFOD_TIMEOUT", PATIENCE, 0) &&
           !setenv("DEBUGINFOD_RETRY_LIMIT", AGAIN, 0);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* M of the module's user data; nothing was found since BEGIN. */
static void judge(struct cf_mod *m, double begin)
{
    const char *limit = getenv("DEBUGINFOD_TIMEOUT");

    if (!m || !limit || now() - begin < 0.9 * strtod(limit, NULL))
        return;
    cf_add_problem(
        m->target, cf_format("Files that are not here could not be had from debuginfod."),
        cf_format("None of the servers in DEBUGINFOD_URLS has answered within DEBUGINFOD_TIMEOUT, %s s.",
                  limit),
        cf_format("Set DEBUGINFOD_URLS to one that does, or to nothing."));
    /* The client looks at it for each question. */
    unsetenv("DEBUGINFOD_URLS");
}

int cf_find_elf(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, char **file, Elf **elf)
{
    struct cf_mod *m = *data;
    bool asked;
    double begin;
    int fd;

    if (m)
        cf_module_file(m->target, m);
    if (m && m->image) {
        /* One more reference: libdwfl would map it to be written to, which counts as memory that is taken. */
        *elf = elf_begin(-1, ELF_C_READ_MMAP, m->unpacked ? m->unpacked : m->image);
        return -1;
    }
    asked = cf_debuginfod();
    begin = now();
    /* Its client is asked by build-id. */
    if (m && asked && m->id_size && dwfl_module_report_build_id(mod, m->id, m->id_size, 0))
        return -1;
    fd = dwfl_build_id_find_elf(mod, data, name, base, file, elf);
    if (asked && fd < 0 && !*elf)
        judge(*data, begin);
    return fd;
}

/* libdwfl also asks for the alternate file of a debug file, by that one's name for it. cf_dwarf finds it. */
static bool is_alt(Dwfl_Module *mod, const char *link)
{
    Dwarf_Addr bias;
    GElf_Word crc;
    Elf *elf = link ? dwfl_module_getelf(mod, &bias) : NULL;

    return link && (!elf || dwelf_elf_gnu_debuglink(elf, &crc) != link);
}

int cf_find_debuginfo(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, const char *file,
                      const char *link, GElf_Word crc, char **found)
{
    double begin;
    int fd;

    (void)file;
    if (is_alt(mod, link))
        return -1;
    /* Without its name: libdwfl does not free that of a damaged file. */
    fd = *data ? cf_debug_file(*data, link, crc) : -1;
    if (fd >= 0 || !cf_debuginfod())
        return fd;
    begin = now();
    /* Without a name of the file and of its link it asks the servers only: cf_dwfl has named no directory. */
    fd = dwfl_standard_find_debuginfo(mod, data, name, base, NULL, NULL, 0, found);
    if (fd < 0)
        judge(*data, begin);
    return fd;
}

void cf_belongs_to(Dwfl_Module *mod, struct cf_mod *m)
{
    void **data;

    if (mod && dwfl_module_info(mod, &data, NULL, NULL, NULL, NULL, NULL, NULL))
        *data = m;
}
