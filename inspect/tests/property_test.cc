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
    return t.wait != World::kWorks && t.wait != World::kIdle && t.wait != World::kForeign;
}

// Else there is no lock to be given back, and the two searches are one.
bool HoldsItself(const World &w)
{
    for (size_t i = 0; i < w.threads.size(); i++)
        if (w.threads[i].wait == World::kLock && w.owner[w.threads[i].lock] == static_cast<int>(i))
            return true;
    return false;
}

TEST(Property, ProvedExactlyWhenNobodyCanEverMove)
{
    const char *wanted = getenv("INSPECT_WORLDS");
    long count = wanted ? atol(wanted) : 100000, deadlocks = 0, stuck = 0, by_tasks = 0, given = 0;
    std::mt19937_64 rng(4711);

    for (long k = 0; k < count; k++) {
        World w = World::Random(rng);
        std::vector<bool> moves = w.Search(), handed = HoldsItself(w) ? w.Search(true) : moves;
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
    printf("%ld worlds: %ld deadlocks, %ld stuck, %ld sentences with tasks, %ld locks to give back\n", count,
           deadlocks, stuck, by_tasks, given);
}

} // namespace
