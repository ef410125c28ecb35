/* SPDX-License-Identifier: Apache-2.0 */
/* A structure of the name and the size of that in spelled_b.c, and its variable comes first: no lock is
   behind it. */
#include <stdlib.h>

struct node {
    int *value;
    void *filler;
};
struct node *aa_table;

void make_a(void);
void make_a(void)
{
    aa_table = malloc(4 * sizeof(*aa_table));
    aa_table[0].value = malloc(4);
}
