// SPDX-License-Identifier: Apache-2.0
// A process made by hand for the tests of what threads do: registers, frames and memory as Linux, glibc and
// the C++ library leave them.
#ifndef INSPECT_TESTS_ACTIVITY_H
#define INSPECT_TESTS_ACTIVITY_H

#include "inspect/activity/activity.h"

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "inspect/model/model.h"
#include "inspect/model/words.h"
#include "inspect/tests/fake_host.h"

namespace
{

constexpr uint64_t kProgram = 0x555500000000, kLibc = 0x710000000000, kMpi = 0x720000000000,
                   kCxx = 0x730000000000, kLoader = 0x740000000000, kMusl = 0x750000000000, kSize = 0x200000,
                   kData = 0x600000000000;
constexpr int64_t kPid = 4242, kWaiter = 4243, kOwner = 4244;
constexpr int kRestartSys = -512, kRestartNoHand = -514, kRestartBlock = -516;

struct Activity : testing::Test {
    FakeHost host;
    insp_session *session = nullptr;
    insp_snapshot *snap = nullptr;
    unsigned want = INSP_THREADS | INSP_STACKS;
    uint64_t none_reads = 0;

    void SetUp() override
    {
        const std::pair<uint64_t, const char *> files[] = {{kProgram, "/apps/u/mixed"},
                                                           {kLibc, "/lib/x86_64-linux-gnu/libc.so.6"},
                                                           {kMpi, "/usr/lib/libmpi.so.40"},
                                                           {kCxx, "/usr/lib/libstdc++.so.6"},
                                                           {kLoader, "/lib64/ld-linux-x86-64.so.2"},
                                                           {kMusl, "/opt/musl/lib/libc.so"}};
        host.registers = true;
        for (auto &[base, path] : files) {
            std::vector<uint8_t> page = elf_page(0, 0, 0, kSize);
            host.put(base, page.data(), page.size());
            host.modules.push_back({base, path});
        }
        for (int64_t lwp : {kPid, kWaiter, kOwner})
            host.threads.push_back({lwp, 0, 0, lwp == kPid, 0});
    }
    void TearDown() override
    {
        insp_free(snap);
        insp_close(session);
    }

    // The thread stood so when it was stopped in the call of that number.
    void in_call(int64_t number, std::vector<uint64_t> args = {}, int64_t result = kRestartSys,
                 int64_t lwp = kWaiter)
    {
        insp_system_call call = {EM_X86_64, number, {}, result, 0};
        for (size_t i = 0; i < args.size(); i++)
            call.arg[i] = args[i];
        host.system_calls[lwp] = call;
    }
    void in_futex(uint64_t addr, int op, uint32_t value, uint64_t timeout = 0)
    {
        in_call(SYS_futex, {addr, static_cast<uint64_t>(op), value, timeout},
                timeout ? kRestartBlock : kRestartSys);
    }
    // Innermost first: "libc:name", "c++:", "mpi:", "loader:", "musl:", "user:"; no name: no symbol.
    void stack(const std::vector<std::string> &frames, int64_t lwp = kWaiter)
    {
        uint64_t at = 0x1000;
        host.frames[lwp].clear();
        for (const std::string &frame : frames) {
            std::string file = frame.substr(0, frame.find(':')), name = frame.substr(frame.find(':') + 1);
            uint64_t base = file == "libc"     ? kLibc
                            : file == "c++"    ? kCxx
                            : file == "mpi"    ? kMpi
                            : file == "loader" ? kLoader
                            : file == "musl"   ? kMusl
                                               : kProgram;
            bool user = file == "user";
            host.frames[lwp].push_back({base + at, name, user ? "mixed.cpp" : "", user ? 17 : 0, ""});
            at += 0x100;
        }
    }
    const mdl_activity &of(int64_t lwp = kWaiter)
    {
        insp_host table = host.table();
        insp_free(snap);
        insp_close(session);
        session = insp_open(&table, nullptr, nullptr);
        snap = insp_take(session, want, nullptr);
        return mdl_thread_by_lwp(snap, lwp)->activity;
    }
    std::string kind(int64_t lwp = kWaiter) { return mdl_word(&mdl_activity_words, of(lwp).kind); }
    std::string owner() const
    {
        const mdl_activity &a = mdl_thread_by_lwp(snap, kWaiter)->activity;
        return mdl_word(&mdl_owner_words, a.owner);
    }
    std::string unknown(const char *field) const
    {
        const mdl_thread *t = mdl_thread_by_lwp(snap, kWaiter);
        for (int i = 0; i < t->unknown_count; i++)
            if (!strcmp(t->unknown[i].field, field))
                return t->unknown[i].reason;
        return "";
    }
    // What is read of the process when no thread is in a call.
    uint64_t reads_of_none()
    {
        if (!none_reads) {
            auto calls = host.system_calls;
            insp_snapshot *kept = snap;
            snap = nullptr;
            host.system_calls.clear();
            of();
            none_reads = snap->stats.reads;
            insp_free(snap);
            snap = kept;
            host.system_calls = calls;
        }
        return none_reads;
    }
    // A mutex of glibc's at kData.
    void put_mutex(int lock, int owner, int mutex_kind)
    {
        pthread_mutex_t m = {};
        m.__data.__lock = lock;
        m.__data.__owner = owner;
        m.__data.__nusers = 1;
        m.__data.__kind = mutex_kind;
        host.put(kData, &m, sizeof(m));
    }
    void wait_for_mutex(int op = FUTEX_WAIT_PRIVATE, uint32_t value = 2)
    {
        in_futex(kData, op, value);
        stack({"libc:", "libc:pthread_mutex_lock", "user:work", "user:main"});
    }
};

} // namespace

#endif
