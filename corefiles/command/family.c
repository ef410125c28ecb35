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

#include "processes.h"

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

static void read_all(struct family *f)
{
    struct process_stat *all;
    size_t count = process_all(&all);

    f->process = calloc(count ? count : 1, sizeof(*f->process));
    for (size_t i = 0; f->process && i < count; i++)
        f->process[f->count++] = (struct process){
            .pid = all[i].pid, .parent = all[i].parent, .start = all[i].start, .state = all[i].state};
    free(all);
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
    struct process_stat p;

    return process_stat(pid, &p) ? p.start : UINT64_MAX;
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
                .openmp = process_libraries(p->pid) == PROCESS_OPENMP,
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
