/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process as Python's wheels make it: two libraries, each with its own copy of libgomp, which see nothing
 * of each other; a library of mathematics with a pool of its own; many short and a few huge libraries that
 * are only there. It hangs: a member of the first team is in a signal handler that locks a mutex, and the
 * second library's thread holds that and sleeps. It prints which threads these are.
 *
 *     wheels FOLDER    with first.so, second.so, pool.so and others, all of which it opens
 */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
atomic_int holder, members[4], at_barrier;
pthread_t handles[4];

static void handler(int sig)
{
    (void)sig;
    pthread_mutex_lock(&held); /* WAIT */
}

static void *open_one(const char *folder, const char *name)
{
    char path[4096];
    void *library;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    return library;
}

static void open_all(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (strstr(entry->d_name, "there") == entry->d_name)
            open_one(folder, entry->d_name);
    if (dir)
        closedir(dir);
}

static pthread_t start(const char *folder, const char *name)
{
    void *(*run)(void *) = (void *(*)(void *))dlsym(open_one(folder, name), "run");
    pthread_t thread;

    if (!run || pthread_create(&thread, NULL, run, NULL))
        exit(3);
    return thread;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    signal(SIGUSR1, handler);
    open_all(argv[1]);
    start(argv[1], "pool.so");
    start(argv[1], "second.so");
    while (!holder)
        usleep(1000);
    start(argv[1], "first.so");
    while (at_barrier < 3)
        usleep(1000);
    pthread_kill(handles[2], SIGUSR1);
    printf("{\"members\": [%d, %d, %d, %d], \"holder\": %d, \"main\": %d}\n", members[0], members[1],
           members[2], members[3], holder, getpid());
    fflush(stdout);
    for (;;)
        pause();
}
