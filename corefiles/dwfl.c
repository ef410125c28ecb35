/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The session of libdwfl, with the files that have been found and checked here.
 */
#include "corefiles/dwfl.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <unistd.h>

#include "corefiles/debuginfod.h"
#include "corefiles/modulefile.h"
#include "corefiles/modules.h"
#include "corefiles/shared.h"
#include "corefiles/target.h"

static int no_section(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, const char *section,
                      GElf_Word index, const GElf_Shdr *header, Dwarf_Addr *addr)
{
    (void)mod, (void)data, (void)name, (void)base, (void)section, (void)index, (void)header;
    *addr = (Dwarf_Addr)-1;
    return DWARF_CB_OK;
}

/* A module whose file is not here: debuginfod, if the user has configured it; libdwfl asks its client by
   build-id. */
static void report_by_id(struct cf_target *t, struct cf_mod *m)
{
    Dwfl_Module *mod;

    if (!m->id_size || !cf_debuginfod())
        return;
    mod = dwfl_report_module(t->dwfl, m->path, m->base, m->end);
    cf_belongs_to(mod, m);
    if (mod && !dwfl_module_report_build_id(mod, m->id, m->id_size, 0))
        m->dwfl = mod;
}

static void report(struct cf_target *t, struct cf_mod *m)
{
    int fd;

    cf_module_file(t, m);
    if (m->fd < 0) {
        report_by_id(t, m);
        return;
    }
    fd = fcntl(m->fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return;
    fd = cf_shared_unpacked(t, fd);
    m->dwfl = dwfl_report_elf(t->dwfl, m->path, m->file, fd, m->base, false);
    if (!m->dwfl)
        close(fd);
    cf_belongs_to(m->dwfl, m);
}

/* Without a directory: what libdwfl would open by itself it would not check. */
static char nothing[] = ":", *nowhere = nothing;
static const Dwfl_Callbacks callbacks = {.find_elf = cf_find_elf,
                                         .find_debuginfo = cf_find_debuginfo,
                                         .section_address = no_section,
                                         .debuginfo_path = &nowhere};

Dwfl *cf_dwfl(struct cf_target *t)
{
    if (t->dwfl)
        return t->dwfl;
    t->dwfl = dwfl_begin(&callbacks);
    if (!t->dwfl)
        return NULL;
    dwfl_report_begin(t->dwfl);
    for (uint32_t i = 0; i < t->module_count; i++)
        if (t->modules[i].elf || t->modules[i].path == t->info.exe)
            report(t, &t->modules[i]);
    if (dwfl_report_end(t->dwfl, NULL, NULL)) {
        dwfl_end(t->dwfl);
        t->dwfl = NULL;
    }
    return t->dwfl;
}
