/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The session of libdwfl, with the files that have been found and checked here.
 */
#include "corefiles/dwfl.h"

#include <elfutils/libdwfl.h>

#include "corefiles/debuginfod.h"
#include "corefiles/modulefile.h"
#include "corefiles/modules.h"
#include "corefiles/target.h"

static int no_section(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, const char *section,
                      GElf_Word index, const GElf_Shdr *header, Dwarf_Addr *addr)
{
    (void)mod, (void)data, (void)name, (void)base, (void)section, (void)index, (void)header;
    *addr = (Dwarf_Addr)-1;
    return DWARF_CB_OK;
}

/* Without a directory: what libdwfl would open by itself it would not check. */
static char nothing[] = ":", *nowhere = nothing;
static const Dwfl_Callbacks callbacks = {.find_elf = cf_find_elf,
                                         .find_debuginfo = cf_find_debuginfo,
                                         .section_address = no_section,
                                         .debuginfo_path = &nowhere};

/* By their places: a file is opened when libdwfl asks for it (cf_find_elf). All at once, for it goes from one
   to the next while it unwinds. */
static bool report_all(struct cf_target *t)
{
    dwfl_report_begin(t->dwfl);
    for (uint32_t i = 0; i < t->module_count; i++) {
        struct cf_mod *m = &t->modules[i];

        if (!m->elf && m->path != t->info.exe)
            continue;
        m->reported = dwfl_report_module(t->dwfl, m->path, m->base, m->end);
        cf_belongs_to(m->reported, m);
    }
    return !dwfl_report_end(t->dwfl, NULL, NULL);
}

Dwfl *cf_dwfl(struct cf_target *t)
{
    if (t->dwfl)
        return t->dwfl;
    t->dwfl = dwfl_begin(&callbacks);
    if (!t->dwfl)
        return NULL;
    if (!report_all(t)) {
        dwfl_end(t->dwfl);
        t->dwfl = NULL;
        return NULL;
    }
    /* A stack that ends in a library does not come to the program's own file. If that is another one, or is
       not here, it is the first thing to know. */
    for (uint32_t i = 0; i < t->module_count; i++)
        if (t->modules[i].path == t->info.exe)
            cf_module_file(t, &t->modules[i]);
    return t->dwfl;
}

Dwfl_Module *cf_dwfl_module(struct cf_mod *m)
{
    if (m->dwfl_tried || !cf_dwfl(m->target))
        return m->dwfl;
    m->dwfl_tried = true;
    cf_module_file(m->target, m);
    if (m->image || (m->id_size && cf_debuginfod()))
        m->dwfl = m->reported;
    return m->dwfl;
}
