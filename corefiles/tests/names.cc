// SPDX-License-Identifier: Apache-2.0
// A program without OpenMP that knows the truth about its own variables and threads: one line of JSON, then
// it waits in read() (argument "wait"; "private": and may be read only with CAP_SYS_PTRACE), aborts
// ("abort"), or starts and ends threads for ever ("threads").
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

// Only the name of the type counts.
typedef struct {
    void *word;
} omp_lock_t;

struct Base {
    int filler;
    omp_lock_t inherited;
};
struct Grid : Base {
    double cells[3][4];
    struct {
        omp_lock_t locks[32];
    };
    omp_lock_t matrix[2][3];
};

Grid grid;
int numbers[10];
long plain;
thread_local int tls_number = 3;

namespace outer
{
namespace
{
omp_lock_t hidden;
}
struct Registry {
    static omp_lock_t guard;
    static Grid grids[4];
};
omp_lock_t Registry::guard;
Grid Registry::grids[4];
} // namespace outer

enum { THREADS = 3 };
static std::atomic<int> ready;
static const char *mode;
static int wait_pipe[2];
static bool first = true;
static volatile int sink;

static void say(const void *address, const char *kind, const char *text)
{
    printf("%s[%llu, \"%s\", \"%s\"]", first ? "" : ", ", (unsigned long long)(uintptr_t)address, kind, text);
    first = false;
}

static void say_thread(const char *comma)
{
    printf("%s[%ld, %llu, %llu]", comma, syscall(SYS_gettid), (unsigned long long)pthread_self(),
           (unsigned long long)(uintptr_t)&tls_number);
}

__attribute__((noinline)) static void wait_here()
{
    char byte;
    // A read that a stop had broken off would show as an end with EINTR.
    if (read(wait_pipe[0], &byte, 1) < 0) {
        perror("read");
        _exit(3);
    }
    sink = 1;
}

__attribute__((always_inline)) static inline void inlined_caller()
{
    wait_here();
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *)
{
    pthread_mutex_lock(&turn);
    say_thread(", ");
    pthread_mutex_unlock(&turn);
    ready++;
    inlined_caller();
    return nullptr;
}

static void *brief(void *)
{
    return nullptr;
}

static void *breed(void *)
{
    for (;;) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, brief, nullptr) == 0)
            pthread_join(thread, nullptr);
    }
}

__attribute__((noinline)) static void go(omp_lock_t *heap)
{
    static omp_lock_t once;
    omp_lock_t mine[2];
    memset(mine, 0, sizeof mine);
    printf("{\"names\": [");
    say(&grid.locks[17], "variable", "grid.locks[17]");
    say(&grid.inherited, "variable", "grid.inherited");
    say(&grid.matrix[1][2], "variable", "grid.matrix[1][2]");
    say(&grid.cells[2][1], "variable", "grid.cells[2][1]");
    say(&numbers[4], "variable", "numbers[4]");
    say(&plain, "variable", "plain");
    say(&outer::hidden, "variable", "outer::(anonymous namespace)::hidden");
    say(&outer::Registry::guard, "variable", "outer::Registry::guard");
    say(&outer::Registry::grids[2].locks[5], "variable", "outer::Registry::grids[2].locks[5]");
    say(&once, "variable", "once");
    say(&mine[1], "local", "mine[1]");
    say(heap, "memory", "(in the heap)");
    printf("], \"text\": %llu, \"threads\": [", (unsigned long long)(uintptr_t)&wait_here);
    say_thread("");
    pthread_t threads[THREADS];
    for (pthread_t &thread : threads)
        pthread_create(&thread, nullptr, work, nullptr);
    while (ready < THREADS)
        usleep(1000);
    usleep(10000);
    printf("]}\n");
    fflush(stdout);
    if (strcmp(mode, "abort") == 0)
        abort();
    if (strcmp(mode, "threads") == 0) {
        pthread_t thread;
        for (int i = 0; i < 4; i++)
            pthread_create(&thread, nullptr, breed, nullptr);
    }
    wait_here();
    sink = mine[1].word != nullptr;
}

int main(int argc, char **argv)
{
    mode = argc > 1 ? argv[1] : "wait";
    if (strcmp(mode, "private") == 0)
        prctl(PR_SET_DUMPABLE, 0);
    if (pipe(wait_pipe) != 0)
        return 1;
    go(static_cast<omp_lock_t *>(calloc(64, sizeof(omp_lock_t))) + 9);
    return 4;
}
