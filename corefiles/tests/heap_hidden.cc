// SPDX-License-Identifier: Apache-2.0
// A lock that heap_waits.cc knows only as void *, and the variable by which this file knows it.
#include <omp.h>
#include <stdlib.h>

struct Store {
    long filler;
    omp_lock_t *locks;
};
Store *store;
extern const char hidden_expression[] = "store->locks[4]";

void *hidden_lock()
{
    if (!store) {
        store = static_cast<Store *>(calloc(1, sizeof(Store)));
        store->locks = static_cast<omp_lock_t *>(calloc(9, sizeof(omp_lock_t)));
    }
    return &store->locks[4];
}
