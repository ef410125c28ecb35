/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames/cut_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 256, TEXT_MAX = 4096, NESTED_MAX = 16 };

/** What stands before the "E" that is due, the innermost last. */
struct open {
    char kind[DEPTH_MAX];
    int depth;
};

static bool push(struct open *o, char kind)
{
    if (o->depth == DEPTH_MAX)
        return false;
    o->kind[o->depth++] = kind;
    return true;
}

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* <source-name>: a length, and as many characters. *at is behind it; NULL: it is longer than the symbol. */
static const char *source_name(const char **at, size_t *length)
{
    char *name;
    unsigned long n = strtoul(*at, &name, 10);

    if (!n || n > strlen(name))
        return NULL;
    *length = n;
    *at = name + n;
    return name;
}

static bool skip_past(const char **at, char c)
{
    const char *found = strchr(*at, c);

    *at = found ? found + 1 : *at;
    return found != NULL;
}

/* A number that ends a literal: "Li42E", "LN3c104TypeE6E". */
static bool is_value(const struct open *o, const char *at)
{
    at += strspn(at, "0123456789");
    return o->depth && o->kind[o->depth - 1] == 'L' && *at == 'E';
}

/* Two letters of an expression that open a list, which "E" ends. */
static bool opens_list(const char *at)
{
    static const char *const lists[] = {"cl", "cp", "il", "tl", "nw", "na", "sP"};

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        if (!strncmp(at, lists[i], 2))
            return true;
    return false;
}

static bool skip_d(struct open *o, const char **at)
{
    const char c = (*at)[1];

    *at += c ? 2 : 1;
    return is_one_of(c, "tT") ? push(o, 'X') : c != '\0';
}

/* A closure's type has a number behind its end: "UlvE_", "UlvE0_". */
static bool close_one(struct open *o, const char **at)
{
    const char kind = o->kind[--o->depth];

    ++*at;
    return kind != 'U' || skip_past(at, '_');
}

/* One step through template arguments. */
static bool skip_one(struct open *o, const char **at)
{
    const char *p = *at;
    size_t length;

    if (isdigit((unsigned char)*p)) {
        if (!is_value(o, p))
            return source_name(at, &length) != NULL;
        *at += strspn(p, "0123456789");
        return true;
    }
    if (*p == 'E')
        return close_one(o, at);
    if (*p == 'D')
        return skip_d(o, at);
    if (*p == 'S' && is_one_of(p[1], "tabsiod")) {
        *at += 2;
        return true;
    }
    if (is_one_of(*p, "STA"))
        return skip_past(at, '_');
    if (*p == 'U' && p[1] == 't')
        return skip_past(at, '_');
    *at += 1;
    if (*p == 'U' && p[1] == 'l') {
        *at += 1;
        return push(o, 'U');
    }
    if (*p == 'L' && isdigit((unsigned char)p[1]) && o->depth && is_one_of(o->kind[o->depth - 1], "NZ"))
        return true;                               /* a name of internal linkage */
    if (*p == 'L' && p[1] == '_' && p[2] == 'Z') { /* the address of a function */
        *at += 2;
        return push(o, 'L');
    }
    if (is_one_of(*p, "IJNXFLZ"))
        return push(o, *p);
    if (*p == 'C' && is_one_of(p[1], "12345")) {
        *at += 1;
        return true;
    }
    if (o->depth && o->kind[o->depth - 1] == 'X' && opens_list(p)) {
        *at += 1;
        return push(o, 'X');
    }
    return islower((unsigned char)*p) || is_one_of(*p, "KVRPOM_");
}

/* *at: behind KIND, whose "E" is the end. */
static bool skip_to_end(const char **at, char kind)
{
    struct open o = {.depth = 0};
    bool going = push(&o, kind);

    while (going && o.depth && **at)
        going = skip_one(&o, at);
    return going && !o.depth;
}

struct name {
    char text[TEXT_MAX];
    size_t length, last; /**< last: where the last part begins */
    bool ended;
};

static bool append(struct name *n, const char *text, size_t length)
{
    if (n->length + length >= sizeof(n->text))
        return false;
    memcpy(n->text + n->length, text, length);
    n->length += length;
    return true;
}

static bool append_part(struct name *n, const char *text, size_t length)
{
    static const char nameless[] = "_GLOBAL__N_", word[] = "(anonymous namespace)";

    if (n->length && !append(n, "::", 2))
        return false;
    n->last = n->length;
    if (length >= sizeof(nameless) - 1 && !strncmp(text, nameless, sizeof(nameless) - 1))
        return append(n, word, sizeof(word) - 1);
    return append(n, text, length);
}

/* A constructor or destructor: the class's name once more, without its arguments. */
static bool append_class(struct name *n, bool destroys)
{
    const char *class = n->text + n->last, *arguments;
    char copy[TEXT_MAX];

    n->text[n->length] = '\0';
    arguments = strchr(class, '<');
    snprintf(copy, sizeof(copy), "%s%.*s", destroys ? "~" : "",
             arguments ? (int)(arguments - class) : (int)strlen(class), class);
    return n->length && append_part(n, copy, strlen(copy));
}

/* A closure: "UlvE_" is the first one of its function, "UlvE0_" the second. */
static bool append_closure(struct name *n, const char **at)
{
    unsigned long number;
    char text[64];

    *at += 1;
    if (!skip_to_end(at, 'X'))
        return false;
    number = isdigit((unsigned char)**at) ? strtoul(*at, NULL, 10) + 2 : 1;
    snprintf(text, sizeof(text), "{lambda(...)#%lu}", number);
    return skip_past(at, '_') && append_part(n, text, strlen(text));
}

/* The two letters of an operator's name. */
static bool append_operator(struct name *n, const char **at)
{
    static const char names[][2][4] = {
        {"cl", "()"}, {"ix", "[]"}, {"pl", "+"},  {"mi", "-"},  {"ml", "*"},   {"dv", "/"},  {"rm", "%"},
        {"aS", "="},  {"pL", "+="}, {"mI", "-="}, {"mL", "*="}, {"dV", "/="},  {"eq", "=="}, {"ne", "!="},
        {"lt", "<"},  {"gt", ">"},  {"le", "<="}, {"ge", ">="}, {"ss", "<=>"}, {"ls", "<<"}, {"rs", ">>"},
        {"pp", "++"}, {"mm", "--"}, {"pt", "->"}, {"nt", "!"},  {"aa", "&&"},  {"oo", "||"}, {"de", "*"},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!strncmp(*at, names[i][0], 2)) {
            *at += 2;
            return append_part(n, "operator", 8) && append(n, names[i][1], strlen(names[i][1]));
        }
    return false;
}

/* One part of <nested-name>. */
static bool add_part(struct name *n, const char **at)
{
    const char *p = *at, *text;
    size_t length;

    if (*p == 'L') /* internal linkage */
        p = ++*at;
    if (isdigit((unsigned char)*p)) {
        text = source_name(at, &length);
        return text && append_part(n, text, length);
    }
    if (islower((unsigned char)*p))
        return append_operator(n, at);
    *at += 1;
    switch (*p) {
    case 'E':
        n->ended = true;
        return n->length != 0;
    case 'I':
        return skip_to_end(at, 'I') && append(n, "<...>", 5);
    case 'U':
        return p[1] == 'l' && append_closure(n, at);
    case 'S':
        *at += 1;
        return p[1] == 't' && append_part(n, "std", 3);
    case 'B': /* an ABI tag */
        return source_name(at, &length) != NULL;
    case 'C':
    case 'D':
        *at += 1;
        return is_one_of(p[1], "012345") && append_class(n, *p == 'D');
    default:
        return false;
    }
}

/* What stands behind "N". */
static bool add_nested(struct name *n, const char **at)
{
    *at += strspn(*at, "rVKRO");
    for (n->ended = false; !n->ended;)
        if (!add_part(n, at))
            return false;
    return true;
}

static bool add_unscoped(struct name *n, const char **at)
{
    const size_t before = n->length;

    if (!strncmp(*at, "St", 2)) {
        *at += 2;
        if (!append_part(n, "std", 3))
            return false;
    }
    while (isdigit((unsigned char)**at) || **at == 'I' || **at == 'L' || **at == 'B')
        if (!add_part(n, at))
            return false;
    if (**at == 'U')
        return add_part(n, at);
    return n->length > before;
}

/* <encoding> without the types behind it. What is local to a function stands behind that function's types:
   its name is read up to there, and goes on. */
static bool add_name(struct name *n, const char **at, int depth)
{
    const char kind = **at;

    if (kind != 'N' && kind != 'Z')
        return add_unscoped(n, at);
    *at += 1;
    if (kind == 'N')
        return add_nested(n, at);
    return depth < NESTED_MAX && add_name(n, at, depth + 1) && skip_to_end(at, 'Z') && **at != 's' &&
           **at != 'd' && add_name(n, at, depth + 1);
}

char *cut_name(const char *symbol)
{
    struct name n = {.length = 0};
    const char *at = symbol + 2;

    if (strncmp(symbol, "_ZN", 3) && strncmp(symbol, "_ZZ", 3))
        return NULL;
    return add_name(&n, &at, 0) ? strndup(n.text, n.length) : NULL;
}
