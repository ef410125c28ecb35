// SPDX-License-Identifier: Apache-2.0
// A thread that is blocked in a system call goes on undisturbed, however often its process is looked at.
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>

#include <string>

#include "corefiles/tests/child.h"

namespace
{

// A system call in which a thread sleeps, until word `stop` or a byte in the pipe ends it. Returns its errno,
// 0 fine.
struct Sleeper {
    const char *name;
    long number;
    int (*sleep)(Shared *s, int from);
};

timespec a_while()
{
    return {600, 0};
}

// A wait that the kernel begins anew finds the word changed when that happens to come first: so a futex ends,
// too.
int wait_for_stop(Shared *s, const timespec *limit)
{
    return syscall(SYS_futex, &s->stop, FUTEX_WAIT, 0, limit, nullptr, 0) == 0 || (errno == EAGAIN && s->stop)
               ? 0
               : errno;
}

const Sleeper SLEEPERS[] = {
    {"read", SYS_read,
     [](Shared * /*s*/, int from) {
         char byte = 0;
         return read(from, &byte, 1) == 1 && byte == 'x' ? 0 : errno;
     }},
    {"poll", SYS_poll,
     [](Shared * /*s*/, int from) {
         pollfd one = {from, POLLIN, 0};
         return poll(&one, 1, 600000) == 1 ? 0 : errno;
     }},
    {"select", SYS_pselect6,
     [](Shared * /*s*/, int from) {
         timespec time = a_while();
         fd_set set;
         FD_ZERO(&set);
         FD_SET(from, &set);
         return syscall(SYS_pselect6, from + 1, &set, nullptr, nullptr, &time, nullptr) == 1 ? 0 : errno;
     }},
    {"futex", SYS_futex, [](Shared *s, int /*from*/) { return wait_for_stop(s, nullptr); }},
    {"futex with a limit", SYS_futex,
     [](Shared *s, int /*from*/) {
         timespec time = a_while();
         return wait_for_stop(s, &time);
     }},
};

// Waits until the first thread of PID is in the system call, or in what the kernel has made of one with a
// time limit.
void wait_for_call(pid_t pid, long number)
{
    const std::string path = "/proc/" + std::to_string(pid) + "/syscall";
    for (long found = -1; found != number && found != SYS_restart_syscall;) {
        FILE *f = fopen(path.c_str(), "re");
        ASSERT_NE(f, nullptr);
        if (fscanf(f, "%ld", &found) != 1)
            found = -1;
        fclose(f);
    }
}

TEST(Live, SystemCallsGoOn)
{
    for (const Sleeper &sleeper : SLEEPERS) {
        SCOPED_TRACE(sleeper.name);
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        Child child([&](Shared *s) {
            s->error = sleeper.sleep(s, ends[0]);
            s->done = 1;
            pause();
        });
        wait_for_call(child.pid, sleeper.number);
        for (int i = 0; i < 20; i++)
            Held held(child.pid);
        wait_for_call(child.pid, sleeper.number);
        EXPECT_EQ(child.shared->done, 0);
        ASSERT_EQ(write(ends[1], "x", 1), 1);
        child.shared->stop = 1;
        while (child.shared->done == 0) {
            syscall(SYS_futex, &child.shared->stop, FUTEX_WAKE, 1, nullptr, nullptr, 0);
            usleep(100);
        }
        EXPECT_EQ(child.shared->error, 0) << strerror(static_cast<int>(child.shared->error));
        close(ends[0]);
        close(ends[1]);
    }
}

// A sleep is as long as it was, however often it is looked at: neither cut short nor begun anew.
TEST(Live, SleepKeepsItsEnd)
{
    Child child([](Shared *s) {
        timespec left = {0, 0}, time = {0, 300 * 1000 * 1000}, before, after;
        clock_gettime(CLOCK_MONOTONIC, &before);
        s->error = syscall(SYS_nanosleep, &time, &left) == 0 ? 0 : errno;
        clock_gettime(CLOCK_MONOTONIC, &after);
        s->sent = after.tv_nsec - before.tv_nsec + (after.tv_sec - before.tv_sec) * 1000000000;
        s->done = 1;
        pause();
    });
    int looks = 0;
    for (; child.shared->done == 0; looks++)
        Held held(child.pid);
    EXPECT_GT(looks, 1);
    EXPECT_EQ(child.shared->error, 0);
    EXPECT_GE(child.shared->sent, 300 * 1000 * 1000);
}

} // namespace
