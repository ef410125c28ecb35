/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * membarrier(2) is refused, as by filters of containers and by old kernels: from the start, or from later on.
 * Threads that sleep for locks and criticals wake all the same.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "robust.h"

#include <omp.h>

enum { LOCKS = 20, THREADS = 6, ROUNDS = 60 };

/** What the program may do from now on; and what it starts, too. */
static int refuse(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int is_refused(void)
{
    return syscall(SYS_membarrier, 0, 0, 0) < 0;
}

/** Threads that wait for each other's locks, most of them asleep. 0: no count is wrong. */
static int crowd(void)
{
    static omp_lock_t locks[LOCKS];
    int counts[LOCKS] = {0}, inside = 0, wrong = 0;
    for (int i = 0; i < LOCKS; i++)
        omp_init_lock(&locks[i]);
#pragma omp parallel num_threads(THREADS)
    for (int round = 0; round < ROUNDS; round++) {
        int at = round % LOCKS;
        omp_set_lock(&locks[at]);
        int before = counts[at];
        if (round % 3 == 0)
            usleep(50);
        counts[at] = before + 1;
        omp_unset_lock(&locks[at]);
#pragma omp critical
        inside++;
    }
    for (int i = 0; i < LOCKS; i++)
        wrong += counts[i] != THREADS * ROUNDS / LOCKS;
    return wrong + (inside != THREADS * ROUNDS);
}

static int mode(const char *name)
{
    if (strcmp(name, "later") == 0 && !refuse())
        return 77;
    if (strcmp(name, "early") == 0) {
        if (!refuse())
            return 77;
        execl("/proc/self/exe", "robust", "refused", (char *)NULL);
        return 126;
    }
    if (!is_refused())
        return 78;
    return crowd();
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {"early", "later"};
    static const char *const policies[] = {"OMP_WAIT_POLICY=passive", "OMP_WAIT_POLICY=active"};
    if (argc > 1)
        return mode(argv[1]);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        for (size_t k = 0; k < sizeof policies / sizeof policies[0]; k++) {
            const char *const settings[] = {policies[k], NULL};
            struct outcome end = robust_again(modes[i], 60, settings);
            printf("%s, %s: status %d, signal %d: %.300s\n", modes[i], policies[k], end.exited, end.signal,
                   end.words);
            EXPECT(end.exited == 0);
        }
    EXPECT(crowd() == 0);
    return robust_end();
}
