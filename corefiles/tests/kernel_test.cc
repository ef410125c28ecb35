// SPDX-License-Identifier: Apache-2.0
// What the kernel says of threads: the arguments are those that the program has given.
#include <elf.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "corefiles/tests/child.h"

namespace
{

int64_t now(clockid_t clock)
{
    timespec time = {};
    clock_gettime(clock, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// What /proc shows of a thread, read anew.
std::string of_thread(pid_t pid, pid_t tid, const char *name)
{
    const std::string path = "/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/" + name;
    char line[2048] = "";
    FILE *f = fopen(path.c_str(), "re");
    if (f != nullptr) {
        (void)!fgets(line, sizeof line, f);
        fclose(f);
    }
    return line;
}

char state_of(pid_t pid, pid_t tid)
{
    const std::string stat = of_thread(pid, tid, "stat");
    const size_t at = stat.rfind(") ");
    return at == std::string::npos ? '?' : stat[at + 2];
}

void wait_for_state(pid_t pid, pid_t tid, char state)
{
    while (state_of(pid, tid) != state)
        usleep(100);
}

void start(void *(*body)(void *), void *arg)
{
    pthread_t thread;
    pthread_create(&thread, nullptr, body, arg);
}

// A target that runs on.
struct Moving {
    cf_target *target = nullptr;
    char *error = nullptr;
    explicit Moving(pid_t pid)
    {
        cf_options options = {};
        options.size = sizeof options;
        options.no_stop = 1;
        EXPECT_EQ(cf_open_process(pid, &options, &target, &error), 0) << error;
    }
    ~Moving()
    {
        cf_close(target);
        free(error);
    }
};

TEST(Kernel, ArgumentsOfAFutex)
{
    Child child([](Shared *s) {
        timespec limit = {600, 0};
        s->ready = 1;
        syscall(SYS_futex, &s->stop, FUTEX_WAIT, 0, &limit, nullptr, 0);
    });
    wait_for(child.shared->ready, 1);
    wait_for_state(child.pid, child.pid, 'S');
    insp_system_call call = {};
    insp_kernel kernel = {};
    insp_host host;
    {
        Moving moving(child.pid);
        cf_host(moving.target, &host);
        ASSERT_EQ(host.system_call(host.ctx, child.pid, &call), 0);
        EXPECT_EQ(call.inside, 1);
        EXPECT_EQ(call.number, SYS_futex);
        EXPECT_EQ(call.arg[0], reinterpret_cast<uint64_t>(&child.shared->stop));
    }
    Held held(child.pid);
    cf_host(held.target, &host);
    for (int round = 0; round < 2; round++) {
        call = {};
        ASSERT_EQ(host.system_call(host.ctx, child.pid, &call), 0);
        EXPECT_EQ(call.machine, EM_X86_64);
        EXPECT_EQ(call.inside, 0);
        EXPECT_EQ(call.number, SYS_futex);
        EXPECT_EQ(call.arg[0], reinterpret_cast<uint64_t>(&child.shared->stop));
        EXPECT_EQ(call.arg[1], static_cast<uint64_t>(FUTEX_WAIT));
        EXPECT_EQ(call.result, -516); // ERESTART_RESTARTBLOCK
        // Its argument can be read when the process has gone on.
        timespec limit = {};
        ASSERT_EQ(host.read(host.ctx, call.arg[3], &limit, sizeof limit), 0);
        EXPECT_EQ(limit.tv_sec, 600);
        const int64_t realtime = now(CLOCK_REALTIME), monotonic = now(CLOCK_MONOTONIC);
        ASSERT_EQ(host.kernel(host.ctx, child.pid, &kernel), 0);
        EXPECT_EQ(kernel.state, 'S');
        EXPECT_GE(kernel.processor, 0);
        EXPECT_EQ(kernel.target_tid, 0);
        EXPECT_GE(kernel.realtime, realtime);
        EXPECT_LE(kernel.realtime, now(CLOCK_REALTIME));
        EXPECT_GE(kernel.monotonic, monotonic);
        EXPECT_LE(kernel.monotonic, now(CLOCK_MONOTONIC));
        cf_resume(held.target);
    }
    EXPECT_LT(host.system_call(host.ctx, child.pid + 1, &call), 0);
    EXPECT_EQ(host.kernel(host.ctx, child.pid + 1, &kernel), 1);
}

// One that computes is in no call, and uses processor time.
TEST(Kernel, Computes)
{
    Child child([](Shared *s) {
        s->ready = 1;
        for (;;)
            s->sent++;
    });
    wait_for(child.shared->ready, 1);
    insp_host host;
    insp_system_call call;
    insp_kernel kernel;
    uint64_t used = 0;
    while (used < 50 * 1000 * 1000) {
        Held held(child.pid);
        cf_host(held.target, &host);
        EXPECT_EQ(host.system_call(host.ctx, child.pid, &call), 1);
        ASSERT_EQ(host.kernel(host.ctx, child.pid, &kernel), 0);
        EXPECT_GE(kernel.cpu_ns, used);
        EXPECT_EQ(kernel.state, 'R');
        used = kernel.cpu_ns;
    }
}

// What the descriptors of calls were, after the process has gone on and closed them.
TEST(Kernel, Descriptors)
{
    int ends[2], other[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(pipe(other), 0);
    const std::string expected = "/proc/self/fd/" + std::to_string(ends[0]);
    char one[64] = "", two[64] = "";
    ASSERT_GT(readlink(expected.c_str(), one, sizeof one - 1), 0);
    ASSERT_GT(readlink(("/proc/self/fd/" + std::to_string(other[0])).c_str(), two, sizeof two - 1), 0);
    Child child([&](Shared *s) {
        static int from;
        from = ends[0];
        close(ends[1]);
        start(
            [](void *arg) -> void * {
                Shared *shared = static_cast<Shared *>(arg);
                char byte;
                shared->handled = syscall(SYS_gettid);
                (void)!read(from, &byte, 1);
                return nullptr;
            },
            s);
        pollfd list[2] = {{other[0], POLLIN, 0}, {-1, 0, 0}};
        wait_for(s->handled, 1);
        s->ready = 1;
        poll(list, 2, -1);
        for (int fd : {ends[0], other[0]})
            close(fd);
        s->done = 1;
        pause();
    });
    wait_for(child.shared->ready, 1);
    const pid_t tid = static_cast<pid_t>(child.shared->handled);
    wait_for_state(child.pid, child.pid, 'S');
    wait_for_state(child.pid, tid, 'S');
    Held held(child.pid);
    insp_host host;
    insp_system_call call;
    const char *link = nullptr;
    cf_host(held.target, &host);
    ASSERT_EQ(host.system_call(host.ctx, tid, &call), 0);
    EXPECT_EQ(call.number, SYS_read);
    EXPECT_EQ(call.arg[0], static_cast<uint64_t>(ends[0]));
    ASSERT_EQ(host.descriptor(host.ctx, ends[0], &link), 0);
    EXPECT_STREQ(link, one);
    cf_resume(held.target);
    ASSERT_EQ(write(other[1], "x", 1), 1);
    wait_for(child.shared->done, 1);
    ASSERT_EQ(host.descriptor(host.ctx, ends[0], &link), 0);
    EXPECT_STREQ(link, one);
    ASSERT_EQ(host.descriptor(host.ctx, other[0], &link), 0);
    EXPECT_STREQ(link, two);
    // Nobody was in a call with it.
    EXPECT_EQ(host.descriptor(host.ctx, other[1], &link), 1);
    EXPECT_EQ(host.descriptor(host.ctx, -1, &link), 1);
    EXPECT_EQ(host.descriptor(host.ctx, 1 << 30, &link), 1);
    for (int fd : {ends[0], ends[1], other[0], other[1]})
        close(fd);
}

// The state is the one before the stop.
TEST(Kernel, StoppedByASignal)
{
    Child child([](Shared *s) {
        s->ready = 1;
        for (;;)
            pause();
    });
    wait_for(child.shared->ready, 1);
    kill(child.pid, SIGSTOP);
    wait_for_state(child.pid, child.pid, 'T');
    {
        Held held(child.pid);
        insp_host host;
        insp_kernel kernel;
        cf_host(held.target, &host);
        ASSERT_EQ(host.kernel(host.ctx, child.pid, &kernel), 0);
        EXPECT_EQ(kernel.state, 'T');
    }
    wait_for_state(child.pid, child.pid, 'T');
    kill(child.pid, SIGCONT);
    wait_for_state(child.pid, child.pid, 'S');
}

// The parent of a vfork cannot be stopped: what /proc says of it is known all the same.
TEST(Kernel, CannotBeStopped)
{
    Child child([](Shared *s) {
        start(
            [](void *arg) -> void * {
                Shared *shared = static_cast<Shared *>(arg);
                shared->handled = syscall(SYS_gettid);
                if (vfork() == 0) {
                    shared->ready = 1;
                    while (shared->stop == 0)
                        usleep(100);
                    _exit(0);
                }
                pause();
                return nullptr;
            },
            s);
        pause();
    });
    wait_for(child.shared->ready, 1);
    const pid_t tid = static_cast<pid_t>(child.shared->handled);
    wait_for_state(child.pid, tid, 'D');
    {
        Held held(child.pid);
        insp_host host;
        insp_kernel kernel;
        insp_system_call call;
        cf_host(held.target, &host);
        cf_resume(held.target);
        ASSERT_EQ(host.kernel(host.ctx, tid, &kernel), 0);
        EXPECT_EQ(kernel.state, 'D');
        ASSERT_EQ(host.system_call(host.ctx, tid, &call), 0);
        EXPECT_EQ(call.inside, 1);
        EXPECT_EQ(call.number, strtol(of_thread(child.pid, tid, "syscall").c_str(), nullptr, 10));
    }
    child.shared->stop = 1;
}

// Whose a thread of another process is, and what the program was started with.
TEST(Kernel, ProcessesAndEnvironment)
{
    Child parent([](Shared *s) {
        const pid_t pid = fork();
        if (pid == 0) {
            s->ready = getpid();
            pause();
        }
        pause();
    });
    wait_for(parent.shared->ready, 1);
    const pid_t pid = static_cast<pid_t>(parent.shared->ready);
    {
        Held held(pid);
        insp_host host;
        int64_t process = 0;
        int32_t is_parent = -1;
        const char *text = nullptr;
        cf_host(held.target, &host);
        cf_resume(held.target);
        ASSERT_EQ(host.task(host.ctx, parent.pid, &process, &is_parent), 0);
        EXPECT_EQ(process, parent.pid);
        EXPECT_EQ(is_parent, 1);
        ASSERT_EQ(host.task(host.ctx, getpid(), &process, &is_parent), 0);
        EXPECT_EQ(process, getpid());
        EXPECT_EQ(is_parent, 0);
        EXPECT_EQ(host.task(host.ctx, (1 << 22) - 1, &process, &is_parent), 1);
        // A forked process has that of this one.
        FILE *f = fopen("/proc/self/environ", "re");
        ASSERT_NE(f, nullptr);
        char *expected = nullptr;
        size_t size = 0;
        uint32_t count = 0;
        for (; getdelim(&expected, &size, 0, f) > 0; count++) {
            ASSERT_EQ(host.environment(host.ctx, count, &text), 0);
            EXPECT_STREQ(text, expected);
        }
        free(expected);
        fclose(f);
        EXPECT_EQ(host.environment(host.ctx, count, &text), 1);
        EXPECT_EQ(host.environment(host.ctx, 0, &text), count ? 0 : -1);
    }
    kill(pid, SIGKILL);
}

} // namespace
