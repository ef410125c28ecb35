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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct process {
    pid_t pid, parent;
    uint64_t start; /**< in ticks since the boot */
    bool member;
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
    int parent;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    in = fopen(path, "re");
    n = in ? fread(text, 1, sizeof(text) - 1, in) : 0;
    if (in)
        fclose(in);
    text[n] = '\0';
    rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 1, " %*c %d", &parent) != 1 ||
        sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &start) != 1)
        return false;
    *ret = (struct process){pid, parent, start, false};
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

/* How sure it is that a process is the OpenMP program. */
enum uses { USES_NONE, USES_OTHER, USES_COMPANION };

static enum uses uses(pid_t pid)
{
    static const char *const others[] = {"/libgomp", "/libomp.", "/libomp5", "/libiomp5"};
    enum uses found = USES_NONE;
    char path[64], line[4096];
    FILE *in;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    in = fopen(path, "re");
    while (in && found != USES_COMPANION && fgets(line, sizeof(line), in)) {
        if (strstr(line, "/libompcompanion.so"))
            found = USES_COMPANION;
        for (size_t i = 0; i < sizeof(others) / sizeof(*others) && found == USES_NONE; i++)
            found = strstr(line, others[i]) ? USES_OTHER : USES_NONE;
    }
    if (in)
        fclose(in);
    return found;
}

static uint64_t start_of(pid_t pid)
{
    struct process p;

    return read_stat(pid, &p) ? p.start : UINT64_MAX;
}

pid_t program_with_runtime(pid_t pid)
{
    struct family f = {0};
    enum uses best = uses(pid);
    pid_t found = pid;

    read_all(&f);
    mark(&f, pid, start_of(pid));
    for (size_t i = 0; i < f.count && best != USES_COMPANION; i++) {
        const enum uses one = f.process[i].member ? uses(f.process[i].pid) : USES_NONE;

        if (one > best) {
            best = one;
            found = f.process[i].pid;
        }
    }
    free(f.process);
    return found;
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
