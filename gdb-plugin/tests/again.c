/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Stacks that look alike and are not, for what the extension remembers of code: the same function with other
 * arguments, inlined functions, a signal's handler, and two libraries mapped to one place after each other.
 * Arguments: a number from which the values count, and the two libraries.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>

typedef int called_by(int (*call)(int), int value);

static volatile int work;

/* Where the debugger stops, and goes on by lines and to the end. */
__attribute__((noinline)) void held(int value)
{
    work += value;
    work -= value;
}

static inline __attribute__((always_inline)) int inner(int value)
{
    int kept = value + 1;
    held(kept);
    return kept;
}

static inline __attribute__((always_inline)) int outer(int value)
{
    int kept = inner(value * 2);
    held(kept);
    return kept;
}

/* Both begin where they are called. */
static inline __attribute__((always_inline)) void second(void)
{
    work += 0;
}

static inline __attribute__((always_inline)) void first(void)
{
    second();
}

static int down(int depth, int value)
{
    if (depth > 0)
        return down(depth - 1, value * 3 + 1) + work;
    first();
    return outer(value);
}

static void on_signal(int number)
{
    down(1, number);
}

static int from_library(int value)
{
    held(value);
    return value;
}

int main(int argc, char **argv)
{
    int base = argc > 1 ? atoi(argv[1]) : 0;

    signal(SIGUSR1, on_signal);
    for (int round = 0; round < 2; round++) {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == round)
                down(3, base + round);
        }
    }
    raise(SIGUSR1);
    for (int i = 2; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW);
        called_by *function = library ? (called_by *)dlsym(library, "enter") : NULL;

        if (!function)
            return 3;
        function(from_library, base + i);
        dlclose(library);
    }
    return 0;
}
