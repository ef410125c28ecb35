/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames/construct.h"

#include <string.h>

#include "inspect/frames/code.h"

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

/* clang up to 17 calls every outlined function ".omp_outlined.", ".omp_task_entry." and a number: no name for
 * a user. */
static bool anonymous(const char *symbol)
{
    symbol += *symbol == '.'; /* which GDB's demangler takes away in C++ */
    return !strncmp(symbol, "omp_outlined", 12) || !strncmp(symbol, "omp_task_entry", 14);
}

bool construct_is_jump(struct places *p, uint64_t codeptr)
{
    return codeptr && code_at(p->s, codeptr - 1, NULL) == INSP_CODE_OPENMP;
}

void construct_place(struct places *p, uint64_t function, uint64_t codeptr, uint64_t source,
                     struct mdl_place *ret)
{
    const struct mdl_place *ident = places_source(p, source);
    const char *user_function = ident ? ident->function : NULL;
    const struct insp_place *e;

    *ret = (struct mdl_place){0};
    if (ident && ident->file) {
        ret->file = ident->file;
        ret->line = ident->line;
    }
    e = known(p, function);
    if (e) {
        /* An outlined function starts at its entry; a symbol further up is a stripped program's nearest
           neighbour. */
        ret->function =
            e->offset == 0 && e->symbol && !(user_function && anonymous(e->symbol)) ? e->symbol : NULL;
        if (!ret->file && e->line) {
            ret->file = e->file;
            ret->line = e->line;
        }
    }
    if (!ret->function)
        ret->function = user_function;
    e = ret->file || !codeptr || construct_is_jump(p, codeptr) ? NULL : known(p, codeptr - 1);
    if (e && e->line) {
        ret->file = e->file;
        ret->line = e->line;
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
        ret->function = e->symbol && !anonymous(e->symbol) ? e->symbol : NULL;
        ret->file = e->file;
        ret->line = e->line;
    }
    add_module(p, codeptr - 1, ret);
}
