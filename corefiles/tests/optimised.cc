// SPDX-License-Identifier: Apache-2.0
// Hangs in code that -O2 has changed; the argument says in which. Thread 1 waits for a lock that the primary
// thread holds, which waits for it at the region's end. Lines are named by the comments.
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>

struct Box {
    omp_lock_t lock;
};
static std::unique_ptr<Box> box;
static volatile int counted;

// The line of the call is a header's: of what finds the lock.
__attribute__((noinline)) static void by_pointer()
{
    omp_set_lock(&box->lock); /*@by_pointer*/
    counted++;
}

__attribute__((noinline, cold)) static void seldom()
{
    omp_set_lock(&box->lock); /*@seldom*/
    counted++;
}

// A function of the program that is inlined into one of the library.
static void lambda()
{
    int numbers[] = {1, 2, 3};
    omp_lock_t *const held = &box->lock;
#pragma omp parallel num_threads(2) /*@lambda*/
    {
        if (omp_get_thread_num() == 1)
            std::for_each(std::begin(numbers), std::end(numbers), [held](int n) {
                counted += n;
                omp_set_lock(held); /*@in_lambda*/
                counted += n;
            });
        counted++;
    }
}

static void header()
{
#pragma omp parallel num_threads(2) /*@header*/
    {
        if (omp_get_thread_num() == 1)
            by_pointer();
        counted++;
    }
}

// The region's body has a part of its own for what is executed seldom.
static void cold()
{
#pragma omp parallel num_threads(2) /*@cold*/
    {
        counted++;
        if (omp_get_thread_num() == 1) {
            seldom();
            counted += 2;
        }
        counted++;
    }
}

__attribute__((noinline)) static void last(int worker)
{
    if (worker)
        omp_set_lock(&box->lock); /*@last*/
    counted++;
}

// The last call of the body is a jump.
static void jump()
{
#pragma omp parallel num_threads(2) /*@jump*/
    last(omp_get_thread_num());
}

// Inner regions whose creators have left their bodies, in a recursion.
static void nested(int depth)
{
#pragma omp parallel num_threads(2) /*@nested*/
    {
        if (omp_get_thread_num() == 1) {
            if (depth < 2)
                nested(depth + 1); /*@inner*/
            else
                by_pointer();
        }
        counted++;
    }
}

int main(int argc, char **argv)
{
    box = std::make_unique<Box>();
    omp_init_lock(&box->lock);
    omp_set_lock(&box->lock);
    omp_set_max_active_levels(2);
    puts("ready");
    fflush(stdout);
    if (!strcmp(argv[argc - 1], "header"))
        header(); /*@from_header*/
    else if (!strcmp(argv[argc - 1], "lambda"))
        lambda(); /*@from_lambda*/
    else if (!strcmp(argv[argc - 1], "cold"))
        cold(); /*@from_cold*/
    else if (!strcmp(argv[argc - 1], "jump"))
        jump(); /*@from_jump*/
    else
        nested(1); /*@from_nested*/
}
