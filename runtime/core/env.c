/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the environment variables have set beyond rt_root.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "env.h"
#include "message.h"

struct rt_env rt_env;

void rt_env_warn(const char *format, ...)
{
    char line[480];
    va_list args;
    if (!rt_env.warnings)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    rt_warn("%s", line);
}

int rt_env_secure(void)
{
    errno = 0;
    unsigned long secure = getauxval(AT_SECURE);
    if (secure != 0 || errno == 0)
        return secure != 0;
    /* A kernel that says nothing: as glibc judges then. */
    return getuid() != geteuid() || getgid() != getegid();
}

int rt_env_target_offload(void)
{
    return rt_env.target_offload;
}
