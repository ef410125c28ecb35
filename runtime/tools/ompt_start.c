/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMPT's handshake and the end of a tool (OpenMP 5.2 sections 19.2, 21.3.1 to 21.3.3).
 *
 * The tool is looked for when the first thread becomes an OpenMP thread, not when the library is loaded:
 * then all constructors of the program's libraries have run, the tool's own among them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../core/env.h"
#include "../core/keep_errno.h"
#include "../core/message.h"
#include "../core/tools.h"
#include "ompt.h"
#include "ompt_tool.h"
#include "program.h"

typedef ompt_start_tool_result_t *start_tool(unsigned omp_version, const char *runtime_version);

/* The program's, if it has one: a program that is linked with the library need not export it otherwise. */
extern start_tool ompt_start_tool __attribute__((weak));
/* Weak, as in core/resident.c: a fully static program need not have them. */
extern __typeof__(dlsym) dlsym __attribute__((weak));
extern __typeof__(dlerror) dlerror __attribute__((weak));
extern __typeof__(dladdr) dladdr __attribute__((weak));

enum { DONE = 1 };
static rt_lock_t phase_lock;
static _Atomic uint32_t phase;
static _Thread_local int searching
    __attribute__((tls_model("initial-exec"))); /* this thread runs the tool's code */
static start_tool *tool_start;                  /**< that of the tool in use */

/* ---- OMP_TOOL_VERBOSE_INIT -------------------- */

static FILE *verbose;

static void verbose_open(const char *where)
{
    if (where == NULL)
        return;
    if (strcasecmp(where, "stdout") == 0)
        verbose = stdout;
    else if (strcasecmp(where, "stderr") == 0 || (verbose = fopen(where, "we")) == NULL)
        verbose = stderr;
    fprintf(verbose, "ompcompanion: ---- registration of an OMPT tool begins\n");
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list args;
    char *line;
    if (verbose == NULL)
        return;
    va_start(args, format);
    int length = vasprintf(&line, format, args);
    va_end(args);
    if (length < 0)
        return;
    fprintf(verbose, "ompcompanion: %.*s\n", (int)rt_printable(line, (size_t)length, RT_ONE_LINE), line);
    free(line);
}

static void verbose_close(void)
{
    if (verbose == NULL)
        return;
    say("---- registration of an OMPT tool ends");
    if (verbose == stdout || verbose == stderr)
        fflush(verbose);
    else
        fclose(verbose);
    verbose = NULL;
}

/* ---- the search -------------------- */

static ompt_start_tool_result_t *ompt_start_ask(start_tool *start, const char *where)
{
    ompt_start_tool_result_t *result = start(rt_root.openmp_version, rt_root.version_string);
    if (result != NULL && (result->initialize == NULL || result->finalize == NULL)) {
        say("%s: ompt_start_tool's answer has no initializer or no finalizer; it is not used", where);
        return NULL;
    }
    tool_start = start;
    say("%s: ompt_start_tool was called; the tool %s", where,
        result != NULL ? "asks for the OMPT interface" : "does not want the OMPT interface");
    return result;
}

static start_tool *in_address_space(void)
{
    start_tool *found = NULL;
    if (dlsym)
        found = (start_tool *)dlsym(RTLD_DEFAULT, "ompt_start_tool");
    return found != NULL ? found : &ompt_start_tool;
}

/** One of tool-libraries-var; not closed when it has a tool that may have started threads of its own. */
static ompt_start_tool_result_t *ask_library(const char *path)
{
    /* Not by its name: linkers warn of a static program that refers to dlopen(). */
    void *(*open)(const char *, int) =
        dlsym ? (void *(*)(const char *, int))dlsym(RTLD_DEFAULT, "dlopen") : NULL;
    void *library = open != NULL ? open(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        const char *why = open != NULL && dlerror ? dlerror() : NULL;
        say("%s: was not loaded: %s", path, why != NULL ? why : "this program cannot load libraries");
        return NULL;
    }
    say("%s: was loaded", path);
    start_tool *start = (start_tool *)dlsym(library, "ompt_start_tool");
    if (start == NULL) {
        say("%s: ompt_start_tool was not found", path);
        return NULL;
    }
    say("%s: ompt_start_tool was found", path);
    return ompt_start_ask(start, path);
}

/** Those that the user has named. */
static ompt_start_tool_result_t *ask_libraries(void)
{
    ompt_start_tool_result_t *result = NULL;
    if (rt_env.tool_libraries == NULL)
        return NULL;
    char *list = strdup(rt_env.tool_libraries), *rest = list;
    if (list == NULL)
        rt_fatal("no memory for OMP_TOOL_LIBRARIES");
    for (char *path; result == NULL && (path = strsep(&rest, ":")) != NULL;)
        if (*path != '\0')
            result = ask_library(path);
    free(list);
    return result;
}

/**
 * As LLVM's runtime does: ThreadSanitizer takes a correct program for a wrong one unless this library
 * explains OpenMP to it. Where the loader does not find it, nothing is said.
 */
static ompt_start_tool_result_t *ask_archer(void)
{
    if (!program_has_tsan() || rt_env_secure())
        return NULL;
    say("ThreadSanitizer is in the process: libarcher.so is looked for");
    return ask_library("libarcher.so");
}

static ompt_start_tool_result_t *ompt_start_search(void)
{
    start_tool *start = in_address_space();
    ompt_start_tool_result_t *result = NULL;
    if (start != NULL) {
        say("a tool is in the address space");
        result = ompt_start_ask(start, "address space");
    } else {
        say("no tool is in the address space");
    }
    if (result == NULL)
        result = ask_libraries();
    return result != NULL ? result : ask_archer();
}

/** By the library's name, which is also how LLVM's runtime knows it. */
static int is_archer(start_tool *start)
{
    Dl_info info;
    if (!dladdr || dladdr((const void *)start, &info) == 0 || info.dli_fname == NULL)
        return 0;
    const char *slash = strrchr(info.dli_fname, '/');
    return strncmp(slash != NULL ? slash + 1 : info.dli_fname, "libarcher.so", strlen("libarcher.so")) == 0;
}

static void find_tool(void)
{
    ompt_start_tool_result_t *tool;
    verbose_open(rt_env.tool_verbose_init);
    if (!rt_env.tool) {
        say("tool-var is disabled: no tool is looked for");
    } else if ((tool = ompt_start_search()) != NULL) {
        ompt_tool_is_archer = is_archer(tool_start);
        ompt_tool_open(tool, (const void *)tool_start);
        if (tool->initialize(ompt_lookup, RT_DEVICE_NUM, &tool->tool_data) == 0) {
            ompt_tool_close();
            say("the tool's initializer has declined: it is not used");
        } else {
            say("the tool was initialized and uses the OMPT interface");
            atexit(rt_tools_stop);
        }
    } else {
        say("no tool is used");
    }
    verbose_close();
}

void rt_tools_start(void)
{
    if (likely(rt_acquire(phase) == DONE) || searching)
        return;
    RT_KEEP_ERRNO;
    rt_lock(&phase_lock);
    if (rt_load(phase) != DONE) {
        searching = 1;
        find_tool();
        searching = 0;
        rt_publish(phase, DONE);
    }
    rt_unlock(&phase_lock);
}
