// SPDX-License-Identifier: Apache-2.0
// What a stop must not lose: threads that are born while it is made, signals on their way, a read() that waits. The
// other process is a child of this one and keeps its own count of what happened to it in shared memory.
#include <dirent.h>
#include <errno.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <set>
#include <string>

#include "corefiles/corefiles.h"

namespace
{

struct Shared {
    std::atomic<long> ready, sent, handled, result, error, done, stop;
};

// A child that runs BODY, with what both see.
class Child
{
  public:
    explicit Child(const std::function<void(Shared *)> &body)
        : shared(static_cast<Shared *>(
              mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))),
          pid(fork())
    {
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            body(shared);
            _exit(0);
        }
    }
    ~Child()
    {
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
        munmap(shared, 4096);
    }
    Shared *shared;
    pid_t pid;
};

void wait_for(const std::atomic<long> &word, long value)
{
    while (word < value)
        usleep(100);
}

struct Held {
    cf_target *target = nullptr;
    char *error = nullptr;
    explicit Held(pid_t pid) { EXPECT_EQ(cf_open_process(pid, nullptr, &target, &error), 0) << error; }
    ~Held()
    {
        cf_close(target);
        free(error);
    }
};

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

TEST(Live, ReadGoesOn)
{
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    Child child([&](Shared *s) {
        char byte = 0;
        s->ready = 1;
        s->result = read(ends[0], &byte, 1);
        s->error = errno;
        s->sent = byte;
        s->done = 1;
        pause();
    });
    wait_for(child.shared->ready, 1);
    // Number 0 is read.
    const std::string path = "/proc/" + std::to_string(child.pid) + "/syscall";
    for (long number = -1; number != 0;) {
        FILE *f = fopen(path.c_str(), "re");
        ASSERT_NE(f, nullptr);
        if (fscanf(f, "%ld", &number) != 1)
            number = -1;
        fclose(f);
    }
    for (int i = 0; i < 20; i++)
        Held held(child.pid);
    EXPECT_EQ(child.shared->done, 0);
    ASSERT_EQ(write(ends[1], "x", 1), 1);
    wait_for(child.shared->done, 1);
    EXPECT_EQ(child.shared->result, 1) << strerror(static_cast<int>(child.shared->error));
    EXPECT_EQ(child.shared->sent, 'x');
    close(ends[0]);
    close(ends[1]);
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
    EXPECT_EQ(host.thread(host.ctx, 1, &thread), 1);
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
