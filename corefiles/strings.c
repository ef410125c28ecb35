/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Strings: made, kept, handed out; problems.
 */
#include "corefiles/strings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/target.h"
#include "inspect/base/mem.h"

char *cf_format(const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    return text;
}

bool cf_grow(void *array, uint32_t count, size_t size)
{
    void *old, *new;

    memcpy(&old, array, sizeof(old));
    new = array_grow(old, count, size);
    if (!new)
        return false;
    memcpy(array, &new, sizeof(new));
    /* cppcheck-suppress memleak ; it is in the caller's variable */
    return true;
}

struct cf_texts {
    struct cf_problem *problems;
    uint32_t problem_count;
    char **kept; /**< strings that live as long as the target */
    uint32_t kept_count;
    char *returned[CF_SAY_COUNT];
};

bool cf_texts_new(struct cf_target *t)
{
    t->texts = calloc(1, sizeof(*t->texts));
    return t->texts != NULL;
}

void cf_texts_free(struct cf_texts *x)
{
    if (!x)
        return;
    for (uint32_t i = 0; i < x->kept_count; i++)
        free(x->kept[i]);
    for (int i = 0; i < CF_SAY_COUNT; i++)
        free(x->returned[i]);
    free(x->problems);
    free(x->kept);
    free(x);
}

const char *cf_keep(struct cf_target *t, char *text)
{
    struct cf_texts *x = t->texts;

    if (text && cf_grow(&x->kept, x->kept_count, sizeof(*x->kept))) {
        x->kept[x->kept_count++] = text;
        return text;
    }
    free(text);
    return NULL;
}

const char *cf_say(struct cf_target *t, enum cf_returned slot, char *text)
{
    free(t->texts->returned[slot]);
    t->texts->returned[slot] = text;
    return text;
}

/* More help nobody, and each is compared with all. */
enum { PROBLEMS_MAX = 1000 };

void cf_add_problem(struct cf_target *t, char *what, char *why, char *remedy)
{
    struct cf_texts *x = t->texts;
    struct cf_problem problem;

    if (x->problem_count >= PROBLEMS_MAX) {
        free(what);
        free(why);
        free(remedy);
        if (x->problem_count > PROBLEMS_MAX)
            return;
        what = strdup("There are more problems than are listed.");
        why = cf_format("These are the first %d.", PROBLEMS_MAX);
        remedy = strdup("");
    }
    problem = (struct cf_problem){cf_keep(t, what), cf_keep(t, why), cf_keep(t, remedy)};
    for (uint32_t i = 0; i < x->problem_count && problem.what; i++)
        if (!strcmp(x->problems[i].what, problem.what))
            return;
    if (problem.what && cf_grow(&x->problems, x->problem_count, sizeof(*x->problems)))
        x->problems[x->problem_count++] = problem;
}

uint32_t cf_problem_count(const struct cf_target *t)
{
    return t->texts->problem_count;
}

void cf_change_problem(struct cf_target *t, uint32_t index, char *what, char *why)
{
    const char *new_what = cf_keep(t, what), *new_why = cf_keep(t, why);

    if (new_what && new_why && index < t->texts->problem_count)
        t->texts->problems[index] = (struct cf_problem){new_what, new_why, ""};
}

int cf_problem(const struct cf_target *t, uint32_t index, struct cf_problem *ret)
{
    if (index >= t->texts->problem_count)
        return 1;
    *ret = t->texts->problems[index];
    return 0;
}
