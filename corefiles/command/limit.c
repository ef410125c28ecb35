/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --memory-limit: what a target makes this process take is bounded. RLIMIT_DATA counts private memory that
 * can be written, and not the mapping of a large core (getrlimit(2)).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd.h"
#include "program.h"

static uint64_t limit; /* 0: none set */
static struct rlimit before;

/* Set by ASan and TSan, which have an allocator of their own. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang_analyzer__)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);

/*
 * libdw aborts or crashes when it gets no memory (elfutils 0.188: lib/dynamicsizehash_concurrent.c asserts),
 * and a name that is left out for want of it would be a wrong answer. So the first piece that cannot be had
 * ends the work. A request for a large part of the whole is another matter: its size comes from the target,
 * and those who ask look at the answer.
 */
static void *checked(void *block, size_t size)
{
    if (!block && limit && size <= limit / 4)
        cmd_no_memory();
    return block;
}

__attribute__((visibility("default"))) void *malloc(size_t size)
{
    return checked(__libc_malloc(size), size);
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t size)
{
    size_t all;

    return checked(__libc_calloc(n, size), __builtin_mul_overflow(n, size, &all) ? SIZE_MAX : all);
}

__attribute__((visibility("default"))) void *realloc(void *block, size_t size)
{
    /* Of no bytes it is a free, and gives none. */
    return size ? checked(__libc_realloc(block, size), size) : __libc_realloc(block, size);
}

#endif

uint64_t cmd_size(const char *text)
{
    static const char units[] = "KMGT";
    unsigned long long value;
    const char *unit;
    int shift = 0;
    char *end;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (errno || end == text || *text < '0' || *text > '9')
        return 0;
    unit = *end ? strchr(units, *end & ~0x20) : NULL;
    if (unit) {
        shift = 10 * (int)(unit - units + 1);
        end++;
        if (!strcmp(end, "B") || !strcmp(end, "iB"))
            end += strlen(end);
    }
    if (*end || value > UINT64_MAX >> shift)
        return 0;
    value <<= shift;
    return value >= CMD_MEMORY_LEAST ? value : 0;
}

/* In bytes, of each process. */
static uint64_t memory_limit(const struct cmd_args *args)
{
    return args->memory_limit ? args->memory_limit : CMD_MEMORY_DEFAULT;
}

uint64_t cmd_shared_room(const struct cmd_args *args)
{
    enum { PART = 4 };

    return memory_limit(args) / PART;
}

void cmd_limit_memory(const struct cmd_args *args)
{
    struct rlimit r;
    uint64_t wanted = memory_limit(args);

    if (getrlimit(RLIMIT_DATA, &r))
        return;
    before = r;
    /* The user's own, lower limit stays. */
    if (r.rlim_cur != RLIM_INFINITY && r.rlim_cur < wanted)
        wanted = r.rlim_cur;
    r.rlim_cur = wanted;
    if (!setrlimit(RLIMIT_DATA, &r))
        limit = wanted;
}

/* Of 2 GB "2 GB", of 100000 bytes "97 KB". Without any memory. */
static const char *amount(void)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    static char text[40];
    uint64_t n = limit;
    int unit = 0;

    for (; n >= 1024 && unit < 4 && (n % 1024 == 0 || n >= 10240); unit++)
        n /= 1024;
    snprintf(text, sizeof(text), "%llu %s", (unsigned long long)n, units[unit]);
    return text;
}

int cmd_out_of_memory(void)
{
    char line[160];
    int n;

    cmd_progress_end();
    n = limit ? snprintf(line, sizeof(line),
                         "ompd: Out of memory: this takes more than the %s that --memory-limit allows it.\n",
                         amount())
              : snprintf(line, sizeof(line), "ompd: Out of memory.\n");
    return write(STDERR_FILENO, line, (size_t)n) == n ? CMD_NOTHING : CMD_NOTHING;
}

int cmd_failed(const char *error)
{
    if (!error || !strcmp(error, "Out of memory."))
        return cmd_out_of_memory();
    cmd_say("%s", error);
    return CMD_NOTHING;
}

void cmd_no_memory(void)
{
    int rc = cmd_out_of_memory();

    limit = 0;
    (void)setrlimit(RLIMIT_DATA, &before);
    /* `run`: the report is given up, and what it was of has to end all the same. */
    if (cmd_doomed()) {
        program_kill(cmd_doomed());
        rc = CMD_TIME_OVER;
    }
    _exit(rc);
}
