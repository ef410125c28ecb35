/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What happens when the library is loaded: handlers of fork(), and the refusal to stand beside Argobots.
 *
 * Argobots exports the same names. If this library stands before it, Argobots' own calls and its tool's would
 * end up here: then the program is ended before it starts. If it stands behind, nobody is served from here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "abttool.h"

static const char sentence[] =
    "libompcompanion-abttool.so: Argobots (ABT_init) is in this process, whose tool "
    "interface this library would hide: load one of the two\n";

/** Whether a call of the tool interface from anywhere in the program ends up here. */
static int stands_first(void)
{
    Dl_info first, own;
    void *found = dlsym(RTLD_DEFAULT, "ABT_tool_query_thread");
    return found != NULL && dladdr(found, &first) != 0 && dladdr(sentence, &own) != 0 &&
           first.dli_fbase == own.dli_fbase;
}

static void in_child(void)
{
    abttool_keys_after_fork();
    abttool_tool_after_fork();
}

__attribute__((constructor)) static void loaded(void)
{
    pthread_atfork(abttool_keys_before_fork, abttool_keys_after_fork, in_child);
    if (!abttool_argobots_is_here())
        return;
    if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0) {
        /* nobody is there to read it */
    }
    if (stands_first())
        _exit(1);
}
