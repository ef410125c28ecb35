// SPDX-License-Identifier: Apache-2.0
// Each thread but the first waits for a lock in the heap, which the first holds. One line of JSON, [thread,
// address of the lock, expression of it in the waiting function, "" where no type leads there] of each. The
// expression is what stands in the call itself.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <vector>

struct Grid {
    int size;
    omp_lock_t *locks;
};
struct Node {
    Node *next;
    omp_lock_t lock;
};
struct Worker {
    int number;
    omp_lock_t locks[3];
    Node *node;
    __attribute__((noinline)) void enter();
    __attribute__((noinline)) void enter_node();
};
enum { THREADS = 10 };

// heap_hidden.cc: variables that this file does not see.
void *hidden_lock();
extern const char hidden_expression[];

Grid *grid;
static volatile uintptr_t sink;
static struct {
    long tid;
    const void *address;
    const char *expression;
} truth[THREADS];

// What is used after the call is somewhere during the call, however the compiler optimises.
#define TAKE(object, awaited)                                                \
    do {                                                                     \
        int me_ = omp_get_thread_num();                                      \
        truth[me_].tid = syscall(SYS_gettid);                                \
        truth[me_].expression = #awaited;                                    \
        __atomic_store_n(&truth[me_].address, &(awaited), __ATOMIC_RELEASE); \
        omp_set_lock(&(awaited));                                            \
        sink = reinterpret_cast<uintptr_t>(object);                          \
    } while (0)

template <class T> static T *make(size_t count = 1)
{
    return static_cast<T *>(calloc(count, sizeof(T)));
}

void Worker::enter()
{
    TAKE(this, this->locks[1]);
}

void Worker::enter_node()
{
    TAKE(this, this->node->next->lock);
}

__attribute__((noinline)) static void in_list(Node *first)
{
    TAKE(first, first->next->next->lock);
}

__attribute__((noinline)) static void in_vector(std::vector<Worker> &workers)
{
    TAKE(&workers, workers[2].locks[0]);
}

__attribute__((noinline)) static void in_array(omp_lock_t **rows)
{
    TAKE(rows, rows[3][11]);
}

__attribute__((noinline)) static void behind_void(void *hidden)
{
    TAKE(hidden, *static_cast<omp_lock_t *>(hidden));
}

__attribute__((noinline)) static void in_another_file(void *hidden)
{
    TAKE(hidden, *static_cast<omp_lock_t *>(hidden));
}

static void wait_for_all()
{
    for (int i = 1; i < THREADS; i++)
        while (!__atomic_load_n(&truth[i].address, __ATOMIC_ACQUIRE))
            usleep(1000);
    printf("{\"waits\": [");
    for (int i = 1; i < THREADS; i++)
        printf("%s[%ld, %llu, \"%s\"]", i > 1 ? ", " : "", truth[i].tid,
               (unsigned long long)(uintptr_t)truth[i].address,
               i == THREADS - 1                       ? hidden_expression
               : strstr(truth[i].expression, "_cast") ? ""
                                                      : truth[i].expression);
    printf("]}\n");
    fflush(stdout);
    sleep(600);
}

int main()
{
    grid = make<Grid>();
    grid->locks = make<omp_lock_t>(32);
    Worker *worker = make<Worker>();
    worker->node = make<Node>();
    worker->node->next = make<Node>();
    Node *list = make<Node>();
    list->next = make<Node>();
    list->next->next = make<Node>();
    list->next->next->next = list;
    std::vector<Worker> workers(5);
    omp_lock_t **rows = make<omp_lock_t *>(8);
    rows[3] = make<omp_lock_t>(20);
    Grid *mine = make<Grid>();
    mine->locks = make<omp_lock_t>(6);
    void *hidden = make<omp_lock_t>();

    // Without a type: the first thread is no way to a name.
    void *const held[] = {
        &grid->locks[17],     &worker->locks[1], &worker->node->next->lock, &list->next->next->lock,
        &workers[2].locks[0], &rows[3][11],      &mine->locks[5],           hidden,
        hidden_lock()};
    for (void *lock : held)
        omp_init_lock(static_cast<omp_lock_t *>(lock));
#pragma omp parallel num_threads(THREADS)
    {
        int me = omp_get_thread_num();
        if (me == 0)
            for (void *lock : held)
                omp_set_lock(static_cast<omp_lock_t *>(lock));
#pragma omp barrier
        if (me == 0)
            wait_for_all();
        else if (me == 1)
            TAKE(grid, grid->locks[17]);
        else if (me == 2)
            worker->enter();
        else if (me == 3)
            worker->enter_node();
        else if (me == 4)
            in_list(list);
        else if (me == 5)
            in_vector(workers);
        else if (me == 6)
            in_array(rows);
        else if (me == 7)
            TAKE(mine, mine->locks[5]);
        else if (me == 8)
            behind_void(hidden);
        else
            in_another_file(hidden_lock());
    }
    return 0;
}
