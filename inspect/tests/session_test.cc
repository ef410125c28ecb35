// SPDX-License-Identifier: Apache-2.0
// Sessions: opening, processes without a runtime or with another's, runs one after the other, cost.
#include <gtest/gtest.h>

#include "inspect/tests/scenario.h"

namespace
{

bool has(const std::string &text, const char *words)
{
    return text.find(words) != std::string::npos;
}

TEST(Open, RefusesAHostOfAnotherVersion)
{
    FakeHost h;
    char *error = nullptr;
    insp_host t = h.table();
    t.version++;
    EXPECT_EQ(insp_open(&t, "/x", &error), nullptr);
    EXPECT_NE(error, nullptr);
    insp_string_free(error);
    t = h.table();
    t.read = nullptr;
    EXPECT_EQ(insp_open(&t, "/x", &error), nullptr);
    EXPECT_NE(error, nullptr);
    insp_string_free(error);
    EXPECT_EQ(insp_open(nullptr, "/x", nullptr), nullptr);
    insp_close(nullptr);
}

TEST(Open, LibraryThatCannotBeLoaded)
{
    Scenario s(true);
    s.library = "/nonexistent/libompd.so";
    EXPECT_TRUE(has(s.render(INSP_VIEW_THREADS),
                    "The OpenMP runtime cannot be read: the OMPD library cannot be loaded"));
    EXPECT_TRUE(has(s.render(INSP_VIEW_STATUS), "OMPD library: the OMPD library cannot be loaded"));
    Scenario none(true);
    none.library = "libc.so.6";
    EXPECT_TRUE(has(none.render(INSP_VIEW_THREADS), "is not an OMPD library: it has no ompd_initialize"));
}

TEST(Process, WithoutOpenMP)
{
    Scenario s(true);
    s.host.modules.resize(3);
    for (int view = INSP_VIEW_THREADS; view <= INSP_VIEW_STATUS; view++)
        EXPECT_TRUE(has(s.render(view), "This process has not loaded an OpenMP runtime that ompd knows"))
            << view;
}

// A truncated core without the files: none of them was looked at.
TEST(Process, WhoseFilesCannotBeRead)
{
    Scenario one(true), two(true);
    one.host.memory.erase(kBase);
    EXPECT_TRUE(has(one.render(INSP_VIEW_WAITS),
                    "It is not known whether this process has loaded an OpenMP runtime: the first page of "
                    "/opt/lib/libompcompanion.so.1.0.0 is missing."));
    EXPECT_FALSE(has(one.render(INSP_VIEW_WAITS), "has not loaded"));
    two.host.memory.erase(kBase);
    two.host.memory.erase(0x400000);
    EXPECT_TRUE(has(two.render(INSP_VIEW_WAITS), "libompcompanion.so.1.0.0 and of 1 more file is missing."));
}

TEST(Process, BeforeRun)
{
    Scenario s(true);
    s.host.modules.clear();
    s.host.threads.clear();
    EXPECT_TRUE(
        has(s.render(INSP_VIEW_THREADS), "This process has not loaded an OpenMP runtime that ompd knows"));
}

TEST(Process, NotStarted)
{
    Scenario s(true);
    s.host.memory[kTable] = std::vector<uint8_t>(32);
    EXPECT_TRUE(has(s.render(INSP_VIEW_THREADS), "OpenMP has not started yet in this process"));
}

TEST(Process, DamagedOrAbsentTable)
{
    Scenario s(true);
    s.host.memory[kTable][25] ^= 1;
    EXPECT_TRUE(has(s.render(INSP_VIEW_THREADS),
                    "libompcompanion.so.1.0.0 cannot be read: its layout table is damaged"));
    s.host.memory.erase(kTable);
    EXPECT_TRUE(has(s.render(INSP_VIEW_THREADS),
                    "cannot be read: the memory that holds its layout table is missing"));
}

TEST(Process, ForeignRuntime)
{
    Scenario s(true);
    s.host.modules.resize(3);
    s.host.modules.push_back({0x7d0000000000, "/usr/lib/libgomp.so.1"});
    s.host.memory[0x7d0000000000] = std::vector<uint8_t>(4096);
    s.model->refusal = "libompd: no layout is known for build-id 3856f095.\n";
    s.model->refuses = ompd_rc_incompatible;
    std::string text = s.render(INSP_VIEW_THREADS);
    EXPECT_TRUE(has(text,
                    "The OpenMP runtime of this process is /usr/lib/libgomp.so.1: no layout is known for "
                    "build-id 3856f095. "))
        << text;
    EXPECT_TRUE(has(text, "`ompd layout /usr/lib/libgomp.so.1")) << text;
    EXPECT_FALSE(has(text, "has not loaded"));
    EXPECT_EQ(s.host.printed.find("no layout"), std::string::npos) << "it is said once";
}

// A runtime of both kinds: what the library knows is shown, and the other one is named.
TEST(Process, ForeignRuntimeBesideCompanion)
{
    Scenario both(true);
    both.host.modules.push_back({0x7d0000000000, "/usr/lib/libgomp.so.1"});
    both.host.memory[0x7d0000000000] = std::vector<uint8_t>(4096);
    both.model->refuses = ompd_rc_incompatible;
    both.model->refusal = "libompd: no layout is known.\n";
    std::string text = both.render(INSP_VIEW_THREADS);
    EXPECT_TRUE(has(text,
                    "This process has loaded another OpenMP runtime too, /usr/lib/libgomp.so.1: no layout is "
                    "known."))
        << text;
    EXPECT_TRUE(has(text, "lock_a"));
}

TEST(Process, ForeignRuntimeHasNotStarted)
{
    Scenario s(true);
    s.host.modules.resize(3);
    s.host.modules.push_back({0x7d0000000000, "/usr/lib/libgomp.so.1"});
    s.host.memory[0x7d0000000000] = std::vector<uint8_t>(4096);
    s.model->refuses = ompd_rc_unavailable;
    EXPECT_TRUE(has(s.render(INSP_VIEW_THREADS), "OpenMP has not started yet in this process"));
    s.close();
    // Known, and nothing in it has run.
    s.model->refuses = ompd_rc_ok;
    s.model->info.kind = "libgomp";
    s.model->thread_count = 0;
    s.open();
    EXPECT_TRUE(has(s.render(INSP_VIEW_THREADS), "OpenMP has not started yet in this process"));
}

// A vendor's library (no extensions) is asked about a runtime that has no note of ours: it may be the
// vendor's.
TEST(Process, VendorsLibraryAndRuntime)
{
    Scenario s(false);
    s.host.modules.resize(3);
    s.host.modules.push_back({0x7d0000000000, "/usr/lib/libomp.so.5"});
    s.host.memory[0x7d0000000000] = std::vector<uint8_t>(4096);
    std::string stripped = s.render(INSP_VIEW_THREADS);
    EXPECT_TRUE(has(stripped, "libomp.so.5 cannot be read: the OMPD library (fake OMPD 1) cannot open it"))
        << stripped;
    s.host.symbols["rt_layout_table"] = kTable; // which the scripted library looks for
    std::string text = s.render(INSP_VIEW_REPORT, INSP_JSON);
    EXPECT_TRUE(has(text, "\"kind\":\"libomp\"") || has(text, "\"kind\": \"libomp\"")) << text;
    EXPECT_TRUE(has(text, "\"state\": \"wait_lock\""));
    EXPECT_FALSE(has(text, "not supported by this"));
    EXPECT_EQ(s.model->live_handles, 1); // its address space
}

TEST(Process, SecondRunInOneSession)
{
    Scenario s(true);
    EXPECT_TRUE(has(s.render(INSP_VIEW_THREADS), "lock_a"));
    s.host.memory[kTable] = std::vector<uint8_t>(32); // started again, its constructor has not run
    EXPECT_TRUE(has(s.render(INSP_VIEW_THREADS), "OpenMP has not started yet"));
    EXPECT_EQ(s.model->live_handles, 0); // the old address space is forgotten
    s.host.modules.pop_back();
    s.host.put_runtime(kBase + 0x1000000, "/opt/lib/libompcompanion.so.1.0.0", kTable + 0x1000000, true);
    EXPECT_TRUE(has(s.render(INSP_VIEW_THREADS), "lock_a"));
}

TEST(Process, TwoSessionsShareTheLibrary)
{
    Scenario a(true), b(true);
    EXPECT_TRUE(has(b.render(INSP_VIEW_THREADS), "lock_a"));
    a.open();
    a.close();
    EXPECT_TRUE(has(b.render(INSP_VIEW_THREADS), "lock_a"));
}

TEST(Process, MessagesOfTheLibrary)
{
    Scenario s(true);
    s.render(INSP_VIEW_THREADS);
    EXPECT_EQ(s.host.printed, "hello from the fake");
}

// A debugger that draws its screen while it is asked for progress may take a snapshot of another process.
TEST(Process, MessagesGoToTheirOwnSession)
{
    Scenario a(true), b(true);

    a.open();
    b.open();
    a.host.on_progress = [&a, &b] {
        EXPECT_TRUE(has(b.render(INSP_VIEW_THREADS), "lock_a"));
        a.speak();
    };
    EXPECT_TRUE(has(a.render(INSP_VIEW_THREADS), "lock_a"));
    EXPECT_EQ(a.host.printed, "hello from the fake");
    EXPECT_EQ(b.host.printed, "hello from the fake");
}

TEST(Cost, Threads256)
{
    Scenario s(true);
    insp_stats stats;

    s.host.threads.clear();
    s.model->thread_count = 0;
    for (int i = 0; i < 256; i++) {
        insp_thread h = {};
        ompdx_thread_info_t *t = &s.model->threads[s.model->thread_count++];

        h.lwp = 1000 + i;
        h.pthread = 0x100000 + 0x100 * static_cast<uint64_t>(i);
        h.gdb_num = i + 1;
        s.host.threads.push_back(h);
        *t = ompdx_thread_info_t{};
        t->id = 50 + static_cast<uint64_t>(i);
        t->pthread = h.pthread;
        t->tid = h.lwp;
        t->region = 3;
        t->task = 12;
        t->thread_num = i;
        t->team_size = 256;
        t->state = i ? ompt_state_wait_barrier_explicit : ompt_state_work_parallel;
        t->wait_kind = i ? ompdx_wait_barrier : ompdx_wait_none;
        t->wait_object = i ? 3 : 0;
        t->wait_codeptr = 0x401220;
    }
    s.model->regions[1].info.team_size = 256;
    for (int i = 1; i < 256; i++)
        s.model->regions[1].arrivals[i - 1] = i;
    s.model->regions[1].arrival_count = 255;
    s.model->reads_in_bracket = 8;
    s.want = INSP_THREADS;
    std::string text = s.render(INSP_VIEW_THREADS, INSP_TEXT, 80);
    EXPECT_TRUE(has(text, "255/256")) << text;
    EXPECT_TRUE(has(text, "2-256 (255 threads)")) << text;
    insp_get_stats(s.session, &stats);
    EXPECT_LE(stats.reads, 16u);
    EXPECT_LE(stats.lookups, 3u);
    EXPECT_EQ(s.host.calls[FakeHost::kPlace], 1); // one address, asked once
    insp_reset_stats(s.session);
    insp_get_stats(s.session, &stats);
    EXPECT_EQ(stats.reads, 0u);
}

} // namespace
