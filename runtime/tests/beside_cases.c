/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * See beside_cases.h. The calls that ask the kernel are replaced: rt_cpus_*_thread and sched_getcpu.
 */
#define _GNU_SOURCE
#include "runtime/tests/beside_cases.h"

#include <sched.h>
#include <string.h>

#include "runtime/core/attach.h"
#include "runtime/core/cpus.h"

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
int omp_get_thread_num(void);

static struct beside *made_up; /**< NULL: the calls are the kernel's */
static _Atomic int asked, bound, wrong, members;
static _Thread_local uint64_t own; /**< 0: not set yet */
static _Thread_local int is_creator;

static uint64_t mask_now(void)
{
    return own != 0 ? own : made_up->mask;
}

int __real_sched_getcpu(void);
int __wrap_sched_getcpu(void);
int __wrap_sched_getcpu(void)
{
    if (made_up == NULL)
        return __real_sched_getcpu();
    return is_creator ? made_up->creator : made_up->worker;
}

int __real_rt_cpus_of_thread(struct rt_cpus *set);
int __wrap_rt_cpus_of_thread(struct rt_cpus *set);
int __wrap_rt_cpus_of_thread(struct rt_cpus *set)
{
    if (made_up == NULL)
        return __real_rt_cpus_of_thread(set);
    asked++;
    memset(set, 0, sizeof *set);
    set->bits[0] = mask_now();
    return 0;
}

int __real_rt_cpus_bind_thread(const struct rt_cpus *set);
int __wrap_rt_cpus_bind_thread(const struct rt_cpus *set);
int __wrap_rt_cpus_bind_thread(const struct rt_cpus *set)
{
    if (made_up == NULL)
        return __real_rt_cpus_bind_thread(set);
    if (bound++ == 0)
        made_up->narrow = set->bits[0];
    if ((set->bits[0] & ~made_up->refused) == 0)
        return -1;
    own = set->bits[0];
    return 0;
}

static void member(void *unused)
{
    members++;
    if (mask_now() != made_up->mask)
        wrong++;
    (void)unused;
}

void beside_region(struct beside *beside, int threads)
{
    rt_me();
    rt_root.procs = (uint32_t)beside->processors;
    rt_root.binding = (uint32_t)beside->binding;
    is_creator = 1;
    made_up = beside;
    asked = bound = wrong = members = 0;
    GOMP_parallel(member, NULL, (unsigned)threads, 0);
    made_up = NULL;
    rt_root.binding = 0;
    beside->asked = asked;
    beside->bound = bound;
    beside->wrong = wrong;
    beside->members = members;
}

struct compared {
    struct rt_cpus primary;
    _Atomic int others;
};

static void compare(void *argument)
{
    struct compared *compared = argument;
    struct rt_cpus its_own;
    if (rt_cpus_of_thread(&its_own) != 0 || !rt_cpus_equal(&its_own, &compared->primary))
        compared->others++;
}

int beside_others(int threads)
{
    struct compared compared = {.others = 0};
    if (rt_cpus_of_thread(&compared.primary) != 0)
        return -1;
    GOMP_parallel(compare, &compared, (unsigned)threads, 0);
    return compared.others;
}
