/* SPDX-License-Identifier: Apache-2.0 */
/* The library of f_mutex.F90. */
#include <pthread.h>

#include "say.h"

void table_lock(void);
void table_unlock(void);

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

void table_lock(void)
{
    pthread_mutex_lock(&table);
    say_after();
}

void table_unlock(void)
{
    pthread_mutex_unlock(&table);
    say_after();
}
