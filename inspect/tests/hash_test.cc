// SPDX-License-Identifier: Apache-2.0
// The map and the growing arrays, against those of the C++ library.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "inspect/base/hash.h"

namespace
{

TEST(Hash, EmptyHasNothing)
{
    struct hash h = {};

    EXPECT_EQ(nullptr, hash_find(&h, 1, nullptr));
    EXPECT_EQ(nullptr, hash_find(&h, 0, "a"));
    hash_free(&h);
}

TEST(Hash, NumberAndTextAreOneKey)
{
    struct hash h = {};
    std::string copy = "a"; // the same text elsewhere is the same key

    *hash_add(&h, 1, nullptr) = 10;
    *hash_add(&h, 1, "a") = 20;
    *hash_add(&h, 1, "") = 30;
    *hash_add(&h, 2, "a") = 40;
    *hash_add(&h, 0, nullptr) = 50;
    EXPECT_EQ(5u, h.count);
    EXPECT_EQ(10u, *hash_find(&h, 1, nullptr));
    EXPECT_EQ(20u, *hash_find(&h, 1, copy.c_str()));
    EXPECT_EQ(30u, *hash_find(&h, 1, ""));
    EXPECT_EQ(40u, *hash_find(&h, 2, copy.c_str()));
    EXPECT_EQ(50u, *hash_find(&h, 0, nullptr));
    EXPECT_EQ(nullptr, hash_find(&h, 2, nullptr));
    EXPECT_EQ(20u, *hash_add(&h, 1, copy.c_str())) << "a key that is there keeps its value";
    hash_free(&h);
    EXPECT_EQ(nullptr, hash_find(&h, 1, nullptr));
}

// Keys as a target has them: addresses that differ in few bits, names that begin alike.
template <typename Alloc> void against_map(Alloc make, unsigned seed)
{
    struct hash h = make();
    std::map<std::pair<uint64_t, std::string>, uint64_t> truth;
    std::mt19937_64 random(seed);

    for (int i = 0; i < 20000; i++) {
        uint64_t number = random() % 3 ? 0x7f0000000000 + random() % 3000 * 4096 : ~(random() % 1000);
        std::string text = random() % 2 ? "/usr/lib/lib" + std::to_string(random() % 5) : std::string();
        auto at = truth.emplace(std::make_pair(number, text), 0).first;
        const char *name = text.empty() ? nullptr : at->first.second.c_str();
        const uint64_t *found = hash_find(&h, number, name);

        ASSERT_EQ(at->second != 0, found != nullptr);
        if (found) {
            ASSERT_EQ(at->second, *found);
        }
        at->second = static_cast<uint64_t>(i) + 1;
        *hash_add(&h, number, name) = at->second;
        ASSERT_EQ(truth.size(), h.count);
        ASSERT_GT(h.slots, 2 * h.count);
    }
    for (const auto &row : truth)
        EXPECT_EQ(row.second, *hash_find(&h, row.first.first,
                                         row.first.second.empty() ? nullptr : row.first.second.c_str()));
    hash_free(&h);
}

TEST(Hash, AsAMapOfTheLibrary)
{
    against_map([] { return (struct hash){}; }, 1);
}

TEST(Hash, AsAMapOfTheLibraryInAnArena)
{
    struct arena a = {};

    against_map(
        [&a] {
            struct hash h = {};
            h.arena = &a;
            return h;
        },
        2);
    arena_free(&a);
}

TEST(Hash, HoldsNoMoreThanItMay)
{
    struct hash h = {};

    h.most = 100;
    for (uint64_t i = 0; i < 100; i++)
        ASSERT_NE(nullptr, hash_add(&h, i, nullptr));
    EXPECT_EQ(nullptr, hash_add(&h, 100, nullptr));
    EXPECT_NE(nullptr, hash_add(&h, 99, nullptr)) << "a key that is there is found in a full map";
    EXPECT_EQ(100u, h.count);
    hash_free(&h);
}

// Numbers that a weak mixture puts into one slot: multiples of a large power of two.
TEST(Hash, MultiplesOfPowersSpread)
{
    for (int shift = 0; shift < 50; shift += 7) {
        std::vector<int> slots(4096);
        int most = 0;

        for (uint64_t i = 0; i < 2048; i++)
            most = std::max(most, ++slots[hash_mix(7, i << shift) & 4095]);
        EXPECT_LE(most, 10) << "shift " << shift;
    }
}

TEST(Array, KeepsWhatItHas)
{
    struct arena a = {};
    int *own = nullptr, *in_arena = nullptr;

    for (int i = 0; i < 5000; i++) {
        own = static_cast<int *>(array_grow(own, static_cast<size_t>(i), sizeof(*own)));
        in_arena = static_cast<int *>(arena_grow(&a, in_arena, static_cast<size_t>(i), sizeof(*in_arena)));
        ASSERT_NE(nullptr, own);
        ASSERT_NE(nullptr, in_arena);
        own[i] = in_arena[i] = i;
    }
    for (int i = 0; i < 5000; i++) {
        ASSERT_EQ(i, own[i]);
        ASSERT_EQ(i, in_arena[i]);
    }
    free(own);
    arena_free(&a);
}

TEST(Array, RefusesWhatCannotBe)
{
    struct arena a = {};
    int one = 1;

    EXPECT_EQ(nullptr, array_grow(&one, SIZE_MAX / 16 + 1, 16));
    EXPECT_EQ(nullptr, arena_grow(&a, &one, SIZE_MAX / 16 + 1, 16));
    EXPECT_TRUE(a.oom);
    arena_free(&a);
}

} // namespace
