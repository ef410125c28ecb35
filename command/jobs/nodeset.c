/* SPDX-License-Identifier: Apache-2.0 */
#include "nodeset.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 20000, NAME_SIZE = 256, DIGITS_MAX = 9 };

bool nodeset_has(const struct nodeset *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (!strcmp(set->name[i], name))
            return true;
    return false;
}

/* A name that a command may be given: no option, nothing that a shell or a terminal reads otherwise. */
static bool is_name(const char *name)
{
    if (!*name || *name == '-' || strlen(name) >= NAME_SIZE)
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("-_.:@/", *name))
            return false;
    return true;
}

bool nodeset_add_name(struct nodeset *set, const char *name)
{
    char **grown;

    if (nodeset_has(set, name))
        return true;
    if (set->count >= NODES_MAX)
        return false;
    grown = realloc(set->name, (set->count + 1) * sizeof(*grown));
    if (!grown)
        return false;
    set->name = grown;
    grown[set->count] = strdup(name);
    return grown[set->count] && ++set->count;
}

static bool expand(struct nodeset *set, const char *done, const char *rest);

/* Of the "7" or "01-12" at AT: each number, with as many digits, then what follows the brackets. */
static bool expand_range(struct nodeset *set, const char *done, const char *at, size_t length,
                         const char *rest)
{
    const size_t digits = strspn(at, "0123456789");
    unsigned long from, to;
    char text[2 * NAME_SIZE], *end;

    from = strtoul(at, &end, 10);
    to = *end == '-' ? strtoul(end + 1, &end, 10) : from;
    if (!digits || digits > DIGITS_MAX || end != at + length || to < from || to - from >= NODES_MAX)
        return false;
    for (unsigned long n = from; n <= to; n++) {
        int size = snprintf(text, sizeof(text), "%s%0*lu", done, *at == '0' ? (int)digits : 1, n);

        if (size >= NAME_SIZE || !expand(set, text, rest))
            return false;
    }
    return true;
}

/* DONE and N bytes of REST, for which TEXT has room. */
static void join(char *text, const char *done, const char *rest, size_t n)
{
    const size_t size = strlen(done);

    memcpy(text, done, size);
    memcpy(text + size, rest, n);
    text[size + n] = '\0';
}

/* DONE is the beginning of a name whose REST may still have brackets. */
static bool expand(struct nodeset *set, const char *done, const char *rest)
{
    const char *open = strchr(rest, '['), *close = open ? strchr(open, ']') : NULL;
    char text[2 * NAME_SIZE];

    if (strlen(done) + strlen(rest) >= sizeof(text))
        return false;
    if (!open) {
        join(text, done, rest, strlen(rest));
        return is_name(text) && nodeset_add_name(set, text);
    }
    if (!close)
        return false;
    join(text, done, rest, (size_t)(open - rest));
    for (const char *at = open + 1; at <= close;) {
        size_t n = strcspn(at, ",]");

        if (!expand_range(set, text, at, n, close + 1))
            return false;
        at += n + 1;
    }
    return true;
}

bool nodeset_add(struct nodeset *set, const char *text)
{
    char one[NAME_SIZE * 2];

    while (*text) {
        size_t n = 0;
        int depth = 0;

        /* A comma within brackets belongs to the name. */
        for (; text[n] && (depth || !strchr(", \t\r\n", text[n])); n++)
            depth += text[n] == '[' ? 1 : text[n] == ']' ? -1 : 0;
        if (n >= sizeof(one) || depth)
            return false;
        memcpy(one, text, n);
        one[n] = '\0';
        if (n && !expand(set, "", one))
            return false;
        text += n + (text[n] != '\0');
    }
    return true;
}

char *nodeset_join(const struct nodeset *set)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (size_t i = 0; out && i < set->count; i++)
        fprintf(out, "%s%s", i ? "," : "", set->name[i]);
    return out && !fclose(out) ? text : NULL;
}

/* Where the number begins with which NAME ends. */
static size_t stem(const char *name)
{
    size_t n = strlen(name);

    while (n && isdigit((unsigned char)name[n - 1]) && strlen(name) - n < DIGITS_MAX)
        n--;
    return n;
}

/* Is B the name that follows A: n09 and n10? */
static bool follows(const char *a, const char *b)
{
    const size_t n = stem(a), width = strlen(a) - n;
    char next[32];

    if (!width || stem(b) != n || strncmp(a, b, n))
        return false;
    snprintf(next, sizeof(next), "%0*lu", a[n] == '0' ? (int)width : 1, strtoul(a + n, NULL, 10) + 1);
    return !strcmp(next, b + n);
}

static bool same_stem(const char *a, const char *b)
{
    return a[stem(a)] && b[stem(b)] && stem(a) == stem(b) && !strncmp(a, b, stem(a));
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

char *nodeset_fold(const struct nodeset *set)
{
    char *text = NULL, **name = calloc(set->count + 1, sizeof(*name));
    size_t size = 0;
    FILE *out = name ? open_memstream(&text, &size) : NULL;

    if (name && set->count)
        memcpy(name, set->name, set->count * sizeof(*name));
    if (out && set->count)
        qsort(name, set->count, sizeof(*name), by_name);
    for (size_t i = 0, next; out && i < set->count; i = next) {
        size_t end;

        for (end = i + 1; end < set->count && same_stem(name[i], name[end]); end++)
            ;
        fprintf(out, "%s%.*s", i ? "," : "", (int)(end > i + 1 ? stem(name[i]) : strlen(name[i])), name[i]);
        for (size_t k = i, last; end > i + 1 && k < end; k = last + 1) {
            for (last = k; last + 1 < end && follows(name[last], name[last + 1]); last++)
                ;
            fprintf(out, "%s%s", k == i ? "[" : ",", name[k] + stem(name[k]));
            if (last > k)
                fprintf(out, "-%s", name[last] + stem(name[last]));
        }
        if (end > i + 1)
            fputc(']', out);
        next = end;
    }
    free(name);
    return out && !fclose(out) ? text : NULL;
}

void nodeset_free(struct nodeset *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->name[i]);
    free(set->name);
    *set = (struct nodeset){0};
}
