/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * fork() between regions: the child, which has none of the team's threads, uses OpenMP, and so do its own
 * child and the parent afterwards.
 */
#include "robust.h"
#include "work.h"

static int grandchild(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(work(3) + work(2));
    int status = robust_child_status(child, 20);
    return status != 0;
}

int main(void)
{
    /* A child of a process that has not used OpenMP yet. */
    pid_t early = fork();
    if (early == 0)
        _exit(work(4));
    EXPECT(robust_child_status(early, 20) == 0);

    EXPECT(work(4) == 0);
    for (int round = 0; round < 12; round++) {
        pid_t child = fork();
        if (child == 0)
            _exit(work(4) + work(1) + work(2 + round % 5) + (round % 4 == 0 ? grandchild() : 0));
        EXPECT(work(4) == 0);
        EXPECT(robust_child_status(child, 20) == 0);
    }

    /* exit() instead of _exit(): the destructors of the library run in the child. */
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        exit(work(4));
    EXPECT(robust_child_status(child, 20) == 0);

    /* Several children at the same time, none of which is waited for before the parent goes on. */
    pid_t many[6];
    for (int i = 0; i < 6; i++) {
        many[i] = fork();
        if (many[i] == 0)
            _exit(work(3));
    }
    EXPECT(work(4) == 0);
    for (int i = 0; i < 6; i++)
        EXPECT(robust_child_status(many[i], 30) == 0);

    /* A child that uses no OpenMP at all and ends. */
    child = fork();
    if (child == 0)
        exit(5);
    EXPECT(robust_child_status(child, 20) == 5);
    EXPECT(work(5) == 0);
    return robust_end();
}
