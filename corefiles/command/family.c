/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes that a program of `ompd run` has started: a launcher's or a script's OpenMP program is one of
 * them.
 */
#include "program.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct process {
    pid_t pid, parent;
    uint64_t start; /**< in ticks since the boot */
    char state;     /**< a letter, proc(5) */
    bool member, waits, openmp;
};

struct family {
    struct process *process;
    size_t count;
};

/* proc(5): the name in parentheses may hold anything, so the last one counts. */
static bool read_stat(pid_t pid, struct process *ret)
{
    char path[64], text[1024];
    unsigned long long start;
    const char *rest;
    FILE *in;
    size_t n;
    char state;
    int parent;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    in = fopen(path, "re");
    n = in ? fread(text, 1, sizeof(text) - 1, in) : 0;
    if (in)
        fclose(in);
    text[n] = '\0';
    rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 1, " %c %d", &state, &parent) != 2 ||
        sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &start) != 1)
        return false;
    *ret = (struct process){.pid = pid, .parent = parent, .start = start, .state = state};
    return true;
}

static void read_all(struct family *f)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    struct process one;

    while (proc && (entry = readdir(proc))) {
        struct process *grown;

        if (atol(entry->d_name) <= 0 || !read_stat((pid_t)atol(entry->d_name), &one))
            continue;
        grown = realloc(f->process, (f->count + 1) * sizeof(*grown));
        if (!grown)
            break;
        f->process = grown;
        grown[f->count++] = one;
    }
    if (proc)
        closedir(proc);
}

/*
 * Marks PID, and whoever descends from it or from us: who loses its parent becomes our child. What we had
 * before PID began is none of them.
 */
static void mark(struct family *f, pid_t pid, uint64_t since)
{
    bool more = true;

    while (more) {
        more = false;
        for (size_t i = 0; i < f->count; i++) {
            struct process *p = &f->process[i];
            bool member = p->pid == pid || (p->parent == getpid() && p->start >= since);

            for (size_t k = 0; !member && k < f->count; k++)
                member = f->process[k].member && f->process[k].pid == p->parent;
            more |= member && !p->member;
            p->member |= member;
        }
    }
}

/* By the name of a file that it has mapped; what it really is, the report says. */
static bool uses_openmp(pid_t pid)
{
    static const char *const names[] = {"/libompcompanion.so", "/libgomp", "/libomp.", "/libomp5",
                                        "/libiomp5"};
    char path[64], line[4096];
    bool found = false;
    FILE *in;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    in = fopen(path, "re");
    while (in && !found && fgets(line, sizeof(line), in))
        for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
            found |= strstr(line, names[i]) != NULL;
    if (in)
        fclose(in);
    return found;
}

/* Is a thread of it in wait4 or waitid? proc(5): syscall begins with the number. */
static bool waits_for_child(pid_t pid)
{
    struct dirent *entry;
    char path[300];
    bool found = false;
    DIR *tasks;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    tasks = opendir(path);
    while (tasks && !found && (entry = readdir(tasks))) {
        FILE *in;
        int number = -1;

        snprintf(path, sizeof(path), "/proc/%d/task/%s/syscall", (int)pid, entry->d_name);
        in = entry->d_name[0] != '.' ? fopen(path, "re") : NULL;
        found = in && fscanf(in, "%d", &number) == 1 && (number == SYS_wait4 || number == SYS_waitid);
        if (in)
            fclose(in);
    }
    if (tasks)
        closedir(tasks);
    return found;
}

static uint64_t start_of(pid_t pid)
{
    struct process p;

    return read_stat(pid, &p) ? p.start : UINT64_MAX;
}

static int by_interest(const void *a, const void *b)
{
    const struct process *p = a, *q = b;

    if (p->waits != q->waits)
        return p->waits - q->waits;
    if (p->openmp != q->openmp)
        return q->openmp - p->openmp;
    if (p->start != q->start)
        return p->start < q->start ? -1 : 1;
    return p->pid < q->pid ? -1 : p->pid > q->pid;
}

size_t program_family(pid_t pid, pid_t **ret)
{
    struct family f = {0};
    size_t n = 0;

    read_all(&f);
    mark(&f, pid, start_of(pid));
    for (size_t i = 0; i < f.count; i++) {
        struct process *p = &f.process[i];

        if (p->member && p->state != 'Z' && p->state != 'X') /* a zombie has nothing to show */
            f.process[n++] = (struct process){
                .pid = p->pid,
                .start = p->start,
                .waits = waits_for_child(p->pid),
                .openmp = uses_openmp(p->pid),
            };
    }
    qsort(f.process, n, sizeof(*f.process), by_interest);
    *ret = malloc((n ? n : 1) * sizeof(**ret));
    for (size_t i = 0; *ret && i < n; i++)
        (*ret)[i] = f.process[i].pid;
    free(f.process);
    return *ret ? n : 0;
}

void program_continue(pid_t pid)
{
    struct family f = {0};

    read_all(&f);
    mark(&f, pid, start_of(pid));
    for (size_t i = 0; i < f.count; i++)
        if (f.process[i].member)
            kill(f.process[i].pid, SIGCONT);
    free(f.process);
}

/* True when there was one to kill. */
static bool kill_round(pid_t pid, uint64_t since)
{
    struct family f = {0};
    bool any = false;

    read_all(&f);
    mark(&f, pid, since);
    for (size_t i = 0; i < f.count; i++)
        any |= f.process[i].member && !kill(f.process[i].pid, SIGKILL);
    free(f.process);
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    return any;
}

void program_kill(pid_t pid)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    const uint64_t since = start_of(pid);

    /* One that forks meanwhile is seen in the next round. What the kernel holds for seconds is not waited
       for. */
    for (int i = 0; i < 1000 && kill_round(pid, since); i++)
        nanosleep(&pause, NULL);
}
