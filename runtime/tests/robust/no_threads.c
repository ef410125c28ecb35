/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads cannot be made: the kernel refuses them (a seccomp filter, or RLIMIT_NPROC), or there is no address
 * space for 5,000 stacks. The team is smaller, or a message says why the program ends; never a crash or a
 * hang.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "robust.h"

#include <omp.h>

/**
 * From now on clone(CLONE_THREAD) fails with EAGAIN and clone3 with ENOSYS, so that libc falls back to clone.
 */
static int refuse_threads(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x10000 /* CLONE_THREAD */, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

/** A team of what is possible; 0 if it was consistent. */
static int ask(int threads, int least, int most)
{
    int n = 0, team = 0, wrong = 0, sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    {
#pragma omp atomic
        n++;
#pragma omp single
        team = omp_get_num_threads();
        wrong += omp_get_thread_num() >= team;
#pragma omp for schedule(dynamic, 8) reduction(+ : sum)
        for (int i = 1; i <= 100; i++)
            sum += i;
    }
    return wrong + (n != team) + (sum != 5050) + (team < least) + (team > most);
}

static int mode(const char *name)
{
    if (strcmp(name, "first") == 0) { /* no team yet */
        if (refuse_threads())
            return 77;
        return ask(4, 1, 1) || ask(3, 1, 1) || ask(5000, 1, 1);
    }
    if (strcmp(name, "growing") == 0) { /* a team of 3 exists: what exists may be used */
        if (ask(3, 3, 3) || refuse_threads())
            return 77;
        return ask(3, 3, 3) || ask(5000, 1, 3) || ask(2, 2, 2) || ask(3, 3, 3);
    }
    if (strcmp(name, "nested") == 0) {
        int wrong = 0;
        omp_set_max_active_levels(2);
        if (ask(2, 2, 2) || refuse_threads())
            return 77;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
        {
            int inner = 0;
#pragma omp parallel num_threads(8) reduction(+ : inner)
            inner++;
            wrong += inner < 1;
        }
        return wrong;
    }
    if (strcmp(name, "space") == 0) { /* 5,000 stacks of 8 MB do not fit */
        struct rlimit space = {(rlim_t)700 << 20, (rlim_t)700 << 20};
        if (setrlimit(RLIMIT_AS, &space) != 0)
            return 77;
        return ask(5000, 1, 5000) || ask(4, 1, 4);
    }
    if (strcmp(name, "processes") == 0) {
        struct rlimit few = {24, 24};
        if (geteuid() == 0 && (setgid(61234) != 0 || setuid(61234) != 0))
            return 77;
        if (setrlimit(RLIMIT_NPROC, &few) != 0)
            return 77;
        return ask(5000, 1, 100) || ask(4, 1, 4);
    }
    return 78;
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {"first", "growing", "nested", "space", "processes"};
    static const char *const settings[] = {"OMP_STACKSIZE=8M", "OMP_DYNAMIC=false", NULL};
    if (argc > 1)
        return mode(argv[1]);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct outcome end = robust_again(modes[i], 30, settings);
        printf("%s: status %d, signal %d: %.300s\n", modes[i], end.exited, end.signal, end.words);
        EXPECT(end.exited == 0 || end.exited == 77 || robust_said_why(&end));
    }
    return robust_end();
}
