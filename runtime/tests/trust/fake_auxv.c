/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file Preloaded: a kernel that calls each program secure, or, built with SILENT, one that does not say.
 */
#include <errno.h>
#include <link.h>
#include <sys/auxv.h>

unsigned long getauxval(unsigned long type)
{
    if (type == AT_SECURE) {
#ifdef SILENT
        errno = ENOENT;
        return 0;
#else
        return 1;
#endif
    }
    errno = ENOENT;
    return 0;
}
