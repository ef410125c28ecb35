/* SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdlib.h>

struct node {
    omp_lock_t *lock;
    void *filler;
};
struct node *zz_table;

omp_lock_t *make_b(void);
omp_lock_t *make_b(void)
{
    zz_table = malloc(4 * sizeof(*zz_table));
    zz_table[2].lock = malloc(sizeof(omp_lock_t));
    return zz_table[2].lock;
}
