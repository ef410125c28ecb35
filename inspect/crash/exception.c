/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/crash/exception.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/crash/type_info.h"
#include "inspect/frames/function.h"
#include "inspect/target/hostcall.h"

enum { WORD = 8 };

/*
 * What stands before a thrown object. Both runtimes end with the unwinder's header, whose first word is the
 * exception class; in front of that is all that differs. A second exception object that stands for a first
 * one (std::rethrow_exception) has the address of that one's object where the type would be.
 */
enum {
    HEADER_GNU = 112,  /* bytes of libstdc++'s __cxa_exception */
    CLASS_GNU = 80,    /* of the exception class in it */
    HEADER_LLVM = 128, /* the same of libc++abi: two words more at the beginning */
    CLASS_LLVM = 96,
    TYPE_BEFORE_CLASS = 80 /* where the type is, the same in both */
};
#define EXCEPTION_GNU  UINT64_C(0x474e5543432b2b00) /* "GNUCC++\0" */
#define EXCEPTION_LLVM UINT64_C(0x434c4e47432b2b00) /* "CLNGC++\0" */
enum { DEPENDENT = 1 };

static bool read_word(insp_session *s, uint64_t addr, uint64_t *ret)
{
    return addr && !host_read(s, addr, ret, WORD);
}

/* A thread-local variable, by the pair (module, offset) that the dynamic linker has made of it: the thread's
   vector of modules is the second word at the thread pointer (psABI x86-64, thread-local storage). */
static bool dynamic_variable(insp_session *s, uint64_t thread, uint64_t pair_at, uint64_t *ret)
{
    enum { MODULES_MAX = 1 << 16, NOT_YET = -1 };
    uint64_t pair[2], vector, block;

    if (host_read(s, pair_at, pair, sizeof(pair)) || !pair[0] || pair[0] > MODULES_MAX ||
        !read_word(s, thread + WORD, &vector) || !read_word(s, vector + 2 * WORD * pair[0], &block) ||
        block == (uint64_t)NOT_YET || !block)
        return false;
    *ret = block + pair[1];
    return true;
}

/*
 * Where a thread's list of caught exceptions is, which no symbol names: __cxa_get_globals returns it, and
 * does nothing else. Its code has either the address of that pair for __tls_get_addr, or in a static program
 * the distance from the thread pointer.
 */
static bool find_globals(insp_session *s, const struct mdl_thread *t, uint64_t *ret)
{
    static const uint8_t load_pair[] = {0x48, 0x8d, 0x3d}, call = 0xe8, call_indirect[] = {0xff, 0x15},
                         prefixed[] = {0x66, 0x48, 0xe8}, prefixed_indirect[] = {0x66, 0x48, 0xff, 0x15},
                         padded[] = {0x66, 0x66, 0x48, 0xe8},
                         thread_pointer[] = {0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0}, add[] = {0x48, 0x05},
                         lea[] = {0x48, 0x8d, 0x80};
    uint8_t code[48];
    uint64_t function, found = 0;
    int32_t n;
    size_t i;

    if (!t->pthread || host_lookup(s, "__cxa_get_globals", NULL, &function) ||
        host_read(s, function, code, sizeof(code)))
        return false;
    for (i = 0; i + 16 < sizeof(code) && !found; i++) {
        const uint8_t *next = code + i + 7;

        if (!memcmp(code + i, load_pair, sizeof(load_pair)) &&
            (*next == call || !memcmp(next, call_indirect, 2) || !memcmp(next, prefixed, 3) ||
             !memcmp(next, prefixed_indirect, 4) || !memcmp(next, padded, 4))) {
            memcpy(&n, code + i + 3, 4);
            if (!dynamic_variable(s, t->pthread, function + i + 7 + (uint64_t)(int64_t)n, &found))
                return false;
            i += 7;
        } else if (!memcmp(code + i, thread_pointer, sizeof(thread_pointer))) {
            found = t->pthread;
            i += sizeof(thread_pointer) - 1;
        }
    }
    for (; found && i + 7 <= sizeof(code) && code[i] != 0xc3; i++)
        if (!memcmp(code + i, add, sizeof(add)) || !memcmp(code + i, lea, sizeof(lea))) {
            memcpy(&n, code + i + (code[i + 1] == add[1] ? sizeof(add) : sizeof(lea)), 4);
            found += (uint64_t)(int64_t)n;
            break;
        }
    *ret = found;
    return found != 0;
}

/* The type and the object of the exception whose header is at AT. */
static bool open_header(insp_session *s, uint64_t at, uint64_t *info, uint64_t *object)
{
    uint64_t word[HEADER_LLVM / WORD];
    uint64_t class;
    bool llvm;

    /* The header of libc++abi is longer: what is read behind that of libstdc++ is its object. */
    if (host_read(s, at, word, HEADER_GNU))
        return false;
    class = word[CLASS_GNU / WORD];
    llvm = (class | DEPENDENT) != (EXCEPTION_GNU | DEPENDENT);
    if (llvm)
        class = word[CLASS_LLVM / WORD];
    if (llvm && (class | DEPENDENT) != (EXCEPTION_LLVM | DEPENDENT))
        return false;
    *object = at + (llvm ? HEADER_LLVM : HEADER_GNU);
    *info = word[((llvm ? CLASS_LLVM : CLASS_GNU) - TYPE_BEFORE_CLASS) / WORD];
    if (!(class & DEPENDENT))
        return true;
    /* libc++abi has the first object where the reserved word is, in front of the count. */
    *object = llvm ? word[0] : *info;
    return *object > HEADER_LLVM &&
           read_word(s, *object - (HEADER_GNU - CLASS_GNU) - TYPE_BEFORE_CLASS, info);
}

void exception_find(insp_session *s, insp_snapshot *snap, const struct mdl_thread *t, struct mdl_crash *ret,
                    const char **why)
{
    uint64_t globals, caught, info, object;
    const char *mangled;
    char *name;

    *why = "the C++ runtime's list of exceptions is not found";
    if (!find_globals(s, t, &globals) || !read_word(s, globals, &caught))
        return;
    *why = NULL;
    if (!caught)
        return;
    *why = "what the C++ runtime has caught is none of C++'s exceptions";
    if (!open_header(s, caught, &info, &object))
        return;
    *why = "the exception's type cannot be read";
    mangled = type_info_name(s, &snap->arena, info);
    if (!mangled)
        return;
    *why = NULL;
    name = function_type(type_info_is_string(mangled) ? "Ss" : mangled);
    ret->type = arena_str(&snap->arena, name);
    free(name);
    ret->what = type_info_what(s, &snap->arena, info, object, &ret->what_why);
}
