/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --memory-limit and --cpu-limit: what a target makes this process take is bounded. Memory is counted where
 * it is allocated: files are mapped privately and writable by elfutils, so RLIMIT_DATA would count all of a
 * library of which a few pages are read.
 */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "cmd.h"

static uint64_t limit; /* of memory, 0: none set */
static bool over;      /* it was more than that, not the machine's own end */

/* Set by ASan and TSan, which have an allocator of their own. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang_analyzer__)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *block);

/* Bytes that are allocated. debuginfod's client has threads. */
static _Atomic uint64_t taken;

static bool is_too_much(size_t more)
{
    const uint64_t now = atomic_load_explicit(&taken, memory_order_relaxed);

    return limit && (now > limit || more > limit - now);
}

/*
 * libdw aborts or crashes when it gets no memory (elfutils 0.188: lib/dynamicsizehash_concurrent.c asserts),
 * and a name that is left out for want of it would be a wrong answer. So the first piece that cannot be had
 * ends the work. A request for a large part of the whole is another matter: its size comes from the target,
 * and those who ask look at the answer.
 */
static void *refuse(size_t size, bool too_much)
{
    over = too_much;
    if (limit && size <= limit / 4)
        cmd_no_memory();
    errno = ENOMEM;
    return NULL;
}

/* A block that malloc(3) and its like have given. */
static void *count(void *block, size_t size)
{
    if (!block)
        return refuse(size, false);
    atomic_fetch_add_explicit(&taken, malloc_usable_size(block), memory_order_relaxed);
    return block;
}

__attribute__((visibility("default"))) void *malloc(size_t size)
{
    return is_too_much(size) ? refuse(size, true) : count(__libc_malloc(size), size);
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t size)
{
    size_t all;

    if (__builtin_mul_overflow(n, size, &all))
        all = SIZE_MAX;
    return is_too_much(all) ? refuse(all, true) : count(__libc_calloc(n, size), all);
}

__attribute__((visibility("default"))) void *realloc(void *block, size_t size)
{
    const size_t before = block ? malloc_usable_size(block) : 0;
    void *now;

    if (size > before && is_too_much(size - before))
        return refuse(size, true);
    now = __libc_realloc(block, size);
    /* Of no bytes it is a free, and gives none. */
    if (now || !size)
        atomic_fetch_sub_explicit(&taken, before, memory_order_relaxed);
    return now || size ? count(now, size) : NULL;
}

static void *aligned(size_t align, size_t size)
{
    return is_too_much(size) ? refuse(size, true) : count(__libc_memalign(align, size), size);
}

__attribute__((visibility("default"))) void *memalign(size_t align, size_t size)
{
    return aligned(align, size);
}

__attribute__((visibility("default"))) void *aligned_alloc(size_t align, size_t size)
{
    return aligned(align, size);
}

__attribute__((visibility("default"))) int posix_memalign(void **ret, size_t align, size_t size)
{
    void *block;

    if (!align || align % sizeof(void *) || align & (align - 1))
        return EINVAL;
    block = aligned(align, size);
    if (!block)
        return ENOMEM;
    *ret = block;
    return 0;
}

__attribute__((visibility("default"))) void free(void *block)
{
    if (block)
        atomic_fetch_sub_explicit(&taken, malloc_usable_size(block), memory_order_relaxed);
    __libc_free(block);
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

uint64_t cmd_room_of_one(const struct cmd_args *args)
{
    enum { PART = 4 };

    return memory_limit(args) / PART;
}

/* ---- processor time ------------------------------------------------------------------------------------ */

static volatile uint32_t seconds; /* that are allowed */

/* TEXT and its end behind what LINE has; a handler may do that. */
static void append(char *line, size_t size, const char *text)
{
    const size_t n = strlen(line), more = strlen(text);

    if (n + more < size)
        memcpy(line + n, text, more + 1);
}

static void no_time(int sig)
{
    char line[160] = "ompd: Given up: this takes more than the ", digits[11] = "", *at = digits + 10;

    (void)sig;
    for (uint32_t n = seconds; at > digits && (n || at == digits + 10); n /= 10)
        *--at = (char)('0' + n % 10);
    append(line, sizeof(line), at);
    append(line, sizeof(line), " s of processor time that --cpu-limit allows it.\n");
    cmd_give_up(line);
}

uint32_t cmd_cpu_limit(const struct cmd_args *args, uint32_t by_default)
{
    return args->cpu_limit ? args->cpu_limit : by_default;
}

void cmd_limit_processor(const struct cmd_args *args, uint32_t by_default)
{
    const struct sigaction action = {.sa_handler = no_time};
    static rlim_t users; /* their own, lower limit stays; 0: not asked yet */
    struct rusage used;
    struct timeval sum;
    struct rlimit r;

    if (getrlimit(RLIMIT_CPU, &r) || getrusage(RUSAGE_SELF, &used))
        return;
    if (!users)
        users = r.rlim_cur ? r.rlim_cur : 1;
    seconds = cmd_cpu_limit(args, by_default);
    /* The kernel ends it at a whole second of both together: the first that leaves so much. */
    timeradd(&used.ru_utime, &used.ru_stime, &sum);
    r.rlim_cur = (rlim_t)sum.tv_sec + (sum.tv_usec > 0) + seconds;
    if (r.rlim_cur > users)
        r.rlim_cur = users;
    sigaction(SIGXCPU, &action, NULL);
    (void)setrlimit(RLIMIT_CPU, &r);
}

void cmd_limit(const struct cmd_args *args)
{
    limit = memory_limit(args);
    cmd_limit_processor(args, CMD_CPU_DEFAULT);
}

/* ---- the end of it ------------------------------------------------------------------------------------- */

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

static const char *memory_sentence(void)
{
    static char line[160];

    snprintf(line, sizeof(line),
             over ? "ompd: Out of memory: this takes more than the %s that --memory-limit allows it.\n"
                  : "ompd: Out of memory.\n",
             amount());
    return line;
}

int cmd_out_of_memory(void)
{
    const char *line = memory_sentence();
    const size_t n = strlen(line);

    cmd_progress_end();
    return write(STDERR_FILENO, line, n) == (ssize_t)n ? CMD_NOTHING : CMD_NOTHING;
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
    cmd_give_up(memory_sentence());
}
