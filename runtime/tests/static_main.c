/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program without OpenMP of its own that uses two parts, one and two (static_part.c), which are linked in
 * or loaded.
 *
 *   static_main count            both parts' counters, as often as it takes for every path
 *   static_main hold             part one calls part two inside its region
 *   static_main reverse          the other way round
 *   static_main close LIBRARY    loads a library that holds part one, counts, unloads it, several times
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef WITHOUT_PARTS
int one_count(int n);
int two_count(int n);
void one_hold(void (*inner)(void));
void two_hold(void (*inner)(void));

static void hold_one(void)
{
    one_hold(NULL);
}

static void hold_two(void)
{
    two_hold(NULL);
}

static void *hold(void *reverse)
{
    if (reverse)
        two_hold(hold_one);
    else
        one_hold(hold_two);
    return NULL;
}

/* Both runtimes know the thread before it enters a region. */
static int use_parts(const char *what)
{
    for (int i = 0; i < 20; i++)
        if (one_count(100) != 400 || two_count(100) != 400) {
            printf("wrong count\n");
            return 1;
        }
    if (!strcmp(what, "count"))
        return 0;
    (void)hold(!strcmp(what, "reverse") ? "reverse" : NULL);
    return 1;
}
#else
static int use_parts(const char *what)
{
    printf("no parts for %s\n", what);
    return 1;
}
#endif

/*
 * Counts in a library that is loaded for it and unloaded afterwards; the last time it is a thread's that then
 * ends.
 */
static void *load_and_count(void *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*count)(int) = NULL;
    int n;

    if (library)
        *(void **)&count = dlsym(library, "one_count");
    if (!count) {
        printf("%s\n", dlerror());
        return NULL;
    }
    n = count(100);
    if (dlclose(library) || n != 400)
        return NULL;
    /* Threads that would run in unmapped code get their time to do it. */
    usleep(20000);
    return path;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *done = NULL;

    if (argc < 2)
        return 2;
    if (strcmp(argv[1], "close"))
        return use_parts(argv[1]);
    for (int i = 0; i < 5; i++)
        if (argc < 3 || !load_and_count(argv[2]))
            return 1;
    if (pthread_create(&thread, NULL, load_and_count, argv[2]) || pthread_join(thread, &done))
        return 1;
    return done ? 0 : 1;
}
