/* SPDX-License-Identifier: Apache-2.0 */
/* The same of a lock, of which code alone does not tell whether somebody else has given it back. */
#include <omp.h>

#include "hang.h"

static omp_lock_t table;
static int rows, inside;

__attribute__((noinline)) static void insert(void)
{
    say("b");
    omp_set_lock(&table); /* b */
    rows++;
    omp_unset_lock(&table);
}

__attribute__((noinline)) static void merge(void)
{
    omp_set_lock(&table);
    add(&inside);
    insert();
    omp_unset_lock(&table);
}

__attribute__((noinline)) static void look_up(void)
{
    say("a");
    omp_set_lock(&table); /* a */
    rows++;
    omp_unset_lock(&table);
}

int main(void)
{
    omp_init_lock(&table);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            merge();
        } else {
            await(&inside, 1);
            look_up();
        }
    }
    return rows;
}
