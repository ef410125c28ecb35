/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Names to addresses and back, and source lines, through the symbol tables that libdwfl finds (dynamic, full, of a
 * separate debug file).
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static struct cf_mod *mod_of(struct cf_target *t, uint64_t addr)
{
    struct cf_mod *m = cf_dwfl(t) ? cf_module_at(t, addr) : NULL;

    return m && m->dwfl ? m : NULL;
}

/* MODULE is a path or the end of one. */
static bool is_module(const struct cf_mod *m, const char *module)
{
    const char *base = module ? strrchr(module, '/') : NULL, *own = strrchr(m->path, '/');

    base = base ? base + 1 : module;
    return !base || !strcmp(own ? own + 1 : m->path, base);
}

int cf_lookup_sym(struct cf_target *t, const char *symbol, const char *module, int type, GElf_Sym *ret,
                  struct cf_mod **mod, uint64_t *ret_addr)
{
    bool found = false;

    if (!cf_dwfl(t))
        return 1;
    for (uint32_t k = 0; k < t->module_count; k++) {
        struct cf_mod *m = &t->modules[k];
        int count = m->dwfl && is_module(m, module) ? dwfl_module_getsymtab(m->dwfl) : 0;

        for (int i = 0; i < count; i++) {
            GElf_Sym sym;
            GElf_Addr addr;
            GElf_Word section;
            const char *name = dwfl_module_getsym_info(m->dwfl, i, &sym, &addr, &section, NULL, NULL);

            if (!name || sym.st_shndx == SHN_UNDEF || strcmp(name, symbol) ||
                (GELF_ST_TYPE(sym.st_info) == STT_TLS) != (type == STT_TLS))
                continue;
            /* A local one only while no module has a global one. */
            if (GELF_ST_BIND(sym.st_info) == STB_LOCAL && found)
                continue;
            *ret = sym;
            *mod = m;
            *ret_addr = addr;
            found = true;
            if (GELF_ST_BIND(sym.st_info) != STB_LOCAL)
                return 0;
        }
    }
    return found ? 0 : 1;
}

int cf_lookup(struct cf_target *t, const char *symbol, const char *module, uint64_t *addr)
{
    struct cf_mod *m;
    GElf_Sym sym;

    return cf_lookup_sym(t, symbol, module, STT_NOTYPE, &sym, &m, addr);
}

static int find_symbol(struct cf_target *t, uint64_t addr, const char **name, uint64_t *offset)
{
    struct cf_mod *m = mod_of(t, addr);
    const char *found;
    GElf_Off from;
    GElf_Sym sym;

    if (!m)
        return 1;
    found = dwfl_module_addrinfo(m->dwfl, addr, &from, &sym, NULL, NULL, NULL);
    if (!found || !*found || (sym.st_size && from >= sym.st_size))
        return 1;
    *name = found;
    *offset = from;
    return 0;
}

int cf_symbol_at(struct cf_target *t, uint64_t addr, const char **name, uint64_t *offset)
{
    /* Many threads stand at few places, and libdwfl goes through all symbols of a file each time. */
    struct cf_symbol *known = &t->symbols[(addr * UINT64_C(0x9e3779b97f4a7c15)) >> 56];
    uint64_t from = 0;

    if (!known->tried || known->addr != addr) {
        *known = (struct cf_symbol){.addr = addr, .tried = true};
        if (!find_symbol(t, addr, &known->name, &from))
            known->offset = from;
    }
    if (!known->name)
        return 1;
    *name = known->name;
    *offset = known->offset;
    return 0;
}

int cf_line_at(struct cf_target *t, uint64_t addr, char **file, int *line)
{
    uint64_t bias;
    const char *name;
    struct die cu;
    int number;
    char *copy;

    if (cf_unit_at(t, addr, &cu, &bias) || unit_line(&cu, addr - bias, &name, &number))
        return 1;
    copy = strdup(name);
    if (!copy)
        return 1;
    *file = copy;
    *line = number;
    return 0;
}

int cf_place(struct cf_target *t, uint64_t addr, struct insp_place *ret)
{
    struct cf_mod *m = cf_module_at(t, addr);
    struct cf_variable v = {0};
    struct insp_place place = {0};
    const char *symbol;
    uint64_t offset;
    char *file = NULL, *name = NULL;
    int line = 0;

    if (!m || t->nameless)
        return 1;
    if (!cf_symbol_at(t, addr, &symbol, &offset)) {
        /* C++ for people; a Fortran procedure's linker name tells its module too. */
        name = !strncmp(symbol, "_Z", 2) ? cf_demangle(symbol) : strndup(symbol, strcspn(symbol, "@"));
        place.offset = offset;
    }
    if (!cf_line_at(t, addr, &file, &line)) {
        place.line = line;
    } else if (!cf_expression(t, addr, &v)) {
        free(name);
        name = strdup(v.text);
        place.offset = 0;
        cf_variable_free(&v);
    }
    place.symbol = cf_say(t, CF_SAY_PLACE, name);
    place.file = cf_say(t, CF_SAY_PLACE_FILE, file);
    place.module = m->path;
    /* Of a stripped library it is worth saying which it is; GDB does not tell it of the program either. */
    if (!place.symbol && !place.file && m->path == t->info.exe)
        return 1;
    *ret = place;
    return 0;
}
