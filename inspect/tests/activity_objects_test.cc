// SPDX-License-Identifier: Apache-2.0
// What threads wait for: the mutexes and other objects of the thread library.
// Numbers of system calls are those of the kernel's own headers, layouts those of <pthread.h>.
#include "inspect/tests/activity.h"

namespace
{

// ---- mutexes ----------------------------------------

TEST_F(Activity, MutexAndItsOwner)
{
    for (int type : {PTHREAD_MUTEX_TIMED_NP, PTHREAD_MUTEX_RECURSIVE_NP, PTHREAD_MUTEX_ERRORCHECK_NP,
                     PTHREAD_MUTEX_ADAPTIVE_NP}) {
        put_mutex(2, kOwner, type);
        wait_for_mutex();
        const mdl_activity &a = of();
        EXPECT_EQ(a.kind, MDL_ACTIVITY_MUTEX);
        EXPECT_STREQ(a.call, "pthread_mutex_lock");
        EXPECT_EQ(a.object, kData);
        EXPECT_EQ(a.owner, MDL_OWNER_THREAD);
        EXPECT_EQ(a.owner_how, MDL_HOW_RECORDED);
        EXPECT_EQ(a.owner_tid, kOwner);
        EXPECT_EQ(a.owner_lwp, kOwner);
        EXPECT_EQ(a.owner_doubt, nullptr);
    }
}

TEST_F(Activity, NamesOfLibcWithItsDebugSymbols)
{
    put_mutex(2, kOwner, 0);
    in_futex(kData, FUTEX_WAIT_PRIVATE, 2);
    stack({"libc:futex_wait", "libc:__GI___lll_lock_wait", "libc:___pthread_mutex_lock", "user:work"});
    EXPECT_EQ(kind(), "mutex");
    EXPECT_STREQ(of().call, "pthread_mutex_lock");
    stack({"libc:__GI___lll_lock_wait", "libc:___pthread_mutex_lock", "libc:mtx_lock", "user:work"});
    EXPECT_STREQ(of().call, "mtx_lock");
    stack({"libc:", "libc:pthread_mutex_lock@@GLIBC_2.2.5", "user:work"});
    EXPECT_STREQ(of().call, "pthread_mutex_lock");
    EXPECT_EQ(owner(), "thread");
}

TEST_F(Activity, KernelsMutexes)
{
    const uint32_t waiters = FUTEX_WAITERS;
    put_mutex(static_cast<int>(waiters | kOwner), kOwner, 0x10); // robust
    wait_for_mutex(FUTEX_WAIT_PRIVATE, waiters | kOwner);
    EXPECT_EQ(of().owner_lwp, kOwner);
    put_mutex(static_cast<int>(waiters | kOwner), kOwner, 0x20); // with priority inheritance
    wait_for_mutex(FUTEX_LOCK_PI_PRIVATE, 0);
    EXPECT_EQ(of().owner_lwp, kOwner);
    EXPECT_EQ(of().owner_how, MDL_HOW_KERNEL);
    // Without a name on the stack the operation says what it is.
    stack({"libc:", "libc:", "user:work"});
    EXPECT_EQ(kind(), "mutex");
    EXPECT_EQ(of().owner_lwp, kOwner);
    put_mutex(static_cast<int>(waiters | FUTEX_OWNER_DIED | 777), 777, 0x10);
    wait_for_mutex();
    EXPECT_EQ(kind(), "mutex");
    EXPECT_EQ(owner(), "ended");
    EXPECT_NE(of().owner_doubt, nullptr); // the kernel gives it to a waiter
}

TEST_F(Activity, OwnersThatAreNoThreadsHere)
{
    wait_for_mutex();
    put_mutex(2, 5000, 0);
    host.origin = FakeHost::kNotForked;
    of();
    EXPECT_EQ(owner(), "ended");
    EXPECT_NE(of().owner_doubt, nullptr); // nobody says whether these are the host's numbers
    EXPECT_EQ(of().owner_tid, 5000);
    host.kernels[kPid] = {'S', 0, 0, kPid, 0, 0};
    of();
    EXPECT_EQ(owner(), "ended");
    EXPECT_EQ(of().owner_doubt, nullptr);
    host.origin = FakeHost::kForked; // it does not matter which number is larger
    for (int tid : {99, 5000}) {
        put_mutex(2, tid, 0);
        of();
        EXPECT_EQ(owner(), "gone");
        EXPECT_EQ(of().owner_doubt, nullptr);
    }
    host.origin = FakeHost::kOriginUnknown;
    put_mutex(2, 99, 0);
    of();
    EXPECT_EQ(owner(), "gone");
    host.tasks_known = true;
    host.tasks[99] = {98, true};
    of();
    EXPECT_EQ(owner(), "before_fork");
    EXPECT_EQ(of().owner_pid, 98);
    EXPECT_EQ(of().owner_doubt, nullptr);
    host.tasks[99] = {98, false}; // the number is another process' now
    of();
    EXPECT_EQ(owner(), "gone");
    EXPECT_EQ(of().owner_pid, 0);
    EXPECT_EQ(of().owner_doubt, nullptr);
    host.origin = FakeHost::kNotForked;
    of();
    EXPECT_EQ(owner(), "ended");
    put_mutex(2, 99, 0x80); // process-shared
    of();
    EXPECT_EQ(owner(), "process");
    EXPECT_EQ(of().owner_pid, 98);
    host.tasks.clear();
    of();
    EXPECT_EQ(owner(), "ended");
    host.tasks_known = false;
    of();
    EXPECT_EQ(owner(), "process");
    EXPECT_EQ(of().owner_pid, 0);
}

TEST_F(Activity, NumbersOfAnotherPidNamespace)
{
    host.kernels[kPid] = {'S', 0, 0, 1, 0, 0};
    host.kernels[kWaiter] = {'S', 0, 0, 7, 0, 0};
    host.kernels[kOwner] = {'S', 0, 0, 8, 0, 0};
    wait_for_mutex();
    put_mutex(2, 8, 0);
    EXPECT_EQ(of().owner_lwp, kOwner);
    host.origin = FakeHost::kNotForked;
    put_mutex(2, kOwner, 0); // a number that only the host has
    of();
    EXPECT_EQ(owner(), "ended");
}

TEST_F(Activity, MutexesThatMakeNoSense)
{
    wait_for_mutex();
    const struct {
        int lock, owner, kind;
    } cases[] = {{3, kOwner, 0},          {2, -5, 0},     {2, 1 << 30, 0},
                 {2, kOwner, 0x7fffffff}, {2, kOwner, 4}, {-1, 5, 0}};
    for (auto &c : cases) {
        put_mutex(c.lock, c.owner, c.kind);
        of();
        EXPECT_EQ(owner(), "unknown") << c.lock << " " << c.owner << " " << c.kind;
        EXPECT_EQ(unknown("activity.owner_lwp"), "what lies in its memory is no such object of glibc's");
        EXPECT_EQ(of().owner_lwp, 0);
    }
    host.memory.erase(kData);
    of();
    EXPECT_EQ(owner(), "unknown");
    EXPECT_EQ(unknown("activity.owner_lwp"), "its memory cannot be read");
    put_mutex(0, 0, 0);
    of();
    EXPECT_EQ(owner(), "none");
    put_mutex(2, 0, 0);
    of();
    EXPECT_EQ(owner(), "unknown");
}

TEST_F(Activity, AboutToWaitForAMutex)
{
    put_mutex(1, kOwner, 0);
    wait_for_mutex();
    host.system_calls.clear();
    EXPECT_EQ(kind(), "mutex");
    EXPECT_FALSE(of().asleep);
    EXPECT_EQ(of().object, 0u);
    EXPECT_EQ(owner(), "unknown");
}

TEST_F(Activity, AnotherLibc)
{
    put_mutex(2, kOwner, 0);
    in_futex(kData, FUTEX_WAIT_PRIVATE, 2);
    stack({"musl:__timedwait_cp", "musl:pthread_mutex_lock", "user:work"});
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
    EXPECT_EQ(unknown("activity.owner_lwp"), "the C library is not glibc, whose mutexes are known");
    host.modules.back().path = "/lib/ld-musl-x86_64.so.1";
    EXPECT_EQ(kind(), "futex");
    EXPECT_EQ(of().owner, MDL_OWNER_NONE);
}

TEST_F(Activity, StaticPrograms)
{
    host.memory[kProgram][16] = ET_EXEC; // and no dynamic linker is named
    put_mutex(2, kOwner, 0);
    in_futex(kData, FUTEX_WAIT_PRIVATE, 2);
    stack({"user:__lll_lock_wait", "user:pthread_mutex_lock", "user:work"});
    for (int i = 0; i < 2; i++) {
        host.frames[kWaiter][static_cast<size_t>(i)].file = "";
        host.frames[kWaiter][static_cast<size_t>(i)].line = 0;
    }
    EXPECT_EQ(kind(), "mutex");
    EXPECT_STREQ(of().at.function, "work");
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
    EXPECT_EQ(unknown("activity.owner_lwp"), "the C library is not glibc, whose mutexes are known");
    host.symbols["__libc_setup_tls"] = kProgram + 0x900;
    EXPECT_EQ(of().owner_lwp, kOwner);
    // Stripped, it may wait in whatever it runs.
    host.frames[kWaiter] = {{kProgram + 0x1000, "", "", 0, ""}, {kProgram + 0x1100, "", "", 0, ""}};
    EXPECT_EQ(kind(), "futex");
    host.system_calls.clear();
    EXPECT_EQ(kind(), "unknown");
    EXPECT_STREQ(of().why, "it is in no system call, and its function has no name: it may be one that waits");
}

TEST_F(Activity, ManyWaitersReadOneMutexOnce)
{
    put_mutex(2, kOwner, 0);
    for (int64_t lwp = 5000; lwp < 5256; lwp++) {
        host.threads.push_back({lwp, 0, 0, 0, 0});
        in_call(SYS_futex, {kData, FUTEX_WAIT_PRIVATE, 2}, kRestartSys, lwp);
        stack({"libc:", "libc:pthread_mutex_lock", "user:work"}, lwp);
        host.frames[lwp].push_back({kProgram + 0x2000, "main", "mixed.cpp", 30, ""});
    }
    want = INSP_THREADS | INSP_ACTIVITY;
    EXPECT_EQ(of(5000).owner_lwp, kOwner);
    EXPECT_EQ(of(5255).owner_lwp, kOwner);
    uint64_t reads = snap->stats.reads;
    host.threads.resize(4);
    of(5000);
    EXPECT_EQ(snap->stats.reads, reads);
    EXPECT_EQ(snap->stats.lookups, 0u);
    EXPECT_EQ(mdl_thread_by_lwp(snap, 5000)->frame_count, 3); // as far as the user's code
}

// ---- other objects of the thread library ----------------------------------------

TEST_F(Activity, ReadWriteLocks)
{
    struct {
        uint64_t before;
        pthread_rwlock_t lock;
    } memory = {};
    const uint64_t lock = kData + 8;
    const uint64_t words[] = {lock + offsetof(pthread_rwlock_t, __data.__wrphase_futex),
                              lock + offsetof(pthread_rwlock_t, __data.__writers_futex)};
    memory.lock.__data.__readers = 3; // held by a writer, in its phase
    memory.lock.__data.__cur_writer = kOwner;
    memory.lock.__data.__wrphase_futex = 3;
    memory.lock.__data.__writers_futex = 3;
    host.put(kData, &memory, sizeof(memory));
    stack({"libc:pthread_rwlock_rdlock", "user:work"});
    for (uint64_t word : words) {
        in_futex(word, FUTEX_WAIT_BITSET_PRIVATE, 3);
        EXPECT_EQ(kind(), "rwlock");
        EXPECT_EQ(of().object, lock);
        EXPECT_EQ(of().owner_lwp, kOwner);
    }
    memory.lock.__data.__readers = 5 * 8 | 4; // five readers, and one who waits for a writer in the queue
    memory.lock.__data.__cur_writer = 0;
    host.put(kData, &memory, sizeof(memory));
    in_futex(lock, FUTEX_WAIT_BITSET_PRIVATE, 5 * 8 | 4);
    EXPECT_EQ(of().object, lock);
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
    EXPECT_EQ(unknown("activity.owner_lwp"), "it is locked for reading, and does not note by whom");
    memset(&memory, 0xa5, sizeof(memory));
    host.put(kData, &memory, sizeof(memory));
    in_futex(words[0], FUTEX_WAIT_BITSET_PRIVATE, 3);
    EXPECT_EQ(kind(), "rwlock");
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
    in_futex(4, FUTEX_WAIT_BITSET_PRIVATE, 3); // before it there is nothing
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
}

TEST_F(Activity, ConditionVariables)
{
    // The word that is waited for lies at +40 in glibc 2.36 and at +32 in 2.41.
    for (uint64_t word : {kData + 40, kData + 32}) {
        in_futex(word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0);
        stack({"libc:", "libc:pthread_cond_wait",
               "c++:_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", "user:work"});
        EXPECT_EQ(kind(), "condition");
        EXPECT_EQ(of().object, word);
        EXPECT_EQ(of().owner, MDL_OWNER_NONE);
        EXPECT_STREQ(of().call, "pthread_cond_wait");
    }
    // Signalled, it waits for the mutex again.
    put_mutex(2, kOwner, 0);
    in_futex(kData, FUTEX_WAIT_PRIVATE, 2);
    EXPECT_EQ(kind(), "mutex");
    EXPECT_EQ(of().owner_lwp, kOwner);
    EXPECT_STREQ(of().call, "pthread_cond_wait");
}

TEST_F(Activity, JoinsKnowTheThread)
{
    in_futex(0x7fff00000000, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, kOwner);
    stack({"libc:", "libc:pthread_join", "c++:_ZNSt6thread4joinEv", "user:work"});
    EXPECT_EQ(kind(), "join");
    EXPECT_EQ(of().object, 0u);
    EXPECT_EQ(of().owner_lwp, kOwner);
    EXPECT_EQ(of().owner_how, MDL_HOW_KERNEL);
    // A jump leaves no frame of pthread_join: the word that is waited for lies in that thread's descriptor.
    stack({"libc:", "libc:", "user:work"});
    EXPECT_EQ(kind(), "futex");
    host.threads[2].pthread = 0x7fff00000000 - 0x2d0;
    EXPECT_EQ(kind(), "join");
    EXPECT_EQ(of().owner_lwp, kOwner);
    host.threads[2].pthread = 0x7fff00000000 + 0x2d0;
    EXPECT_EQ(kind(), "futex");
}

TEST_F(Activity, FunctionsOfLibcThatLookAlikeToTheKernel)
{
    const std::pair<const char *, const char *> cases[] = {
        {"sem_wait", "semaphore"},      {"__new_sem_wait_slow64.constprop.0", "semaphore"},
        {"sem_timedwait", "semaphore"}, {"pthread_barrier_wait", "barrier"},
        {"pthread_once", "once"},       {"__pthread_once_slow", "once"},
        {"cnd_wait", "condition"},      {"thrd_join", "join"},
        {"malloc", "malloc"},           {"__GI___libc_free", "malloc"},
        {"dl_iterate_phdr", "loader"},  {"fputs", "futex"},
    };
    in_futex(kData, FUTEX_WAIT_PRIVATE, 0);
    for (auto &[function, expected] : cases) {
        stack({"libc:", std::string("libc:") + function, "user:work"});
        EXPECT_EQ(kind(), expected) << function;
        EXPECT_TRUE(of().asleep);
    }
    // A semaphore of the user's own is none of libc's.
    stack({"libc:syscall", "user:sem_wait", "user:work"});
    EXPECT_EQ(kind(), "futex");
    // A function of the user's in the middle of libc's: what is outside of it does not wait.
    stack({"libc:syscall", "user:init", "libc:pthread_once", "user:work"});
    EXPECT_EQ(kind(), "futex");
    host.system_calls.clear();
    stack({"user:init", "libc:pthread_once", "user:work"});
    EXPECT_EQ(kind(), "computes");
}

TEST_F(Activity, LocksOfTheLoader)
{
    put_mutex(2, kOwner, PTHREAD_MUTEX_RECURSIVE_NP);
    in_futex(kData, FUTEX_WAIT_PRIVATE, 2);
    stack({"libc:", "libc:pthread_mutex_lock", "loader:_dl_open", "libc:", "libc:dlopen", "user:work"});
    EXPECT_EQ(kind(), "loader");
    EXPECT_STREQ(of().call, "dlopen");
    EXPECT_EQ(of().owner_lwp, kOwner);
    EXPECT_EQ(of().name, nullptr);
    EXPECT_STREQ(of().at.function, "work");
    stack({"libc:", "libc:pthread_mutex_lock", "user:plugin_init", "loader:call_init", "libc:dlopen",
           "user:work"});
    EXPECT_EQ(kind(), "mutex");
}

TEST_F(Activity, Spinlocks)
{
    stack({"libc:pthread_spin_lock", "user:work"});
    host.reg[{kWaiter, 5}] = kData;
    EXPECT_EQ(kind(), "spinlock");
    EXPECT_FALSE(of().asleep);
    EXPECT_EQ(of().object, kData);
}

TEST_F(Activity, CxxWaits)
{
    const std::pair<const char *, const char *> cases[] = {
        {"__cxa_guard_acquire", "once"},
        {"_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_"
         "untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_"
         "IlS3_ILl1ELl1000000000EEEE",
         "future"},
        {"_ZNSt8__detail15__platform_waitIiEEvPKT_i", "atomic"},
        {"_ZNSt8__detail16__platform_mutexEv", "futex"},
    };
    in_futex(kData, FUTEX_WAIT_PRIVATE, 0);
    for (auto &[function, expected] : cases) {
        stack({"libc:syscall", std::string("c++:") + function, "user:work"});
        EXPECT_EQ(kind(), expected) << function;
        EXPECT_EQ(of().object, kData);
        EXPECT_STREQ(of().at.function, "work");
    }
    // Templates are made in the user's file, and a semaphore waits by what an atomic waits by.
    stack({"libc:syscall", "user:_ZNSt8__detail15__platform_waitIiEEvPKT_i",
           "user:_ZNSt18__atomic_semaphore10_M_acquireEv", "user:work"});
    EXPECT_EQ(kind(), "semaphore");
    EXPECT_STREQ(of().at.function, "work");
    // What it spins for before it sleeps is the same.
    host.system_calls.clear();
    EXPECT_EQ(kind(), "semaphore");
    EXPECT_FALSE(of().asleep);
}

} // namespace
