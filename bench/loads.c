/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short programs as users have them: what is timed begins with main(), so the start of the threads counts.
 * Prints "ROW VALUE" for each figure: ms, of `locks` ns. A wrong result ends it with status 1.
 *
 * usage: loads LOAD [PARTS]      PARTS: how often it repeats its work, its full size if not given
 *
 * Loads, with what they repeat:
 *   tokens     a region with 2,000 barriers, as an inference engine runs for each token that it generates
 *   loops      a parallel loop of 50 us
 *   depend     tasks of a row of a grid, each with two dependences in and one out
 *   taskloop   100 tasks of a taskloop with grainsize(1)
 *   nested     an outer region of two, whose members run regions of one to three threads in turn
 *   reductions a loop with a reduction that the program declares
 *   spread     regions of 1,000 barriers: ms until the first one in which a barrier takes under 600 ns, as it
 *              does when each thread has a processor; at most so many ms
 *   locks      a lock that nobody wants: before a thread has ever slept for a lock, another one after that,
 *              and the one for which it has slept
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BARRIERS = 2000, GRID = 316, CHUNK = 100, QUICK_BARRIERS = 1000, LOCKINGS = 2000, TRIES = 100 };
#define QUICK_NS 600

static double now(void) /* ms */
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double start;

static int tell(const char *row, int right)
{
    printf("%s %.4f\n", row, now() - start);
    return !right;
}

static int tokens(const char *name, int parts)
{
    long passed = 0, all = (long)parts * BARRIERS;
    for (int token = 0; token < parts; token++) {
#pragma omp parallel reduction(+ : passed)
        for (int i = 0; i < BARRIERS; i++) {
            passed++;
#pragma omp barrier
        }
    }
    return tell(name, passed >= all && passed % all == 0);
}

/* Steps that depend on each other, some 1 ns each. */
static unsigned long steps(unsigned long x, int n)
{
    for (int i = 0; i < n; i++)
        __asm__ volatile("imul $3, %0, %0" : "+r"(x));
    return x;
}

static int loops(const char *name, int parts)
{
    enum { ITERATIONS = 500, STEPS = 100 };
    unsigned long sum = 0;
    for (int part = 0; part < parts; part++) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < ITERATIONS; i++)
            sum += steps(1, STEPS);
    }
    return tell(name, sum == (unsigned long)parts * ITERATIONS * steps(1, STEPS));
}

static int depend(const char *name, int parts)
{
    static int grid[GRID + 1][GRID + 1]; /* ways from the upper left corner, modulo a number */
    if (parts > GRID)
        parts = GRID;
    for (int i = 0; i <= GRID; i++)
        grid[i][0] = grid[0][i] = 1;
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= parts; i++) {
        for (int j = 1; j <= GRID; j++) {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j])
            grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 9973;
        }
    }
    int right = 1;
    for (int i = 1; i <= parts; i++)
        for (int j = 1; j <= GRID; j++)
            right &= grid[i][j] == (grid[i - 1][j] + grid[i][j - 1]) % 9973;
    return tell(name, right && grid[1][GRID] == GRID + 1);
}

static int taskloop(const char *name, int parts)
{
    size_t n = (size_t)parts * CHUNK;
    size_t *done = calloc(n, sizeof *done);
    int right = 1;
    if (!done)
        return 1;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
    for (size_t i = 0; i < n; i++)
        done[i] += i + 1;
    for (size_t i = 0; i < n; i++)
        right &= done[i] == i + 1;
    free(done);
    return tell(name, right);
}

static int nested(const char *name, int parts)
{
    long members = 0, wanted = 0;
    omp_set_max_active_levels(2);
    for (int part = 0; part < parts; part++) {
        wanted += 2 * (part % 3 + 1);
#pragma omp parallel num_threads(2) reduction(+ : members)
        {
#pragma omp parallel num_threads(part % 3 + 1) reduction(+ : members)
            members++;
        }
    }
    return tell(name, members == wanted);
}

struct range {
    double least, most;
};

static void widen(struct range *out, const struct range *in)
{
    out->least = in->least < out->least ? in->least : out->least;
    out->most = in->most > out->most ? in->most : out->most;
}
#pragma omp declare reduction(widen          \
                              : struct range \
                              : widen(&omp_out, &omp_in)) initializer(omp_priv = {1e300, -1e300})

static int reductions(const char *name, int parts)
{
    double least = 0, most = 0;
    for (int part = 0; part < parts; part++) {
        struct range all = {1e300, -1e300};
#pragma omp parallel for reduction(widen : all)
        for (int i = 0; i < 64; i++) {
            struct range one = {i - part, i + part};
            widen(&all, &one);
        }
        least += all.least;
        most += all.most;
    }
    double turns = (double)parts * (parts - 1) / 2;
    return tell(name, least == -turns && most == 63.0 * parts + turns);
}

static int spread(const char *name, int parts)
{
    double at = start, begin, quick = QUICK_BARRIERS * QUICK_NS * 1e-6;
    do {
        begin = at;
#pragma omp parallel
        for (int i = 0; i < QUICK_BARRIERS; i++) {
#pragma omp barrier
        }
        at = now();
    } while (at - begin >= quick && at - start < parts);
    printf("%s %.4f\n", name, at - start);
    return 0;
}

/* The least of many tries, in ns: they are short, so that one fits between two turns of other programs. */
static double cost(omp_lock_t *lock, int parts)
{
    double best = 1e9;
    for (int r = 0; r < TRIES * parts; r++) {
        double begin = now();
        for (int i = 0; i < LOCKINGS; i++) {
            omp_set_lock(lock);
            omp_unset_lock(lock);
        }
        double took = (now() - begin) * 1e6 / LOCKINGS;
        best = took < best ? took : best;
    }
    return best;
}

static int locks(const char *name, int parts)
{
    static omp_lock_t slept_for, other;
    int inside = 0;
    omp_init_lock(&slept_for);
    omp_init_lock(&other);
    double before = cost(&slept_for, parts);
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
        omp_set_lock(&slept_for);
        usleep(20000); /* so long that whoever waits sleeps */
        inside++;
        omp_unset_lock(&slept_for);
    }
    printf("%s-before %.3f\n%s-other-after %.3f\n", name, before, name, cost(&other, parts));
    printf("%s-after %.3f\n", name, cost(&slept_for, parts));
    return inside != 2;
}

static const struct {
    const char *name;
    int (*run)(const char *name, int parts);
    int parts;
} LOADS[] = {{"tokens", tokens, 20},      {"loops", loops, 300},    {"depend", depend, GRID},
             {"taskloop", taskloop, 300}, {"nested", nested, 1000}, {"reductions", reductions, 8000},
             {"spread", spread, 300},     {"locks", locks, 30}};

int main(int argc, char **argv)
{
    start = now();
    for (size_t i = 0; argc > 1 && i < sizeof LOADS / sizeof *LOADS; i++) {
        int parts = argc > 2 ? atoi(argv[2]) : LOADS[i].parts;
        if (strcmp(argv[1], LOADS[i].name) != 0 || parts < 1)
            continue;
        int wrong = LOADS[i].run(argv[1], parts);
        if (wrong)
            fprintf(stderr, "loads: %s: the result is wrong\n", argv[1]);
        return wrong;
    }
    fprintf(stderr, "usage: loads LOAD [PARTS]; bench/loads.c has the list\n");
    return 64;
}
