/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Names to addresses and back, through the symbol tables that libdwfl finds (dynamic, full, of a separate
 * debug file).
 */
#include "corefiles/symbols.h"

#include <elf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/dwfl.h"
#include "corefiles/modules.h"
#include "corefiles/target.h"
#include "inspect/base/hash.h"

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

static int look_up(struct cf_target *t, const char *symbol, const char *module, int type, GElf_Sym *ret,
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

    return look_up(t, symbol, module, STT_NOTYPE, &sym, &m, addr);
}

int cf_lookup_offset(struct cf_target *t, const char *symbol, const char *module, struct cf_mod **mod,
                     uint64_t *offset)
{
    uint64_t addr;
    GElf_Sym sym;

    if (look_up(t, symbol, module, STT_TLS, &sym, mod, &addr))
        return 1;
    *offset = sym.st_value;
    return 0;
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

/** What has been found at an address. Many threads wait at few places, and libdwfl goes through all symbols
 *  of a file each time. */
struct cf_symbols {
    struct hash at; /**< index + 1 by address */
    struct symbol {
        const char *name; /**< NULL: there is none */
        uint64_t offset;
    } * symbol;
    size_t count;
};

void cf_symbols_free(struct cf_symbols *s)
{
    if (s) {
        hash_free(&s->at);
        free(s->symbol);
    }
    free(s);
}

/* The entry of ADDR, made when it is not there yet; NULL out of memory. */
static const struct symbol *known_symbol(struct cf_target *t, uint64_t addr)
{
    struct cf_symbols *s = t->symbols ? t->symbols : calloc(1, sizeof(*s));
    struct symbol *grown, found = {NULL, 0};
    uint64_t *at;

    t->symbols = s;
    at = s ? hash_add(&s->at, addr, NULL) : NULL;
    if (at && !*at) {
        grown = array_grow(s->symbol, s->count, sizeof(*grown));
        if (!grown)
            return NULL;
        s->symbol = grown;
        (void)find_symbol(t, addr, &found.name, &found.offset);
        grown[s->count] = found;
        *at = ++s->count;
    }
    return at ? &s->symbol[*at - 1] : NULL;
}

int cf_symbol_at(struct cf_target *t, uint64_t addr, const char **name, uint64_t *offset)
{
    const struct symbol *known = known_symbol(t, addr);

    if (!known)
        return -1;
    if (!known->name)
        return 1;
    *name = known->name;
    *offset = known->offset;
    return 0;
}
