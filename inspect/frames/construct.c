/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames/construct.h"

#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/frames/function.h"

/* NULL when nothing is known of ADDR, or no more than its file. */
static const struct insp_place *known(struct places *p, uint64_t addr)
{
    const struct insp_place *e = places_at(p, addr);

    return e && (e->symbol || e->file) ? e : NULL;
}

/* Of code without names: which file to ask for, or to send along. */
static void add_module(struct places *p, uint64_t addr, struct mdl_place *ret)
{
    const struct insp_place *e = ret->function || ret->file ? NULL : places_at(p, addr);

    ret->module = e ? e->module : NULL;
}

/* The user's function at E, as it is written; NULL where the symbol does not tell it. */
static const char *function_at(struct places *p, const struct insp_place *e)
{
    return e ? function_name(p->arena, e->symbol, e->file) : NULL;
}

/* Is NAME, "Grid::relax", what SYMBOL's "Grid<int>::relax<double>" is without arguments of templates? */
static bool is_instance(const char *name, const char *symbols)
{
    while (*name && *symbols) {
        int depth = 0;

        if (*name == *symbols) {
            name++, symbols++;
            continue;
        }
        if (*symbols != '<')
            return false;
        do
            depth += *symbols == '<' ? 1 : *symbols == '>' ? -1 : 0;
        while (*++symbols && depth > 0);
    }
    return !*name && (!*symbols || *symbols == '<');
}

/* Whose the body of a construct is that has no name of its own: clang's ident string says it but for the
   arguments of templates, and the call that has brought it forth lies in that function's code. */
static const char *owner_of_body(struct places *p, const struct mdl_place *ident, uint64_t codeptr)
{
    const struct insp_place *call = !codeptr || construct_is_jump(p, codeptr) ? NULL : known(p, codeptr - 1);
    const char *says = ident ? function_name(p->arena, ident->function, ident->file) : NULL;
    const char *calls = function_at(p, call);

    /* What is not the same has inlined it. */
    return calls && (!says || is_instance(says, calls)) ? calls : says;
}

bool construct_is_nameless(struct places *p, uint64_t addr)
{
    const struct insp_place *e = known(p, addr);

    return e && function_is_nameless(e->symbol);
}

bool construct_is_jump(struct places *p, uint64_t codeptr)
{
    return codeptr && code_at(p->s, codeptr - 1, NULL) == INSP_CODE_OPENMP;
}

void construct_place(struct places *p, uint64_t function, uint64_t codeptr, uint64_t source,
                     struct mdl_place *ret)
{
    const struct mdl_place *ident = places_source(p, source);
    const int line = ident ? ident->line : 0;
    const struct insp_place *e;

    *ret = (struct mdl_place){0};
    if (ident && ident->file) {
        ret->file = ident->file;
        ret->line = line;
    }
    e = known(p, function);
    if (e) {
        /* An outlined function starts at its entry; a symbol further up is a stripped program's nearest
           neighbour. */
        ret->function = e->offset == 0 ? function_at(p, e) : NULL;
        /* flang's ident string has a line and no file, and the entry of its bodies a file and no line. */
        if (!ret->file && e->file && (e->line || line)) {
            ret->file = e->file;
            ret->line = line ? line : e->line;
        }
    }
    if (!ret->function)
        ret->function = owner_of_body(p, ident, construct_is_nameless(p, function) ? codeptr : 0);
    e = ret->file || !codeptr || construct_is_jump(p, codeptr) ? NULL : known(p, codeptr - 1);
    if (e && e->line) {
        ret->file = e->file;
        ret->line = line ? line : e->line;
    }
    add_module(p, function, ret);
}

void construct_call(struct places *p, uint64_t codeptr, struct mdl_place *ret)
{
    const struct insp_place *e;

    *ret = (struct mdl_place){0};
    if (!codeptr || construct_is_jump(p, codeptr))
        return;
    e = known(p, codeptr - 1);
    if (e) {
        ret->function = function_at(p, e);
        ret->file = e->file;
        ret->line = e->line;
    }
    add_module(p, codeptr - 1, ret);
}
