/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames/function.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/cut_name.h"
#include "inspect/inspect.h"

/* ---- demangled C++, within bounds ------------------------------------------------------------- */

/* Of libsupc++, as __cxa_demangle; hands out the name in pieces, and allocates nothing. There is no header
   for it. */
extern int __gcclibcxx_demangle_callback(const char *mangled, void (*add)(const char *, size_t, void *),
                                         void *arg);

struct demangled {
    jmp_buf enough;
    char *text;
    size_t length, room;
};

/* The only way to stop the demangler is to leave it, which costs nothing: all that it has is on the stack. */
static void add_piece(const char *piece, size_t length, void *arg)
{
    struct demangled *d = arg;

    if (length >= FUNCTION_NAME_MAX - d->length)
        longjmp(d->enough, 1);
    if (d->room - d->length <= length) {
        size_t room = 2 * (d->length + length) + 64;
        char *grown = realloc(d->text, room);

        if (!grown)
            longjmp(d->enough, 1);
        d->text = grown;
        d->room = room;
    }
    memcpy(d->text + d->length, piece, length);
    d->length += length;
    d->text[d->length] = '\0';
}

static bool is_demangled(const char *symbol, struct demangled *d)
{
    return !setjmp(d->enough) && !__gcclibcxx_demangle_callback(symbol, add_piece, d) && d->text;
}

/* NULL: it is no C++, too long, or out of memory. */
static char *demangle(const char *symbol)
{
    struct demangled d = {.text = NULL};

    if (is_demangled(symbol, &d))
        return d.text;
    free(d.text);
    return NULL;
}

/* ---- the name in a declaration ------------------------------------------------------------- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static bool ends(const char *text, size_t length, const char *with)
{
    size_t n = strlen(with);

    return length >= n && !memcmp(text + length - n, with, n);
}

/* Is the "()" at the end of TEXT that of a call operator without its parameters? */
static bool ends_in_call_operator(const char *text, size_t length)
{
    return ends(text, length, "operator()") && (length == 10 || !is_word(text[length - 11]));
}

/* Where the brackets begin that end at LENGTH; LENGTH when there are none. */
static size_t open_bracket(const char *text, size_t length)
{
    size_t depth = 0;

    for (size_t i = length; i > 0; i--) {
        if (text[i - 1] == ')')
            depth++;
        else if (text[i - 1] == '(' && --depth == 0)
            return i - 1;
        if (!depth)
            break;
    }
    return length;
}

/* The length of TEXT without its parameters and what follows them; LENGTH when it has none. */
static size_t without_parameters(const char *text, size_t length)
{
    static const char *const behind[] = {" const", " volatile", " &&", " &", " noexcept"};
    size_t end = length, open;

    for (size_t i = 0; i < sizeof(behind) / sizeof(*behind); i++)
        if (ends(text, end, behind[i])) {
            end -= strlen(behind[i]);
            i = SIZE_MAX; /* once more from the first */
        }
    if (!end || text[end - 1] != ')' || ends_in_call_operator(text, end))
        return length;
    open = open_bracket(text, end);
    return open && open < end ? open : length;
}

/* The length of what is behind "operator", which TEXT begins with. */
static size_t operator_length(const char *text)
{
    static const char *const operators[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->",
                                            "&&",  "||",  "==",  "!=",  "++", "--", "+=", "-=", "*=",
                                            "/=",  "%=",  "^=",  "&=",  "|=", "()", "[]"};

    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
        if (starts(text, operators[i]))
            return strlen(operators[i]);
    return *text && strchr("+-*/%^&|~!=<>,", *text) ? 1 : 0;
}

/* "f(int) const::local": the length of " const" in the middle of a name, else 0. */
static size_t qualifier_length(const char *text)
{
    static const char *const qualifiers[] = {" const", " volatile", " &&", " &"};
    size_t length = 0;

    for (size_t i = 0; i < sizeof(qualifiers) / sizeof(*qualifiers); i++)
        if (starts(text + length, qualifiers[i])) {
            length += strlen(qualifiers[i]);
            i = SIZE_MAX;
        }
    return starts(text + length, "::") ? length : 0;
}

/* Where the name begins in "void work<int>": only templates tell what they return. */
static size_t name_start(const char *text)
{
    size_t start = 0, angles = 0, brackets = 0;

    for (size_t i = 0; text[i]; i++) {
        const char c = text[i];

        if (c == '(' || c == '{' || c == '[')
            brackets++;
        else if ((c == ')' || c == '}' || c == ']') && brackets)
            brackets--;
        else if (brackets)
            continue;
        else if (c == '<')
            angles++;
        else if (c == '>')
            angles -= angles > 0;
        else if (angles)
            continue;
        else if (starts(text + i, "operator") && !is_word(text[i + 8]) && (!i || !is_word(text[i - 1]))) {
            if (text[i + 8] == ' ' || text[i + 8] == '"')
                return start; /* "operator new[]", "operator unsigned int" */
            i += 7 + operator_length(text + i + 8);
            i += starts(text + i + 1, " <"); /* "operator< <int>" */
        } else if (c == ' ') {
            size_t skip = qualifier_length(text + i);

            i += skip ? skip - 1 : 0;
            start = skip ? start : i + 1;
        }
    }
    return start;
}

/* "void (*choose<int>(int))(double)", now without "(double)", returns a function: choose<int> is left. */
static void drop_returned(char *text)
{
    enum { NESTED_MAX = 8 };

    for (int i = 0; i < NESTED_MAX; i++) {
        size_t end = strlen(text), open;

        if (!end || text[end - 1] != ')' || ends_in_call_operator(text, end))
            return;
        open = open_bracket(text, end);
        if (open == end || (text[open + 1] != '*' && text[open + 1] != '&'))
            return;
        text[end - 1] = '\0';
        memmove(text, text + open + 2, end - open - 2);
        text[without_parameters(text, strlen(text))] = '\0';
    }
}

/* TEXT becomes the name in it: "void work<int>(int)" is work<int>. A name without parameters stays. */
static void keep_name(char *text)
{
    static const char *const prefixes[] = {"non-virtual thunk to ", "virtual thunk to ",
                                           "transaction clone for "};
    size_t length = strlen(text), from = 0, end;
    char *cut;

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
        if (starts(text, prefixes[i]))
            from = strlen(prefixes[i]);
    memmove(text, text + from, length - from + 1);
    cut = strstr(text, " [clone ");
    if (cut && cut != text)
        *cut = '\0';
    length = strlen(text);
    end = without_parameters(text, length);
    cut = end == length && ends(text, length, "]") ? strstr(text, ") [") : NULL; /* "int (&row(int)) [3]" */
    if (end == length && !cut)
        return;
    if (cut)
        end = (size_t)(cut + 1 - text);
    text[end] = '\0';
    drop_returned(text);
    from = name_start(text);
    if (text[from])
        memmove(text, text + from, strlen(text + from) + 1);
}

/* ---- what compilers add to a name ------------------------------------------------------------- */

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Behind a dot: a number, or the word of a part, a copy or the body of a construct. */
static bool is_addition(const char *text)
{
    static const char *const words[] = {"constprop",  "isra",   "part",  "cold",      "lto_priv", "llvm",
                                        "localalias", "__uniq", "clone", "simdclone", "resolver", "default"};
    size_t n = digits(text);

    if (n)
        return !text[n] || text[n] == '.';
    if (starts(text, "_omp_") || starts(text, "omp_") || starts(text, "omp.") || starts(text, ".omp_par"))
        return true;
    n = strcspn(text, ".");
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strlen(words[i]) == n && !strncmp(text, words[i], n))
            return true;
    return false;
}

/* Where the compiler's own begins in SYMBOL. */
static size_t own_length(const char *symbol)
{
    const char *from = strstr(symbol, "_MOD_"); /* a submodule has a dot in its name */

    if (!from || !starts(symbol, "__"))
        from = symbol;
    for (const char *dot = strchr(from, '.'); dot; dot = strchr(dot + 1, '.'))
        if (is_addition(dot + 1))
            return (size_t)(dot - symbol);
    return strlen(symbol);
}

/* Of "int* std::copy<int*>(int*)" what begins with the function's own name. */
static const char *behind_type(const char *name)
{
    const char *found = name;
    int depth = 0;

    for (const char *c = name; *c && !(*c == '(' && !depth) && !starts(c, "operator"); c++) {
        depth += *c == '<' || *c == '(' ? 1 : *c == '>' || *c == ')' ? -1 : 0;
        if (*c == ' ' && depth == 0)
            found = c + 1;
    }
    return found;
}

bool function_is_std(const char *symbol)
{
    if (!symbol)
        return false;
    if (!starts(symbol, "_Z")) {
        symbol = behind_type(symbol);
        return starts(symbol, "std::") || starts(symbol, "__gnu_") || starts(symbol, "__gthread_");
    }
    symbol += 2;
    symbol += strspn(symbol, "Z"); /* what is local to a function */
    if (*symbol != 'N') {
        const char *own = symbol + (*symbol == 'L'); /* one that is static */

        return starts(symbol, "St") || starts(own + strspn(own, "0123456789"), "__gthread_");
    }
    symbol++;
    symbol += strspn(symbol, "rVKRO"); /* of a member function */
    if (*symbol == 'S')                /* St is std, Sa its allocator, Ss its string ... */
        return symbol[1] && strchr("tabsiod", symbol[1]);
    return starts(symbol + strspn(symbol, "0123456789"), "__gnu_");
}

bool function_is_nameless(const char *symbol)
{
    if (!symbol)
        return false;
    symbol += *symbol == '.'; /* which GDB's demangler takes away in C++ */
    return starts(symbol, "omp_outlined") || starts(symbol, "omp_task_") || starts(symbol, "omp.") ||
           starts(symbol, "omp_ptask") || starts(symbol, "omp_combiner") ||
           starts(symbol, "omp_initializer") || starts(symbol, "_omp_reduction");
}

bool function_is_outlined(const char *symbol)
{
    return symbol &&
           (strstr(symbol, "._omp_fn.") || strstr(symbol, "omp_outlined") || strstr(symbol, ".omp_task") ||
            strstr(symbol, ".omp_par") || function_is_nameless(symbol));
}

bool function_is_body(const char *symbol)
{
    return function_is_outlined(symbol) && !strstr(symbol, ".cold");
}

bool function_same_body(const char *inner, const char *outer)
{
    if (!inner || !outer || !strstr(inner, "omp_outlined"))
        return false;
    return strstr(outer, "omp_task_entry") ||
           (strstr(outer, "omp_outlined") && strstr(inner, "_debug__") && !strstr(outer, "_debug__"));
}

/* The body of a target region, run by the host: __omp_offloading_<device>_<file>_<function>_l<line>, in
   hexadecimal but for the line. *length: that of the function; NULL: it is none. */
static const char *offloaded(const char *symbol, size_t *length)
{
    const char *at = symbol + 17, *line = NULL;

    if (!starts(symbol, "__omp_offloading_"))
        return NULL;
    for (int i = 0; i < 2; i++) {
        size_t n = strspn(at, "0123456789abcdef");

        if (!n || at[n] != '_')
            return NULL;
        at += n + 1;
    }
    for (const char *l = strstr(at, "_l"); l; l = strstr(l + 1, "_l"))
        if (digits(l + 2))
            line = l;
    if (!line || line == at)
        return NULL;
    *length = (size_t)(line - at);
    return at;
}

/* ---- all of it ------------------------------------------------------------- */

static char *joined(const char *scope, size_t length, const char *name)
{
    size_t size = length + strlen(name) + 3;
    char *text = malloc(size);

    if (text)
        snprintf(text, size, "%.*s::%s", (int)length, scope, name);
    return text;
}

/*
 * flang: _Q, the scopes from outside, each a capital letter and a name in lower case: M a module, S a
 * submodule, F a procedure with inner ones (the main program has no name); then P and a procedure's or E
 * and a variable's name. What is in a procedure is told by its own name. NULL: it is none.
 */
static char *flang(const char *symbol)
{
    const char *at = symbol + 2, *module = NULL;
    size_t length = 0;

    while (*at == 'M' || *at == 'S' || *at == 'F') {
        const size_t size = strcspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

        if (!size && *at != 'F')
            return NULL;
        if (*at != 'S') {
            module = *at == 'M' ? at + 1 : NULL;
            length = size;
        }
        at += 1 + size;
    }
    if ((*at != 'P' && (*at != 'E' || at == symbol + 2)) || !at[1])
        return NULL;
    return module ? joined(module, length, at + 1) : strdup(at + 1);
}

/* gfortran's and flang's names for the linker. NULL: it is not Fortran. */
static char *fortran(const char *symbol)
{
    const char *at;

    if (starts(symbol, "__") && (at = strstr(symbol, "_MOD_")) && at > symbol + 2 && at[5])
        return joined(symbol + 2, (size_t)(at - symbol - 2), at + 5);
    return starts(symbol, "_Q") ? flang(symbol) : NULL;
}

/* The name of SYMBOL, of which nothing is to be cut off. */
static char *plain(const char *symbol)
{
    const bool cxx = starts(symbol, "_Z");
    char *name = NULL;

    if (strlen(symbol) <= FUNCTION_SYMBOL_MAX)
        name = cxx ? demangle(symbol) : fortran(symbol);
    if (!name && cxx)
        name = cut_name(symbol);
    if (!name)
        name = strdup(symbol);
    if (name && cxx)
        keep_name(name);
    return name;
}

/* SYMBOL without a version of libc's (GDB's NAME@plt is something else), malloc'ed. */
static char *unversioned(const char *symbol)
{
    const char *at = *symbol ? strchr(symbol + 1, '@') : NULL;

    return at && strcmp(at, "@plt") ? strndup(symbol, (size_t)(at - symbol)) : strdup(symbol);
}

char *function_demangled(const char *symbol)
{
    char *base = unversioned(symbol), *name = base ? plain(base) : NULL;

    free(base);
    return name;
}

char *function_type(const char *mangled)
{
    static const char info[] = "typeinfo for ";
    const size_t size = strlen(mangled) + 5;
    char *symbol = size <= FUNCTION_SYMBOL_MAX ? malloc(size) : NULL, *name;

    if (!symbol)
        return strdup(mangled);
    snprintf(symbol, size, "_ZTI%s", mangled);
    name = demangle(symbol);
    free(symbol);
    if (!name || !starts(name, info)) {
        free(name);
        return strdup(mangled);
    }
    memmove(name, name + sizeof(info) - 1, strlen(name) - sizeof(info) + 2);
    return name;
}

char *function_variable(struct arena *a, const char *symbol)
{
    char *name = function_demangled(symbol), *ret = arena_str(a, name);

    free(name);
    return ret;
}

char *function_spelled(const char *symbol)
{
    const char *body;
    char *base, *name;
    size_t length;

    if (!symbol || function_is_nameless(symbol))
        return NULL;
    base = unversioned(symbol);
    if (!base)
        return NULL;
    body = offloaded(base, &length);
    if (body) {
        base[body - base + length] = '\0';
        memmove(base, body, length + 1);
    }
    if (!starts(base, "_Z") && strlen(base) <= FUNCTION_SYMBOL_MAX)
        keep_name(base); /* as a debugger has it */
    length = own_length(base);
    if (length)
        base[length] = '\0';
    name = plain(base);
    free(base);
    return name;
}

/* Has FILE a name of a Fortran source? */
static bool is_fortran(const char *file)
{
    static const char *const endings[] = {"f", "for", "ftn", "f77", "f90", "f95", "f03", "f08", "f18"};
    const char *dot = file ? strrchr(file, '.') : NULL;

    for (size_t i = 0; dot && i < sizeof(endings) / sizeof(*endings); i++) {
        const char *a = dot + 1, *b = endings[i];

        while (*b && tolower((unsigned char)*a) == *b)
            a++, b++;
        if (!*a && !*b)
            return true;
    }
    return false;
}

/* gfortran's name of a procedure outside of modules: in small letters, and an underscore behind it. */
static bool is_external(const char *name, size_t length)
{
    return length > 1 && name[length - 1] == '_' && name[length - 2] != '_' && *name != '_' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

const char *function_name(struct arena *a, const char *symbol, const char *file)
{
    char *name = symbol && *symbol ? function_spelled(symbol) : NULL;
    size_t length = name ? strlen(name) : 0;
    const char *ret;

    if (is_fortran(file) && is_external(name, length))
        name[length - 1] = '\0';
    ret = arena_str(a, name);
    free(name);
    return ret;
}

char *insp_function(const char *symbol)
{
    return function_spelled(symbol);
}
