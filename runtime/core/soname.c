/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * dlopen("libomp.so") gives this library, not a second runtime; and a library that needs libomp.so.5, and is
 * loaded after this one, gets it, too.
 *
 * libomptarget does the one, to connect a tool (ompt_libomp_connect), and is the other. A library that is
 * loaded is found by the names under which it was asked for and by its own, libompcompanion.so.1; for all
 * others the loader searches for a file. This library's DT_RPATH leads to the folder in which it has these
 * names: the search from here finds those links before any other file, sees that what they lead to is loaded,
 * and keeps the names (glibc, elf/dl-load.c). RTLD_NOLOAD: if the folder is not there, nothing is loaded.
 */
#include <dlfcn.h>

#include "soname.h"

#ifndef RT_STATIC /* a program that holds the archive has no such name, and may be static */
void rt_soname_claim(void)
{
    static const char *const names[] = {"libomp.so", "libomp.so.5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL)
            dlclose(library);
    }
}
#endif
