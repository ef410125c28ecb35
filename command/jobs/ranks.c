/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/ancestry.h"
#include "inspect/activity/launcher.h"
#include "command/processes.h"

/* Of an environment that somebody else has written. */
enum { ENVIRONMENT_MAX = 1 << 20, NODE = 256 };

/** A process that may be a rank. */
struct candidate {
    struct process_stat stat;
    struct launcher values;
    struct launcher_told told; /**< into `values` */
    enum process_libraries libraries;
    size_t index;   /**< among all processes */
    uint32_t place; /**< of struct ancestry */
    bool out;
};

struct candidates {
    struct candidate **one;
    size_t count;
    struct process_stat *all;
    size_t all_count;
};

const char *ranks_node(void)
{
    static char name[NODE];
    const char *told = getenv("SLURMD_NODENAME");

    if (told && *told)
        return told;
    if (!*name && gethostname(name, sizeof(name) - 1))
        return "-";
    return name;
}

/* Takes what the environment of PID says; *node: the node that it names, "" none. False: it may not be
   read. */
static bool read_environment(pid_t pid, struct launcher *values, char node[NODE])
{
    char path[64], *text = NULL;
    size_t room = 0, total = 0;
    ssize_t n;
    FILE *in;

    *node = '\0';
    snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
    in = fopen(path, "re");
    while (in && total < ENVIRONMENT_MAX && (n = getdelim(&text, &room, '\0', in)) > 0) {
        total += (size_t)n;
        launcher_take(values, text);
        if (!strncmp(text, "SLURMD_NODENAME=", 16))
            snprintf(node, NODE, "%s", text + 16);
    }
    free(text);
    if (in)
        fclose(in);
    return in != NULL;
}

static bool is_ours(pid_t pid)
{
    char path[64];
    struct stat st;

    snprintf(path, sizeof(path), "/proc/%d", (int)pid);
    return !geteuid() || (!stat(path, &st) && st.st_uid == geteuid());
}

/* An agent like this one has the environment of a rank as well. */
static bool is_agent(pid_t pid)
{
    char path[64];
    struct stat mine, its;

    snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
    return !stat("/proc/self/exe", &mine) && !stat(path, &its) && mine.st_dev == its.st_dev &&
           mine.st_ino == its.st_ino;
}

static bool is_of(const struct launcher_told *told, const char *job)
{
    const size_t n = told->job ? strlen(told->job) : 0;

    if (!job)
        return true;
    if (!n || strncmp(job, told->job, n))
        return false;
    return !job[n] || (job[n] == '.' && told->step && !strcmp(job + n + 1, told->step));
}

static void consider(struct candidates *c, size_t index, const char *job)
{
    const struct process_stat *stat = &c->all[index];
    struct candidate *one, **grown;
    char node[NODE];

    if (stat->state == 'Z' || stat->state == 'X' || (!job && !is_ours(stat->pid)) || is_agent(stat->pid))
        return;
    one = calloc(1, sizeof(*one));
    if (!one)
        return;
    one->stat = *stat;
    one->index = index;
    if (read_environment(stat->pid, &one->values, node))
        launcher_tell(&one->values, &one->told);
    else
        one->told.rank = -1;
    if (one->told.rank >= 0 && is_of(&one->told, job) &&
        (!*node || !getenv("SLURMD_NODENAME") || !strcmp(node, ranks_node()))) {
        grown = realloc(c->one, (c->count + 1) * sizeof(*grown));
        if (grown) {
            one->libraries = process_libraries(stat->pid);
            c->one = grown;
            c->one[c->count++] = one;
            return;
        }
    }
    free(one);
}

/* Which of two texts comes first; none comes before all. */
static int order_of(const char *a, const char *b)
{
    return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

static int compare_ranks(const struct launcher_told *a, const struct launcher_told *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (order_of(a->job, b->job))
        return order_of(a->job, b->job);
    return order_of(a->step, b->step) ? order_of(a->step, b->step) : order_of(a->name_space, b->name_space);
}

/* Those of one rank together; of these first who uses most, and who has started others before them. */
static int by_claim(const void *left, const void *right)
{
    const struct candidate *a = *(struct candidate *const *)left, *b = *(struct candidate *const *)right;
    const int order = compare_ranks(&a->told, &b->told);

    if (order)
        return order;
    if (a->libraries != b->libraries)
        return a->libraries > b->libraries ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* What uses neither OpenMP nor MPI and has started a rank is its launcher or shell. */
static void leave_out_launchers(struct candidates *c, const struct ancestry *a)
{
    uint32_t *before = calloc(a->count + 1, sizeof(*before)); /* each place: so many candidates */

    if (!before)
        return;
    for (size_t i = 0; i < c->count; i++)
        if (c->one[i]->place != ANCESTRY_NONE)
            before[c->one[i]->place + 1]++;
    for (size_t i = 0; i < a->count; i++)
        before[i + 1] += before[i];
    for (size_t i = 0; i < c->count; i++) {
        struct candidate *one = c->one[i];

        if (one->libraries == PROCESS_OTHER && one->place != ANCESTRY_NONE)
            one->out |= before[a->end[one->place]] > before[one->place + 1];
    }
    free(before);
}

/* What a rank has started has its environment: of one rank, who uses less than another one is none, nor
   who was started by one that uses the same. */
static void leave_out_started(struct candidates *c, const struct ancestry *a)
{
    const struct candidate *first = NULL;
    uint32_t until = 0;

    if (c->count)
        qsort(c->one, c->count, sizeof(struct candidate *), by_claim);
    for (size_t i = 0; i < c->count; i++) {
        struct candidate *one = c->one[i];

        if (!first || compare_ranks(&first->told, &one->told)) {
            first = one;
            until = 0;
        }
        one->out |= one->libraries < first->libraries;
        if (one->libraries != first->libraries || one->libraries == PROCESS_OTHER ||
            one->place == ANCESTRY_NONE)
            continue;
        one->out |= one->place < until;
        if (one->place >= until)
            until = a->end[one->place];
    }
}

static void leave_out(struct candidates *c)
{
    struct ancestry a = {0};

    if (!ancestry_make(c->all, c->all_count, &a))
        return;
    for (size_t i = 0; i < c->count; i++)
        c->one[i]->place = a.place[c->one[i]->index];
    leave_out_launchers(c, &a);
    leave_out_started(c, &a);
    ancestry_free(&a);
}

static int by_rank(const void *left, const void *right)
{
    const struct rank *a = left, *b = right;

    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : a->pid < b->pid ? -1 : a->pid > b->pid;
}

size_t ranks_here(const char *job, struct rank **ret)
{
    struct candidates c = {0};
    size_t n = 0;

    c.all_count = process_all(&c.all);
    for (size_t i = 0; i < c.all_count; i++)
        consider(&c, i, job);
    leave_out(&c);
    *ret = calloc(c.count ? c.count : 1, sizeof(**ret));
    for (size_t i = 0; i < c.count; i++) {
        if (*ret && !c.one[i]->out)
            (*ret)[n++] = (struct rank){c.one[i]->stat.pid, c.one[i]->stat.start, c.one[i]->told.rank};
        free(c.one[i]);
    }
    if (n)
        qsort(*ret, n, sizeof(**ret), by_rank);
    free(c.one);
    free(c.all);
    return n;
}

bool ranks_of(pid_t pid, struct rank *ret)
{
    struct launcher values = {0};
    struct launcher_told told = {.rank = -1};
    struct process_stat stat;
    char node[NODE];

    if (!process_stat(pid, &stat))
        return false;
    if (read_environment(pid, &values, node))
        launcher_tell(&values, &told);
    *ret = (struct rank){pid, stat.start, told.rank};
    return true;
}
