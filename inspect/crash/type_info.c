/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/crash/type_info.h"

#include <string.h>

#include "inspect/target/hostcall.h"

enum { WORD = 8 };
/* What is believed of the target: a name, a text, base classes of one class, classes above it, and in all. */
enum { NAME_MAX_BYTES = 1024, TEXT_MAX = 512, BASES_MAX = 32, DEPTH_MAX = 16, VISITS_MAX = 128 };

static bool read_word(insp_session *s, uint64_t addr, uint64_t *ret)
{
    return addr && !host_read(s, addr, ret, WORD);
}

const char *type_info_name(insp_session *s, struct arena *a, uint64_t info)
{
    char name[NAME_MAX_BYTES];
    uint64_t at;
    const char *start = name;

    /* Its second word, behind the pointer to its own virtual functions. */
    if (!info || info % WORD || !read_word(s, info + WORD, &at) || !at ||
        host_read_string(s, at, name, sizeof(name)))
        return NULL;
    start += *start == '*'; /* GCC's mark of a type that is local to a file */
    if (!*start)
        return NULL;
    for (const char *p = start; *p; p++)
        if (*p <= ' ' || *p > '~')
            return NULL;
    return arena_str(a, start);
}

bool type_info_is_string(const char *mangled)
{
    return !strcmp(mangled, "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
}

/* What kind of type it describes: the name of the std::type_info of the std::type_info. */
static const char *kind_of(insp_session *s, struct arena *a, uint64_t info)
{
    uint64_t functions, meta;
    const char *name;

    if (!read_word(s, info, &functions) || functions < WORD || !read_word(s, functions - WORD, &meta))
        return "";
    name = type_info_name(s, a, meta);
    return name ? name : "";
}

/* ---- where the std::exception in an object is ---------------------------------------------- */

struct walk {
    insp_session *s;
    struct arena *arena;
    uint64_t found; /* 0 none yet */
    bool twice;     /* two of them, or more classes than are believed */
    int visits;
};

static void walk_class(struct walk *w, uint64_t info, uint64_t object, int depth);

/* A class with several bases, with one that is not public, or with a virtual one. */
static void walk_bases(struct walk *w, uint64_t info, uint64_t object, int depth)
{
    enum { VIRTUAL = 1, PUBLIC = 2, OFFSET = 8 };
    uint32_t head[2];
    uint64_t base[2], functions, shift;

    if (host_read(w->s, info + 16, head, sizeof(head)) || head[1] > BASES_MAX)
        return;
    for (uint64_t i = 0; i < head[1]; i++) {
        if (host_read(w->s, info + 24 + i * sizeof(base), base, sizeof(base)))
            return;
        if (!(base[1] & PUBLIC))
            continue;
        shift = (uint64_t)((int64_t)base[1] >> OFFSET);
        /* Where a virtual base is stands before the object's virtual functions. */
        if (base[1] & VIRTUAL &&
            (!read_word(w->s, object, &functions) || !read_word(w->s, functions + shift, &shift)))
            continue;
        walk_class(w, base[0], object + shift, depth + 1);
    }
}

static void walk_class(struct walk *w, uint64_t info, uint64_t object, int depth)
{
    const char *name, *kind;
    uint64_t base;

    if (depth > DEPTH_MAX || ++w->visits > VISITS_MAX) {
        w->twice = true;
        return;
    }
    name = type_info_name(w->s, w->arena, info);
    if (!name)
        return;
    if (!strcmp(name, "St9exception")) {
        w->twice |= w->found && w->found != object;
        w->found = object;
        return;
    }
    kind = kind_of(w->s, w->arena, info);
    if (!strcmp(kind, "N10__cxxabiv120__si_class_type_infoE") && read_word(w->s, info + 16, &base))
        walk_class(w, base, object, depth + 1);
    else if (!strcmp(kind, "N10__cxxabiv121__vmi_class_type_infoE"))
        walk_bases(w, info, object, depth);
}

/* ---- what a what() returns, by its code ---------------------------------------------------------------- */

struct code {
    const uint8_t *byte;
    size_t at, count;
};

static bool take(struct code *c, const void *bytes, size_t n)
{
    if (c->count - c->at < n || memcmp(c->byte + c->at, bytes, n) != 0)
        return false;
    c->at += n;
    return true;
}
#define TAKE(c, bytes) take((c), (bytes), sizeof(bytes) - 1)

static int64_t number(struct code *c, size_t n)
{
    int32_t wide = 0;
    int8_t narrow = 0;

    if (c->count - c->at < n)
        return 0;
    memcpy(n == 1 ? (void *)&narrow : (void *)&wide, c->byte + c->at, n);
    c->at += n;
    return n == 1 ? narrow : wide;
}

/*
 * Where the string is that the function at CODE returns for OBJECT. Understood are functions that do nothing
 * else than return a constant string, a pointer that the object has, or a part of the object: those of
 * std::runtime_error, std::bad_alloc and their like, and the program's own of that kind. All others are not
 * run either.
 */
static bool returned(insp_session *s, uint64_t code, uint64_t object, uint64_t *ret)
{
    uint8_t bytes[32];
    struct code c = {bytes, 0, sizeof(bytes)};
    bool frame, inside = false;
    uint64_t text;

    if (host_read(s, code, bytes, sizeof(bytes)))
        return false;
    (void)TAKE(&c, "\xf3\x0f\x1e\xfa"); /* endbr64 */
    /* push %rbp; mov %rsp,%rbp; mov %rdi,-8(%rbp): not optimised. */
    frame = TAKE(&c, "\x55\x48\x89\xe5\x48\x89\x7d\xf8");
    if (TAKE(&c, "\x48\x8d\x05")) { /* lea N(%rip),%rax */
        text = (uint64_t)number(&c, 4);
        text += code + c.at;
    } else if (TAKE(&c, "\xb8")) { /* mov $N,%eax */
        text = (uint32_t)number(&c, 4);
    } else if (TAKE(&c, "\x48\xb8")) { /* movabs $N,%rax */
        if (c.count - c.at < WORD)
            return false;
        memcpy(&text, bytes + c.at, WORD);
        c.at += WORD;
    } else {
        /* mov -8(%rbp),%rax, and from there on the object is in rax, else in rdi. */
        const bool loaded = frame && TAKE(&c, "\x48\x8b\x45\xf8");

        if (frame && !loaded)
            return false;
        if (TAKE(&c, "\x48\x8b")) /* mov N(object),%rax */
            inside = true;
        else if (!TAKE(&c, "\x48\x8d")) /* lea N(object),%rax */
            return false;
        if (take(&c, loaded ? "\x40" : "\x47", 1))
            text = object + (uint64_t)number(&c, 1);
        else if (take(&c, loaded ? "\x80" : "\x87", 1))
            text = object + (uint64_t)number(&c, 4);
        else
            return false;
    }
    if ((frame && !TAKE(&c, "\x5d")) || !TAKE(&c, "\xc3"))
        return false;
    return inside ? read_word(s, text, ret) : (*ret = text, true);
}

/* ---- the text ---------------------------------------------------------------- */

static const char *text_at(insp_session *s, struct arena *a, uint64_t addr, const char **why)
{
    char text[TEXT_MAX + 1];
    int rc = addr ? host_read_string(s, addr, text, TEXT_MAX) : -1;

    if (rc < 0) {
        *why = "its text cannot be read";
        return NULL;
    }
    text[TEXT_MAX] = '\0';
    return arena_printf(a, "%s%s", text, rc ? "..." : "");
}

/* std::string of libstdc++: where its characters are, and how many. */
static const char *string_object(insp_session *s, struct arena *a, uint64_t object, const char **why)
{
    uint64_t word[2];
    char text[TEXT_MAX + 1] = "";
    uint64_t length;

    if (host_read(s, object, word, sizeof(word))) {
        *why = "its text cannot be read";
        return NULL;
    }
    length = word[1] < TEXT_MAX ? word[1] : TEXT_MAX;
    if (length && host_read(s, word[0], text, length)) {
        *why = "its text cannot be read";
        return NULL;
    }
    return arena_printf(a, "%s%s", text, length < word[1] ? "..." : "");
}

const char *type_info_what(insp_session *s, struct arena *a, uint64_t info, uint64_t object, const char **why)
{
    const char *name = type_info_name(s, a, info);
    struct walk w = {.s = s, .arena = a};
    uint64_t at, functions, code;

    *why = NULL;
    if (!name)
        return NULL;
    if (!strcmp(name, "PKc") || !strcmp(name, "Pc"))
        return read_word(s, object, &at) ? text_at(s, a, at, why) : NULL;
    if (type_info_is_string(name))
        return string_object(s, a, object, why);
    walk_class(&w, info, object, 0);
    if (w.twice) {
        *why = "it has std::exception as a base more than once";
        return NULL;
    }
    if (!w.found)
        return NULL;
    /* Behind the two destructors. */
    if (!read_word(s, w.found, &functions) || !read_word(s, functions + 2 * WORD, &code) ||
        host_read(s, code, &at, 1)) {
        *why = "its memory or its code cannot be read";
        return NULL;
    }
    if (!returned(s, code, w.found, &at)) {
        *why = "its what() is code that would have to run";
        return NULL;
    }
    return text_at(s, a, at, why);
}
