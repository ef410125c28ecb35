/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The library under test: loading, initialising, the account of calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "conf.h"

struct api api;

struct function functions[FUNCTIONS] = {
#define X(fn) {.name = #fn, .standard = #fn[4] == '_'},
#include "ompd/tests/api_list.def"
#undef X
};

void enter_library(void)
{
    inside++;
    trace_before();
}

ompd_rc_t account(int function, ompd_rc_t rc)
{
    inside--;
    tally.calls++;
    trace_after(functions[function].name, rc);
    functions[function].calls++;
    functions[function].codes |= (unsigned)rc < 32 ? 1u << rc : 0;
    /* Rules of all calls, not counted: no number that is no code, no code that the version does not have. */
    if ((unsigned)rc > ompd_rc_incompatible_handle)
        (void)check(false, "%s returns %d", functions[function].name, (int)rc);
    else if (functions[function].standard && version != 0 && in_version(rc) != rc)
        (void)check(false, "%s returns %s to a caller of %ld", functions[function].name, rc_name(rc),
                    (long)version);
    return rc;
}

bool load_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
#define X(name)                                    \
    {                                              \
        void *symbol = dlsym(library, #name);      \
        memcpy(&api.name, &symbol, sizeof symbol); \
    }
#include "ompd/tests/api_list.def"
#undef X
    if (HAS(ompd_initialize) && HAS(ompd_process_initialize) && HAS(ompd_finalize))
        return true;
    fprintf(stderr, "%s is no OMPD library\n", path);
    return false;
}

void check_exports(bool may_lack)
{
    int there = 0, standard = 0;
#define X(name)                                \
    standard += functions[FN_##name].standard; \
    there += functions[FN_##name].standard && HAS(name);
#include "ompd/tests/api_list.def"
#undef X
    check(standard == 37, "the list of functions has %d of the specification, not 37", standard);
    if (!may_lack)
        check(there == standard, "the library exports %d of %d functions", there, standard);
    else
        printf("the library exports %d of %d functions\n", there, standard);
}

void check_initialize(ompd_word_t wanted)
{
    ompd_word_t newest = 0;
    const char *text = NULL;
    version = 0;
    /* These two work before ompd_initialize. */
    check_rc(CALL(ompd_get_api_version, &newest), ompd_rc_ok, "ompd_get_api_version");
    check(newest >= VERSION_50, "the library's version is %ld", (long)newest);
    check_rc(CALL(ompd_get_version_string, &text), ompd_rc_ok, "ompd_get_version_string");
    check(text && *text, "the library's version is no text");
    check_rc(CALL(ompd_get_api_version, NULL), ompd_rc_bad_input, "ompd_get_api_version(NULL)");
    check_rc(CALL(ompd_get_version_string, NULL), ompd_rc_bad_input, "ompd_get_version_string(NULL)");
    /* All else does not. */
    ompd_address_space_handle_t *none = NULL;
    struct _ompd_aspace_cont context = {0};
    check_rc(CALL(ompd_process_initialize, &context, &none), ompd_rc_callback_error,
             "ompd_process_initialize before ompd_initialize");
    check(none == NULL, "ompd_process_initialize changed its output");
    if (HAS(ompdx_trace))
        check_rc(CALL(ompdx_trace, 1), ompd_rc_callback_error, "ompdx_trace before ompd_initialize");
    check_rc(CALL(ompd_finalize), ompd_rc_unsupported, "ompd_finalize before ompd_initialize");
    check_rc(CALL(ompd_initialize, wanted, NULL), ompd_rc_bad_input, "ompd_initialize without callbacks");
    ompd_callbacks_t lacking = *callbacks();
    lacking.read_memory = NULL;
    check_rc(CALL(ompd_initialize, wanted, &lacking), ompd_rc_bad_input,
             "ompd_initialize without read_memory");
    check_rc(CALL(ompd_initialize, 199710, callbacks()), ompd_rc_unsupported,
             "ompd_initialize for version 199710");
    ompd_callbacks_t table = *callbacks();
    check_rc(CALL(ompd_initialize, wanted, &table), ompd_rc_ok, "ompd_initialize");
    memset(&table, 0, sizeof table); /* nobody promised that the table stays */
    version = wanted;
    check(CALL(ompd_initialize, wanted, callbacks()) != ompd_rc_ok, "a second ompd_initialize is taken");
    const char *again = NULL;
    check_rc(CALL(ompd_get_version_string, &again), ompd_rc_ok, "ompd_get_version_string");
    check(again == text, "the version's text is not static");
}

void check_finalize(void)
{
    check_rc(CALL(ompd_finalize), ompd_rc_ok, "ompd_finalize");
    version = 0;
    check_rc(CALL(ompd_finalize), ompd_rc_unsupported, "a second ompd_finalize");
}
