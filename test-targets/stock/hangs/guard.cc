// SPDX-License-Identifier: Apache-2.0
// A static variable's initialiser has a region, in which another member asks for that variable.
#include <omp.h>

#include "hang.h"

struct Table {
    Table();
    int rows = 0;
};

static Table &table()
{
    static Table made; // b
    return made;
}

Table::Table()
{
#pragma omp parallel num_threads(2) // region
    if (omp_get_thread_num() == 1) {
        say("b");
        rows = table().rows;
    } else {
        say("a");
    }
}

int main()
{
    return table().rows;
}
