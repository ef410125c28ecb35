/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that enter critical sections and take a lock, from various functions and within one another, and
 * write down who is inside: for random_owners.py, which compares. `inside` has the number of the thread in
 * each, 0 where nobody has written itself down.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { UNNAMED, TABLE, OUTPUT, TREE, LOCK, MUTEXES };

/* Where the sections' names lie, as gcc calls that; clang's cannot be named here. */
#ifdef __clang__
static char *const table_word, *const output_word, *const tree_word;
#else
#define WORD(name) __asm__(".gomp_critical_user_" #name)
extern char table_word[] WORD(table), output_word[] WORD(output), tree_word[] WORD(tree);
#endif

volatile int inside[MUTEXES];
omp_lock_t lock;
static volatile double sink;
static volatile unsigned cells[32];

__attribute__((noinline)) static double work(int rounds)
{
    double sum = 0;

    for (int i = 0; i < rounds; i++)
        sum += (double)i / (1 + sink * sink);
    sink = sum > 1e9 ? 1 : 0;
    return sum;
}

/* A way out of the middle, and a loop. */
__attribute__((noinline)) static void fill(int me, unsigned round)
{
    unsigned at = round % 32;

    if (at == 7)
        work(30);
#pragma omp critical(table)
    {
        inside[TABLE] = me;
        for (unsigned n = 0; n < 5; n++) {
            if (cells[(at + n) % 32] == 0xffffffff)
                break;
            cells[(at + n) % 32] += round;
            work(20 + (int)n * 15);
        }
        inside[TABLE] = 0;
    }
    work(25);
}

/* Branches, one within another section. */
__attribute__((noinline)) static void print(int me, unsigned round)
{
#pragma omp critical(output)
    {
        inside[OUTPUT] = me;
        switch (round % 6) {
        case 0:
            work(120);
            break;
        case 1:
            cells[3]++; /* fall through */
        case 2:
            work(60);
            break;
        case 3:
            fill(me, round + 1);
            break;
        default:
            cells[round % 5] ^= 5;
        }
        inside[OUTPUT] = 0;
    }
    if (round & 1)
        fill(me, round);
}

/* Recursion within the section, and another section before it. */
static int depth(unsigned round)
{
    return round < 3 ? work(10) > 1e12 : depth(round / 2) + (work(15) > 1e12);
}

__attribute__((noinline)) static void grow(int me, unsigned round)
{
    if (round % 3)
        fill(me, round);
#pragma omp critical(tree)
    {
        inside[TREE] = me;
        cells[1] += (unsigned)depth(round % 60 + 3);
        inside[TREE] = 0;
    }
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 4;

    omp_init_lock(&lock);
    printf("0x%lx 0x%lx 0x%lx 0x%lx 0x%lx\n", (long)inside, (long)table_word, (long)output_word,
           (long)tree_word, (long)&lock);
    fflush(stdout);
#pragma omp parallel num_threads(threads)
    {
        int me = (int)syscall(SYS_gettid);

        for (unsigned round = (unsigned)me;; round++) {
            work(40);
#pragma omp critical
            {
                inside[UNNAMED] = me;
                if (round % 4 == 0)
                    print(me, round);
                else
                    work(80);
                inside[UNNAMED] = 0;
            }
            print(me, round);
            grow(me, round);
            omp_set_lock(&lock);
            inside[LOCK] = me;
            work(70);
            if (round % 5 == 0)
                fill(me, round);
            inside[LOCK] = 0;
            omp_unset_lock(&lock);
        }
    }
}
