/* SPDX-License-Identifier: Apache-2.0 */
/* Hands a wild pointer to the runtime, which ends the program by a signal in a function of its own. */
#include <stdlib.h>
#include <string.h>

#include <omp.h>

extern void GOMP_critical_name_start(void **name);
extern void GOMP_critical_name_end(void **name);
void __attribute__((noinline)) enter(void **name);
void __attribute__((noinline)) leave(void **name);
void __attribute__((noinline)) set(omp_lock_t *lock);

void __attribute__((noinline)) enter(void **name)
{
    GOMP_critical_name_start(name);
}

void __attribute__((noinline)) leave(void **name)
{
    GOMP_critical_name_end(name);
}

void __attribute__((noinline)) set(omp_lock_t *lock)
{
    omp_set_lock(lock);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    void *wild = (void *)(argc * 4096L);
    int threads = 0;

#pragma omp parallel reduction(+ : threads)
    threads += 1;
    if (!strcmp(what, "enter"))
        enter(wild);
    else if (!strcmp(what, "leave"))
        leave(wild);
    else
        set(wild);
    return threads == 0;
}
