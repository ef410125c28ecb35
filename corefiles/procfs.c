/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What /proc tells about a live process (proc(5)).
 */
#include "corefiles/procfs.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corefiles/memory.h"
#include "corefiles/notes.h"
#include "corefiles/numbers.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"

static FILE *open_proc(int64_t pid, int64_t tid, const char *name)
{
    char path[96];

    if (tid)
        snprintf(path, sizeof(path), "/proc/%lld/task/%lld/%s", (long long)pid, (long long)tid, name);
    else
        snprintf(path, sizeof(path), "/proc/%lld/%s", (long long)pid, name);
    return fopen(path, "re");
}

/* The rest of the line "KEY:..." in status, in LINE. */
static bool status_line(int64_t pid, int64_t tid, const char *key, char *line, size_t size)
{
    FILE *f = open_proc(pid, tid, "status");
    size_t length = strlen(key);
    bool found = false;

    while (f && !found && fgets(line, (int)size, f))
        found = !strncmp(line, key, length) && line[length] == ':';
    if (f)
        fclose(f);
    if (found)
        memmove(line, line + length + 1, strlen(line + length + 1) + 1);
    return found;
}

int64_t cf_proc_status(int64_t pid, const char *key)
{
    char line[256];

    return status_line(pid, 0, key, line, sizeof(line)) ? strtoll(line, NULL, 10) : -1;
}

int64_t cf_proc_switches(int64_t pid, int64_t tid)
{
    char line[256];

    return status_line(pid, tid, "voluntary_ctxt_switches", line, sizeof(line)) ? strtoll(line, NULL, 10)
                                                                                : -1;
}

bool cf_proc_zombie(int64_t pid)
{
    char line[256];

    /* A first thread that has ended is one as well, while the others live. */
    return status_line(pid, 0, "State", line, sizeof(line)) && strchr(line, 'Z') &&
           cf_proc_status(pid, "Threads") <= 1;
}

int64_t cf_proc_inner_tid(int64_t pid, int64_t tid)
{
    char line[1024], *last;

    if (!status_line(pid, tid, "NSpid", line, sizeof(line)))
        return tid;
    last = strrchr(line, '\t');
    return last ? strtoll(last, NULL, 10) : tid;
}

char *cf_proc_allowed(int64_t pid, int64_t tid)
{
    char line[4096];
    size_t blanks;

    if (!status_line(pid, tid, "Cpus_allowed_list", line, sizeof(line)))
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    blanks = strspn(line, " \t");
    return line[blanks] ? strdup(line + blanks) : NULL;
}

bool cf_proc_renumbered(int64_t pid)
{
    char line[1024];

    /* One number for each namespace from ours to its own. */
    return status_line(pid, 0, "NSpid", line, sizeof(line)) && strchr(line, '\t') != strrchr(line, '\t');
}

bool cf_proc_ended(int64_t pid, int64_t tid)
{
    char line[256];

    return !status_line(pid, tid, "State", line, sizeof(line)) || strpbrk(line, "ZX") != NULL;
}

bool cf_proc_uninterruptible(int64_t pid, int64_t tid)
{
    char line[256];

    return status_line(pid, tid, "State", line, sizeof(line)) && strchr(line, 'D') != NULL;
}

/* The whole of a file of one line. */
static bool one_line(int64_t pid, int64_t tid, const char *name, char *line, size_t size)
{
    FILE *f = open_proc(pid, tid, name);
    bool found = f && fgets(line, (int)size, f);

    if (f)
        fclose(f);
    return found;
}

int cf_proc_kernel(int64_t pid, int64_t tid, struct insp_kernel *ret)
{
    const long ticks = sysconf(_SC_CLK_TCK);
    const char *state, *user, *system, *processor;
    uint64_t in_user, in_kernel, on;
    char line[2048];

    if (!one_line(pid, tid, "stat", line, sizeof(line)) || ticks <= 0)
        return -1;
    state = cf_stat_field(line, 3);
    user = cf_stat_field(line, 14);
    system = cf_stat_field(line, 15);
    processor = cf_stat_field(line, 39);
    if (!processor || !cf_next_number(&user, 10, &in_user) || !cf_next_number(&system, 10, &in_kernel) ||
        !cf_next_number(&processor, 10, &on) || on > INT_MAX)
        return -1;
    *ret = (struct insp_kernel){
        .state = *state,
        .cpu_ns = (in_user + in_kernel) * (UINT64_C(1000000000) / (uint64_t)ticks),
        .processor = (int)on,
    };
    return 0;
}

int cf_proc_cpu_ns(int64_t pid, int64_t tid, uint64_t *ret)
{
    char line[128];
    const char *at = line;

    return one_line(pid, tid, "schedstat", line, sizeof(line)) && cf_next_number(&at, 10, ret) ? 0 : -1;
}

/* Fields 4, 9 and 28 of /proc/PID/stat: the parent, the flags, and where the stack of the program that it
   runs begins, which the kernel chooses at random. */
struct stem {
    int64_t parent;
    uint64_t flags, stack;
};

static bool read_stem(int64_t pid, struct stem *ret)
{
    const char *parent, *flags, *stack;
    char line[2048];

    if (!one_line(pid, 0, "stat", line, sizeof(line)))
        return false;
    parent = cf_stat_field(line, 4);
    flags = cf_stat_field(line, 9);
    stack = cf_stat_field(line, 28);
    return stack && cf_next_signed(&parent, &ret->parent) && cf_next_number(&flags, 10, &ret->flags) &&
           cf_next_number(&stack, 10, &ret->stack);
}

static bool same_program(int64_t a, int64_t b)
{
    char path[2][64], exe[2][PATH_MAX];
    ssize_t size[2];

    snprintf(path[0], sizeof(path[0]), "/proc/%lld/exe", (long long)a);
    snprintf(path[1], sizeof(path[1]), "/proc/%lld/exe", (long long)b);
    for (int i = 0; i < 2; i++)
        size[i] = readlink(path[i], exe[i], sizeof(exe[i]));
    return size[0] > 0 && size[0] == size[1] && !memcmp(exe[0], exe[1], (size_t)size[0]);
}

/* Whoever adopts an orphan is its parent too; only the one that has forked it runs the same program on the
   same stack. */
int cf_proc_origin(int64_t pid, int32_t *forked, int64_t *parent)
{
    struct stem own, other;

    if (!read_stem(pid, &own))
        return 1;
    *forked = (own.flags & CF_PROCESS_FORKED) != 0;
    *parent = *forked && own.stack && own.parent > 0 && read_stem(own.parent, &other) &&
                      other.stack == own.stack && same_program(pid, own.parent)
                  ? own.parent
                  : 0;
    return 0;
}

uint64_t cf_proc_start(int64_t pid)
{
    const char *at;
    uint64_t start;
    char line[2048];

    if (!one_line(pid, pid, "stat", line, sizeof(line)))
        return 0;
    at = cf_stat_field(line, 22);
    return at && cf_next_number(&at, 10, &start) ? start : 0;
}

int cf_proc_system_call(int64_t pid, int64_t tid, struct insp_system_call *ret)
{
    char line[512];
    const char *at = line;

    if (!one_line(pid, tid, "syscall", line, sizeof(line)))
        return -1;
    /* "running", or "-1 SP PC" of one that waits outside of a call, for a page. */
    if (!cf_next_signed(&at, &ret->number) || ret->number < 0)
        return 1;
    for (int i = 0; i < 6; i++) {
        at += strspn(at, " ");
        if (strncmp(at, "0x", 2) != 0)
            return 1;
        at += 2;
        if (!cf_next_number(&at, 16, &ret->arg[i]))
            return 1;
    }
    return 0;
}

const char *cf_proc_boot(void)
{
    static char name[40];
    FILE *in = *name ? NULL : fopen("/proc/sys/kernel/random/boot_id", "re");

    if (in && !fgets(name, sizeof(name), in))
        *name = '\0';
    if (in)
        fclose(in);
    name[strcspn(name, "\n")] = '\0';
    return *name ? name : NULL;
}

/* A line "start-end access offset device inode  path" (proc_pid_maps(5)); returns the path. NULL: it is none.
   By hand: a process has thousands. */
static const char *read_map(const char *line, struct cf_map *ret)
{
    const char *access;
    char *at;

    ret->start = strtoull(line, &at, 16);
    if (*at != '-')
        return NULL;
    ret->end = strtoull(at + 1, &at, 16);
    access = at + 1;
    if (*at != ' ' || strcspn(access, " ") != 4)
        return NULL;
    ret->flags =
        (access[0] == 'r' ? PF_R : 0) | (access[1] == 'w' ? PF_W : 0) | (access[2] == 'x' ? PF_X : 0);
    ret->offset = strtoull(access + 4, &at, 16);
    at += strspn(at, " ");
    at += strcspn(at, " ");
    ret->inode = strtoull(at, &at, 10);
    return at + strspn(at, " ");
}

int cf_proc_maps(struct cf_target *t)
{
    static char buffer[1 << 16]; /* the process stands still meanwhile, and a file of /proc offers 1 KB */
    FILE *f = open_proc(t->live_task, 0, "maps");
    char *line = NULL;
    size_t size = 0;
    int rc = f ? 0 : -1;

    if (f)
        (void)setvbuf(f, buffer, _IOFBF, sizeof(buffer));

    while (f && getline(&line, &size, f) > 0) {
        struct cf_map map = {0};
        const char *path;

        line[strcspn(line, "\n")] = '\0';
        path = read_map(line, &map);
        if (!path)
            continue;
        map.path = strdup(path);
        if (!map.path || !cf_grow(&t->maps, t->map_count, sizeof(*t->maps))) {
            free(map.path);
            rc = -1;
            break;
        }
        t->maps[t->map_count++] = map;
    }
    free(line);
    if (f)
        fclose(f);
    return rc;
}

int cf_proc_auxv(struct cf_target *t)
{
    FILE *f = open_proc(t->live_task, 0, "auxv");
    uint64_t pair[2];

    if (!f)
        return -1;
    while (fread(pair, sizeof(pair), 1, f) == 1)
        cf_auxv_entry(t, pair[0], pair[1]);
    fclose(f);
    return 0;
}

char *cf_proc_environment(int64_t pid, size_t *size)
{
    enum { ENVIRONMENT_MAX = 1 << 20 };
    FILE *f = open_proc(pid, 0, "environ");
    char *text = f ? malloc(ENVIRONMENT_MAX) : NULL, *fit;
    size_t got = text ? fread(text, 1, ENVIRONMENT_MAX, f) : 0;

    if (f)
        fclose(f);
    /* A part of one would be another environment. */
    if (!got || got == ENVIRONMENT_MAX || text[got - 1]) {
        free(text);
        return NULL;
    }
    *size = got;
    fit = realloc(text, got);
    return fit ? fit : text;
}

char *cf_proc_command(int64_t pid)
{
    FILE *f = open_proc(pid, 0, "cmdline");
    char text[4096];
    size_t size;

    if (!f)
        return NULL;
    size = fread(text, 1, sizeof(text) - 1, f);
    fclose(f);
    while (size && !text[size - 1])
        size--;
    for (size_t i = 0; i < size; i++)
        if (!text[i])
            text[i] = ' ';
    text[size] = '\0';
    return size ? strdup(text) : NULL;
}
