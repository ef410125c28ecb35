// SPDX-License-Identifier: Apache-2.0
// What a stop must not lose: threads that are born while it is made, signals on their way, what else holds
// it.
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <set>
#include <string>

#include "corefiles/tests/child.h"

namespace
{

bool process_vm(pid_t pid, uint64_t addr, long *value)
{
    const iovec local = {value, sizeof *value}, remote = {reinterpret_cast<void *>(addr), sizeof *value};
    return process_vm_readv(pid, &local, 1, &remote, 1, 0) == sizeof *value;
}

// Tasks of PID that this process does not trace, but for those that have ended.
std::set<long> untraced(pid_t pid)
{
    std::set<long> found;
    const std::string path = "/proc/" + std::to_string(pid) + "/task";
    DIR *dir = opendir(path.c_str());
    while (const dirent *entry = readdir(dir)) {
        FILE *f = fopen((path + "/" + entry->d_name + "/status").c_str(), "re");
        char line[256], state = 'X';
        long tracer = 0;
        while (f != nullptr && fgets(line, sizeof line, f) != nullptr) {
            (void)!sscanf(line, "State: %c", &state);
            (void)!sscanf(line, "TracerPid: %ld", &tracer);
        }
        if (f != nullptr)
            fclose(f);
        if (atol(entry->d_name) > 0 && state != 'Z' && state != 'X' && tracer != getpid())
            found.insert(atol(entry->d_name));
    }
    closedir(dir);
    return found;
}

void start(void *(*body)(void *), void *arg)
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &small, body, arg);
    pthread_attr_destroy(&small);
}

// Each lives only until it has started the next.
void *runner(void *arg)
{
    start(runner, arg);
    return nullptr;
}

TEST(Live, NoThreadIsBornUnseen)
{
    Child child([](Shared *s) {
        for (int i = 0; i < 16; i++)
            start(runner, s);
        s->ready = 1;
        pause();
    });
    wait_for(child.shared->ready, 1);
    int whole = 0;
    for (int i = 0; i < 100; i++) {
        Held held(child.pid);
        insp_host host;
        insp_thread thread;
        bool running = false;
        cf_host(held.target, &host);
        for (uint32_t k = 0; host.thread(host.ctx, k, &thread) == 0; k++)
            running |= thread.running;
        // On a machine that is so busy that a thread did not stop in time nothing follows.
        if (running)
            continue;
        whole++;
        EXPECT_EQ(untraced(child.pid), std::set<long>());
    }
    EXPECT_GT(whole, 0);
}

std::atomic<long> *handled;

void count(int /*signal*/)
{
    ++*handled;
}

void *raise_often(void *arg)
{
    Shared *s = static_cast<Shared *>(arg);
    while (s->stop == 0) {
        // Real-time signals queue: none may be lost, and none is merged with another.
        pthread_kill(pthread_self(), SIGRTMIN);
        s->sent++;
    }
    s->done++;
    return nullptr;
}

TEST(Live, NoSignalIsLost)
{
    enum { THREADS = 4 };
    Child child([](Shared *s) {
        handled = &s->handled;
        signal(SIGRTMIN, count);
        for (int i = 0; i < THREADS; i++)
            start(raise_often, s);
        s->ready = 1;
        wait_for(s->stop, 2);
    });
    wait_for(child.shared->ready, 1);
    for (int i = 0; i < 120; i++)
        Held held(child.pid);
    child.shared->stop = 1;
    wait_for(child.shared->done, THREADS);
    EXPECT_EQ(child.shared->handled, child.shared->sent);
    EXPECT_GT(child.shared->sent, 0);
    child.shared->stop = 2;
}

// Whoever calls vfork waits in the kernel until its child ends, and cannot be stopped before.
void *forker(void *arg)
{
    Shared *s = static_cast<Shared *>(arg);
    if (vfork() == 0) {
        s->ready = 1;
        while (s->stop == 0)
            usleep(100);
        _exit(0);
    }
    s->done = 1;
    pause();
    return nullptr;
}

TEST(Live, AThreadThatStopsLateIsLetGo)
{
    Child child([](Shared *s) {
        start(forker, s);
        pause();
    });
    wait_for(child.shared->ready, 1);
    // The second time it is seized already, by this process.
    for (int i = 0; i < 2; i++) {
        Held held(child.pid);
        ASSERT_NE(held.target, nullptr);
        insp_host host;
        insp_thread thread;
        int threads = 0, running = 0;
        cf_host(held.target, &host);
        for (uint32_t k = 0; host.thread(host.ctx, k, &thread) == 0; k++, threads++)
            running += thread.running;
        EXPECT_EQ(threads, 2);
        EXPECT_GE(running, 1);
    }
    EXPECT_EQ(untraced(child.pid).size(), 1U);
    child.shared->stop = 1;
    // Nothing is asked of the library any more.
    for (int i = 0; i < 200000 && child.shared->done == 0; i++)
        usleep(100);
    EXPECT_EQ(child.shared->done, 1);
    EXPECT_EQ(untraced(child.pid).size(), 2U);
}

void stay_on(int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
}

// It stops when it gets the processor, which a real-time program leaves to others for a moment each second.
// Bazel's sandbox allows no such priority: run the program itself, as root.
TEST(Live, AThreadThatWaitsForAProcessorStops)
{
    const int cpu = sched_getcpu();
    Child child([cpu](Shared *s) {
        stay_on(cpu);
        s->ready = 1;
        pause();
    });
    wait_for(child.shared->ready, 1);
    Child computing([cpu](Shared *s) {
        const sched_param lowest = {.sched_priority = 1};
        stay_on(cpu);
        s->error = sched_setscheduler(0, SCHED_FIFO, &lowest) == 0 ? 0 : errno;
        for (s->ready = 1; s->error == 0;)
            ++s->sent;
    });
    wait_for(computing.shared->ready, 1);
    if (computing.shared->error != 0)
        GTEST_SKIP() << "no real-time priority: " << strerror(static_cast<int>(computing.shared->error));
    Held held(child.pid);
    ASSERT_NE(held.target, nullptr);
    insp_host host;
    insp_thread thread;
    cf_host(held.target, &host);
    ASSERT_EQ(host.thread(host.ctx, 0, &thread), 0);
    EXPECT_FALSE(thread.running);
    EXPECT_EQ(untraced(child.pid), std::set<long>());
}

TEST(Live, TwoThousandThreads)
{
    enum { THREADS = 2000 };
    Child child([](Shared *s) {
        for (int i = 0; i < THREADS; i++)
            start(
                [](void *arg) -> void * {
                    ++static_cast<Shared *>(arg)->sent;
                    pause();
                    return nullptr;
                },
                s);
        pause();
    });
    wait_for(child.shared->sent, THREADS);
    std::set<int64_t> seen;
    {
        Held held(child.pid);
        insp_host host;
        insp_thread thread;
        cf_host(held.target, &host);
        for (uint32_t k = 0; host.thread(host.ctx, k, &thread) == 0; k++) {
            EXPECT_NE(thread.pthread, 0U);
            seen.insert(thread.lwp);
        }
        EXPECT_EQ(untraced(child.pid), std::set<long>());
    }
    EXPECT_EQ(seen.size(), THREADS + 1U);
    EXPECT_EQ(untraced(child.pid).size(), THREADS + 1U);
}

// Another debugger has one thread, not the first: it is named, and the others go on.
TEST(Live, OneThreadIsDebugged)
{
    Child child([](Shared *s) {
        start(
            [](void *arg) -> void * {
                static_cast<Shared *>(arg)->ready = syscall(SYS_gettid);
                pause();
                return nullptr;
            },
            s);
        for (;;)
            s->sent++;
    });
    wait_for(child.shared->ready, 1);
    const pid_t tid = static_cast<pid_t>(child.shared->ready);
    Child debugger([&](Shared *s) {
        s->result = ptrace(PTRACE_SEIZE, tid, nullptr, nullptr);
        s->ready = 1;
        pause();
    });
    wait_for(debugger.shared->ready, 1);
    ASSERT_EQ(debugger.shared->result, 0);
    cf_target *target = nullptr;
    char *error = nullptr;
    ASSERT_NE(cf_open_process(child.pid, nullptr, &target, &error), 0);
    EXPECT_NE(std::string(error).find("is being debugged by process " + std::to_string(debugger.pid)),
              std::string::npos)
        << error;
    free(error);
    wait_for(child.shared->sent, child.shared->sent + 1);
    EXPECT_EQ(untraced(child.pid).size(), 2U);
}

// Killed while it is held: what was read stays, the rest is missing, and nothing waits for it.
TEST(Live, KilledWhileHeld)
{
    Child child([](Shared *s) {
        for (int i = 0; i < 8; i++)
            start(
                [](void *arg) -> void * {
                    ++static_cast<Shared *>(arg)->ready;
                    pause();
                    return nullptr;
                },
                s);
        pause();
    });
    wait_for(child.shared->ready, 8);
    Held held(child.pid);
    insp_host host;
    insp_thread thread;
    cf_host(held.target, &host);
    static char pages[3 * 4096] __attribute__((aligned(4096)));
    const uint64_t known = reinterpret_cast<uint64_t>(&child.shared->ready),
                   other = reinterpret_cast<uint64_t>(pages) + 4096;
    long value = 0;
    ASSERT_EQ(host.read(host.ctx, known, &value, sizeof value), 0);
    kill(child.pid, SIGKILL);
    // Its memory goes when its last thread has.
    for (long test; process_vm(child.pid, other, &test);)
        usleep(100);
    value = 0;
    EXPECT_EQ(host.read(host.ctx, known, &value, sizeof value), 0);
    EXPECT_EQ(value, 8);
    EXPECT_LT(host.read(host.ctx, other, &value, sizeof value), 0);
    cf_resume(held.target);
    uint32_t count = 0;
    for (; host.thread(host.ctx, count, &thread) == 0; count++) {
        const char *why = nullptr;
        const int rc = cf_stack(
            held.target, thread.lwp, 0, [](const cf_frame * /*frame*/, void * /*arg*/) { return 0; }, nullptr,
            &why);
        EXPECT_TRUE(rc == 0 || why != nullptr);
    }
    EXPECT_EQ(count, 9U);
}

// Its parent, another process, learns of it while we still run.
TEST(Live, KilledWhileHeldBesideItsParent)
{
    Child parent([](Shared *s) {
        const pid_t pid = fork();
        if (pid == 0) {
            start(
                [](void *arg) -> void * {
                    static_cast<Shared *>(arg)->ready = getpid();
                    pause();
                    return nullptr;
                },
                s);
            pause();
        }
        int status = 0;
        waitpid(pid, &status, 0);
        s->result = WTERMSIG(status);
        s->done = 1;
        pause();
    });
    wait_for(parent.shared->ready, 1);
    const pid_t pid = static_cast<pid_t>(parent.shared->ready);
    Held held(pid);
    kill(pid, SIGKILL);
    cf_resume(held.target);
    wait_for(parent.shared->done, 1);
    EXPECT_EQ(parent.shared->result, SIGKILL);
}

// A process goes on when its first thread has ended, but /proc/PID says then that it has no memory.
TEST(Live, FirstThreadHasEnded)
{
    Child child([](Shared *s) {
        start(
            [](void *arg) -> void * {
                static_cast<Shared *>(arg)->ready = 1;
                pause();
                return nullptr;
            },
            s);
        syscall(SYS_exit, 0); // of this thread alone
    });
    wait_for(child.shared->ready, 1);
    const std::string path = "/proc/" + std::to_string(child.pid) + "/stat";
    for (char state = 'R'; state != 'Z';) {
        FILE *f = fopen(path.c_str(), "re");
        ASSERT_NE(f, nullptr);
        ASSERT_EQ(fscanf(f, "%*d (%*[^)]) %c", &state), 1);
        fclose(f);
    }
    Held held(child.pid);
    ASSERT_NE(held.target, nullptr);
    insp_host host;
    insp_thread thread;
    cf_host(held.target, &host);
    ASSERT_EQ(host.thread(host.ctx, 0, &thread), 0);
    EXPECT_NE(thread.lwp, child.pid);
    EXPECT_EQ(thread.running, 0);
    // It is in the list, as what it is.
    insp_kernel kernel;
    insp_system_call call;
    const char *why = nullptr;
    ASSERT_EQ(host.thread(host.ctx, 1, &thread), 0);
    EXPECT_EQ(thread.lwp, child.pid);
    EXPECT_EQ(thread.running, 0);
    EXPECT_EQ(host.thread(host.ctx, 2, &thread), 1);
    ASSERT_EQ(host.kernel(host.ctx, child.pid, &kernel), 0);
    EXPECT_EQ(kernel.state, 'Z');
    EXPECT_EQ(host.system_call(host.ctx, child.pid, &call), 1);
    EXPECT_LT(cf_stack(
                  held.target, child.pid, 0, [](const cf_frame * /*frame*/, void * /*arg*/) { return 0; },
                  nullptr, &why),
              0);
    long value = 0;
    ASSERT_EQ(host.read(host.ctx, reinterpret_cast<uint64_t>(&child.shared->ready), &value, sizeof value), 0);
    EXPECT_EQ(value, 1);
}

// What was read while it stood still is what is read afterwards, whatever the process has done since.
TEST(Live, MemoryOfTheMoment)
{
    Child child([](Shared *s) {
        s->ready = 1;
        for (;;)
            s->sent++;
    });
    wait_for(child.shared->ready, 1);
    Held held(child.pid);
    insp_host host;
    cf_host(held.target, &host);
    const uint64_t addr = reinterpret_cast<uint64_t>(&child.shared->sent);
    static char pages[2 * 4096] __attribute__((aligned(4096)));
    const uint64_t first = reinterpret_cast<uint64_t>(pages);
    long before, after, other;
    ASSERT_EQ(host.read(host.ctx, addr, &before, sizeof before), 0);
    EXPECT_EQ(before, child.shared->sent);
    ASSERT_EQ(host.read(host.ctx, first, &other, sizeof other), 0);
    cf_resume(held.target);
    wait_for(child.shared->sent, before + 1);
    ASSERT_EQ(host.read(host.ctx, addr, &after, sizeof after), 0);
    EXPECT_EQ(after, before);
    // A page that was not read then is not to be had, nor what begins on one that was.
    EXPECT_EQ(host.read(host.ctx, first + 4096 - sizeof other, &other, sizeof other), 0);
    EXPECT_LT(host.read(host.ctx, first + 4096, &other, sizeof other), 0);
    EXPECT_LT(host.read(host.ctx, first + 4096 - 4, &other, sizeof other), 0);
}

} // namespace
