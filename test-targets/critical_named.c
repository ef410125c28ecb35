/* SPDX-License-Identifier: Apache-2.0 */
/* Thread 3 is in a critical construct with a name; the others wait for it. */
#include "truth.h"

static int owner;

/* The word that the compiler and the runtime share for the critical's name; only clang's is known. */
static void *name_word(void)
{
    void *word = 0;
#if defined(__clang__) && defined(__x86_64__)
    __asm__("leaq .gomp_critical_user_till.var(%%rip), %0" : "=r"(word));
#endif
    return word;
}

int main(void)
{
    truth_start("critical_named", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() != 3) {
            truth_await(&owner, 1);
            truth_waits("wait_critical", "critical", name_word(), truth_get(&owner), "till", __LINE__ + 1);
        }
#pragma omp critical(till)
        {
            truth_set(&owner, truth_tid());
            truth_works();
            busy_here();
        }
    }
}
