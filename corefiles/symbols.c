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
#include "inspect/target/library.h"

/* MODULE is a path or the end of one. */
static bool is_module(const struct cf_mod *m, const char *module)
{
    const char *base = strrchr(module, '/'), *own = strrchr(m->path, '/');

    base = base ? base + 1 : module;
    return !strcmp(own ? own + 1 : m->path, base);
}

/** A symbol by its name, and what has been found. */
struct search {
    const char *symbol;
    bool tls;
    struct cf_mod *m; /**< NULL: nothing yet */
    uint64_t address, value;
};

/* True where M has the symbol for all modules to see. One that only M sees counts while there is no such. */
static bool search_module(struct search *s, struct cf_mod *m)
{
    Dwfl_Module *mod = cf_dwfl_module(m);
    int count = mod ? dwfl_module_getsymtab(mod) : 0;

    for (int i = 0; i < count; i++) {
        GElf_Sym sym;
        GElf_Addr addr;
        GElf_Word section;
        const char *name = dwfl_module_getsym_info(mod, i, &sym, &addr, &section, NULL, NULL);

        if (!name || sym.st_shndx == SHN_UNDEF || strcmp(name, s->symbol) ||
            (GELF_ST_TYPE(sym.st_info) == STT_TLS) != s->tls)
            continue;
        if (GELF_ST_BIND(sym.st_info) == STB_LOCAL && s->m)
            continue;
        s->m = m;
        s->address = addr;
        s->value = sym.st_value;
        if (GELF_ST_BIND(sym.st_info) != STB_LOCAL)
            return true;
    }
    return false;
}

/* In which order modules are searched of which none is named. The program's own goes before those of its
   libraries, as for the dynamic linker; what is asked for otherwise is libc's, or the C++ runtime's. */
enum { TURN_PROGRAM = 1, TURN_LIBC, TURN_CXX, TURN_OTHER };

static int turn_of(const struct cf_target *t, struct cf_mod *m)
{
    const char *base = strrchr(m->path, '/');
    enum insp_code code;

    if (m->path == t->info.exe)
        return TURN_PROGRAM;
    if (!m->turn) {
        code = library_code(base ? base + 1 : m->path);
        m->turn = code == INSP_CODE_LIBC ? TURN_LIBC : code == INSP_CODE_CXX ? TURN_CXX : TURN_OTHER;
    }
    return m->turn;
}

static bool look_up(struct cf_target *t, const char *module, struct search *s)
{
    for (uint32_t k = 0; module && k < t->module_count; k++)
        if (is_module(&t->modules[k], module) && search_module(s, &t->modules[k]))
            return true;
    for (int turn = TURN_PROGRAM; !module && turn <= TURN_OTHER; turn++)
        for (uint32_t k = 0; k < t->module_count; k++)
            if (turn_of(t, &t->modules[k]) == turn && search_module(s, &t->modules[k]))
                return true;
    return s->m != NULL;
}

int cf_lookup(struct cf_target *t, const char *symbol, const char *module, uint64_t *addr)
{
    struct search s = {.symbol = symbol};

    if (!look_up(t, module, &s))
        return 1;
    *addr = s.address;
    return 0;
}

int cf_lookup_offset(struct cf_target *t, const char *symbol, const char *module, struct cf_mod **mod,
                     uint64_t *offset)
{
    struct search s = {.symbol = symbol, .tls = true};

    if (!look_up(t, module, &s))
        return 1;
    *mod = s.m;
    *offset = s.value;
    return 0;
}

static int find_symbol(struct cf_target *t, uint64_t addr, const char **name, uint64_t *offset)
{
    struct cf_mod *m = cf_module_at(t, addr);
    Dwfl_Module *mod = m ? cf_dwfl_module(m) : NULL;
    const char *found;
    GElf_Off from;
    GElf_Sym sym;

    if (!mod)
        return 1;
    found = dwfl_module_addrinfo(mod, addr, &from, &sym, NULL, NULL, NULL);
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
