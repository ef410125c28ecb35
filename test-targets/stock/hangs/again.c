/* SPDX-License-Identifier: Apache-2.0 */
/* The second member enters a critical region once more, by a function; the end of one was never called so
   far. The others wait for it. */
#include <omp.h>

#include "hang.h"

static int errors, inside;

__attribute__((noinline)) static void warn(void)
{
    say("b");
#pragma omp critical(screen) /* b */
    errors++;
}

__attribute__((noinline)) static void check(void)
{
#pragma omp critical(screen) /* taken */
    {
        add(&inside);
        warn();
        errors++;
    }
}

__attribute__((noinline)) static void report(void)
{
    say("a");
#pragma omp critical(screen) /* a */
    errors++;
}

int main(void)
{
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            check();
        } else {
            await(&inside, 1);
            report();
        }
    }
    return errors;
}
