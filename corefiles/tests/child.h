// SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Another process to look at: a child of the test that keeps its own count of what happened to it in shared
 * memory.
 */
#ifndef COREFILES_TESTS_CHILD_H
#define COREFILES_TESTS_CHILD_H

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>

#include "corefiles/corefiles.h"

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

inline void wait_for(const std::atomic<long> &word, long value)
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

#endif
