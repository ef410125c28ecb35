/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends by a signal in the way that its first argument names, in the OpenMP thread that the second one names,
 * and says before which thread that is and what its stack is.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROOM = 1 << 16, PAGE = 4096 };

struct cell {
    long a, b;
    int value;
};

static volatile int sink;
static volatile int zero, begun;
static int *volatile none;
static const int table[] = {1, 2, 3};

/* Where the access will be. */
static void *say(const volatile void *address)
{
    printf("address %p\n", address);
    return (void *)(uintptr_t)address;
}

static int deep(int n)
{
    volatile char room[512];

    room[n % 512] = 1;
    return deep(n + 1) + room[n % 512];
}

static int wide(int n)
{
    volatile char room[64 << 20];

    room[n] = 1;
    return room[n];
}

static void say_stack(void)
{
    pthread_attr_t attr;
    void *start;
    size_t size;

    pthread_getattr_np(pthread_self(), &attr);
    pthread_attr_getstack(&attr, &start, &size);
    pthread_attr_destroy(&attr);
    printf("lwp %d\nlow %p\n", gettid(), start);
}

static void *beside(void *argument)
{
    say_stack();
    deep(0);
    return argument;
}

static char *room(int protection)
{
    return mmap(NULL, ROOM, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void past_the_file(void)
{
    int fd = open("short.data", O_RDWR | O_CREAT | O_TRUNC, 0600);
    char *p;

    if (ftruncate(fd, 100))
        return;
    p = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    *(char *)say(p + 2 * PAGE) = 1;
}

static void below_the_stack(void)
{
    pthread_attr_t attr;
    void *start;
    size_t size;

    pthread_getattr_np(pthread_self(), &attr);
    pthread_attr_getstack(&attr, &start, &size);
    *(volatile char *)say((char *)start - 8) = 1;
}

static void unmapped(void)
{
    char *p = room(PROT_READ);

    munmap(p + 2 * PAGE, 2 * PAGE);
    sink = *(volatile char *)say(p + 2 * PAGE + 16);
}

static void twice_freed(void)
{
    char *p = malloc(32), *volatile again = p;

    free(p);
    free(again);
}

static void other_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, beside, NULL);
    pthread_join(thread, NULL);
}

static void memory(const char *how)
{
    if (!strcmp(how, "null"))
        *none = 1;
    else if (!strcmp(how, "null_plus"))
        ((struct cell *)none)->value = 1;
    else if (!strcmp(how, "not_canonical"))
        *(volatile int *)0x8000123456789000 = 1;
    else if (!strcmp(how, "read_only"))
        *(volatile int *)say(table) = 1;
    else if (!strcmp(how, "no_access"))
        *(volatile char *)say(room(PROT_NONE) + PAGE + 1) = 1;
    else if (!strcmp(how, "not_mapped"))
        unmapped();
    else if (!strcmp(how, "end_of_file"))
        past_the_file();
    else if (!strcmp(how, "guard"))
        below_the_stack();
    else if (!strcmp(how, "jump_null"))
        ((void (*)(void))(uintptr_t)none)();
    else if (!strcmp(how, "jump_data"))
        ((void (*)(void))say(&sink))();
}

static void act(const char *how)
{
    if (!strcmp(how, "deep"))
        sink = deep(0);
    else if (!strcmp(how, "wide"))
        sink = wide(7);
    else if (!strcmp(how, "pthread"))
        other_thread();
    else if (!strcmp(how, "divide"))
        sink = 7 / zero;
    else if (!strcmp(how, "trap"))
        __builtin_trap();
    else if (!strcmp(how, "abort"))
        abort();
    else if (!strcmp(how, "assert"))
        assert(zero == 1);
    else if (!strcmp(how, "free"))
        twice_freed();
    else if (!strcmp(how, "raise"))
        raise(SIGSEGV);
    else
        memory(how);
}

/* Until all other threads sleep: they wait at the barrier then. */
static void others_sleep(void)
{
    char path[64], line[256];
    DIR *tasks = opendir("/proc/self/task");

    for (struct dirent *one; tasks && (one = readdir(tasks));) {
        const long tid = strtol(one->d_name, NULL, 10);
        char state = 0;

        snprintf(path, sizeof(path), "/proc/self/task/%ld/stat", tid);
        while (tid && tid != syscall(SYS_gettid) && state != 'S') {
            FILE *in = fopen(path, "re");

            if (!in || !fgets(line, sizeof(line), in) || sscanf(strrchr(line, ')') + 1, " %c", &state) != 1)
                abort();
            fclose(in);
            usleep(1000);
        }
    }
    closedir(tasks);
}

int main(int argc, char **argv)
{
    const int who = argc > 2 ? atoi(argv[2]) : 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == who) {
            while (begun < 3)
                usleep(1000);
            others_sleep();
            say_stack();
            act(argc > 1 ? argv[1] : "");
        }
#pragma omp atomic
        begun++;
#pragma omp barrier
    }
    return 0;
}
