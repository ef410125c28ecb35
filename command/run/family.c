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

#include "corefiles/numbers.h"

#include "command/ancestry.h"
#include "command/processes.h"

struct process {
    pid_t pid;
    uint64_t start; /**< in ticks since the boot */
    char state;     /**< a letter, proc(5) */
    bool waits, openmp;
};

struct family {
    struct process *process;
    size_t count;
};

/*
 * Marks the program, and whoever descends from it or from its reaper: who loses its parent becomes the
 * reaper's child. What that had before the program began is none of them, nor is the keeper.
 */
static void mark(struct family *f, const struct process_stat *all, const struct ancestry *a,
                 const struct program *program, uint64_t since)
{
    uint32_t until = 0;

    for (uint32_t place = 0; place < a->count; place++) {
        const struct process_stat *p = &all[a->order[place]];
        const bool is_first = p->pid == program->pid || (p->parent == program->reaper && p->start >= since &&
                                                         p->pid != program->keeper);

        if (is_first && a->end[place] > until)
            until = a->end[place];
        if (place < until)
            f->process[f->count++] = (struct process){.pid = p->pid, .start = p->start, .state = p->state};
    }
}

/* Those of the program that have not been buried. */
static void read_family(const struct program *program, uint64_t since, struct family *f)
{
    struct process_stat *all;
    size_t count = process_all(&all);
    struct ancestry a = {0};

    f->process = calloc(count ? count : 1, sizeof(*f->process));
    if (f->process && ancestry_make(all, count, &a))
        mark(f, all, &a, program, since);
    ancestry_free(&a);
    free(all);
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
        char line[256] = "";
        const char *at = line;
        int64_t number;
        FILE *in;

        snprintf(path, sizeof(path), "/proc/%d/task/%s/syscall", (int)pid, entry->d_name);
        in = entry->d_name[0] != '.' ? fopen(path, "re") : NULL;
        found = in && fgets(line, sizeof(line), in) && cf_next_signed(&at, &number) &&
                (number == SYS_wait4 || number == SYS_waitid);
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

size_t program_family(const struct program *program, pid_t **ret)
{
    struct family f = {0};
    size_t n = 0;

    read_family(program, start_of(program->pid), &f);
    for (size_t i = 0; i < f.count; i++) {
        struct process *p = &f.process[i];

        if (p->state != 'Z' && p->state != 'X') /* a zombie has nothing to show */
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

void program_continue(const struct program *program)
{
    struct family f = {0};

    read_family(program, start_of(program->pid), &f);
    for (size_t i = 0; i < f.count; i++)
        kill(f.process[i].pid, SIGCONT);
    free(f.process);
}

/* True when there was one to kill. */
static bool kill_round(const struct program *program, uint64_t since)
{
    struct family f = {0};
    bool any = false;

    read_family(program, since, &f);
    for (size_t i = 0; i < f.count; i++)
        any |= !kill(f.process[i].pid, SIGKILL);
    free(f.process);
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    return any;
}

void program_kill(const struct program *program)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    const uint64_t since = start_of(program->pid);

    /* One that forks meanwhile is seen in the next round. What the kernel holds for seconds is not waited
       for. */
    for (int i = 0; i < 1000 && kill_round(program, since); i++)
        nanosleep(&pause, NULL);
}
