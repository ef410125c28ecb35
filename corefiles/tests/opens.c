/* SPDX-License-Identifier: Apache-2.0 */
/* Tells where two of its variables are, then aborts, or with an argument waits. One has its name in another
   file (opens_alt.s). */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    void *word;
} omp_lock_t;

struct {
    long filler;
    omp_lock_t locks[4];
} grid;

__attribute__((weak)) extern long shared_word;

int main(int argc, char **argv)
{
    (void)argv;
    printf("%lu %lu\n", (unsigned long)&grid.locks[2], (unsigned long)&shared_word);
    fflush(stdout);
    if (argc == 1)
        abort();
    pause();
    return 0;
}
