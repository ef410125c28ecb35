/* SPDX-License-Identifier: Apache-2.0 */
/* A thread holds the dynamic linker's lock, and sleeps; another one wants it. */
#define _GNU_SOURCE
#include <link.h>
#include <omp.h>
#include <unistd.h>

#include "say.h"

static int inside;

static int each(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)info;
    (void)size;
    if (arg) {
        say_set(&inside, 1);
        SAY_SLEEP();
        sleep(SAY_LONG);
    }
    return 1;
}

int main(void)
{
    say_verdict(2, "none");
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            dl_iterate_phdr(each, &inside);
        } else {
            say_await(&inside, 1);
            SAY("loader", "futex", "%s", "");
            dl_iterate_phdr(each, NULL);
        }
        say_set(&inside, 2);
    }
}
