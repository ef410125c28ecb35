// SPDX-License-Identifier: Apache-2.0
// Proved exactly when somebody can never move: random worlds, against a search through all schedules. The
// number of worlds is 100,000, or INSPECT_WORLDS from the environment.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "inspect/graph/graph_build.h"
#include "inspect/graph/verdict.h"
#include "inspect/model/words.h"
#include "inspect/tests/world.h"

namespace
{

bool Waits(const World::Thread &t)
{
    return t.wait != World::kWorks && t.wait != World::kIdle && t.wait != World::kSleep;
}

// Else there is no lock to be given back, and the two searches are one.
bool HoldsItself(const World &w)
{
    for (size_t i = 0; i < w.threads.size(); i++)
        if ((w.threads[i].wait == World::kLock || w.threads[i].wait == World::kMutex) &&
            w.owner[w.threads[i].lock] == static_cast<int>(i))
            return true;
    return false;
}

// What the verdict must be when no thread is stuck. KNOWN, SURELY: who gets past its wait without what is not
// known, and without what comes from outside too.
std::string Expected(const World &w, const std::vector<bool> &known, const std::vector<bool> &surely)
{
    bool blind = false, goes_on = false, outside = false;

    for (size_t i = 0; i < w.threads.size(); i++) {
        const World::Thread &t = w.threads[i];

        blind |= Waits(t) && t.wait != World::kRead && !known[i];
        goes_on |= t.wait == World::kWorks || t.wait == World::kSleep || (Waits(t) && surely[i]);
        outside |= t.wait == World::kRead;
    }
    return blind || (outside && !goes_on) ? "unknown" : "none";
}

bool Foreign(const World &w)
{
    for (const World::Thread &t : w.threads)
        if (t.foreign)
            return true;
    return false;
}

TEST(Property, ProvedExactlyWhenNobodyCanEverMove)
{
    const char *wanted = getenv("INSPECT_WORLDS");
    long count = wanted ? atol(wanted) : 100000, deadlocks = 0, stuck = 0, by_tasks = 0, given = 0, mixed = 0,
         open = 0;
    std::mt19937_64 rng(4711);

    for (long k = 0; k < count; k++) {
        World w = World::Random(rng);
        std::vector<bool> moves = w.Search({}),
                          handed = HoldsItself(w) ? w.Search({true, true, true}) : moves,
                          known = w.Search({false, false, true}), surely = w.Search({false, false, false});
        auto s = w.Snapshot();
        graph g;
        bool never = false, halts = false;

        mdl_find_called(s.get());
        ASSERT_TRUE(graph_build(&g, s.get()));
        for (size_t i = 0; i < w.threads.size(); i++) {
            if (!Waits(w.threads[i]))
                continue;
            EXPECT_EQ(g.can[i], moves[i]) << "world " << k << ", thread " << i << "\n" << w.Text();
            EXPECT_EQ(g.handed[i], handed[i]) << "world " << k << ", thread " << i << "\n" << w.Text();
            EXPECT_EQ(g.known_can[i], known[i]) << "world " << k << ", thread " << i << "\n" << w.Text();
            EXPECT_EQ(g.surely_can[i], surely[i]) << "world " << k << ", thread " << i << "\n" << w.Text();
            never |= !handed[i];
            halts |= !moves[i];
        }
        graph_free(&g);
        verdict_make(s.get());
        std::string kind = mdl_word(&mdl_verdict_words, s->verdict.kind), sentence = s->verdict.sentence;
        EXPECT_EQ(kind == "deadlock" || kind == "stuck", never) << "world " << k << ": " << sentence << "\n"
                                                                << w.Text();
        EXPECT_EQ(never, sentence.find("Deadlock: ") == 0 || sentence.find("Stuck: ") == 0) << sentence;
        if (halts && !never) {
            EXPECT_EQ(kind, "suspected") << "world " << k << ": " << sentence << "\n" << w.Text();
        }
        EXPECT_EQ(sentence.back(), '.');
        // Else a thread without OpenMP could start a region for those that are idle.
        if (!halts && (kind != "suspected" || !Foreign(w))) {
            EXPECT_EQ(kind, Expected(w, known, surely)) << "world " << k << ": " << sentence << "\n"
                                                        << w.Text();
        }
        EXPECT_EQ(kind == "none" || kind == "unknown" || kind == "suspected", !never) << sentence;
        open += sentence.find("Nothing is proved: ") == 0;
        mixed += never && sentence.find(" mutex ") != std::string::npos &&
                 (sentence.find(" lock ") != std::string::npos ||
                  sentence.find(" critical") != std::string::npos ||
                  sentence.find(" barrier ") != std::string::npos);
        given += halts && !never;
        deadlocks += kind == "deadlock";
        stuck += kind == "stuck";
        by_tasks += never && sentence.find(" task") != std::string::npos;
        // A picture of a moving process proves nothing.
        if (never) {
            s->moving = true;
            verdict_make(s.get());
            EXPECT_EQ(s->verdict.kind, INSP_SUSPECTED);
        }
        if (HasFailure())
            return;
    }
    // The worlds are worth something: all sorts occur often.
    EXPECT_GT(deadlocks, count / 20);
    EXPECT_GT(stuck, count / 50);
    EXPECT_GT(by_tasks, count / 50);
    EXPECT_GT(given, count / 100);
    EXPECT_GT(mixed, count / 200);
    EXPECT_GT(open, count / 200);
    printf("%ld worlds: %ld deadlocks, %ld stuck, %ld sentences with tasks, %ld locks to give back, %ld of "
           "OpenMP and pthreads, %ld with nothing proved\n",
           count, deadlocks, stuck, by_tasks, given, mixed, open);
}

// An OpenMP lock for which threads wait that surely do not have it; -1.
int HeldLock(const World &w)
{
    for (int l = 0; l < World::kPthread; l++) {
        bool waited = false, open = false;

        for (const World::Thread &t : w.threads)
            if (t.wait == World::kLock && t.lock == l) {
                waited = true;
                open |= t.own_just_now;
            }
        if (waited && !open && w.owner[l] != World::kNobody)
            return l;
    }
    return -1;
}

// It is not recorded who holds one lock: what is said holds whoever it is, and no more could be said.
TEST(Property, WhoeverHoldsIt)
{
    const char *wanted = getenv("INSPECT_WORLDS");
    long count = wanted ? atol(wanted) : 8000, deadlocks = 0, open = 0, looked = 0;
    std::mt19937_64 rng(815);

    for (long k = 0; k < count; k++) {
        World w = World::Random(rng);
        int lock = HeldLock(w), n = static_cast<int>(w.threads.size());
        auto s = w.Snapshot();
        std::vector<bool> may(w.threads.size()), gives(w.threads.size()), surely(w.threads.size(), true);
        bool never = false;
        graph g;

        if (lock < 0)
            continue;
        looked++;
        for (int i = 0; i < n; i++)
            if (w.threads[i].wait == World::kLock && w.threads[i].lock == lock) {
                s->threads[i].wait.owner = MDL_OWNER_SOMEBODY;
                s->threads[i].wait.owner_lwp = 0;
            }
        for (int owner = World::kEnded; owner < n; owner++) {
            if (owner == World::kNobody)
                continue;
            w.owner[lock] = owner;
            std::vector<bool> moves = w.Search({}), sure = w.Search({false, false, false});
            // A lock is also given back for another thread, by any code that runs.
            std::vector<bool> given = HoldsItself(w) ? w.Search({true, true, true}) : moves;

            for (int i = 0; i < n; i++) {
                may[i] = may[i] || moves[i];
                gives[i] = gives[i] || given[i];
                surely[i] = surely[i] && sure[i];
            }
        }
        mdl_find_called(s.get());
        ASSERT_TRUE(graph_build(&g, s.get()));
        for (int i = 0; i < n; i++) {
            if (!Waits(w.threads[i]))
                continue;
            EXPECT_EQ(g.can[i], may[i]) << "world " << k << ", thread " << i << "\n" << w.Text();
            EXPECT_EQ(g.handed[i], gives[i]) << "world " << k << ", thread " << i << "\n" << w.Text();
            EXPECT_TRUE(surely[i] || !g.surely_can[i]) << "world " << k << ", thread " << i << "\n"
                                                       << w.Text();
            never |= !gives[i];
        }
        graph_free(&g);
        verdict_make(s.get());
        std::string kind = mdl_word(&mdl_verdict_words, s->verdict.kind), sentence = s->verdict.sentence;
        EXPECT_EQ(kind == "deadlock" || kind == "stuck", never) << "world " << k << ": " << sentence << "\n"
                                                                << w.Text();
        deadlocks += kind == "deadlock";
        open += sentence.find("not recorded)") != std::string::npos;
        if (never) {
            s->complete = false;
            verdict_make(s.get());
            sentence = s->verdict.sentence;
            EXPECT_TRUE(s->verdict.kind == INSP_SUSPECTED ||
                        sentence.find("not recorded)") == std::string::npos)
                << sentence;
        }
        if (HasFailure())
            return;
    }
    EXPECT_GT(deadlocks, count / 200);
    EXPECT_GT(open, count / 200);
    printf("%ld of %ld worlds: %ld deadlocks, %ld with that lock\n", looked, count, deadlocks, open);
}

} // namespace
