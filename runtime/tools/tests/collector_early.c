/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A collector that is initialised before the runtime (row 9 of the checklist). Built twice: with LIBRARY the
 * collector, whose constructor opens a session; without, the program, which is linked with the runtime first
 * and this library behind it, so that the loader initialises them the other way round.
 */
#define _GNU_SOURCE
#include <stdio.h>

#include "omp_collector_api.h"

extern int forks_seen(void), was_early(void);

#ifdef LIBRARY
#include <dlfcn.h>
#include <string.h>

static int forks, early, started = -1, again = -1;

static void on_fork(OMP_COLLECTORAPI_EVENT event)
{
    forks += event == OMP_EVENT_FORK;
}

/** The runtime's own answer: what it publishes for debuggers when it starts (OpenMP 5.2 section 20.2.2). */
static int runtime_is_up(void)
{
    const char *const **locations = dlsym(RTLD_DEFAULT, "ompd_dll_locations");
    return locations != NULL && *locations != NULL;
}

__attribute__((constructor)) static void collect(void)
{
    int (*api)(void *) = (int (*)(void *))dlsym(RTLD_DEFAULT, OMP_COLLECTOR_API);
    struct {
        int start[4], reg[5], callback[2], again[4], end;
    } list = {{16, OMP_REQ_START, -7, -7},
              {28, OMP_REQ_REGISTER, -7, -7, OMP_EVENT_FORK},
              {0},
              {16, OMP_REQ_START, -7, -7},
              0};
    void (*callback)(OMP_COLLECTORAPI_EVENT) = on_fork;
    int before = runtime_is_up();
    memcpy(list.callback, &callback, sizeof callback);
    if (api == NULL || api(&list) != 0)
        return;
    started = list.start[2];
    again = list.again[2];
    early = !before && runtime_is_up() && started == OMP_ERRCODE_OK && again == OMP_ERRCODE_SEQUENCE_ERR;
}

int forks_seen(void)
{
    return forks;
}

int was_early(void)
{
    return early;
}
#else
int main(void)
{
    for (int i = 0; i < 5; i++)
#pragma omp parallel num_threads(2)
    {
    }
    printf("early %d forks %d\n", was_early(), forks_seen());
    return 0;
}
#endif
